// main.cpp - the program `touchmove`
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <string>

#include "host/app/commands.hpp"
#include "host/app/program.hpp"
#include "host/serve/language.hpp"

namespace {

constexpr const char* about = R"(Touchmove, the arbiter at an electronic chessboard.

  touchmove run --device usbip://127.0.0.1:3240/1-1
                             follow the board that a simulator offers
  touchmove run              follow the first real board on USB
  touchmove doctor           say what is missing on this machine
  touchmove COMMAND --help   what a command takes
)";

constexpr const char* footer =
    "Exit status: 0 if all went well, 1 if not, after one sentence on stderr.";

}  // namespace

int touchmove::app::complain(std::string_view sentence) {
    fmt::print(stderr, "touchmove: {}\n", sentence);
    return 1;
}

void touchmove::app::add_language(CLI::App& command, std::optional<std::string>& into) {
    command.add_option("--language", into, "Of the explanations: en, ru or pl (en)")
        ->type_name("CODE")
        ->check([](const std::string& word) {
            return serve::language_of(word) ? "" : fmt::format("{} is none of en, ru, pl", word);
        });
}

int main(int argc, char** argv) {
    CLI::App app{about, "touchmove"};
    app.set_version_flag("--version", std::string("touchmove ") + TOUCHMOVE_VERSION,
                         "Print the version and leave");
    app.footer(footer);
    app.require_subcommand(1);

    touchmove::app::Chosen chosen;
    touchmove::app::add_run(app, chosen);
    touchmove::app::add_referee(app, chosen);
    touchmove::app::add_perft(app, chosen);
    touchmove::app::add_unwinnable(app, chosen);
    touchmove::app::add_journal(app, chosen);
    touchmove::app::add_board(app, chosen);
    touchmove::app::add_doctor(app, chosen);
    return touchmove::app::run_program(app, argc, argv, chosen, 1);
}
