// doctor_command.cpp - `touchmove doctor`: what is wrong with this machine's set-up
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/app/board_report.hpp"
#include "host/app/commands.hpp"
#include "host/app/doctor.hpp"
#include "host/app/sensor_watch.hpp"
#include "host/link/board_console.hpp"

namespace touchmove::app {
namespace {

struct Options {
    std::string config;
    std::vector<std::string> devices;
    std::optional<unsigned> sensors;  // seconds
};

bool is_bad(const Finding& finding) {
    return finding.verdict == Verdict::bad;
}

Finding ask(const std::string& uri) {
    auto board = link::BoardConsole::open(uri);
    const auto text = board ? describe(**board) : Result<std::string>(board.error());
    if (text) return {Verdict::good, "asked " + uri, *text, ""};
    return {Verdict::note, "asked " + uri, text.error().message(),
            "A running touchmove keeps its board to itself."};
}

/// Shows the raw inputs while somebody goes over the squares, then the verdicts.
int watch_sensors(const std::string& uri, unsigned seconds) {
    auto board = link::BoardConsole::open(uri);
    if (!board) return complain(board.error().message());
    const auto text = describe(**board);
    if (!text) return complain(text.error().message());
    fmt::print("board: {}\nWatching its raw inputs for {} s. Start with an empty board; set a man "
               "on every square, press every lever.\n",
               *text, seconds);
    const bool live = ::isatty(STDOUT_FILENO) != 0;
    constexpr int lines = 10;
    // Ctrl-C ends the watch, not the verdict on what it saw.
    boost::asio::io_context signals;
    boost::asio::signal_set stop(signals, SIGINT, SIGTERM);
    bool stopped = false;
    stop.async_wait([&stopped](const boost::system::error_code& error, int) { stopped = !error; });
    SensorWatch watch;
    const auto windows = std::chrono::seconds(seconds) / SensorWatch::window;
    for (std::int64_t i = 0; i <= windows && !stopped; ++i) {
        if (i > 0) signals.run_for(SensorWatch::window);
        const auto report = (*board)->sensors();
        if (!report) return complain(report.error().message());
        watch.take(*report);
        if (live) {
            fmt::print("{}{}", i == 0 ? "" : fmt::format("\x1b[{}A", lines), watch.picture());
        }
        std::fflush(stdout);
    }
    fmt::print("raw now: # occupied, . empty\n{}", live ? "" : watch.picture());
    fmt::print("+ opened and closed, . untouched, X stuck (or a man stood there), ! chattering\n{}",
               watch.verdicts());
    return watch.faulty() ? 1 : 0;
}

int doctor(const Options& options) {
    Configuration configuration;
    if (!options.config.empty()) {
        auto read = read_configuration(options.config);
        if (!read) return complain(read.error().message());
        configuration = *std::move(read);
    }
    if (!options.devices.empty()) configuration.devices = options.devices;
    if (options.sensors) {
        if (configuration.devices.size() != 1) {
            return complain("the sensors of one board at a time; name it with --device");
        }
        return watch_sensors(configuration.devices.front(), *options.sensors);
    }
    std::vector<Finding> findings;
    std::vector<std::string> fit_to_ask;
    for (const std::string& uri : configuration.devices) {
        const std::vector<Finding> of_board = examine_board(uri);
        if (std::none_of(of_board.begin(), of_board.end(), is_bad)) fit_to_ask.push_back(uri);
        findings.insert(findings.end(), of_board.begin(), of_board.end());
    }
    const std::vector<Finding> of_host = examine_host(configuration);
    findings.insert(findings.end(), of_host.begin(), of_host.end());
    for (const Finding& finding : findings) fmt::print("{}\n", line_of(finding));
    for (const std::string& uri : fit_to_ask) fmt::print("{}\n", line_of(ask(uri)));
    return std::any_of(findings.begin(), findings.end(), is_bad) ? 1 : 0;
}

}  // namespace

void add_doctor(CLI::App& app, Chosen& chosen) {
    auto* command = app.add_subcommand(
        "doctor",
        "Say what is wrong with this machine's set-up, a line a check; exit 1 if anything");
    auto options = std::make_shared<Options>();
    command->add_option("--config", options->config, "As for run")->type_name("FILE");
    command->add_option("--device", options->devices, "As for run")
        ->type_name("URI")
        ->allow_extra_args(false);
    command
        ->add_option("--sensors", options->sensors,
                     "Instead watch the board's raw inputs so long: which squares are stuck, "
                     "chatter, or were never touched")
        ->type_name("SECONDS")
        ->check(CLI::Range(1, 3600));
    command->callback([&chosen, options] { chosen = [options] { return doctor(*options); }; });
}

}  // namespace touchmove::app
