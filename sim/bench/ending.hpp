// ending.hpp - what happens on the board when the game is over
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "host/chess/position.hpp"
#include "sim/bench/plan.hpp"

namespace touchmove::bench {

/// Both kings put on centre squares, as players signal a result: on light ones for 1-0, on dark
/// ones for 0-1, side by side for a draw; on any two where men stand in the way, and not at all
/// (none) where fewer than two are free. Times count from 0.
[[nodiscard]] std::optional<Plan> plan_kings_to_centre(const chess::Position& position,
                                                       std::string_view result, Rng& rng);

/// The men put back to the initial array, from wherever they stand in `occupied`.
[[nodiscard]] Plan plan_men_back(chess::Bitboard occupied, Rng& rng);

/// What is said to the host about `result`: the loser resigns, or a draw is offered and accepted;
/// nothing for "*".
[[nodiscard]] Plan plan_agreement(std::string_view result, chess::Color to_move);

/// The squares that hold men after `plan`, begun with men on `occupied`.
[[nodiscard]] chess::Bitboard occupied_after(const Plan& plan, chess::Bitboard occupied);

}  // namespace touchmove::bench
