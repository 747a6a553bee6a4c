// main.cpp - the program touchmove-sim
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "host/app/program.hpp"
#include "sim/app/serve_command.hpp"
#include "sim/app/verify_command.hpp"

int main(int argc, char** argv) {
    CLI::App app{"Touchmove's simulator: chessboards down to the contact, without hardware.",
                 "touchmove-sim"};
    app.set_version_flag("--version", std::string("touchmove-sim ") + TOUCHMOVE_VERSION,
                         "Print the version and leave");
    app.require_subcommand(1);
    std::function<int()> run;
    touchmove::app::add_serve_command(app, run);
    touchmove::app::add_verify_command(app, run);
    return touchmove::app::run_program(app, argc, argv, run, 2);
}
