// projection_test.cpp - men taken off the board hide no mate
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/projection.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "host/chess/position.hpp"
#include "host/mate/exploration.hpp"
#include "tests/mate/boards.hpp"
#include "tests/mate/checker.hpp"

using namespace touchmove;
using chess::Color;
using chess::Position;
using mate_test::parse;

namespace {

constexpr std::size_t limit = 20'000;

bool ruled_out(const std::string& fen, Color winner) {
    return mate::Projection().rule_out(parse(fen).state(), winner, limit);
}

}  // namespace

TEST_CASE("a king in a ring of its men, whatever the others do", "[mate]") {
    // Queen, rook and bishop have too many places to visit; the white queen alone has few, and
    // whatever she takes beside the king takes her.
    CHECK(ruled_out("8/5r2/4q3/7b/5ppp/Q4pkb/5pnq/5K1n b - - 0 1", Color::white));
    CHECK_FALSE(ruled_out("8/5r2/4q3/7b/5ppp/Q4pkb/5pnq/5K1n b - - 0 1", Color::black));
    // A knight checks over the ring.
    CHECK_FALSE(ruled_out("8/5r2/4q3/7b/5ppp/N4pkb/5pnq/5K1n b - - 0 1", Color::white));
}

TEST_CASE("a roamer may block a flight, take, be taken or stand in a line", "[mate]") {
    // Mated with its own rook on g8.
    CHECK_FALSE(ruled_out("6bk/7p/8/4N3/8/8/7r/K7 w - - 0 1", Color::white));
    // The rook is taken by the pawn, which becomes a queen.
    CHECK_FALSE(ruled_out("1r5k/P7/8/8/8/8/8/K7 b - - 0 1", Color::white));
    // A pawn that only a capture frees.
    CHECK_FALSE(ruled_out("7k/8/8/p7/P7/8/8/K5n1 b - - 0 1", Color::white));
    CHECK_FALSE(ruled_out(Position::initial().fen(), Color::white));
}

TEST_CASE("no mate is ever found where a projection rules it out", "[mate]") {
    std::mt19937 random(20261130);
    mate::Projection projection;
    mate::Exploration exploration;
    const Position closed[] = {
        parse("8/5r2/4q3/7b/5ppp/Q4pkb/5pnq/5K1n b - - 0 1"),
        parse("6n1/5r2/8/8/5ppp/Q4pkb/5pnq/5K1n b - - 0 1"),
        parse("8/p7/4q3/8/5ppp/Q4pkb/5pnq/5K1n w - - 0 1"),
    };
    unsigned out = 0, confirmed = 0;
    for (int i = 0; i < 1'000; ++i) {
        Position position = closed[i % 3];
        for (unsigned n = 1 + mate_test::below(random, 2); n > 0; --n)
            mate_test::mutate(position, random);
        if (!mate_test::in_turn(position) || !position.has_legal_move()) continue;
        for (const Color winner : {Color::white, Color::black}) {
            if (!projection.rule_out(position.state(), winner, limit)) continue;
            ++out;
            INFO(position.fen() << " " << chess::index_of(winner));
            const auto searched = exploration.run(position.state(), winner, 10'000,
                                                  {mate::Taste::hunt, mate::Order::By::novelty});
            CHECK_FALSE(std::holds_alternative<mate::Winnable>(searched));
            if (mate::is_unwinnable(searched)) ++confirmed;
        }
    }
    INFO(out << " ruled out, " << confirmed << " of them with every position seen");
    CHECK(out > 200);
    CHECK(confirmed > 5);
}
