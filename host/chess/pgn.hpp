// pgn.hpp - Portable Game Notation, read tolerantly and written exactly
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/base/result.hpp"
#include "host/base/time.hpp"
#include "host/chess/position.hpp"

namespace touchmove::chess {

struct PgnMove {
    Move move;
    std::optional<Millis> clk;  ///< time left after the move, from {[%clk h:mm:ss.f]}
    std::optional<Millis> emt;  ///< time spent on the move, from {[%emt h:mm:ss.f]}
    std::string comment = {};   ///< other comment text, commands removed
};

struct PgnGame {
    std::vector<std::pair<std::string, std::string>> tags;  ///< in file order
    Position start;                                         ///< from the FEN tag, else initial
    std::vector<PgnMove> moves;                             ///< main line only
    std::string result = "*";                               ///< termination marker of the movetext
    /// Set when the movetext stopped making sense: a move that is illegal or cannot be read. The
    /// moves before it stand in `moves`.
    std::optional<std::string> broken_off;
    std::size_t line = 0;  ///< line of the file on which the game begins, from 1

    [[nodiscard]] std::string tag(std::string_view name, std::string_view otherwise = "") const;
};

/// Reads all games of `text`: comments, NAGs, variations (skipped), escape lines, either line end,
/// missing tags. Never fails as a whole: a broken game says so itself.
[[nodiscard]] std::vector<PgnGame> parse_pgn(std::string_view text);

/// Reads a file; fails if it cannot be opened or holds no game.
[[nodiscard]] Result<std::vector<PgnGame>> read_pgn_file(const std::string& path);

/// The game as PGN text: Seven Tag Roster first, lines of at most 80 columns, `[%clk]` and `[%emt]`
/// where known.
[[nodiscard]] std::string write_pgn(const PgnGame& game);

}  // namespace touchmove::chess
