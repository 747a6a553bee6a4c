// power_cut_test.cpp - the power fails in the midst of many games: right, or asked, never wrong
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <random>

#include <catch2/catch.hpp>

#include "sim/verify/game_run.hpp"
#include "tests/sim/bench/games.hpp"

using namespace touchmove;
using namespace touchmove::verify;
using bench::BenchUs;

namespace {

constexpr BenchUs ms = 1'000;

/// The project's own games, and the World Cup's where they are at hand.
std::vector<chess::PgnGame> many_games() {
    std::vector<chess::PgnGame> all = bench::test::games();
    if (const auto more = chess::read_pgn_file(TOUCHMOVE_DATA "/games/worldcup2025.pgn")) {
        all.insert(all.end(), more->begin(), more->end());
    }
    return all;
}

/// What came of it.
struct Outcome {
    GameReport report;
    PowerCut cut;

    [[nodiscard]] bool went_on() const { return report.ok(); }
    /// A decision was wrong; moves that never came are not.
    [[nodiscard]] bool wrong() const {
        return !report.error.empty() || (report.difference && report.difference->at);
    }
    [[nodiscard]] bool asked() const {
        return std::any_of(report.reports.begin(), report.reports.end(),
                           [](const auto& kind) { return is_unfounded(kind.first); });
    }
};

Outcome cut_once(const bench::Script& script, std::uint64_t seed) {
    GameOptions options;
    options.fidelity = Fidelity::ideal;
    options.timeline.seed = seed;
    options.keep_inputs = true;
    const BenchUs whole = run_game(script, options).simulated_us;
    std::mt19937_64 rng(seed);
    const auto between = [&](BenchUs from, BenchUs to) {
        return std::uniform_int_distribution<BenchUs>(from, to)(rng);
    };
    Outcome outcome;
    outcome.cut.off = between(500 * ms, std::max(600 * ms, whole - 3'000 * ms));
    outcome.cut.on = outcome.cut.off + between(20 * ms, 800 * ms);
    options.power_cut = outcome.cut;
    outcome.report = run_game(script, options);
    return outcome;
}

}  // namespace

TEST_CASE("after a power cut the game goes on or somebody is asked; no move is wrong",
          "[verify]") {
    const auto games = many_games();
    std::size_t cuts = 0;
    std::size_t went_on = 0;
    std::size_t asked = 0;
    for (std::size_t i = 0; i < games.size(); ++i) {
        const bench::Script script = bench::make_script(games[i]);
        for (std::uint64_t seed = 0; seed < 2; ++seed) {
            const Outcome outcome = cut_once(script, 1'000 * i + seed);
            ++cuts;
            went_on += outcome.went_on();
            asked += outcome.asked();
            CAPTURE(i, seed, outcome.cut.off, outcome.cut.on);
            INFO(outcome.report.error);
            INFO((outcome.report.difference ? outcome.report.difference->what : ""));
            CHECK_FALSE(outcome.wrong());
            CHECK((outcome.went_on() || outcome.asked()));
        }
    }
    WARN(cuts << " power cuts: after " << went_on << " the whole game is in the record, in "
              << asked << " somebody was asked");
    CHECK(went_on * 2 > cuts);
}
