// referee_command.cpp - `touchmove referee`: runs scenario files
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "host/app/commands.hpp"
#include "host/laws/scenario.hpp"

namespace touchmove::app {
namespace {

struct Options {
    std::vector<std::string> files;
    bool json = false;
};

int referee(const Options& options) {
    std::size_t passed = 0;
    std::size_t failed = 0;
    for (const std::string& file : options.files) {
        const auto outcomes = laws::run_scenario_file(file);
        if (!outcomes) {
            complain(outcomes.error().message());
            ++failed;
            continue;
        }
        for (const laws::ScenarioOutcome& outcome : *outcomes) {
            ++(outcome.ok ? passed : failed);
            if (options.json) fmt::print("{}\n", outcome.json);
            else if (outcome.ok) fmt::print("ok {}\n", outcome.id);
            else fmt::print("FAIL {}: {}\n", outcome.id, outcome.differs);
        }
    }
    if (!options.json) fmt::print("{} passed, {} failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace

void add_referee(CLI::App& app, Chosen& chosen) {
    auto* command = app.add_subcommand(
        "referee", "Run scenario files (tests/scenarios/FORMAT.md); exit 0 if all hold");
    auto options = std::make_shared<Options>();
    command->add_option("FILE", options->files, "Scenario files")->required();
    command->add_flag("--json", options->json, "Print the decisions, an object a scenario");
    command->callback([&chosen, options] { chosen = [options] { return referee(*options); }; });
}

}  // namespace touchmove::app
