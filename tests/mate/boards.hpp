// boards.hpp - boards of locked pawns, made at random
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "host/chess/position.hpp"

namespace touchmove::mate_test {

inline unsigned below(std::mt19937& random, unsigned n) {
    return static_cast<unsigned>(random() % n);
}

/// Puts a man on some empty square of three ranks.
inline void drop(chess::Position& position, std::mt19937& random, chess::Man man,
                 unsigned first_rank) {
    for (;;) {
        const chess::Square square(below(random, 8), (first_rank + below(random, 3)) % 8);
        if (position.man_at(square)) continue;
        position.put(square, man);
        return;
    }
}

/// Pawns that block each other on most files, kings, bishops, perhaps a knight or a rook.
inline chess::Position random_blockade(std::mt19937& random) {
    using chess::Color;
    using chess::Kind;
    chess::Position position;
    for (unsigned file = 0; file < 8; ++file) {
        if (below(random, 8) == 0) continue;
        const unsigned rank = 2 + below(random, 3);
        position.put(chess::Square(file, rank), {Color::white, Kind::pawn});
        position.put(chess::Square(file, rank + 1), {Color::black, Kind::pawn});
    }
    drop(position, random, {Color::white, Kind::king}, 0);
    drop(position, random, {Color::black, Kind::king}, 5);
    for (unsigned i = below(random, 3); i > 0; --i) {
        const Kind kinds[] = {Kind::bishop, Kind::bishop, Kind::knight, Kind::rook};
        const Color color = below(random, 2) == 0 ? Color::white : Color::black;
        drop(position, random, {color, kinds[below(random, 4)]}, color == Color::white ? 0 : 5);
    }
    position.set_side_to_move(below(random, 2) == 0 ? Color::white : Color::black);
    return position;
}

/// One man more, less, or elsewhere; kings only elsewhere.
inline void mutate(chess::Position& position, std::mt19937& random) {
    using chess::Kind;
    const auto inner = [&] { return chess::Square(below(random, 8), 1 + below(random, 6)); };
    const chess::Square from = inner(), to = inner();
    const auto man = position.man_at(from);
    if (man && man->kind == Kind::king) {
        if (position.man_at(to)) return;
        position.remove(from);
        position.put(to, *man);
        return;
    }
    if (const auto there = position.man_at(to); there && there->kind == Kind::king) return;
    if (man) position.remove(from);
    if (man && below(random, 2) == 0) position.put(to, *man);
    if (!man) {
        const Kind kinds[] = {Kind::pawn, Kind::pawn, Kind::bishop, Kind::bishop, Kind::knight};
        position.put(from, {below(random, 2) == 0 ? chess::Color::white : chess::Color::black,
                            kinds[below(random, 5)]});
    }
}

/// No king can be taken at once.
inline bool in_turn(const chess::Position& position) {
    const auto waiting = position.king(~position.side_to_move());
    return waiting && position.king(position.side_to_move()) &&
           !position.attacked(*waiting, position.side_to_move());
}

}  // namespace touchmove::mate_test
