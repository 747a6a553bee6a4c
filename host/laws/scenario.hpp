// scenario.hpp - pieces of games at the board, and what the Laws make of them
// SPDX-License-Identifier: Apache-2.0
//
// The format is described in tests/scenarios/FORMAT.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/base/result.hpp"

namespace touchmove::laws {

struct ScenarioOutcome {
    std::string id;
    bool ok = false;
    std::string differs;  ///< what differs from the expectation, in one line; empty when ok
    std::string json;     ///< {"id":..,"ok":..,"got":{..}} on one line
};

/// Runs every scenario of a file's text (a JSON array) through a referee. Fails with one sentence
/// that names the scenario when the text is not JSON or not a scenario file.
[[nodiscard]] Result<std::vector<ScenarioOutcome>> run_scenarios(std::string_view text);

/// Reads and runs a file.
[[nodiscard]] Result<std::vector<ScenarioOutcome>> run_scenario_file(const std::string& path);

}  // namespace touchmove::laws
