// vectors_test.cpp - positions of which others have proved who can mate
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "host/mate/solver.hpp"
#include "tests/mate/checker.hpp"

using namespace touchmove;
using chess::Color;
using mate_test::Verdict;

namespace {

struct Tally {
    unsigned asked = 0, undecided = 0;
    std::array<unsigned, 6> proofs{}, confirmed{};  ///< by mate::Proof
};

/// Every `step`-th line of a file of "WB FEN" lines. Nothing wrong is let pass, neither a label nor
/// a line nor an invariant; what else rules a mate out is walked again up to `limit` positions.
Tally check(const std::string& name, unsigned step, std::size_t budget, std::size_t limit) {
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
            const bool can = line[chess::index_of(side)] != '-';
            const auto quick = mate::fast(*position, side);
            const auto answer = solver.full(*position, side, budget);
            INFO(line << " side " << chess::index_of(side) << ", " << describe(answer));
            CHECK_FALSE((mate::is_unwinnable(quick) && can));
            ++tally.asked;
            const auto verdict = mate_test::check(*position, side, answer, limit);
            CHECK(verdict != Verdict::wrong);
            if (std::holds_alternative<mate::Undecided>(answer)) {
                ++tally.undecided;
            } else if (const auto* never = std::get_if<mate::Unwinnable>(&answer)) {
                CHECK_FALSE(can);
                const auto proof = static_cast<std::size_t>(never->proof);
                ++tally.proofs[proof];
                if (verdict == Verdict::confirmed) ++tally.confirmed[proof];
                if (never->proof == mate::Proof::blockade && verdict == Verdict::wrong) {
                    FAIL_CHECK(mate_test::fault_of_blockade(*position, side, never->invariant));
                }
            } else {
                CHECK(can);
            }
        }
    }
    std::string figures =
        name + ": confirmed of ended, material, blockade, layers, projection, closure";
    for (std::size_t i = 0; i < tally.proofs.size(); ++i) {
        figures += fmt::format(" {}/{}", tally.confirmed[i], tally.proofs[i]);
    }
    WARN(figures);
    return tally;
}

}  // namespace

TEST_CASE("flag-fall positions of real games", "[mate]") {
    const Tally tally = check("flagfall.txt", 8, 20'000, 50'000);
    CHECK(tally.undecided == 0);
}

TEST_CASE("positions on which solvers fail", "[mate]") {
    const Tally tally = check("hard.txt", 8, 2'000'000, 50'000);
    CHECK(tally.undecided == 0);
}

TEST_CASE("all of both files", "[mate][.long]") {
    const Tally easy = check("flagfall.txt", 1, 2'000'000, 2'000'000);
    CHECK(easy.undecided == 0);
    const Tally hard = check("hard.txt", 1, 2'000'000, 2'000'000);
    CHECK(hard.undecided == 0);
}
