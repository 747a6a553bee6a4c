// board_command.cpp - `touchmove board`: a board's settings and lamps
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "host/app/board_report.hpp"
#include "host/app/commands.hpp"
#include "host/app/configuration.hpp"

namespace touchmove::app {
namespace {

struct Options {
    std::string device = Configuration{}.devices.front();
    std::optional<unsigned> settle_us, lift_us, place_us, aux_invert;
    std::optional<std::string> eager;
    std::vector<std::string> lamps;
    unsigned seconds = 10;

    [[nodiscard]] bool changes_settings() const {
        return settle_us || lift_us || place_us || aux_invert || eager;
    }
};

void apply(const Options& options, tm_settings& settings) {
    if (options.settle_us) settings.settle_us = static_cast<std::uint8_t>(*options.settle_us);
    if (options.lift_us) settings.lift_us = *options.lift_us;
    if (options.place_us) settings.place_us = *options.place_us;
    if (options.aux_invert) settings.aux_invert = static_cast<std::uint8_t>(*options.aux_invert);
    if (options.eager) settings.flags = *options.eager == "on" ? TM_SETTINGS_EAGER : 0;
}

/// Changes what is asked for; returns the settings then in force.
Result<tm_settings> set(const Options& options, link::BoardConsole& board) {
    auto settings = board.settings();
    if (!settings || !options.changes_settings()) return settings;
    apply(options, *settings);
    if (const auto done = board.set_settings(*settings); !done) return done.error();
    return board.settings();
}

Result<void> light(const Options& options, link::BoardConsole& board) {
    const auto info = board.info();
    if (!info) return info.error();
    const auto lamps = lamps_of(options.lamps, info->lamps);
    if (!lamps) return lamps.error();
    if (auto done = board.light(*lamps); !done) return done;
    fmt::print("lit for {} s\n", options.seconds);
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::seconds(options.seconds));
    return board.light(0);
}

int run(const Options& options) {
    const auto board = link::BoardConsole::open(options.device);
    if (!board) return complain(board.error().message());
    const auto settings = set(options, **board);
    if (!settings) {
        return complain(settings.error().code == std::errc::broken_pipe
                            ? "the board refuses these settings"
                            : settings.error().message());
    }
    // Only now: the settings decide how fast it scans.
    const auto description = describe(**board);
    if (!description) return complain(description.error().message());
    fmt::print("board: {}\nsettings: {}\n", *description, settings_text(*settings));
    if (options.lamps.empty()) return 0;
    const auto done = light(options, **board);
    return done ? 0 : complain(done.error().message());
}

}  // namespace

void add_board(CLI::App& app, Chosen& chosen) {
    auto* command = app.add_subcommand(
        "board",
        "Print what a board is and its settings; change them (it keeps them in its flash)");
    auto options = std::make_shared<Options>();
    command->add_option("--device", options->device, "As for run, one board")->type_name("URI");
    command
        ->add_option("--settle-us", options->settle_us,
                     "Microseconds a row is driven before its columns are read; less than 8 "
                     "(chain: 10) is taken as that")
        ->check(CLI::Range(1, 255));
    command
        ->add_option("--lift-us", options->lift_us,
                     "Microseconds a square must read empty to count as lifted")
        ->check(CLI::Range(1U, TM_THRESHOLD_MAX_US));
    command
        ->add_option("--place-us", options->place_us,
                     "Microseconds a square must read occupied to count as placed")
        ->check(CLI::Range(1U, TM_THRESHOLD_MAX_US));
    command
        ->add_option("--eager", options->eager,
                     "on: accept the first change, then ignore the input for the threshold")
        ->check(CLI::IsMember({"on", "off"}));
    command
        ->add_option("--aux-invert", options->aux_invert,
                     "Sum of 2^n for each aux input n that is active low")
        ->check(CLI::Range(0, 255));
    command
        ->add_option("--lamps", options->lamps,
                     "Light these squares' lamps: e2,e4; of a board with eight: a1 to h1")
        ->delimiter(',')
        ->type_name("SQUARE");
    command->add_option("--seconds", options->seconds, "So long")
        ->check(CLI::Range(1, 3600))
        ->capture_default_str();
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace touchmove::app
