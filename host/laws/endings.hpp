// endings.hpp - does the game end with this position, and under which article?
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "host/chess/position.hpp"
#include "host/laws/referee.hpp"

namespace touchmove::laws {

/// The positions of a game in the sense of 9.2.3: after the start and after each half-move.
using Occurrences = std::vector<std::uint64_t>;

/// How often the last of `keys` has occurred (9.2.3).
[[nodiscard]] unsigned times_occurred(const Occurrences& keys) noexcept;

/// The end that the move leading to `after` brings by itself: mate (5.1.1), stalemate (5.2.1), dead
/// position (5.2.2), fivefold repetition (9.6.1), seventy-five moves (9.6.2). `keys` ends with the
/// key of `after`.
[[nodiscard]] std::optional<GameResult> ending_of(const chess::Position& after,
                                                  const Occurrences& keys, Edition edition);

/// What the arbiter looks for where illegal moves may stand (A.5.4): both kings in check, or a pawn
/// on the last rank.
[[nodiscard]] bool is_illegal_position(const chess::Position& position) noexcept;

/// The score when `side` loses: the draw if the opponent cannot mate by any series of legal moves
/// (6.9, 7.5.5, 5.1.2), `open_to_arbiter` if that could not be told. Takes what it takes: a search
/// with memory of its own where a glance is not enough.
[[nodiscard]] Score score_against(Color side, const chess::Position& position);

}  // namespace touchmove::laws
