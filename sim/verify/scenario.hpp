// scenario.hpp - a game's inputs as a scenario file for `touchmove referee`
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "sim/bench/script.hpp"
#include "sim/verify/game_run.hpp"

namespace touchmove::verify {

/// What the referee was told in one game, in the format of tests/scenarios/FORMAT.md, with the
/// moves that should have come out: a failure that can be looked at without the simulator. Times
/// are in milliseconds with three decimals. Session records are left out.
[[nodiscard]] std::string scenario_text(const std::string& id, const bench::Script& script,
                                        std::span<const TimedInput> inputs);

}  // namespace touchmove::verify
