// answer.hpp - can this side still mate? What is known, and why
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "host/chess/bitboard.hpp"
#include "host/chess/types.hpp"

namespace touchmove::mate {

/// Why no series of legal moves leads to a mate by the side asked about (docs/unwinnability.md).
enum class Proof : std::uint8_t {
    ended,       ///< the side to move has no legal move, and it is not mated by that side
    material,    ///< with these men no mate can stand on the board, whatever happens
    forced,      ///< one legal move after another, to a position of which one of these holds
    blockade,    ///< an invariant: squares that no man ever leaves or reaches
    layers,      ///< such invariants, one for each way in which pawns may go on
    projection,  ///< whatever some of the loser's men do, the others come to no mate
    closure      ///< every position that can follow was looked at
};

struct Winnable {
    std::vector<chess::Move> line;  ///< of both sides, ends in the mate; empty: it stands already
};
/// A man and the squares that it never leaves, as what it is.
struct Confined {
    chess::Man man;
    chess::Square from;
    chess::Bitboard squares;
};
struct Unwinnable {
    Proof proof;
    std::size_t size =
        0;  ///< positions of a closure or a forced line, images of a projection, layers
    std::vector<Confined> invariant = {};  ///< of a blockade, from Solver::full: every man
};
struct Undecided {
    std::size_t positions;  ///< looked at, by all searches together
};
using Answer = std::variant<Winnable, Unwinnable, Undecided>;

[[nodiscard]] inline bool is_unwinnable(const Answer& answer) noexcept {
    return std::holds_alternative<Unwinnable>(answer);
}

/// One phrase: "mates by e2e4 e7e5 ...", "never: closure of 312 positions", "undecided
/// after 1000000 positions".
[[nodiscard]] std::string describe(const Answer& answer);

}  // namespace touchmove::mate
