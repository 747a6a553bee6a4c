// blockade_test.cpp - an invariant is never contradicted by a mate
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/blockade.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "host/chess/position.hpp"
#include "tests/mate/oracle.hpp"

using namespace touchmove;
using chess::Color;
using chess::Kind;
using chess::Position;
using chess::Square;
using mate_test::parse;

namespace {

bool ruled_out(const Position& position, Color winner) {
    return mate::Blockade(position.state()).rules_out(winner);
}

/// Pawns that block each other on most files, some kings, bishops, perhaps a knight or a rook.
Position random_blockade(std::mt19937& random) {
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    Position position;
    for (unsigned file = 0; file < 8; ++file) {
        if (below(8) == 0) continue;
        const unsigned rank = 2 + below(3);
        position.put(Square(file, rank), {Color::white, Kind::pawn});
        position.put(Square(file, rank + 1), {Color::black, Kind::pawn});
    }
    const auto drop = [&](Color color, Kind kind, unsigned first_rank) {
        for (;;) {
            const Square square(below(8), (first_rank + below(3)) % 8);
            if (position.man_at(square)) continue;
            position.put(square, {color, kind});
            return;
        }
    };
    drop(Color::white, Kind::king, 0);
    drop(Color::black, Kind::king, 5);
    for (unsigned i = below(3); i > 0; --i) {
        const Kind kinds[] = {Kind::bishop, Kind::bishop, Kind::knight, Kind::rook};
        const Color color = below(2) == 0 ? Color::white : Color::black;
        drop(color, kinds[below(4)], color == Color::white ? 0 : 5);
    }
    position.set_side_to_move(below(2) == 0 ? Color::white : Color::black);
    return position;
}

}  // namespace

TEST_CASE("walls are recognised, and gaps in them", "[mate]") {
    const Position closed = parse("4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - - 0 1");
    CHECK(ruled_out(closed, Color::white));
    CHECK(ruled_out(closed, Color::black));
    const Position bishops = parse("2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1");
    CHECK(ruled_out(bishops, Color::white));
    // On e3 the bishop attacks no pawn; on d2 it would be able to take on b4.
    const Position breaks = parse("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1");
    CHECK_FALSE(ruled_out(breaks, Color::white));
    CHECK_FALSE(ruled_out(Position::initial(), Color::white));
}

TEST_CASE("pawns mate too: a wall that CHA took for closed", "[mate]") {
    for (const char* fen : {"8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b - - 0 1",
                            "k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 1"}) {
        CHECK_FALSE(ruled_out(parse(fen), Color::white));
    }
}

TEST_CASE("no mate is ever found where a blockade rules it out", "[mate]") {
    std::mt19937 random(20250607);
    unsigned out = 0, confirmed = 0;
    for (int i = 0; i < 10'000; ++i) {
        const Position position = random_blockade(random);
        for (const Color winner : {Color::white, Color::black}) {
            if (!ruled_out(position, winner)) continue;
            ++out;
            const auto found = mate_test::can_mate(position, winner, out % 4 == 0 ? 6000 : 300);
            INFO(position.fen());
            CHECK(found != true);
            if (found == false) ++confirmed;
        }
    }
    CHECK(out > 300);
    CHECK(confirmed > 20);
}
