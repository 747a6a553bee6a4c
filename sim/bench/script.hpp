// script.hpp - what is to be played on the board: the moves of a game, their times, its end
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/chess/pgn.hpp"
#include "host/chess/position.hpp"
#include "sim/bench/random.hpp"

namespace touchmove::bench {

/// Why a game is over by the Laws alone.
enum class LawsEnd : std::uint8_t { checkmate, stalemate, dead_position, fivefold, seventy_five };
[[nodiscard]] std::string_view name_of(LawsEnd end) noexcept;

/// The moves of a game as far as the Laws let them be played.
struct Script {
    chess::Position start;
    std::vector<chess::Move> moves;
    /// Time from the opponent's press to the mover's, one for each move (tempo `real`).
    std::vector<BenchUs> spent;
    std::optional<LawsEnd> ends_by;
    std::string result = "*";       ///< of the PGN
    /// The PGN goes on with king moves to centre squares that are none: somebody signalled the
    /// result with the kings.
    bool kings_to_centre = false;
    /// Why the PGN's moves are not all played, a sentence without full stop; empty if they are.
    std::string cut;
};

[[nodiscard]] Script make_script(const chess::PgnGame& game);

/// The time that each move took: [%emt] where given; else from [%clk] and the increment that the
/// game's other moves show; else what the same player's neighbouring moves took.
[[nodiscard]] std::vector<BenchUs> times_spent(const chess::PgnGame& game);

}  // namespace touchmove::bench
