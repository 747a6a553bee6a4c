// vectors_test.cpp - positions of which others have proved who can mate
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "host/mate/solver.hpp"
#include "tests/mate/oracle.hpp"

using namespace touchmove;
using chess::Color;

namespace {

struct Tally {
    unsigned asked = 0, undecided = 0;
};

/// Every `step`-th line of a file of "WB FEN" lines. Nothing wrong is let pass: labels, lines, and
/// closures that are small enough to be walked through again.
Tally check(const std::string& name, unsigned step, std::size_t budget) {
    Tally tally;
    std::ifstream file(std::string(TOUCHMOVE_DATA) + "/unwinnability/" + name);
    if (!file) {
        WARN("skipped: no " << name << " in " TOUCHMOVE_DATA);
        return tally;
    }
    mate::Solver solver;
    unsigned number = 0;
    for (std::string line; std::getline(file, line); ++number) {
        if (number % step != 0) continue;
        const auto position = chess::Position::parse_fen(std::string_view(line).substr(3));
        REQUIRE(position);
        for (const Color side : {Color::white, Color::black}) {
            INFO(line << " side " << chess::index_of(side));
            const bool can = line[chess::index_of(side)] != '-';
            const auto quick = mate::fast(*position, side);
            CHECK_FALSE((mate::is_unwinnable(quick) && can));
            const auto answer = solver.full(*position, side, budget);
            ++tally.asked;
            if (std::holds_alternative<mate::Undecided>(answer)) {
                ++tally.undecided;
            } else if (const auto* found = std::get_if<mate::Winnable>(&answer)) {
                CHECK(can);
                CHECK(mate_test::line_mates(*position, side, found->line));
            } else {
                CHECK_FALSE(can);
                const auto& never = std::get<mate::Unwinnable>(answer);
                if (never.proof == mate::Proof::closure && never.size < 200) {
                    CHECK(mate_test::can_mate(*position, side, 20'000) != true);
                }
            }
        }
    }
    return tally;
}

}  // namespace

TEST_CASE("flag-fall positions of real games", "[mate]") {
    const Tally tally = check("flagfall.txt", 8, 20'000);
    CHECK(tally.undecided * 200 <= tally.asked);
}

TEST_CASE("positions on which solvers fail", "[mate]") {
    const Tally tally = check("hard.txt", 8, 20'000);
    CHECK(tally.undecided * 20 <= tally.asked);
}

TEST_CASE("all of both files", "[mate][.long]") {
    const Tally easy = check("flagfall.txt", 1, 200'000);
    CHECK(easy.undecided * 1000 <= easy.asked);
    const Tally hard = check("hard.txt", 1, 200'000);
    CHECK(hard.undecided * 40 <= hard.asked);
}
