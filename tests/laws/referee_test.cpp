// referee_test.cpp - when a move is made, shown and published, and by which reading of the events
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/laws/event_feed.hpp"

using namespace touchmove;
using namespace touchmove::laws;
using namespace touchmove::laws::testing;

TEST_CASE("a move is published at the press, once", "[laws]") {
    Feed feed;
    feed.after(100).lift("e2").after(100).place("e4").quiet(50);
    CHECK(feed.published().empty());
    feed.after(10).press(Color::white).quiet(2000);
    CHECK(feed.published() == "e2e4");
    CHECK(feed.referee.moves().back().completed);
}

TEST_CASE("a move is shown from its release and published at the opponent's touch", "[laws]") {
    Feed feed;
    feed.after(100).lift("e2").after(100).place("e4").quiet(499);
    CHECK(feed.moves().empty());
    feed.quiet(1);
    CHECK(feed.moves() == "e2e4");
    CHECK(feed.published().empty());
    feed.after(10).lift("e7").quiet(1);
    CHECK(feed.published() == "e2e4");
    CHECK_FALSE(feed.referee.moves().back().completed);
}

TEST_CASE("a slide is one move, whatever it passes", "[laws]") {
    Feed feed(Rules{}, from("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"));
    feed.after(100).lift("a1").after(30).place("a2").after(40).lift("a2").after(30).place("a3");
    feed.after(200).lift("a3").after(30).place("a7").after(60).press(Color::white).quiet(1);
    CHECK(feed.published() == "a1a7");
    CHECK(feed.reports().empty());
}

TEST_CASE("a reply 80 ms after the release is a second move", "[laws]") {
    Feed feed;
    feed.after(100).lift("e2").after(100).place("e4").after(80).lift("e7").after(90).place("e5");
    feed.after(20).press(Color::white).after(30).press(Color::black).quiet(1);
    CHECK(feed.published() == "e2e4 e7e5");
}

TEST_CASE("a move closed by the reply has the clock of the press that comes after", "[laws]") {
    GameSetup setup;
    setup.clock.mode = ClockMode::fischer;
    setup.clock.periods = {{std::nullopt, Millis{180'000}}};
    setup.clock.extra = Millis{2'000};
    Feed feed(Rules{}, setup);
    feed.press(Color::black).after(500).lift("e2").after(100).place("e4").after(80).lift("e7");
    feed.quiet(1);
    CHECK(feed.referee.moves().back().clock_left == Millis{181'320});
    feed.after(19).press(Color::white).after(50).place("e5").after(50).press(Color::black).quiet(1);
    CHECK(feed.published() == "e2e4 e7e5");
    CHECK(feed.referee.moves().front().clock_left == Millis{183'300});
    CHECK(feed.referee.moves().back().clock_left == Millis{183'900});
    const auto completed = std::find_if(
        feed.decisions.begin(), feed.decisions.end(),
        [](const Decision& d) { return std::holds_alternative<MoveCompleted>(d.what); });
    REQUIRE(completed != feed.decisions.end());
    CHECK(std::get<MoveCompleted>(completed->what).move.clock_left == Millis{183'300});
}

TEST_CASE("a man set down beside its victim, which is taken off then, captures it", "[laws]") {
    // Queen put on f6, pawn g7 off, queen on g7.
    SECTION("the lever closes it") {
        Feed feed(Rules{}, from("4k3/6p1/8/8/3Q4/8/8/4K3 w - - 0 1"));
        feed.after(100).lift("d4").after(100).place("f6").after(100).lift("g7").after(100).lift(
            "f6");
        feed.after(100).place("g7").after(50).press(Color::white).quiet(1);
        CHECK(feed.published() == "d4g7");
        CHECK(feed.reports().empty());
    }
    SECTION("so does the dwell") {
        Feed feed(Rules{}, from("4k3/6p1/8/8/3Q4/8/8/4K3 w - - 0 1"));
        feed.after(100).lift("d4").after(100).place("f6").after(100).lift("g7").after(100).lift(
            "f6");
        feed.after(100).place("g7").quiet(600);
        CHECK(feed.moves() == "d4g7");
    }
    SECTION("but a reply with that pawn is a reply") {
        Feed feed(Rules{}, from("4k3/6p1/8/8/3Q4/8/8/4K3 w - - 0 1"));
        feed.after(100).lift("d4").after(100).place("f6").after(100).lift("g7").after(100).place(
            "g6");
        feed.after(50).press(Color::white).after(50).press(Color::black).quiet(1);
        CHECK(feed.published() == "d4f6 g7g6");
    }
    SECTION("and so is its capture of the queen") {
        Feed feed(Rules{}, from("4k3/6p1/8/8/3Q4/8/8/4K3 w - - 0 1"));
        feed.after(100).lift("d4").after(100).place("f6").after(100).lift("g7").after(100).lift(
            "f6");
        feed.after(100)
            .place("f6")
            .after(50)
            .press(Color::white)
            .after(50)
            .press(Color::black)
            .quiet(1);
        CHECK(feed.published() == "d4f6 g7f6");
    }
}

TEST_CASE("the reply may take off its victim first, be it the man just moved", "[laws]") {
    const auto setup = from("3qk3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    Feed feed(Rules{}, setup);
    feed.after(100).lift("d5").after(50).lift("e4").after(50).place("d5");
    feed.after(90).lift("d5").after(40).lift("d8").after(60).place("d5");
    feed.after(20).press(Color::white).after(30).press(Color::black).quiet(1);
    CHECK(feed.published() == "e4d5 d8d5");
    CHECK(feed.reports().empty());
}

TEST_CASE("straightening the man just moved is no reply", "[laws]") {
    const auto setup = from("3qk3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    Feed feed(Rules{}, setup);
    feed.after(100).lift("d5").after(50).lift("e4").after(50).place("d5");
    feed.after(90).lift("d5").after(40).place("d5").after(60).press(Color::white).quiet(1);
    CHECK(feed.published() == "e4d5");
    CHECK(feed.referee.turn() == Color::black);
    feed.after(90).lift("e8").after(40).place("e7").after(60).press(Color::black).quiet(1);
    CHECK(feed.published() == "e4d5 e8e7");
    CHECK(feed.reports().empty());
}

TEST_CASE("without levers a move is published when it has stood", "[laws]") {
    Rules rules;
    rules.has_levers = false;
    Feed feed(rules);
    feed.after(100).lift("e2").after(100).place("e4").quiet(1499);
    CHECK(feed.published().empty());
    feed.quiet(1);
    CHECK(feed.published() == "e2e4");
    SECTION("and not again at the reply") {
        feed.after(10).lift("e7").after(100).place("e5").quiet(1500);
        CHECK(feed.published() == "e2e4 e7e5");
    }
    SECTION("a later correction is told as one") {
        feed.after(100).lift("e4").after(100).place("e3").quiet(300).after(10).lift("e7").quiet(1);
        CHECK(feed.published() == "e2e4 !e2e3");
        CHECK(feed.reports() == "released:4.7");
    }
}

TEST_CASE("kings put on the centre squares never enter the record", "[laws]") {
    const auto start = "8/8/4k3/8/8/4K3/8/R7 w - - 0 1";
    SECTION("the first king's step alone would be a legal move") {
        Feed feed(Rules{}, from(start));
        feed.after(100).lift("e3").after(200).place("e4").after(300).lift("e6").after(200).place(
            "d5");
        feed.quiet(600);
        CHECK(feed.published().empty());
        CHECK(feed.moves().empty());
        CHECK(feed.reports() == "result_signal:5.2.3");
    }
    SECTION("also when it had stood long enough to count as released") {
        Feed feed(Rules{}, from(start));
        feed.after(100).lift("e3").after(200).place("e4").quiet(900).after(1).lift("e6").after(200);
        feed.place("d5").quiet(600);
        CHECK(feed.published().empty());
        CHECK(feed.moves().empty());
        CHECK(feed.reports() == "result_signal:5.2.3");
    }
    SECTION("the king of the side that has not the move first") {
        Feed feed(Rules{}, from(start));
        feed.after(100).lift("e6").after(200).place("e5").quiet(1500).after(1).lift("e3").after(
            200);
        feed.place("e4").quiet(600);
        CHECK(feed.published().empty());
        CHECK(feed.reports() == "result_signal:5.2.3");
    }
    SECTION("but a king's move to a centre square, pressed, is a move") {
        Feed feed(Rules{}, from(start));
        feed.after(100).lift("e3").after(200).place("e4").after(90).press(Color::white).quiet(600);
        CHECK(feed.published() == "e3e4");
        feed.after(100).lift("e6").after(200).place("d5").quiet(600);
        CHECK(feed.published() == "e3e4");
        CHECK(feed.reports() == "result_signal:5.2.3");
    }
    SECTION("and one that is answered by an ordinary king's move, too") {
        Feed feed(Rules{}, from(start));
        feed.after(100).lift("e3").after(200).place("e4").after(300).lift("e6").after(200).place(
            "f6");
        feed.quiet(600);
        CHECK(feed.published() == "e3e4");
        CHECK(feed.moves() == "e3e4 e6f6");
    }
}

TEST_CASE("after a power cut the simplest story that explains the board is taken", "[laws]") {
    Feed feed;
    const auto see = [&](std::string_view fen) {
        feed.after(100).say(SessionBroken{});
        feed.say(BoardSeen{chess::Position::parse_fen(fen).value().occupied()});
    };
    SECTION("a quiet move") {
        see("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - - 0 1");
        feed.quiet(600);
        CHECK(feed.moves() == "e2e4");
        CHECK(feed.published().empty());
    }
    SECTION("a move and its reply") {
        see("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 2");
        feed.quiet(600);
        CHECK(feed.moves() == "e2e4 e7e5");
        CHECK(feed.published() == "e2e4");
        CHECK(feed.reports().empty());
    }
    SECTION("nothing happened") {
        see("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
        feed.quiet(600);
        CHECK(feed.moves().empty());
        CHECK(feed.reports().empty());
    }
    SECTION("what no move explains is shown to the arbiter, and counts when he says so") {
        see("rnbqkbnr/pppppppp/8/8/3PP3/8/PP3PPP/RNBQKBNR b - - 0 1");
        feed.quiet(600);
        CHECK(feed.moves().empty());
        CHECK(feed.reports() == "displaced:7.6");
        see("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
        feed.after(100).lift("e2").after(200).place("e4").quiet(600);
        CHECK(feed.moves().empty());
        feed.after(100).lift("e4").after(200).place("e2").after(100).say(PositionRestored{});
        feed.after(100).lift("e2").after(200).place("e4").quiet(600);
        CHECK(feed.moves() == "e2e4");
    }
    SECTION("a man that stood before the cut was not released during it") {
        feed.after(100).lift("g7").lift("e2").after(200).place("e3").after(100);
        feed.after(100).say(SessionBroken{});
        feed.after(5000).say(BoardSeen{
            chess::Position::parse_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b - - 0 1")
                .value()
                .occupied()});
        feed.quiet(600);
        CHECK(feed.moves() == "e2e4");
    }
    SECTION("a man off the board that can have taken one man only took that") {
        feed.after(100).lift("e2").after(200).place("e4").after(100).press(Color::white);
        feed.after(100).lift("d7").after(200).place("d5").after(100).press(Color::black);
        see("rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPP1PPP/RNBQKBNR b - - 0 2");
        feed.quiet(400);
        CHECK(feed.moves() == "e2e4 d7d5");
        feed.quiet(700);
        CHECK(feed.moves() == "e2e4 d7d5 e4d5");
    }
    SECTION("a press that comes with an unclear board is nobody's offence") {
        see("rnbqkbnr/pppppppp/8/8/P3P3/8/1PPP1PPP/RNBQKBNR b - - 0 1");
        feed.press(Color::white).quiet(600);
        CHECK(feed.moves().empty());
        CHECK(feed.reports() == "displaced:7.6");
    }
}

TEST_CASE("a promotion whose piece is open is published so, and known later", "[laws]") {
    Feed feed(Rules{}, from("8/P6k/8/8/8/8/7P/K7 w - - 0 1"));
    feed.after(100).lift("a7").after(300).place("a8").after(100).press(Color::white).quiet(1);
    CHECK(feed.published() == "a7a8?");
    CHECK(feed.reports() == "promotion_choice:3.7.3.3");
    SECTION("by the selector") {
        feed.after(100).say(PromotionNamed{Color::white, chess::Kind::rook}).quiet(1);
        CHECK(feed.moves() == "a7a8r");
    }
    SECTION("by what the piece does later") {
        feed.after(100).lift("h7").after(100).place("g6").after(90).press(Color::black);
        feed.after(100).lift("a8").after(100).place("b6").after(90).press(Color::white).quiet(1);
        CHECK(feed.moves() == "a7a8n h7g6 a8b6");
        CHECK(feed.reports() == "promotion_choice:3.7.3.3");
    }
    CHECK(feed.published().substr(0, 5) == "a7a8?");
}

TEST_CASE("who resigns loses unless the opponent cannot mate, which may take a search", "[laws]") {
    const auto score_of = [](std::string_view fen, std::string_view reports) {
        Feed feed(Rules{}, from(fen));
        feed.after(100).say(Resigned{Color::white}).quiet(1);
        CHECK(feed.reports() == reports);
        REQUIRE(feed.referee.result());
        CHECK(feed.referee.result()->article == "5.1.2");
        return feed.referee.result()->score;
    };
    CHECK(score_of("4k3/4r3/8/8/8/8/8/4K3 w - - 0 1", "") == Score::black_wins);
    // Three bishops, but the king never comes to a2 in time.
    CHECK(score_of("8/8/p3b3/P1p5/K1p1b3/1pP5/1P6/1bk5 w - - 0 1", "") == Score::draw);
    // Two kings, after moves that were let stand: nobody can tell what a mate would be.
    CHECK(score_of("4k3/4r3/8/8/8/8/8/K3K3 w - - 0 1", "arbiter:5.1.2") == Score::open_to_arbiter);
}
