// board_game_test.cpp - a board's journal gives its games, however often it is read
// SPDX-License-Identifier: Apache-2.0
#include "host/app/board_game.hpp"

#include <catch2/catch.hpp>

#include "host/app/move_printer.hpp"
#include "host/app/time_control.hpp"
#include "host/chess/pgn.hpp"
#include "tests/app/entries.hpp"

using namespace touchmove;
using namespace touchmove::app;
using namespace touchmove::app::testing;
using Moves = std::vector<std::string>;

namespace {

Moves moves_of(const BoardGame& game) {
    Moves moves;
    for (const auto& move : game.referee().moves()) moves.push_back(move.uci());
    return moves;
}

void apply_all(BoardGame& game, const Scribe& scribe) {
    for (const auto& entry : scribe.entries()) REQUIRE(game.apply(entry));
}

GameConfig clocked() {
    GameConfig config;
    config.clock = parse_time_control("60").value();
    return config;
}

/// Fool's mate, with all levers pressed.
Scribe& fools_mate(Scribe& scribe, std::int64_t ms) {
    scribe.move(ms + 1000, "f2", "f3", true);
    scribe.move(ms + 2000, "e7", "e5", false);
    scribe.move(ms + 3000, "g2", "g4", true);
    return scribe.move(ms + 4000, "d8", "h4", false).passed(ms + 4401);
}

/// The men of fool's mate go back to their squares.
Scribe& set_up_again(Scribe& scribe, std::int64_t ms) {
    for (const auto& [from, to] : {std::pair("h4", "d8"), std::pair("g4", "g2"),
                                   std::pair("e5", "e7"), std::pair("f3", "f2")}) {
        scribe.lift(ms, from).place(ms + 100, to);
        ms += 200;
    }
    return scribe;
}

}  // namespace

TEST_CASE("a game is played from its events", "[app]") {
    BoardGame game("TM-1");
    Scribe scribe;
    fools_mate(scribe.say(0, GameBegun{}).session(1).snapshot(1), 0);
    apply_all(game, scribe);
    CHECK(moves_of(game) == Moves{"f2f3", "e7e5", "g2g4", "d8h4"});
    REQUIRE(game.referee().result());
    CHECK(game.referee().result()->score == laws::Score::black_wins);
    CHECK(game.live().pgn().result == "0-1");
    CHECK(game.live().pgn().moves.size() == 4);
}

TEST_CASE("the same journal gives the same record, byte for byte, wherever reading was broken off",
          "[app]") {
    Scribe scribe;
    scribe.say(0, GameBegun{clocked()}).session(1).snapshot(1);
    scribe.input(500, 1, true);
    scribe.move(1000, "e2", "e4", true).move(2000, "e7", "e5", false);
    scribe.session(2, 4000).snapshot(1, array_squares ^ (1ULL << 12 | 1ULL << 28 | 1ULL << 52 |
                                                         1ULL << 36));
    scribe.move(2000, "g1", "f3", true).move(3000, "b8", "c6", false).passed(3401);

    BoardGame once("TM-1");
    apply_all(once, scribe);
    CHECK(moves_of(once) == Moves{"e2e4", "e7e5", "g1f3", "b8c6"});
    const std::string record = chess::write_pgn(once.live().pgn());

    // Between the entries time passes in any steps, as watermarks report it.
    BoardGame watched("TM-1");
    const journal::Entry* previous = nullptr;
    for (const auto& entry : scribe.entries()) {
        if (previous != nullptr && previous->at < entry.at) {
            const auto middle = previous->at + (entry.at - previous->at) / 2;
            watched.show(watched.advance(middle));
        }
        REQUIRE(watched.apply(entry));
        previous = &entry;
    }
    CHECK(chess::write_pgn(watched.live().pgn()) == record);
}

TEST_CASE("the next game begins when the men have stood in the array for a while", "[app]") {
    BoardGame game("TM-1");
    Scribe scribe;
    fools_mate(scribe.say(0, GameBegun{}).session(1).snapshot(1), 0);
    set_up_again(scribe, 10'000);  // done at 10.7 s
    std::size_t left = 0;
    game.on_left([&left](serve::LiveGame& live) { left = live.moves().size(); });
    apply_all(game, scribe);
    CHECK(game.games() == 1);
    REQUIRE(game.next_game_at());
    CHECK(to_us(*game.next_game_at()) == 12'700'000);

    SECTION("by time alone, once that is in the journal") {
        BoardGame same("TM-1");
        apply_all(same, scribe.passed(12'700));
        CHECK(same.games() == 2);
        CHECK(moves_of(same).empty());
        CHECK_FALSE(same.referee().result());
    }
    SECTION("or by the first touch after it, which belongs to the new game") {
        scribe.move(20'000, "d2", "d4", true).passed(20'401);
        BoardGame same("TM-1");
        apply_all(same, scribe);
        CHECK(same.games() == 2);
        CHECK(moves_of(same) == Moves{"d2d4"});
    }
    SECTION("or by a touch before that, since the game has its result") {
        scribe.move(11'000, "d2", "d4", true).passed(11'401);
        BoardGame same("TM-1");
        apply_all(same, scribe);
        CHECK(same.games() == 2);
        CHECK(moves_of(same) == Moves{"d2d4"});
    }
    SECTION("not before, by time alone") {
        BoardGame same("TM-1");
        apply_all(same, scribe.passed(12'699));
        CHECK(same.games() == 1);
    }
}

TEST_CASE("a game without a result is given up when the array is set up in its place", "[app]") {
    BoardGame game("TM-1");
    Scribe scribe;
    scribe.say(0, GameBegun{}).session(1).snapshot(1);
    scribe.move(1000, "e2", "e4", true);
    scribe.lift(5000, "e4").place(5200, "e2");
    SECTION("and stands") {
        apply_all(game, scribe.passed(7'200));
        CHECK(game.games() == 2);
    }
    SECTION("not if a man is lifted before") {
        apply_all(game, scribe.lift(7'000, "e2").passed(9'000));
        CHECK(game.games() == 1);
        CHECK_FALSE(game.next_game_at());
    }
}

TEST_CASE("knights that went out and back are no new game", "[app]") {
    BoardGame game("TM-1");
    Scribe scribe;
    scribe.say(0, GameBegun{}).session(1).snapshot(1);
    scribe.move(1000, "g1", "f3", true).move(2000, "g8", "f6", false);
    scribe.move(3000, "f3", "g1", true).move(4000, "f6", "g8", false);
    scribe.passed(60'000);
    apply_all(game, scribe);
    CHECK(game.games() == 1);
    CHECK(moves_of(game).size() == 4);
}

TEST_CASE("a game ended over the untouched array does not begin the next one at once", "[app]") {
    BoardGame game("TM-1");
    Scribe scribe;
    scribe.say(0, GameBegun{}).session(1).snapshot(1);
    scribe.say(60'000, laws::Input{laws::Resigned{chess::Color::white}}).passed(60'001);
    apply_all(game, scribe);
    REQUIRE(game.referee().result());
    CHECK(game.games() == 1);
    REQUIRE(game.next_game_at());
    CHECK(to_us(*game.next_game_at()) == 62'000'000);
}

TEST_CASE("moves made while the host was away belong to the game that the array began", "[app]") {
    BoardGame game("TM-1");
    Scribe scribe;
    scribe.session(1).snapshot(1);
    for (const auto& entry : scribe.entries()) REQUIRE(game.apply(entry));
    CHECK_FALSE(game.has_game());
    Scribe later;
    later.say(5000, GameBegun{});
    REQUIRE(game.apply(later.entries().front()));
    CHECK(game.has_game());
    CHECK(game.referee().board() == array_squares);
}

TEST_CASE("a broken host input is an error and changes nothing", "[app]") {
    BoardGame game("TM-1");
    Scribe scribe;
    scribe.say(0, GameBegun{}).session(1).snapshot(1);
    apply_all(game, scribe);
    journal::Entry bad = scribe.entries().front();
    bad.payload = journal::HostInput{"{}"};
    CHECK_FALSE(game.apply(bad));
    CHECK(game.games() == 1);
}

TEST_CASE("the terminal tells how a move is known, in the language asked for", "[app]") {
    Scribe scribe;
    scribe.say(0, GameBegun{}).session(1).snapshot(1);
    scribe.move(1000, "e2", "e4", true);
    // Black's move was made while the board had no power.
    scribe.session(2, 4000).snapshot(1, array_squares ^ (1ULL << 12 | 1ULL << 28 | 1ULL << 52 |
                                                         1ULL << 36));
    scribe.input(3000, 1, true).input(3000, 0, false).input(4000, 1, false).input(5000, 1, true);
    scribe.passed(5401);
    const auto lines_in = [&](serve::Language language) {
        BoardGame game("TM-1", language);
        apply_all(game, scribe);
        return lines_for(game.live(), game.take_shown(), false);
    };
    const auto english = lines_in(serve::Language::en);
    REQUIRE(english.size() >= 2);
    CHECK(english[0] == "   1. e4");
    CHECK(english[1] == " 1... e5        (not all of it was seen: the board was not watched)");
    const auto polish = lines_in(serve::Language::pl);
    REQUIRE(polish.size() == english.size());
    CHECK(polish[0] == english[0]);
    CHECK(polish[1].find("szachownica") != std::string::npos);

    BoardGame game("TM-1");
    apply_all(game, scribe);
    const auto record = game.live().pgn();
    CHECK(record.moves[0].comment.empty());
    CHECK(record.moves[1].comment == "not all of it was seen: the board was not watched");
}

TEST_CASE("a report is told with its article and the time of the game", "[app]") {
    Scribe scribe;
    scribe.say(0, GameBegun{}).session(1).snapshot(1);
    scribe.move(1000, "e2", "e4", true);
    scribe.lift(62'000, "e7").place(62'200, "e4").passed(62'300);
    scribe.lift(63'000, "b8").place(63'400, "b5").input(64'000, 1, true).passed(65'000);
    BoardGame game("TM-1");
    apply_all(game, scribe);
    const auto lines = lines_for(game.live(), game.take_shown(), false);
    REQUIRE(lines.size() >= 2);
    INFO(lines[1]);
    CHECK(lines[1].find("      ! 0:01:0") == 0);
    CHECK(lines[1].back() == ')');
}
