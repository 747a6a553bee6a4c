// blockade_test.cpp - an invariant is never contradicted by a mate
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/blockade.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "host/chess/position.hpp"
#include "tests/mate/boards.hpp"
#include "tests/mate/checker.hpp"

using namespace touchmove;
using chess::Color;
using chess::Position;
using mate_test::parse;
using mate_test::random_blockade;

namespace {

bool ruled_out(const Position& position, Color winner) {
    return mate::Blockade(position.state()).rules_out(winner);
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
