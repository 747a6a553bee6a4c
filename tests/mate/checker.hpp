// checker.hpp - checks what the solver says, as plainly as can be
// SPDX-License-Identifier: Apache-2.0
//
// Written from the Laws and docs/unwinnability.md, apart from the solver: it shares only
// host/chess with it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host/chess/position.hpp"
#include "host/mate/answer.hpp"

namespace touchmove::mate_test {

/// The position of a FEN that a test has written.
[[nodiscard]] inline chess::Position parse(const std::string& fen) {
    return chess::Position::parse_fen(fen).value();
}

/// Has the side to move no legal move, and is it in check?
[[nodiscard]] bool is_mated(const chess::Position& position);

/// Is every move of `line` legal, and does the last one mate for `winner`?
[[nodiscard]] bool line_mates(chess::Position position, chess::Color winner,
                              const std::vector<chess::Move>& line);

/// Men with which `winner` never mates, whoever moves: a bare king; a knight where the other side
/// has queens at most; bishops of one colour of squares where the other side has neither pawn nor
/// knight nor a bishop of the other colour. Not for a position with a king in check out of turn.
[[nodiscard]] bool material_is_dead(const chess::Position& position, chess::Color winner);

/// Breadth first through all that can follow: true at the first mate by `winner`, false when
/// nothing is left, nothing after `limit` positions. Follows all but dead material.
[[nodiscard]] std::optional<bool> can_mate(const chess::Position& start, chess::Color winner,
                                           std::size_t limit);

/// Do the squares of `men` hold all that can follow `start`, and leave no room for a mate by
/// `winner`? Empty if so, otherwise what is wrong, in words. A mate that stands is not asked for.
[[nodiscard]] std::string fault_of_blockade(const chess::Position& start, chess::Color winner,
                                            const std::vector<mate::Confined>& men);

enum class Verdict {
    confirmed,
    open,  ///< undecided, or more positions than the limit
    wrong
};

/// What comes of an answer: lines are replayed, blockades verified, all other proofs walked again
/// up to `limit` positions.
[[nodiscard]] Verdict check(const chess::Position& position, chess::Color winner,
                            const mate::Answer& answer, std::size_t limit);

}  // namespace touchmove::mate_test
