// doctor_command.cpp - `touchmove doctor`: what is wrong with this machine's set-up
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "host/app/commands.hpp"
#include "host/app/doctor.hpp"

namespace touchmove::app {
namespace {

struct Options {
    std::string config;
    std::vector<std::string> devices;
};

int doctor(const Options& options) {
    Configuration configuration;
    if (!options.config.empty()) {
        auto read = read_configuration(options.config);
        if (!read) return complain(read.error().message());
        configuration = *std::move(read);
    }
    if (!options.devices.empty()) configuration.devices = options.devices;
    int status = 0;
    for (const Finding& finding : examine(configuration)) {
        fmt::print("{}\n", line_of(finding));
        if (finding.verdict == Verdict::bad) status = 1;
    }
    return status;
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
    command->callback([&chosen, options] { chosen = [options] { return doctor(*options); }; });
}

}  // namespace touchmove::app
