// game_run_test.cpp - whole games come through the simulated board as they were played
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/game_run.hpp"

#include <filesystem>

#include <catch2/catch.hpp>

#include "sim/device/empty_loop.hpp"
#include "tests/sim/bench/games.hpp"

using namespace touchmove;
using namespace touchmove::verify;

namespace {

GameOptions options_of(std::string_view hands, std::uint64_t seed, Fidelity fidelity) {
    GameOptions options;
    options.timeline.hands = *bench::parse_hands(hands);
    options.timeline.seed = seed;
    options.fidelity = fidelity;
    return options;
}

std::vector<std::string> all_hands() {
    std::vector<std::string> names{"dealt"};
    for (const bench::Style& style : bench::styles()) names.emplace_back(style.name);
    return names;
}

void require_as_played(const GameReport& report) {
    INFO(report.error);
    INFO((report.difference ? report.difference->what : ""));
    REQUIRE(report.ok());
    CHECK(report.gaps == 0);
}

}  // namespace

TEST_CASE("every style's games come out as played, over an ideal board", "[verify]") {
    for (const std::string& hands : all_hands()) {
        for (const chess::PgnGame& game : bench::test::games()) {
            for (std::uint64_t seed = 0; seed < 10; ++seed) {
                CAPTURE(hands, game.result, seed);
                require_as_played(run_game(bench::make_script(game),
                                           options_of(hands, seed, Fidelity::ideal)));
            }
        }
    }
}

TEST_CASE("a game comes out as played through the RTL and the daemon's link", "[verify]") {
    for (const chess::PgnGame& game : bench::test::games()) {
        CAPTURE(game.result);
        const GameReport report =
            run_game(bench::make_script(game), options_of("dealt", 2, Fidelity::frontend));
        require_as_played(report);
        CHECK(report.records > 4 * report.plies);
    }
}

TEST_CASE("a game comes out as played through the whole chip", "[verify]") {
    if (!device::has_soc()) return;
    GameOptions options = options_of("blitz", 5, Fidelity::soc);
    options.device.usb_rate_error = 0.0025;
    options.device.usb_jitter_ns = 8;
    const chess::PgnGame game =
        chess::parse_pgn("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n").at(0);
    const GameReport report = run_game(bench::make_script(game), options);
    require_as_played(report);
    CHECK(report.records > 4 * report.plies);
}

TEST_CASE("the same seed gives the same inputs, through the RTL too", "[verify]") {
    for (const Fidelity fidelity : {Fidelity::ideal, Fidelity::frontend}) {
        const bench::Script script = bench::make_script(bench::test::games().at(2));
        GameOptions options = options_of("dealt", 3, fidelity);
        options.keep_inputs = true;
        const GameReport first = run_game(script, options);
        const GameReport second = run_game(script, options);
        REQUIRE(first.inputs.size() == second.inputs.size());
        REQUIRE(first.inputs.size() > 40);
        for (std::size_t i = 0; i < first.inputs.size(); ++i) {
            REQUIRE(first.inputs[i].at == second.inputs[i].at);
            REQUIRE(first.inputs[i].what.index() == second.inputs[i].what.index());
        }
        CHECK(first.records == second.records);
        CHECK(first.simulated_us == second.simulated_us);
    }
}

TEST_CASE("a script that says something else than what is compared is noticed", "[verify]") {
    // Played is one game; a comparison with another must fail at the first move that differs.
    const bench::Script played = bench::make_script(chess::parse_pgn("1. e4 e5 2. Nf3 *\n").at(0));
    const bench::Script claimed = bench::make_script(chess::parse_pgn("1. e4 e5 2. Nc3 *\n").at(0));
    Comparison comparison(claimed);
    for (std::size_t ply = 0; ply < played.moves.size(); ++ply) {
        comparison.take(std::vector{laws::Decision{
            device_time(0), laws::MovePublished{ply, laws::RecordedMove{played.moves[ply]}}}});
    }
    REQUIRE(comparison.difference());
    CHECK(comparison.difference()->ply == 2);
}

TEST_CASE("kings put in the centre at the end never enter the record", "[verify]") {
    // The PGN goes on with king moves that are none.
    const auto game = chess::parse_pgn("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Kd4 1/2-1/2\n").at(0);
    unsigned shown = 0;
    for (const std::string& hands : all_hands()) {
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            CAPTURE(hands, seed);
            const GameReport report = run_game(bench::make_script(game),
                                               options_of(hands, seed, Fidelity::ideal));
            require_as_played(report);
            CHECK(report.plies == 6);
            CHECK_FALSE(report.cut.empty());
            if (report.kings_shown) ++shown;
        }
    }
    CHECK(shown > 0);
}

TEST_CASE("a legal king move to a centre square, played and pressed, is a move", "[verify]") {
    const auto game = chess::parse_pgn(
        "[FEN \"8/8/2k5/8/8/3K4/4P3/8 w - - 0 1\"]\n[SetUp \"1\"]\n\n"
        "1. Ke4 Kd6 2. Kd4 Ke6 3. Ke4 *\n").at(0);
    for (const std::string& hands : all_hands()) {
        for (std::uint64_t seed = 0; seed < 10; ++seed) {
            CAPTURE(hands, seed);
            require_as_played(run_game(bench::make_script(game),
                                       options_of(hands, seed, Fidelity::ideal)));
        }
    }
}

TEST_CASE("a trace of a game is written", "[verify]") {
    const auto file = std::filesystem::temp_directory_path() / "touchmove_verify_test.fst";
    std::filesystem::remove(file);
    GameOptions options = options_of("careful", 1, Fidelity::frontend);
    options.device.trace_file = file.string();
    require_as_played(
        run_game(bench::make_script(chess::parse_pgn("1. e4 *\n").at(0)), options));
    CHECK(std::filesystem::file_size(file) > 1000);
    std::filesystem::remove(file);
}

TEST_CASE("the empty loop takes time in proportion", "[verify]") {
    CHECK(device::run_empty_loop(device::Fidelity::frontend, device::SensorStyle::matrix, 200'000) >
          0);
}
