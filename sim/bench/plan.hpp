// plan.hpp - what hands do for one move, before it becomes contact changes
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "host/base/board_inputs.hpp"
#include "host/chess/types.hpp"
#include "sim/bench/physics.hpp"
#include "sim/bench/random.hpp"

namespace touchmove::bench {

/// A man's magnet over a square.
struct MagnetAct {
    BenchUs at;
    BenchUs lasts;  ///< for slides; else 0
    chess::Square square;
    Motion motion;
};

/// A lever or button goes down or comes up.
struct SwitchAct {
    BenchUs at;
    BoardInput input;
    bool down;
};

/// What no sensor sees and somebody has to tell the host.
struct Said {
    enum class What : std::uint8_t { promoted_piece, resigns, offers_draw, accepts_draw };
    BenchUs at;
    What what;
    chess::Color side;
    chess::Kind piece = chess::Kind::pawn;  ///< for promoted_piece
};

/// Everything that is done for one move (or at the end of the game), each list in order of time.
struct Plan {
    std::vector<MagnetAct> magnets;
    std::vector<SwitchAct> switches;
    std::vector<Said> said;
    BenchUs begins = 0;               ///< first touch of a man or button
    BenchUs placed = 0;               ///< the last man was set down; dwell counts from here
    BenchUs released = 0;             ///< the hand let go: the move is made (4.7)
    std::optional<BenchUs> pressed;   ///< the lever began to move

    /// All times later by `by`.
    void shift(BenchUs by);
    /// The last instant at which anything is done.
    [[nodiscard]] BenchUs last_act() const;
};

}  // namespace touchmove::bench
