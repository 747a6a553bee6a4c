// random_positions.hpp - positions for property tests, likely and unlikely ones
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <string>

#include "host/chess/position.hpp"

namespace touchmove::chess {

using Random = std::mt19937_64;

/// From 0 to `limit` - 1, the same on every platform.
[[nodiscard]] inline unsigned below(Random& random, unsigned limit) {
    return static_cast<unsigned>(random() % limit);
}

/// Men anywhere: no king or three, pawns on the last rank, both sides in check, rights and
/// en-passant squares that mean nothing.
[[nodiscard]] inline Position wild_position(Random& random) {
    Position p;
    const unsigned men = 1 + below(random, below(random, 4) == 0 ? 60 : 24);
    const bool one_king_each = below(random, 2) == 0;
    for (unsigned i = 0; i < men; ++i) {
        const auto kind = static_cast<Kind>(below(random, one_king_each ? 5 : 6));
        p.put(Square(below(random, 64)), {static_cast<Color>(below(random, 2)), kind});
    }
    if (below(random, 2) == 0) {  // men on their first squares, for castling
        for (const unsigned rank : {0U, 7U}) {
            const Color c = rank == 0 ? Color::white : Color::black;
            if (!one_king_each) p.put(Square(4, rank), {c, Kind::king});
            p.put(Square(0, rank), {c, Kind::rook});
            p.put(Square(7, rank), {c, Kind::rook});
            for (const unsigned file : {1U, 2U, 3U, 5U, 6U}) {
                if (below(random, 3) != 0) p.remove(Square(file, rank));
            }
        }
    }
    if (one_king_each) {
        const unsigned white = below(random, 2) == 0 ? 4 : below(random, 64);
        p.put(Square(white), {Color::white, Kind::king});
        const unsigned black = below(random, 2) == 0 ? 60 : below(random, 64);
        if (black != white) p.put(Square(black), {Color::black, Kind::king});
    }
    const bool white_to_move = below(random, 2) == 0;
    // A pawn that may just have advanced two squares, with its neighbour.
    std::string target = "-";
    if (below(random, 2) == 0) {
        const unsigned file = below(random, 8);
        const unsigned rank = white_to_move ? 4 : 3;
        const Color mover = white_to_move ? Color::white : Color::black;
        p.put(Square(file, rank), {~mover, Kind::pawn});
        p.put(Square(file == 7 ? 6 : file + 1, rank), {mover, Kind::pawn});
        p.remove(Square(file, white_to_move ? 5 : 2));
        p.remove(Square(file, white_to_move ? 6 : 1));
        target = Square(file, white_to_move ? 5 : 2).name();
    }
    const auto parsed =
        Position::parse_fen(p.board_fen() + (white_to_move ? " w" : " b") + " KQkq " + target);
    return *parsed;
}

/// Any man to any other square, promoting now and then.
[[nodiscard]] inline Move wild_move(const Position& p, Random& random) {
    unsigned from = below(random, 64);
    while (!p.man_at(Square(from)))
        from = below(random, 64);
    const unsigned to = (from + 1 + below(random, 63)) % 64;
    if (below(random, 8) == 0) {
        return {Square(from), Square(to), static_cast<Kind>(1 + below(random, 4))};
    }
    return {Square(from), Square(to)};
}

[[nodiscard]] inline Move any_of(const MoveList& moves, Random& random) {
    return moves[below(random, static_cast<unsigned>(moves.size()))];
}

}  // namespace touchmove::chess
