// hands.hpp - from a move of the game to what hands do on the board
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "host/chess/position.hpp"
#include "sim/bench/plan.hpp"
#include "sim/bench/styles.hpp"

namespace touchmove::bench {

/// The circumstances of one move.
struct Circumstances {
    bool may_adjust =
        false;  ///< the opponent's move is closed: an announcement is in order (4.2.1)
    unsigned slowness = 1000;  ///< per mille of the style's own times; stops stay short
    /// The opponent has just let go here and not pressed yet. A capture of that man begins with the
    /// captor then: were the lever pressed while only the victim is off, no sensor could tell it
    /// from the mover's own man taken back in hand.
    std::optional<chess::Square> not_yet_pressed = std::nullopt;
};

/// The acts of `move`, legal in `before`, done in that style. Times count from 0 = first touch. The
/// lever is left out: add_press() does that once the game's timing is known.
[[nodiscard]] Plan plan_move(const Style& style, const chess::Position& before, chess::Move move,
                             const Circumstances& circumstances, Rng& rng);

/// The two levers of a chess clock are one rocker: pressing one side lifts the other.
void add_press(Plan& plan, chess::Color side, BenchUs at, Rng& rng);

}  // namespace touchmove::bench
