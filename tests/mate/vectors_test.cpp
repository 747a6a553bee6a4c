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
    std::array<unsigned, 7> proofs{}, confirmed{};  ///< by mate::Proof
};

/// Every `step`-th line of a file of "WB FEN" lines ("#": a remark). Nothing wrong is let pass,
/// neither a label nor a line nor an invariant; what else rules a mate out is walked again up to
/// `limit` positions.
Tally check(const std::string& path, unsigned step, std::size_t budget, std::size_t limit) {
    Tally tally;
    std::ifstream file(path);
    if (!file) {
        WARN("skipped: there is no " << path);
        return tally;
    }
    mate::Solver solver;
    unsigned number = 0;
    for (std::string line; std::getline(file, line); ++number) {
        if (number % step != 0 || line.front() == '#') continue;
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
        path + ": confirmed of ended, material, forced, blockade, layers, projection, closure";
    for (std::size_t i = 0; i < tally.proofs.size(); ++i) {
        figures += fmt::format(" {}/{}", tally.confirmed[i], tally.proofs[i]);
    }
    WARN(figures);
    return tally;
}

std::string public_file(const std::string& name) {
    return std::string(TOUCHMOVE_DATA) + "/unwinnability/" + name;
}

}  // namespace

TEST_CASE("positions of our own", "[mate]") {
    const Tally tally = check(TOUCHMOVE_SOURCE "/tests/mate/vectors.txt", 1, 200'000, 200'000);
    CHECK(tally.asked > 500);
    CHECK(tally.undecided == 0);
}

TEST_CASE("flag-fall positions of real games", "[mate]") {
    const Tally tally = check(public_file("flagfall.txt"), 8, 20'000, 50'000);
    CHECK(tally.undecided == 0);
}

TEST_CASE("positions on which solvers fail", "[mate]") {
    const Tally tally = check(public_file("hard.txt"), 8, 2'000'000, 50'000);
    CHECK(tally.undecided == 0);
}

TEST_CASE("at length: all of both files", "[mate][.long]") {
    const Tally easy = check(public_file("flagfall.txt"), 1, 2'000'000, 2'000'000);
    CHECK(easy.undecided == 0);
    const Tally hard = check(public_file("hard.txt"), 1, 2'000'000, 2'000'000);
    CHECK(hard.undecided == 0);
}
