// layers_test.cpp - what breaks step by step is never contradicted by a mate
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/layers.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "host/chess/position.hpp"
#include "host/mate/exploration.hpp"
#include "host/mate/frontier.hpp"
#include "tests/mate/boards.hpp"
#include "tests/mate/checker.hpp"

using namespace touchmove;
using chess::Color;
using chess::Position;
using mate_test::parse;

namespace {

struct Out {
    bool white, black;
};

Out ruled_out(const std::string& fen) {
    mate::Layers layers;
    const Position position = parse(fen);
    return {layers.rule_out(position.state(), Color::white, 2000),
            layers.rule_out(position.state(), Color::black, 2000)};
}

bool is_mated(const Position& position) {
    return !position.has_legal_move() && position.in_check();
}

}  // namespace

TEST_CASE("a wall that falls, and another behind it", "[mate]") {
    // The black king takes g2 and f3 and all the rest: no pawn of White's ever gives check.
    const Out taken = ruled_out("8/8/7p/5p1P/5p1K/5Pp1/6P1/5k2 w - - 0 1");
    CHECK(taken.white);
    // Kings that cannot pass each other in time: a2 is left to Black's only while White cannot
    // move.
    const Out stuck = ruled_out("8/8/p3b3/P1p5/K1p1b3/1pP5/1P6/1bk5 w - - 0 1");
    CHECK(stuck.white);
    CHECK(stuck.black);
    const Out open = ruled_out("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1");
    CHECK_FALSE(open.white);
    const Out first = ruled_out("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    CHECK_FALSE(first.white);
    CHECK_FALSE(first.black);
}

TEST_CASE("pawns mate too, layer or not", "[mate]") {
    for (const char* fen : {"8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b - - 0 1",
                            "k7/1pK3p1/6Pb/1p4pB/bP4P1/Bp6/1P4P1/8 b - - 0 1",
                            "3b4/4p1p1/1p1pP1P1/1P1PpBp1/1pBpP1P1/1P1P4/4K1P1/2k5 w - - 0 1"}) {
        CHECK_FALSE(ruled_out(fen).white);
    }
}

TEST_CASE("forced captures end at a wall", "[mate]") {
    mate::Frontier frontier;
    const Position position = parse("b7/1Q2B3/2kB4/1p1p1p1p/1P1P1P1P/8/8/3K4 b - - 0 1");
    CHECK(frontier.rule_out(position.state(), Color::white, 200, 3000));
    CHECK(frontier.rule_out(position.state(), Color::black, 200, 3000));
}

TEST_CASE("no mate is ever found where layers rule it out", "[mate]") {
    std::mt19937 random(20260411);
    mate::Layers layers;
    mate::Frontier frontier;
    mate::Exploration exploration;
    unsigned out = 0, confirmed = 0;
    constexpr unsigned closed = 5;  // of the boards
    for (unsigned i = 0; i < 2'500; ++i) {
        Position position = i % 4 == 0 ? mate_test::random_blockade(random)
                                       : parse(mate_test::closed_boards[i % closed]);
        for (unsigned n = mate_test::below(random, 4); n > 0; --n)
            mate_test::mutate(position, random);
        if (!mate_test::in_turn(position) || is_mated(position)) continue;
        for (const Color winner : {Color::white, Color::black}) {
            const bool by_layers = layers.rule_out(position.state(), winner, 200);
            if (!by_layers && !frontier.rule_out(position.state(), winner, 30, 300)) continue;
            ++out;
            INFO(position.fen() << " " << chess::index_of(winner));
            // A guided search for what should not be, and now and then the plain one.
            const auto searched =
                exploration.run(position.state(), winner, 3000, {.taste = mate::Taste::captures});
            CHECK_FALSE(std::holds_alternative<mate::Winnable>(searched));
            if (mate::is_unwinnable(searched)) ++confirmed;
            if (out % 20 != 0) continue;
            CHECK(mate_test::can_mate(position, winner, 2000) != true);
        }
    }
    CHECK(out > 600);
    CHECK(confirmed > 100);
}
