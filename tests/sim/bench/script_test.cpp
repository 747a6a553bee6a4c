// script_test.cpp - a PGN becomes what is to be played: up to where the Laws end it, in its own
// time SPDX-License-Identifier: Apache-2.0
#include "sim/bench/script.hpp"

#include <catch2/catch.hpp>

#include "host/mate/solver.hpp"
#include "tests/sim/bench/games.hpp"

using namespace touchmove;
using namespace touchmove::bench;

namespace {

Script script_of(std::string_view pgn) { return make_script(chess::parse_pgn(pgn).at(0)); }

bool dead(std::string_view fen) {
    return mate::is_dead(chess::Position::parse_fen(fen).value());
}

constexpr BenchUs second = 1'000'000;

}  // namespace

TEST_CASE("bare kings, a lone minor piece and bishops of one colour are dead", "[bench]") {
    CHECK(dead("8/8/4k3/8/8/3K4/8/8 w - - 0 1"));
    CHECK(dead("8/8/4k3/8/8/3K4/5N2/8 w - - 0 1"));
    CHECK(dead("8/8/4kb2/8/8/3K4/8/8 w - - 0 1"));
    CHECK(dead("b7/8/4k3/8/8/3K4/8/1B5B w - - 0 1"));       // a8, b1, h1 are all light
    CHECK_FALSE(dead("8/8/4kb2/8/8/3K4/5N2/8 w - - 0 1"));
    CHECK_FALSE(dead("8/8/4k3/8/8/3K4/4NN2/8 w - - 0 1"));
    CHECK_FALSE(dead("b7/8/4k3/8/8/3K4/8/B7 w - - 0 1"));   // a8 light, a1 dark
    CHECK_FALSE(dead("8/8/4k3/8/8/3K4/5P2/8 w - - 0 1"));
    CHECK(dead("7k/8/8/8/8/8/6r1/7K w - - 0 1"));  // the king must take the last man
}

TEST_CASE("a complete game is played whole", "[bench]") {
    const Script script = script_of(test::opera);
    CHECK(script.moves.size() == 33);
    CHECK(script.ends_by == LawsEnd::checkmate);
    CHECK(script.cut.empty());
    CHECK(script.result == "1-0");
}

TEST_CASE("moves after a dead position are cut off, and that is said", "[bench]") {
    const Script script = script_of(
        "[FEN \"8/8/4k3/8/8/3K4/4r3/8 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Kxe2 Ke5 2. Ke3 1/2-1/2\n");
    CHECK(script.moves.size() == 1);
    CHECK(script.ends_by == LawsEnd::dead_position);
    CHECK(script.cut.find("1... Ke5") != std::string::npos);
    CHECK(script.cut.find("dead position") != std::string::npos);
}

TEST_CASE("the fifth occurrence of a position ends a game", "[bench]") {
    const Script script = script_of(
        "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. Nf3 Nf6 8. Ng1 Ng8 "
        "9. e4 *\n");
    CHECK(script.moves.size() == 16);
    CHECK(script.ends_by == LawsEnd::fivefold);
    CHECK(script.cut.find("9. e4") != std::string::npos);
}

TEST_CASE("an illegal king move to the centre is read as a result signal, other rubbish is not",
          "[bench]") {
    const Script signal = script_of("1. e4 e5 2. Nf3 Nc6 3. Kd4 1/2-1/2\n");
    CHECK(signal.moves.size() == 4);
    CHECK(signal.kings_to_centre);
    CHECK_FALSE(signal.cut.empty());
    const Script rubbish = script_of("1. e4 e5 2. Nf6 1-0\n");
    CHECK(rubbish.moves.size() == 2);
    CHECK_FALSE(rubbish.kings_to_centre);
    CHECK_FALSE(rubbish.cut.empty());
}

TEST_CASE("a legal king move to a centre square stays a move", "[bench]") {
    const Script script = script_of(
        "[FEN \"8/8/5k2/8/8/3K4/4p3/8 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Kd4 e1=Q 1/2-1/2\n");
    CHECK(script.moves.size() == 2);
    CHECK_FALSE(script.kings_to_centre);
}

TEST_CASE("times come from emt, else from the clock and its increment, else from neighbours",
          "[bench]") {
    const Script script = script_of(
        "1. e4 {[%clk 0:10:00] [%emt 0:00:05]} e5 {[%clk 0:10:00] [%emt 0:00:07]}\n"
        "2. Nf3 {[%clk 0:09:55] [%emt 0:00:15]} Nc6 {[%clk 0:09:50] [%emt 0:00:20]}\n"
        "3. Bb5 {[%clk 0:09:45] [%emt 0:00:20]} a6 {[%clk 0:09:40]}\n"
        "4. Ba4 Nf6 {[%clk 0:09:50]}\n"
        "5. O-O {[%clk 0:09:40] [%emt 0:00:40]} Be7 *\n");
    const std::vector<BenchUs>& spent = script.spent;
    REQUIRE(spent.size() == 10);
    CHECK(spent[0] == 5 * second);
    CHECK(spent[3] == 20 * second);
    CHECK(spent[5] == 20 * second);  // 9:50 to 9:40 with 10 s of increment
    CHECK(spent[6] == 30 * second);  // between 20 and 40
    CHECK(spent[7] == 0);            // 9:40 to 9:50 with 10 s of increment
    CHECK(spent[9] == 0);            // nothing known after the last: as the one before
}

TEST_CASE("without any times every move takes ten seconds", "[bench]") {
    for (const BenchUs spent : script_of("1. e4 e5 *\n").spent) CHECK(spent == 10 * second);
}
