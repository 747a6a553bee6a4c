// oracle.hpp - checks what the solver says, as plainly as can be
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "host/chess/position.hpp"

namespace touchmove::mate_test {

/// The position of a FEN that a test has written.
[[nodiscard]] inline chess::Position parse(const std::string& fen) {
    return chess::Position::parse_fen(fen).value();
}

/// Is every move of `line` legal, and does the last one mate for `winner`?
[[nodiscard]] bool line_mates(chess::Position position, chess::Color winner,
                              const std::vector<chess::Move>& line);

/// Breadth first through all that can follow, as FEN text: true at the first mate by `winner`,
/// false when nothing is left, nothing after `limit` positions. Shares only the rules with the
/// solver.
[[nodiscard]] std::optional<bool> can_mate(const chess::Position& start, chess::Color winner,
                                           std::size_t limit);

}  // namespace touchmove::mate_test
