// endings_test.cpp - endings of few men, all positions of which are known
// SPDX-License-Identifier: Apache-2.0
#include "tests/mate/endings.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <string>

#include "host/mate/solver.hpp"
#include "tests/mate/checker.hpp"

using namespace touchmove;
using chess::Color;
using mate_test::Endings;

namespace {

/// All positions of an ending: fast() about each, Solver::full about one in `step` and about each
/// where no mate can follow though the men would do.
void compare(Endings& endings, const std::string& name, unsigned step) {
    endings.solve(name);
    std::mt19937 random(64);
    mate::Solver solver;
    std::size_t all = 0, white = 0, black = 0, out = 0, asked = 0, hard = 0, undecided = 0;
    for (std::size_t i = 0; i < Endings::size(name); ++i) {
        const auto position = Endings::position(name, i);
        if (!position) continue;
        ++all;
        for (const Color winner : {Color::white, Color::black}) {
            const bool can = (endings.mates(*position) >> chess::index_of(winner) & 1U) != 0;
            const bool dead = mate_test::material_is_dead(*position, winner);
            (winner == Color::white ? white : black) += can ? 1 : 0;
            const auto quick = mate::fast(*position, winner);
            out += mate::is_unwinnable(quick) ? 1 : 0;
            const bool wrong = can ? dead || mate::is_unwinnable(quick)
                                   : std::holds_alternative<mate::Winnable>(quick);
            if (wrong) FAIL_CHECK(position->fen() << " side " << chess::index_of(winner));
            hard += !can && !dead ? 1 : 0;
            if ((can || dead) && random() % step != 0) continue;
            ++asked;
            const auto answer = solver.full(*position, winner);
            undecided += std::holds_alternative<mate::Undecided>(answer) ? 1 : 0;
            if (can == mate::is_unwinnable(answer) ||
                mate_test::check(*position, winner, answer, 0) == mate_test::Verdict::wrong) {
                FAIL_CHECK(position->fen()
                           << " side " << chess::index_of(winner) << ", " << describe(answer));
            }
        }
    }
    CHECK(undecided == 0);
    WARN(name << ": " << all << " positions, White can mate in " << white << ", Black in " << black
              << ", " << hard << " times not though the men would do; fast rules out " << out
              << ", full was asked " << asked << " times");
}

}  // namespace

TEST_CASE("three men: nothing but what the whole ending says", "[mate]") {
    Endings endings;
    for (const char* name : {"KQk", "KRk", "KBk", "KNk"})
        compare(endings, name, 20);
}

TEST_CASE("at length: four men, nothing but what the whole ending says", "[mate][.long]") {
    Endings endings;
    for (const char* name :
         {"KBkn", "KNkn", "KRkn", "KBkb", "KNNk", "KRkb", "KNkq", "KBkq", "KRkr", "KBBk", "KBNk"}) {
        compare(endings, name, 500);
    }
}
