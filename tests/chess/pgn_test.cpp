// pgn_test.cpp - games read from all kinds of text, and written in one
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "host/chess/pgn.hpp"
#include "host/chess/san.hpp"
#include "tests/chess/random_positions.hpp"

using namespace touchmove::chess;
using touchmove::Millis;

namespace {

std::string moves_of(const PgnGame& game) {
    std::string text;
    Position p = game.start;
    for (const PgnMove& m : game.moves) {
        text += (text.empty() ? "" : " ") + to_san(p, m.move);
        p.make(m.move);
    }
    return text;
}

PgnGame only(std::string_view text) {
    auto games = parse_pgn(text);
    REQUIRE(games.size() == 1);
    return games.front();
}

/// Everything of a game but the line where it stood.
void check_equal(const PgnGame& a, const PgnGame& b) {
    CHECK(a.tags == b.tags);
    CHECK(a.start.fen() == b.start.fen());
    CHECK(a.result == b.result);
    CHECK(a.broken_off == b.broken_off);
    REQUIRE(a.moves.size() == b.moves.size());
    for (std::size_t i = 0; i < a.moves.size(); ++i) {
        CAPTURE(i);
        CHECK(a.moves[i].move == b.moves[i].move);
        CHECK(a.moves[i].clk == b.moves[i].clk);
        CHECK(a.moves[i].emt == b.moves[i].emt);
        CHECK(a.moves[i].comment == b.moves[i].comment);
    }
}

}  // namespace

TEST_CASE("movetext is read through comments, variations, NAGs and escapes", "[chess]") {
    const PgnGame g = only(
        "[Event \"A \\\"quoted\\\" back\\\\slash\"]\n"
        "[White \"One\"]\n"
        "% an escape line with [Event \"none\"] and 1. d4\n"
        "\n"
        "{before the first move} 1.e4 $1 {good (really)} (1. d4 d5 (1... Nf6 {nested ) paren} 2. "
        "c4)"
        " 2. c4) 1... e5!? ; to the end of line 2. Ke2 Ke7\n"
        "2 . Nf3 Nc6 3. Bb5 {[%eval 0.3] the [%csl Ge4] Ruy} {and more} a6 !? 1/2-1/2\n");
    CHECK(moves_of(g) == "e4 e5 Nf3 Nc6 Bb5 a6");
    CHECK(g.tag("Event") == "A \"quoted\" back\\slash");
    CHECK(g.tag("White") == "One");
    CHECK(g.tag("Black", "nobody") == "nobody");
    CHECK(g.result == "1/2-1/2");
    CHECK_FALSE(g.broken_off);
    CHECK(g.moves[0].comment == "good (really)");
    CHECK(g.moves[4].comment == "the Ruy and more");
}

TEST_CASE("clock comments are read in every form, also broken over lines", "[chess]") {
    const PgnGame g = only(
        "1. e4 {[%clk 01:30:57]} {[%emt 00:00:02]} c5 {[%clk\r\n1:30:49]} {[%emt\r\n00:00:10]} "
        "2. Nf3 {[%clk 0:00:05.5][%emt 0:00:01.25]} d6 {a [%clk 5:03] b} "
        "3. d4 {[%clk rubbish]} cxd4 {[%emt 0:00:00]} 4. Nxd4 { } Nf6 {[%clk 1:2:3:4]} *");
    REQUIRE(g.moves.size() == 8);
    CHECK(g.moves[0].clk == Millis{5'457'000});
    CHECK(g.moves[0].emt == Millis{2'000});
    CHECK(g.moves[1].clk == Millis{5'449'000});
    CHECK(g.moves[1].emt == Millis{10'000});
    CHECK(g.moves[2].clk == Millis{5'500});
    CHECK(g.moves[2].emt == Millis{1'250});
    CHECK(g.moves[3].clk == Millis{303'000});
    CHECK(g.moves[3].comment == "a b");
    CHECK_FALSE(g.moves[4].clk);
    CHECK(g.moves[5].emt == Millis{0});
    CHECK_FALSE(g.moves[6].clk);
    CHECK_FALSE(g.moves[7].clk);
    CHECK(g.moves[7].comment.empty());
}

TEST_CASE("a command that never ends says nothing, and takes nothing else along", "[chess]") {
    const PgnGame g = only("1. e4 {[%clk 1:00:00} {next]} e5 {text [%emt} *");
    REQUIRE(g.moves.size() == 2);
    CHECK_FALSE(g.moves[0].clk);
    CHECK(g.moves[0].comment == "next]");
    CHECK(g.moves[1].comment == "text");
}

TEST_CASE("a comment that quotes a tag comes back", "[chess]") {
    PgnGame g;
    g.start = Position::initial();
    g.moves.push_back({*Move::parse_uci("e2e4"), {}, {}, {}});
    for (std::size_t n = 0; n < 90; ++n) {
        g.moves[0].comment = std::string(n, 'x') + (n > 0 ? " " : "") + "[Event \"y\"] 1. d4 *";
        const PgnGame again = only(write_pgn(g));
        REQUIRE(again.moves.size() == 1);
        CHECK(again.moves[0].comment == g.moves[0].comment);
    }
}

TEST_CASE("games follow each other with or without tags, results and blank lines", "[chess]") {
    const auto games = parse_pgn(
        "\xef\xbb\xbf[Event \"1\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 e5 1-0\r\n"
        "[Event \"2\"]\r\n1. d4\r\n\r\n[Event \"3\"]\r\n\r\n"
        "[Event \"4\"]\n\n*\n1. c4 c5 0-1 1. Nf3 *\n\n\n2. Nc3\n");
    REQUIRE(games.size() == 6);
    CHECK(games[0].line == 1);
    CHECK(games[0].result == "1-0");
    CHECK(moves_of(games[0]) == "e4 e5");
    CHECK(games[1].line == 5);
    CHECK(moves_of(games[1]) == "d4");
    CHECK(games[1].result == "*");
    // Two tag sections with nothing between: one, of the later moves.
    CHECK(games[2].tags.size() == 2);
    CHECK(games[2].moves.empty());
    CHECK(moves_of(games[3]) == "c4 c5");
    CHECK(games[3].result == "0-1");
    CHECK(games[3].line == 13);
    CHECK(moves_of(games[4]) == "Nf3");
    CHECK(moves_of(games[5]) == "Nc3");
}

TEST_CASE("a game starts where its FEN says", "[chess]") {
    const PgnGame g =
        only("[FEN \"4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 9\"]\n[SetUp \"1\"]\n\n9. e4 dxe3 10. Kd1 *");
    CHECK(moves_of(g) == "e4 dxe3 Kd1");
    const PgnGame black = only("[FEN \"4k3/8/8/8/8/8/8/4K2r b - - 0 31\"]\n\n31... Rh2 32. Kf1 *");
    CHECK(moves_of(black) == "Rh2 Kf1");
    const PgnGame bad = only("[FEN \"4k3/8 w - - 0 31\"]\n\n31... Rh2 32. Kf1 1-0");
    CHECK(bad.broken_off ==
          "The FEN tag cannot be read: FEN field 1 (men): there are 2 ranks instead of 8.");
    CHECK(bad.moves.empty());
    CHECK(bad.result == "1-0");
}

TEST_CASE("a broken game keeps its good moves and says what broke it", "[chess]") {
    const auto [text, good, why] = GENERATE(table<std::string, std::string, std::string>({
        {"1. e4 e5 2. Ke3 Nf6 0-1", "e4 e5", "Move 2 of White: 'Ke3' is not legal here."},
        {"1. e4 e5 2. Nf3 hello 3. Bb5 0-1", "e4 e5 Nf3",
         "Move 2 of Black: 'hello' is not a move."},
        {"1. e4 -- 2. d4 0-1", "e4", "Move 1 of Black: '--' is not a move."},
        {"[Event \"x\"]\n\n1. e4 {no end 1... e5\n0-1", "e4",
         "The comment that opens on line 3 is never closed."},
        {"1. e4 (1. d4 d5 {x} 1... e5\n0-1", "e4",
         "The variation that opens on line 1 is never closed."},
        {"1. e4 e5 2. N 0-1", "e4 e5", "Move 2 of White: 'N' is not a move."},
    }));
    CAPTURE(text);
    // What follows a broken game is not lost.
    const auto games = parse_pgn(text + "\n\n[Event \"next\"]\n\n1. d4 *\n");
    REQUIRE(games.size() == 2);
    CHECK(moves_of(games[0]) == good);
    CHECK(games[0].broken_off == why);
    CHECK(moves_of(games[1]) == "d4");
    CHECK_FALSE(games[1].broken_off);
}

TEST_CASE("text without a game holds none", "[chess]") {
    for (const std::string_view text : {"", "\n\n  \n", "% only an escape\n",
                                        "Dear reader, this is a letter.\n", "{}", ")]>\n"}) {
        CAPTURE(text);
        CHECK(parse_pgn(text).empty());
    }
}

TEST_CASE("a file that cannot be read or holds no game is refused in one sentence", "[chess]") {
    CHECK(read_pgn_file("no/such/file.pgn").error().message() ==
          "no/such/file.pgn cannot be opened: No such file or directory.");
    CHECK(read_pgn_file(".").error().message() == ". cannot be read: Is a directory.");
    const std::string path = "pgn_test_without_game.pgn";
    for (const char* text : {"nothing\n", "1. Zz9 e5 2. foo\n"}) {
        std::ofstream(path) << text;
        CHECK(read_pgn_file(path).error().message() == path + " holds no game.");
    }
    std::ofstream(path) << "1. e4 *\n";
    CHECK(read_pgn_file(path)->size() == 1);
    std::remove(path.c_str());
}

TEST_CASE("a game is written in one exact form", "[chess]") {
    PgnGame g;
    g.start = Position::initial();
    g.tags = {{"WhiteElo", "2402"}, {"White", "Thavandiran, Shiyam"}, {"Event", "A \"B\" \\ C"}};
    g.result = "0-1";
    Position p = g.start;
    const auto add = [&](std::string_view san, std::optional<Millis> clk, std::optional<Millis> emt,
                         std::string comment = {}) {
        const auto m = parse_san(p, san);
        REQUIRE(m);
        g.moves.push_back({*m, clk, emt, std::move(comment)});
        p.make(*m);
    };
    add("e4", Millis{5'457'000}, Millis{2'000});
    add("e5", Millis{62'500}, std::nullopt);
    add("Nf3", std::nullopt, Millis{0});
    add("Nc6", std::nullopt, std::nullopt, "a long comment that has to be broken over two lines }");
    add("Bb5", Millis{3'600'000}, Millis{1'050});
    CHECK(write_pgn(g) ==
          "[Event \"A \\\"B\\\" \\\\ C\"]\n"
          "[Site \"?\"]\n"
          "[Date \"????.??.??\"]\n"
          "[Round \"?\"]\n"
          "[White \"Thavandiran, Shiyam\"]\n"
          "[Black \"?\"]\n"
          "[Result \"0-1\"]\n"
          "[WhiteElo \"2402\"]\n"
          "\n"
          "1. e4 {[%clk 1:30:57]} {[%emt 0:00:02]} e5 {[%clk 0:01:02.5]} 2. Nf3\n"
          "{[%emt 0:00:00]} Nc6 {a long comment that has to be broken over two lines )} 3.\n"
          "Bb5 {[%clk 1:00:00]} {[%emt 0:00:01.05]} 0-1\n");

    PgnGame set_up;
    set_up.start = *Position::parse_fen("4k3/8/8/8/8/8/8/4K2r b - - 0 31");
    set_up.moves.push_back({*Move::parse_uci("h1h2"), {}, {}, {}});
    const std::string text = write_pgn(set_up);
    CHECK(text.find("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2r b - - 0 31\"]\n") !=
          std::string::npos);
    CHECK(text.substr(text.rfind("\n\n")) == "\n\n31... Rh2 *\n");
}

TEST_CASE("an illegal move is written, and read up to there", "[chess]") {
    PgnGame g;
    g.start = Position::initial();
    g.moves.push_back({*Move::parse_uci("e2e4"), {}, {}, {}});
    g.moves.push_back({*Move::parse_uci("e8e6"), {}, {}, {}});
    g.moves.push_back({*Move::parse_uci("d2d4"), {}, {}, {}});
    const std::string text = write_pgn(g);
    CHECK(text.substr(text.rfind("\n\n")) == "\n\n1. e4 Ke8-e6 2. d4 *\n");
    const PgnGame read = only(text);
    CHECK(read.moves.size() == 1);
    CHECK(read.broken_off == "Move 1 of Black: 'Ke8-e6' is not legal here.");
}

TEST_CASE("random games come back from text as they were", "[chess]") {
    const auto seed = GENERATE(71U, 72U, 73U);
    CAPTURE(seed);
    Random random(seed);
    for (int i = 0; i < 60; ++i) {
        PgnGame g;
        g.start = i % 3 == 0 ? wild_position(random) : Position::initial();
        g.tags = {{"Event", "e"}, {"Site", "s \\ \""}, {"Date", "2026.01.02"}, {"Round", "1.2"},
                  {"White", "w"}, {"Black", "b"},      {"Result", "1-0"}};
        if (i % 3 == 0) {
            g.tags.emplace_back("SetUp", "1");
            g.tags.emplace_back("FEN", g.start.fen());
        }
        g.tags.emplace_back("Annotator", "nobody; {x} (y)");
        g.result = "1-0";
        Position p = g.start;
        for (int ply = 0; ply < 80 && p.has_legal_move(); ++ply) {
            const Move m = any_of(p.legal_moves(), random);
            g.moves.push_back({m, {}, {}, {}});
            PgnMove& last = g.moves.back();
            if (below(random, 3) != 0) last.clk = Millis{below(random, 9'000'000)};
            if (below(random, 3) != 0) last.emt = Millis{below(random, 100) * 1000};
            if (below(random, 9) == 0) last.comment = "some (words; of [no] $1 meaning 1-0 *";
            p.make(m);
        }
        const std::string text = write_pgn(g);
        check_equal(only(text), g);
        std::istringstream lines(text.substr(text.find("\n\n")));
        for (std::string line; std::getline(lines, line);)
            CHECK(line.size() <= 80);
    }
}
