// boards.hpp - boards of locked pawns, made at random
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <random>

#include "host/chess/position.hpp"

namespace touchmove::mate_test {

inline unsigned below(std::mt19937& random, unsigned n) {
    return static_cast<unsigned>(random() % n);
}

/// Boards that are closed, or nearly.
inline constexpr std::array<const char*, 7> closed_boards{
    "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
    "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 b - - 0 1",
    "8/8/p3b3/P1p5/K1p1b3/1pP5/1P6/1bk5 w - - 0 1",
    "4k3/2b5/1p1p1p1p/1PpP1P1P/2P5/3B4/4K3/8 w - - 0 1",
    "6k1/p5P1/2p1p1PB/6P1/8/4P3/PKP5/8 w - - 0 1",
    "b7/1Q2B3/2kB4/1p1p1p1p/1P1P1P1P/8/8/3K4 b - - 0 1",
    "8/5r2/4q3/7b/5ppp/Q4pkb/5pnq/5K1n b - - 0 1"};

/// Puts a man on some empty square of those `wide` by `wide`, a pawn not on its end ranks.
inline void drop_within(chess::Position& position, std::mt19937& random, chess::Man man,
                        unsigned file, unsigned rank, unsigned wide) {
    for (;;) {
        const chess::Square square(file + below(random, wide), rank + below(random, wide));
        const bool edge = square.rank() == 0 || square.rank() == 7;
        if (position.man_at(square) || (man.kind == chess::Kind::pawn && edge)) continue;
        position.put(square, man);
        return;
    }
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
