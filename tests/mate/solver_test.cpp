// solver_test.cpp - answers with their proofs, on positions made for it
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/solver.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/mate/boards.hpp"
#include "tests/mate/checker.hpp"

using namespace touchmove;
using chess::Color;
using chess::Kind;
using chess::Position;
using chess::Square;
using mate::Proof;
using mate_test::parse;

namespace {

struct Case {
    const char* fen;
    const char* who;  ///< "WB", "W-", "-B", "--"
};

}  // namespace

TEST_CASE("who can still mate, with a line or a proof", "[mate]") {
    // facts and figures: docs/unwinnability.md
    const Case cases[] = {
        {"8/8/8/4k3/8/8/8/1NNK4 w - -", "W-"},
        {"8/8/8/4k3/4p3/8/8/3NK3 w - -", "WB"},
        {"8/8/3n4/4k3/8/8/8/3NK3 w - -", "WB"},
        {"8/8/3r4/4k3/8/8/8/3NK3 w - -", "WB"},
        {"8/8/3q4/5k2/8/8/8/3NK3 w - -", "-B"},
        {"8/8/8/B7/2k5/1p6/1K6/8 b - -", "WB"},
        {"kb6/2N5/1K6/8/8/8/8/8 b - -", "--"},
        {"6Rk/8/7K/8/8/8/8/8 b - -", "--"},
        {"R7/K1kr4/8/8/8/8/8/8 b - -", "WB"},
        {"r7/K1k5/8/8/8/8/8/8 w - -", "--"},
        {"7k/q5Q1/5PPK/5PPP/p7/8/8/8 b - -", "W-"},
        {"7k/5Q2/6K1/8/8/8/8/8 b - -", "--"},
        {"6k1/6P1/6K1/8/8/8/8/8 w - -", "W-"},
        // in check with White to move: Ka5 makes it a double check, and mate
        {"8/8/K2B4/8/8/kr6/r7/2B5 w - -", "WB"},
        {"8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - -", "WB"},
        {"8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 w - -", "--"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", "WB"},
    };
    mate::Solver solver;
    for (const Case& each : cases) {
        const Position position = parse(each.fen);
        for (const Color side : {Color::white, Color::black}) {
            INFO(each.fen << " " << chess::index_of(side));
            const bool can = each.who[chess::index_of(side)] != '-';
            const auto answer = solver.full(position, side, 200'000);
            if (can) {
                const auto* found = std::get_if<mate::Winnable>(&answer);
                REQUIRE(found != nullptr);
                CHECK(mate_test::line_mates(position, side, found->line));
                CHECK_FALSE(mate::is_unwinnable(mate::fast(position, side)));
            } else {
                CHECK(mate::is_unwinnable(answer));
            }
        }
    }
}

TEST_CASE("a mate that stands is an answer without moves; the mated side never mates", "[mate]") {
    const Position mated = parse("7k/6Q1/6K1/8/8/8/8/8 b - -");
    const auto white = mate::fast(mated, Color::white);
    REQUIRE(std::holds_alternative<mate::Winnable>(white));
    CHECK(std::get<mate::Winnable>(white).line.empty());
    CHECK(std::get<mate::Unwinnable>(mate::fast(mated, Color::black)).proof == Proof::ended);
}

TEST_CASE("fast follows forced moves to their end", "[mate]") {
    const Position forced = parse("8/8/8/8/8/8/1q6/K2k4 w - -");
    const auto queen = mate::fast(forced, Color::black);  // the king must take her
    REQUIRE(mate::is_unwinnable(queen));
    CHECK(std::get<mate::Unwinnable>(queen).proof == Proof::forced);
    CHECK(std::get<mate::Unwinnable>(queen).size == 2);
    CHECK(std::get<mate::Unwinnable>(mate::fast(forced, Color::white)).proof == Proof::material);
}

TEST_CASE("a spent budget is no answer", "[mate]") {
    mate::Solver solver;
    const auto answer = solver.full(Position::initial(), Color::white, 3);
    REQUIRE(std::holds_alternative<mate::Undecided>(answer));
}

TEST_CASE("the same question has the same answer, whatever was asked before", "[mate]") {
    const Position position = parse("8/1p3Rpk/1pp2b1p/8/8/1BP2KP1/P6r/8 w - -");
    mate::Solver one, other;
    (void)other.full(Position::initial(), Color::black, 5000);
    const auto first = one.full(position, Color::white);
    const auto second = other.full(position, Color::white);
    CHECK(std::get<mate::Winnable>(first).line == std::get<mate::Winnable>(second).line);
}

TEST_CASE("several threads ask at once", "[mate]") {
    const char* const fens[] = {"4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - -",
                                "8/8/8/B7/2k5/1p6/1K6/8 b - -",
                                "8/5r2/4q3/7b/5ppp/Q4pkb/5pnq/5K1n b - -",
                                "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - -"};
    std::array<std::string, 4> answers;
    std::vector<std::thread> threads;
    for (std::string& all : answers) {
        threads.emplace_back([&all, &fens] {
            mate::Solver solver;
            for (const char* fen : fens) {
                for (const Color side : {Color::white, Color::black})
                    all += describe(solver.full(parse(fen), side)) + '\n';
            }
        });
    }
    for (std::thread& thread : threads)
        thread.join();
    for (const std::string& all : answers)
        CHECK(all == answers.front());
    CHECK(answers.front().find("undecided") == std::string::npos);
}

TEST_CASE("few men: the solver and exhaustion agree", "[mate]") {
    std::mt19937 random(7);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    mate::Solver solver;
    unsigned compared = 0;
    for (int i = 0; i < 600; ++i) {
        Position position;
        const auto drop = [&](Color color, Kind kind) {  // near a corner: mates are near
            mate_test::drop_within(position, random, {color, kind}, 0, 0, 4);
        };
        drop(Color::white, Kind::king);
        drop(Color::black, Kind::king);
        for (unsigned men = 1 + below(3); men > 0; --men) {
            drop(below(2) == 0 ? Color::white : Color::black, static_cast<Kind>(below(5)));
        }
        position.set_side_to_move(below(2) == 0 ? Color::white : Color::black);
        if (position.attacked(*position.king(~position.side_to_move()), position.side_to_move())) {
            continue;
        }
        for (const Color side : {Color::white, Color::black}) {
            INFO(position.fen() << " " << chess::index_of(side));
            const auto answer = solver.full(position, side, 100'000);
            const auto truth = mate_test::can_mate(position, side, 1500);
            if (truth && !std::holds_alternative<mate::Undecided>(answer)) {
                CHECK(mate::is_unwinnable(answer) != *truth);
                ++compared;
            }
            if (const auto* found = std::get_if<mate::Winnable>(&answer)) {
                CHECK(mate_test::line_mates(position, side, found->line));
            }
        }
    }
    CHECK(compared > 20);
}

TEST_CASE("the pair that the best solver gives up on", "[mate]") {
    mate::Solver solver;
    const Position dead = parse("3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - -");
    for (const Color side : {Color::white, Color::black}) {
        const auto answer = solver.full(dead, side, 2000);
        REQUIRE(mate::is_unwinnable(answer));
        CHECK(std::get<mate::Unwinnable>(answer).proof == Proof::layers);
        CHECK(mate_test::check(dead, side, answer, 2'000'000) == mate_test::Verdict::confirmed);
    }
    const Position open = parse("1Bb5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 w - -");
    for (const Color side : {Color::white, Color::black}) {
        const auto answer = solver.full(open, side, 200'000);
        REQUIRE(std::holds_alternative<mate::Winnable>(answer));
        CHECK(mate_test::line_mates(open, side, std::get<mate::Winnable>(answer).line));
    }
}
