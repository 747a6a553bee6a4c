// run_command.cpp - `touchmove run`: the daemon
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/app/commands.hpp"
#include "host/app/configuration.hpp"
#include "host/app/daemon.hpp"
#include "host/app/time_control.hpp"

namespace touchmove::app {
namespace {

// Log levels (docs/configuration.md has them for the user):
//   error    the daemon cannot do what it is for: a disk refuses
//   warn     somebody should look: a client or a device misbehaves, at most once per cause
//   info     rare and of lasting interest: start, stop, a board comes or goes
//   debug    per game and per connection; never per record
// Nothing that a client or a board can repeat at will is logged above debug.

struct Options {
    std::string config;
    std::vector<std::string> devices;
    std::optional<std::string> journal;
    std::optional<std::string> pgn_dir;
    std::optional<std::uint16_t> port;
    std::optional<std::string> log_level;
    std::optional<std::string> language;
    std::optional<std::string> time_control;
    std::optional<std::string> white;
    std::optional<std::string> black;
    std::optional<std::string> event;
    bool no_levers = false;
};

template <class T>
void override_with(const std::optional<T>& given, T& setting) {
    if (given) setting = *given;
}

Result<Configuration> configuration_from(const Options& options) {
    Configuration configuration;
    if (!options.config.empty()) {
        auto read = read_configuration(options.config);
        if (!read) return read.error();
        configuration = *std::move(read);
    }
    if (!options.devices.empty()) configuration.devices = options.devices;
    override_with(options.journal, configuration.journal);
    override_with(options.pgn_dir, configuration.pgn_dir);
    override_with(options.port, configuration.web_port);
    override_with(options.log_level, configuration.log_level);
    override_with(options.white, configuration.game.white);
    override_with(options.black, configuration.game.black);
    override_with(options.event, configuration.game.event);
    if (options.time_control) {
        auto clock = parse_time_control(*options.time_control);
        if (!clock) return Error(clock.error().code, "--time-control: " + clock.error().message());
        configuration.game.clock = *std::move(clock);
    }
    if (options.language) configuration.language = *serve::language_of(*options.language);
    if (options.no_levers) configuration.game.rules.has_levers = false;
    if (auto checked = check_devices(configuration.devices); !checked) return checked.error();
    return configuration;
}

Result<void> start_log(const std::string& level) {
    const auto known = spdlog::level::from_str(level);
    if (known == spdlog::level::off && level != "off") {
        return Error(std::errc::invalid_argument,
                     fmt::format("log_level \"{}\" is none of \"error\", \"warn\", \"info\", "
                                 "\"debug\", \"off\"",
                                 level));
    }
    spdlog::set_default_logger(spdlog::stderr_color_mt("touchmove"));
    spdlog::set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %v");
    spdlog::set_level(known);
    return {};
}

int run(const Options& options) {
    auto configuration = configuration_from(options);
    if (!configuration) return complain(configuration.error().message());
    if (auto started = start_log(configuration->log_level); !started) {
        return complain(started.error().message());
    }
    Daemon daemon(*std::move(configuration), [](const std::string& line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
    });
    if (auto ended = daemon.run(); !ended) return complain(ended.error().message());
    return 0;
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
    auto* command = app.add_subcommand("run", "Follow boards: keep the record, show the games");
    auto options = std::make_shared<Options>();
    command->add_option("--config", options->config, "TOML file; options below come before it")
        ->type_name("FILE");
    command
        ->add_option("--device", options->devices,
                     "Where a board is: usb://VID:PID[/SERIAL] or usbip://HOST[:PORT]/BUSID; "
                     "may be given several times (default: usb://1209:0001)")
        ->type_name("URI")
        ->allow_extra_args(false);
    command->add_option("--journal", options->journal, "The record on disk (touchmove.db)")
        ->type_name("FILE");
    command->add_option("--pgn-dir", options->pgn_dir, "Folder for the games as PGN (games)")
        ->type_name("DIR");
    command->add_option("--port", options->port, "Port of the page, 0 for any free one (8088)")
        ->type_name("N");
    command
        ->add_option("--time-control", options->time_control,
                     "As in PGN, in seconds: 40/5400+30:1800+30, 900+10, - for no clock (-)")
        ->type_name("TEXT");
    command->add_option("--white", options->white, "White's name in games that begin by themselves")
        ->type_name("NAME");
    command->add_option("--black", options->black, "Black's name")->type_name("NAME");
    command->add_option("--event", options->event, "The event's name")->type_name("NAME");
    command->add_flag("--no-levers", options->no_levers,
                      "The boards have no clock levers: a move counts once it has stood");
    add_language(*command, options->language);
    command
        ->add_option("--log-level", options->log_level,
                     "error, warn, info, debug or off, to stderr (info)")
        ->type_name("LEVEL");
    command->callback([&chosen, options] { chosen = [options] { return run(*options); }; });
}

}  // namespace touchmove::app
