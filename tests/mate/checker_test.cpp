// checker_test.cpp - what checks the solver lets nothing wrong pass
// SPDX-License-Identifier: Apache-2.0
#include "tests/mate/checker.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "host/mate/blockade.hpp"
#include "host/mate/solver.hpp"
#include "tests/mate/boards.hpp"

using namespace touchmove;
using chess::Color;
using chess::Move;
using chess::Position;
using mate_test::check;
using mate_test::fault_of_blockade;
using mate_test::parse;
using mate_test::Verdict;

namespace {

std::vector<Move> moves(std::initializer_list<const char*> names) {
    std::vector<Move> line;
    for (const char* name : names)
        line.push_back(Move::parse_uci(name).value());
    return line;
}

const Position first = Position::initial();

}  // namespace

TEST_CASE("a line that is illegal, or ends before a mate or by the wrong side, is none", "[mate]") {
    const auto fools = moves({"f2f3", "e7e5", "g2g4", "d8h4"});
    CHECK(mate_test::line_mates(first, Color::black, fools));
    CHECK_FALSE(mate_test::line_mates(first, Color::white, fools));
    CHECK_FALSE(mate_test::line_mates(first, Color::black, {}));
    CHECK_FALSE(mate_test::line_mates(first, Color::black, moves({"f2f3", "e7e5", "g2g4"})));
    CHECK_FALSE(mate_test::line_mates(first, Color::black, moves({"f2f3", "d8h4"})));
    CHECK(check(first, Color::white, mate::Winnable{fools}, 100) == Verdict::wrong);
}

TEST_CASE("a closure is walked to its end or to its mate", "[mate]") {
    const Position shut = parse("kb6/2N5/1K6/8/8/8/8/8 b - - 0 1");
    CHECK(mate_test::can_mate(shut, Color::black, 10) == false);
    CHECK(mate_test::can_mate(parse("r7/K1k5/8/8/8/8/8/8 w - - 0 1"), Color::black, 10) == false);
    CHECK(mate_test::can_mate(parse("6k1/8/6K1/8/8/8/8/R7 w - - 0 1"), Color::white, 100) == true);
    CHECK_FALSE(mate_test::can_mate(first, Color::white, 100));
    // A capture in passing is the only way out of this stalemate.
    const std::string men = "k7/2K5/1P6/8/3pP3/3P4/8/8 b - ";
    CHECK(mate_test::can_mate(parse(men + "- 0 1"), Color::white, 10'000) == false);
    CHECK(mate_test::can_mate(parse(men + "e3 0 1"), Color::white, 10'000) == true);
    const mate::Answer ended = mate::Unwinnable{mate::Proof::ended};
    CHECK(check(shut, Color::white, ended, 100) == Verdict::wrong);
    CHECK(check(first, Color::white, ended, 100) == Verdict::wrong);
    CHECK(check(parse("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Color::white, ended, 1) ==
          Verdict::confirmed);
}

TEST_CASE("an invariant with a square or a man less is none", "[mate]") {
    std::mt19937 random(20251130);
    unsigned whole = 0, cut = 0;
    for (int i = 0; i < 20'000; ++i) {
        const Position position = mate_test::random_blockade(random);
        const mate::Blockade blockade(position.state());
        if (!blockade.rules_out(Color::white)) continue;
        auto men = blockade.invariant();
        INFO(position.fen());
        CHECK(fault_of_blockade(position, Color::white, men).empty());
        ++whole;
        auto& one = men[mate_test::below(random, static_cast<unsigned>(men.size()))];
        const auto without = one.squares & (one.squares - 1);
        if (without != 0) {
            one.squares = without;
            CHECK_FALSE(fault_of_blockade(position, Color::white, men).empty());
            ++cut;
        }
        men = blockade.invariant();
        men.pop_back();
        CHECK_FALSE(fault_of_blockade(position, Color::white, men).empty());
    }
    CHECK(whole > 100);
    CHECK(cut > 20);
}

TEST_CASE("no invariant passes where a mate can follow", "[mate]") {
    std::mt19937 random(20251201);
    mate::Solver solver;
    unsigned mates = 0;
    for (int i = 0; i < 1'000; ++i) {
        Position position = mate_test::random_blockade(random);
        mate_test::mutate(position, random);
        if (!mate_test::in_turn(position) || mate_test::is_mated(position)) continue;
        const auto men = mate::Blockade(position.state()).invariant();
        for (const Color winner : {Color::white, Color::black}) {
            const auto answer = solver.full(position, winner, 3'000);
            if (!std::holds_alternative<mate::Winnable>(answer)) continue;
            CHECK(check(position, winner, answer, 0) == Verdict::confirmed);
            INFO(position.fen() << " " << chess::index_of(winner));
            CHECK_FALSE(fault_of_blockade(position, winner, men).empty());
            ++mates;
        }
    }
    CHECK(mates > 100);
}
