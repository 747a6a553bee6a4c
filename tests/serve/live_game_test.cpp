// live_game_test.cpp - what others see follows the referee's decisions, once and in order
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/live_game.hpp"

#include <boost/json.hpp>
#include <catch2/catch.hpp>

#include "host/chess/pgn.hpp"
#include "host/laws/referee.hpp"
#include "tests/serve/scripted_game.hpp"

namespace {

using namespace touchmove;
using chess::Color;
using laws::ReportKind;
using serve::Audience;
using serve::LiveGame;
using serve::ScriptedGame;
namespace json = boost::json;

serve::GameInfo info() {
    serve::GameInfo known;
    known.board = "TM-0001";
    known.game_id = "TM-0001/7";
    known.white = "Ada";
    known.black = "Ben";
    known.event = "Club evening";
    known.date = "2026.11.29";
    known.time_control = "300+2";
    return known;
}

ScriptedGame blitz() {
    return {info(), Millis{300'000}, Millis{2000}};
}

json::object change(LiveGame& live, Audience audience) {
    const auto message = live.take_change(audience);
    return message ? json::parse(*message).as_object() : json::object{};
}

laws::Report report(ReportKind kind, const char* article, Color side) {
    return {kind, article, side, {}, {}, {}, std::nullopt};
}

std::string text(const json::value& value) {
    return json::value_to<std::string>(value);
}

}  // namespace

TEST_CASE("a shown move is no part of the record until it is published, and then once", "[serve]") {
    auto game = blitz();
    const auto m = game.move("e4");
    CHECK(game.live.take_record_changed());  // the game itself is new
    game.lift(m);
    game.show(m);
    CHECK(game.live.pgn().moves.empty());
    CHECK_FALSE(game.live.take_record_changed());
    CHECK(game.live.moves().size() == 1);
    CHECK_FALSE(game.live.moves()[0].published);

    game.press(m);
    CHECK(game.live.take_record_changed());
    CHECK_FALSE(game.live.take_record_changed());
    REQUIRE(game.live.pgn().moves.size() == 1);
    CHECK(game.live.pgn().moves[0].move == m);
    CHECK(game.live.moves().size() == 1);
}

TEST_CASE("a slide that goes on replaces the shown move; a withdrawn one leaves nothing",
          "[serve]") {
    auto game = blitz();
    const auto one = game.move("e3");
    const auto two = game.move("e4");
    game.lift(one);
    game.show(one);
    game.input(laws::SquareLifted{one.to()});
    game.show(two);
    REQUIRE(game.live.moves().size() == 1);
    CHECK(game.live.moves()[0].san == "e4");
    game.decide(laws::ShownWithdrawn{0});
    CHECK(game.live.moves().empty());
    CHECK(game.live.pgn().moves.empty());
    CHECK(game.live.position().same_as(chess::Position::initial()));
}

TEST_CASE("a correction changes its move and keeps those after it", "[serve]") {
    auto game = blitz();
    game.play("e3");
    game.play("e5");
    CHECK(game.live.take_record_changed());
    laws::RecordedMove better{*laws::Move::parse_uci("e2e4"), true, true, game.now(), {}, {}};
    game.decide(laws::MoveCorrected{0, better});
    CHECK(game.live.take_record_changed());
    REQUIRE(game.live.moves().size() == 2);
    CHECK(game.live.moves()[0].san == "e4");
    CHECK(game.live.moves()[1].san == "e5");
    CHECK(game.live.moves()[1].published);
    CHECK(game.live.position().board_fen() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
}

TEST_CASE("a position that was restored takes its moves out of the record", "[serve]") {
    auto game = blitz();
    game.play("e4");
    game.play("e5");
    (void)game.live.take_record_changed();
    game.decide(laws::RecordShortened{1});
    CHECK(game.live.take_record_changed());
    REQUIRE(game.live.pgn().moves.size() == 1);
    CHECK(game.live.position().side_to_move() == Color::black);
}

TEST_CASE("the first change is the whole state, the next ones only what changed", "[serve]") {
    auto game = blitz();
    const auto first = change(game.live, Audience::viewer);
    CHECK(text(first.at("type")) == "state");
    CHECK(text(first.at("white")) == "Ada");
    CHECK(text(first.at("start")) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    CHECK(change(game.live, Audience::viewer).empty());

    game.play("e4");
    game.play("e5");
    (void)change(game.live, Audience::viewer);
    game.play("Nf3");
    const auto next = change(game.live, Audience::viewer);
    CHECK(text(next.at("type")) == "change");
    CHECK_FALSE(next.contains("white"));
    const auto& moves = next.at("moves").as_object();
    CHECK(moves.at("from").as_int64() == 2);
    REQUIRE(moves.at("list").as_array().size() == 1);
    const auto& move = moves.at("list").as_array()[0].as_object();
    CHECK(text(move.at("san")) == "Nf3");
    CHECK(text(move.at("uci")) == "g1f3");
    CHECK(text(move.at("fen")) == "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R");
    CHECK(text(next.at("turn")) == "black");
    CHECK(change(game.live, Audience::viewer).empty());
}

TEST_CASE("changes put together give the state that a newcomer gets", "[serve]") {
    auto game = blitz();
    auto told = change(game.live, Audience::arbiter);
    const auto follow = [&] {
        for (auto& [key, value] : change(game.live, Audience::arbiter)) {
            if (key == "moves") {
                auto& list = told.at("moves").as_object().at("list").as_array();
                const auto from = value.as_object().at("from").as_int64();
                list.resize(static_cast<std::size_t>(from));
                for (auto& move : value.as_object().at("list").as_array())
                    list.push_back(move);
            } else if (key != "type") {
                told[key] = value;
            }
        }
    };
    for (const auto* san : {"e4", "e5", "Nf3", "Nc6", "Bb5", "a6"}) {
        const auto m = game.move(san);
        game.wait(Millis{700});
        follow();
        game.lift(m);
        follow();
        game.show(m);
        follow();
        game.press(m);
        follow();
    }
    game.decide(laws::Reported{report(ReportKind::touch_move, "4.3.1", Color::black)});
    game.input(laws::DrawOffered{Color::black});
    follow();
    game.end(laws::Score::draw, "agreement", "5.2.3", false);
    follow();
    CHECK(told == json::parse(game.live.state_message(Audience::arbiter)).as_object());
}

TEST_CASE("viewers learn neither of reports and offers nor whether a move is completed",
          "[serve]") {
    auto game = blitz();
    const auto m = game.move("e4");
    game.lift(m);
    game.show(m);
    laws::RecordedMove made{m, true, false, game.now(), std::nullopt, std::nullopt};
    game.decide(laws::MovePublished{0, made});
    (void)change(game.live, Audience::viewer);
    (void)change(game.live, Audience::arbiter);
    game.decide(laws::Reported{report(ReportKind::two_hands, "4.1", Color::white)});
    game.input(laws::DrawOffered{Color::white});
    CHECK(change(game.live, Audience::viewer).empty());
    const auto arbiter = change(game.live, Audience::arbiter);
    CHECK(text(arbiter.at("offer")) == "white");
    CHECK(arbiter.at("reports").as_array().size() == 1);

    const auto state_for = [&](Audience audience) {
        return json::parse(game.live.state_message(audience)).as_object();
    };
    const auto move_state = [&](Audience audience) {
        return text(
            state_for(audience).at("moves").as_object().at("list").as_array()[0].at("state"));
    };
    CHECK(move_state(Audience::viewer) == "published");
    CHECK(move_state(Audience::arbiter) == "made");
    made.completed = true;
    game.decide(laws::MoveCompleted{0, made});
    CHECK(move_state(Audience::viewer) == "published");
    CHECK(move_state(Audience::arbiter) == "completed");
    for (const auto* hidden : {"reports", "offer", "adjusting"}) {
        CHECK_FALSE(state_for(Audience::viewer).contains(hidden));
        CHECK(state_for(Audience::arbiter).contains(hidden));
    }
}

TEST_CASE("men in the air and men put down are told by square", "[serve]") {
    auto game = blitz();
    const auto m = game.move("e4");
    game.lift(m);
    auto state = json::parse(game.live.state_message(Audience::viewer)).as_object();
    CHECK(state.at("off") == json::array{"e2"});
    CHECK(state.at("extra") == json::array{});
    game.input(laws::SquarePlaced{*chess::Square::parse("e5")});
    state = json::parse(game.live.state_message(Audience::viewer)).as_object();
    CHECK(state.at("extra") == json::array{"e5"});
    game.input(laws::BoardSeen{chess::Position::initial().occupied()});
    state = json::parse(game.live.state_message(Audience::viewer)).as_object();
    CHECK(state.at("off") == json::array{});
    CHECK(state.at("extra") == json::array{});
}

TEST_CASE("a clock that runs as a reader expects is not told again", "[serve]") {
    auto game = blitz();
    game.play("e4");
    (void)change(game.live, Audience::viewer);
    for (int i = 0; i < 100; ++i)
        game.wait(Millis{100});
    CHECK(change(game.live, Audience::viewer).empty());

    serve::ClockView corrected{game.now(), {Millis{60'000}, Millis{60'000}}, Color::black};
    game.live.on_clock(corrected);
    const auto told = change(game.live, Audience::viewer);
    CHECK(told.at("clock").as_object().at("white_ms").as_int64() == 60'000);
    CHECK(text(told.at("clock").as_object().at("running")) == "black");
}

TEST_CASE("time spent excludes what passed while both clocks stood", "[serve]") {
    auto game = blitz();
    game.play("e4", Millis{1500});
    CHECK(game.live.moves()[0].spent == Millis{2000});
    const auto pressed = game.now();
    game.live.on_clock({pressed + Millis{1000}, {Millis{1}, Millis{1}}, std::nullopt});
    game.live.on_clock({pressed + Millis{61'000}, {Millis{1}, Millis{1}}, Color::black});
    laws::RecordedMove reply{
        *laws::Move::parse_uci("e7e5"), true,     true, pressed + Millis{63'000},
        pressed + Millis{63'500},       Millis{1}};
    game.live.on_decision({pressed + Millis{63'500}, laws::MovePublished{1, reply}});
    CHECK(game.live.moves()[1].spent == Millis{3500});
}

TEST_CASE("an open question closes when it is answered, not by its own move", "[serve]") {
    auto game = blitz();
    const auto open = [&] {
        std::size_t count = 0;
        for (const auto& view : game.live.reports())
            count += view.open ? 1 : 0;
        return count;
    };
    game.play("e4");
    game.decide(laws::Reported{report(ReportKind::touch_move, "4.3.1", Color::white)});
    CHECK(open() == 1);

    SECTION("a claim lapses with the opponent's move") {
        game.play("e5");
        CHECK(open() == 0);
    }
    SECTION("a claim lapses with the opponent's touch (4.8), unless the clocks are paused") {
        game.wait(Millis{1000});
        SECTION("paused") {
            game.input(laws::ClocksPaused{std::nullopt});
            game.input(laws::SquareLifted{*chess::Square::parse("e7")});
            CHECK(open() == 1);
        }
        SECTION("not paused") {
            game.input(laws::SquareLifted{*chess::Square::parse("e7")});
            CHECK(open() == 0);
        }
    }
    SECTION("a provisional end leaves the claim open, and falls with it") {
        game.wait(Millis{1000});
        const auto result = [&] {
            return json::parse(game.live.state_message(Audience::arbiter)).at("result");
        };
        game.decide(laws::GameEnded{{laws::Score::white_wins, "checkmate", "5.1.1", true}});
        CHECK(open() == 1);
        CHECK(result().is_object());
        game.decide(laws::RecordShortened{0});
        CHECK(open() == 0);
        CHECK(result().is_null());
    }
    SECTION("a claim ends when it is upheld and the record shortened") {
        game.wait(Millis{1000});
        game.decide(laws::RecordShortened{0});
        CHECK(open() == 0);
    }
    SECTION("men that stand wrongly are in question until they stand right") {
        game.wait(Millis{10});
        game.input(laws::SquareLifted{*chess::Square::parse("a7")});
        game.wait(Millis{600});
        game.decide(laws::Reported{report(ReportKind::displaced, "7.4", Color::black)});
        CHECK(open() == 1);
        game.wait(Millis{10});
        game.input(laws::SquarePlaced{*chess::Square::parse("a7")});
        CHECK(open() == 0);
    }
    SECTION("a note asks for nothing") {
        game.decide(laws::Reported{report(ReportKind::accidental, "4.2.2", Color::white)});
        CHECK(game.live.reports().size() == 2);
        CHECK(open() == 1);
    }
}

TEST_CASE("a promotion waits for its piece and is asked for until it is named", "[serve]") {
    laws::GameSetup setup;
    setup.start = chess::Position::parse_fen("8/P6k/8/8/8/8/8/K7 w - - 0 40").value();
    LiveGame live(info(), setup);
    laws::RecordedMove move{*laws::Move::parse_uci("a7a8q"), false, false, device_time(5), {}, {}};
    live.on_decision({device_time(5), laws::MoveShown{0, move}});
    live.on_decision({device_time(5), laws::Reported{report(ReportKind::promotion_choice, "3.7.3.3",
                                                            Color::white)}});
    live.on_decision({device_time(9), laws::MovePublished{0, move}});
    CHECK(live.moves()[0].san == "a8=?");
    CHECK(live.pgn().moves[0].comment == "the promoted piece is not named yet");
    REQUIRE(live.reports().size() == 1);
    CHECK(live.reports()[0].open);

    laws::RecordedMove named = move;
    named.move = *laws::Move::parse_uci("a7a8n");
    named.kind_known = true;
    live.on_decision({device_time(20), laws::PromotionKnown{0, named}});
    CHECK(live.moves()[0].san == "a8=N");
    CHECK(live.moves()[0].published);
    CHECK(live.pgn().moves[0].comment.empty());
    CHECK_FALSE(live.reports()[0].open);
}

TEST_CASE("how a move is known is for the arbiter, and for the record where it was not seen",
          "[serve]") {
    auto game = blitz();
    game.play("e4");
    game.evidence = laws::Evidence::unseen;
    game.play("e5");
    game.live.on_stories(2);
    const auto arbiter = change(game.live, Audience::arbiter);
    const auto& list = arbiter.at("moves").at("list").as_array();
    CHECK(text(list[0].at("evidence")) == "seen");
    CHECK_FALSE(list[0].as_object().contains("why"));
    CHECK(text(list[1].at("evidence")) == "unseen");
    CHECK(text(list[1].at("why")) == "not all of it was seen: the board was not watched");
    CHECK(arbiter.at("stories").as_int64() == 2);

    // Viewers, over whose shoulder the players may look, get none of it (12.6).
    const auto viewer = *game.live.take_change(Audience::viewer);
    for (const auto* word : {"evidence", "why", "unseen", "stories", "watched"})
        CHECK(viewer.find(word) == std::string::npos);
    game.live.on_stories(1);
    CHECK_FALSE(game.live.take_change(Audience::viewer));
    CHECK(change(game.live, Audience::arbiter).at("stories").as_int64() == 1);
    CHECK_FALSE(game.live.take_change(Audience::arbiter));

    const auto record = game.live.pgn();
    CHECK(record.moves[0].comment.empty());
    CHECK(record.moves[1].comment == "not all of it was seen: the board was not watched");
}

TEST_CASE("sentences are of the game's language, its PGN is English", "[serve]") {
    ScriptedGame game(info(), Millis{300'000}, Millis{2000}, serve::Language::pl);
    game.play("e4");
    game.decide(laws::Reported{report(ReportKind::press_without_move, "7.5.3", Color::white)});
    game.end(laws::Score::black_wins, "time", "6.9", false);
    CHECK(game.live.reports()[0].text.find("zegar") != std::string::npos);
    const auto viewer = change(game.live, Audience::viewer);
    CHECK(text(viewer.at("result").at("text")).find("(Artyku") != std::string::npos);
    const auto pgn = game.live.pgn();
    CHECK(pgn.tags.back().second == "Black wins by time (Article 6.9)");
    const auto arbiter = change(game.live, Audience::arbiter);
    const auto at_ms = arbiter.at("reports").at(0).at("at_ms").as_int64();
    CHECK(at_ms == to_us(game.live.reports()[0].at) / 1000);
}

TEST_CASE("an offer lives until the opponent touches a man", "[serve]") {
    auto game = blitz();
    game.play("e4");
    game.input(laws::DrawOffered{Color::white});
    const auto offer = [&] {
        return json::parse(game.live.state_message(Audience::arbiter)).at("offer");
    };
    CHECK(offer() == "white");
    game.input(laws::SquareLifted{*chess::Square::parse("e4")});  // the offerer's own man
    CHECK(offer() == "white");
    game.input(laws::SquarePlaced{*chess::Square::parse("e4")});
    game.input(laws::DrawDeclined{Color::white});  // no offer can be withdrawn (9.1.2.1)
    CHECK(offer() == "white");
    SECTION("and touches one") {
        game.input(laws::SquareLifted{*chess::Square::parse("e7")});
        CHECK(offer() == nullptr);
    }
    SECTION("or declines it") {
        game.input(laws::DrawDeclined{Color::black});
        CHECK(offer() == nullptr);
    }
}

TEST_CASE("the PGN has the roster, the times of each move, zero ones too, and the result",
          "[serve]") {
    ScriptedGame game(info(), Millis{300'000}, Millis{2000});
    for (const auto* san : {"f3", "e5", "g4"})
        game.play(san, Millis{1500});
    const auto mate = game.move("Qh4#");
    game.lift(mate);
    game.show(mate);
    game.press(mate);  // at the very instant of White's press
    game.end(laws::Score::black_wins, "checkmate", "5.1.1", false);

    const auto written = chess::write_pgn(game.live.pgn());
    CHECK(written ==
          "[Event \"Club evening\"]\n"
          "[Site \"?\"]\n"
          "[Date \"2026.11.29\"]\n"
          "[Round \"?\"]\n"
          "[White \"Ada\"]\n"
          "[Black \"Ben\"]\n"
          "[Result \"0-1\"]\n"
          "[Board \"TM-0001\"]\n"
          "[GameId \"TM-0001/7\"]\n"
          "[TimeControl \"300+2\"]\n"
          "[Termination \"normal\"]\n"
          "[TerminationDetails \"Black wins by checkmate (Article 5.1.1)\"]\n"
          "\n"
          "1. f3 {[%clk 0:05:00]} {[%emt 0:00:02]} e5 {[%clk 0:05:00]} {[%emt 0:00:02]} 2.\n"
          "g4 {[%clk 0:05:00]} {[%emt 0:00:02]} Qh4# {[%clk 0:05:02]} {[%emt 0:00:00]} 0-1\n");

    const auto games = chess::parse_pgn(written);
    REQUIRE(games.size() == 1);
    CHECK_FALSE(games[0].broken_off);
    CHECK(games[0].result == "0-1");
    REQUIRE(games[0].moves.size() == 4);
    for (std::size_t ply = 0; ply < 4; ++ply) {
        CHECK(games[0].moves[ply].move == game.live.moves()[ply].recorded.move);
        CHECK(games[0].moves[ply].clk == game.live.moves()[ply].recorded.clock_left);
        CHECK(games[0].moves[ply].emt == game.live.moves()[ply].spent);
    }
    CHECK(chess::write_pgn(games[0]) == written);
}

TEST_CASE("an illegal move that stands ends the readable record and is told in words", "[serve]") {
    LiveGame live(info(), laws::GameSetup{});
    const auto publish = [&](std::size_t ply, const char* uci) {
        const auto at = device_time(static_cast<std::int64_t>(ply) * 1000);
        live.on_decision(
            {at, laws::MovePublished{
                     ply, {*laws::Move::parse_uci(uci), true, true, at, at, std::nullopt}}});
    };
    publish(0, "e2e4");
    publish(1, "e8e5");
    publish(2, "g1f3");
    CHECK(live.moves()[1].san == "e8e5");
    CHECK_FALSE(live.moves()[1].legal);
    const auto game = live.pgn();
    REQUIRE(game.moves.size() == 1);
    CHECK(game.moves[0].comment == "an illegal move follows, the game went on: e8e5 g1f3");
    const auto read = chess::parse_pgn(chess::write_pgn(game));
    REQUIRE(read.size() == 1);
    CHECK_FALSE(read[0].broken_off);
}

TEST_CASE("moves made before the events stand in the record, without times", "[serve]") {
    laws::GameSetup setup;
    setup.before = {*laws::Move::parse_uci("d2d4"), *laws::Move::parse_uci("d7d5")};
    LiveGame live(info(), setup);
    CHECK(live.pgn().moves.size() == 2);
    CHECK_FALSE(live.moves()[1].spent);
    CHECK(live.moves()[1].published);
    const auto state = json::parse(live.state_message(Audience::viewer)).as_object();
    CHECK(state.at("off") == json::array{});
}

TEST_CASE("a time control is written as PGN has it", "[serve]") {
    laws::ClockSetup clock;
    CHECK(serve::time_control_tag(clock) == "-");
    clock.mode = laws::ClockMode::fischer;
    clock.extra = Millis{30'000};
    clock.periods = {{40U, Millis{5'400'000}}, {std::nullopt, Millis{1'800'000}}};
    CHECK(serve::time_control_tag(clock) == "40/5400+30:1800+30");
    clock.mode = laws::ClockMode::sudden;
    clock.periods = {{std::nullopt, Millis{300'000}}};
    CHECK(serve::time_control_tag(clock) == "300");
    clock.mode = laws::ClockMode::delay;
    clock.extra = Millis{5000};
    CHECK(serve::time_control_tag(clock) == "300d5");
}

TEST_CASE("a game played through the referee itself gives its record", "[serve][referee]") {
    laws::GameSetup setup;
    setup.clock = {laws::ClockMode::fischer,
                   {{std::nullopt, Millis{180'000}}},
                   Millis{2000},
                   {},
                   std::nullopt};
    laws::Referee referee(laws::Rules{}, setup);
    LiveGame live(info(), setup);
    std::size_t records = 0;
    const auto at_ms = [](std::int64_t ms) { return device_time(ms * 1000); };
    const auto step = [&](std::int64_t ms, const laws::Input& what) {
        referee.input(at_ms(ms), what);
        live.on_input(at_ms(ms), what);
        referee.advance(at_ms(ms + 10));  // the device's next watermark
        for (const auto& decision : referee.take_decisions())
            live.on_decision(decision);
        live.on_clock({at_ms(ms + 10),
                       {referee.clock_left(Color::white), referee.clock_left(Color::black)},
                       referee.clock_running()});
        records += live.take_record_changed() ? 1 : 0;
    };
    const auto square = [](const char* name) { return *chess::Square::parse(name); };
    step(1000, laws::LeverPressed{Color::black});  // starts White's clock
    records = 0;
    std::int64_t ms = 3000;
    const char* moves[][2] = {{"f2", "f3"}, {"e7", "e5"}, {"g2", "g4"}, {"d8", "h4"}};
    Color side = Color::white;
    for (const auto& move : moves) {
        step(ms, laws::SquareLifted{square(move[0])});
        step(ms + 300, laws::SquarePlaced{square(move[1])});
        step(ms + 500, laws::LeverPressed{side});
        side = ~side;
        ms += 2000;
    }
    REQUIRE(live.moves().size() == 4);
    CHECK(live.moves()[3].san == "Qh4#");
    REQUIRE(live.result());
    CHECK(live.result()->reason == "checkmate");
    CHECK(live.position().fen() == referee.position().fen());
    CHECK(live.moves()[0].spent == Millis{2500});
    CHECK(live.moves()[1].spent == Millis{2000});
    CHECK(records == 4);  // one file a move: the mate and its result come together
}
