// property_test.cpp - what holds for every game and for every stream of inputs
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/laws/event_feed.hpp"
#include "tests/laws/raw_events.hpp"

using namespace touchmove;
using namespace touchmove::laws;
using namespace touchmove::laws::testing;

namespace {

std::string text_of(const Report& report) {
    std::string text = fmt::format("{} {} {}", name_of(report.kind), report.article,
                                   report.side ? static_cast<int>(*report.side) : -1);
    for (const Square s : report.squares)
        text += ' ' + s.name();
    for (const Move m : report.duty)
        text += " d" + m.uci();
    for (const Move m : report.candidates)
        text += " c" + m.uci();
    if (report.penalty) {
        text += fmt::format(" {}", static_cast<int>(report.penalty->outcome));
        if (report.penalty->opponent_extra)
            text += fmt::format(" {}", report.penalty->opponent_extra->count());
    }
    return text;
}

std::string text_of(const RecordedMove& move) {
    std::string text = fmt::format("{} {} {} {}", move.uci(), move.completed,
                                   move.made_at.time_since_epoch().count(), move.evidence_text());
    if (move.pressed_at) text += fmt::format(" {}", move.pressed_at->time_since_epoch().count());
    if (move.clock_left) text += fmt::format(" {}", move.clock_left->count());
    return text;
}

struct WhatText {
    template <class OfMove>
    std::string operator()(const OfMove& told) const {
        return fmt::format("{} {}", told.ply, text_of(told.move));
    }
    std::string operator()(const ShownWithdrawn& told) const { return fmt::format("{}", told.ply); }
    std::string operator()(const RecordShortened& told) const {
        return fmt::format("{}", told.ply);
    }
    std::string operator()(const Reported& told) const { return text_of(told.report); }
    std::string operator()(const GameEnded& told) const {
        return fmt::format("{} {} {} {}", name_of(told.result.score), told.result.reason,
                           told.result.article, told.result.provisional);
    }
};

std::string text_of(const Decision& decision) {
    return fmt::format("{}: {}: {}", decision.at.time_since_epoch().count(), decision.what.index(),
                       std::visit(WhatText{}, decision.what));
}

/// Everything that can be asked of a referee, clocks included.
std::string state_of(const Referee& referee) {
    std::string text = referee.position().fen();
    for (const auto& move : referee.moves())
        text += '\n' + text_of(move);
    for (const auto& report : referee.reports())
        text += '\n' + text_of(report);
    for (const Color side : {Color::white, Color::black})
        text += fmt::format("\n{}", referee.clock_left(side).count());
    return text + fmt::format("\n{} {} {}", referee.board(), static_cast<int>(referee.turn()),
                              referee.result().has_value());
}

struct Stamped {
    DeviceTime at;
    Input what;
};
using Stream = std::vector<Stamped>;

struct Told {
    std::vector<std::string> decisions = {};

    void take(Referee& referee) {
        for (const auto& decision : referee.take_decisions())
            decisions.push_back(text_of(decision));
    }
};

void feed(Referee& referee, Told& told, const Stamped& event) {
    referee.input(event.at, event.what);
    told.take(referee);
}

/// Something that happened on a board and around it: mostly moves, whole or spoilt, since the board
/// of a game that is nothing but noise is soon displaced for good. The events are drawn with the
/// board that they meet, by a referee of their own.
struct RandomGame {
    Rules rules;
    GameSetup setup;
    Stream stream;
};

RandomGame random_game(std::size_t actions) {
    const auto bits = *rc::gen::arbitrary<std::pair<std::uint8_t, std::uint8_t>>();
    RandomGame game;
    std::tie(game.rules, game.setup) = game_of(bits.first, bits.second);
    Referee referee(game.rules, game.setup);
    DeviceTime now{};
    const auto add = [&](Millis pause, const Input& what) {
        now += pause;
        game.stream.push_back({now, what});
        referee.input(now, what);
        referee.advance(now);
    };
    for (std::size_t i = 0; i < actions; ++i) {
        const auto raw = *rc::gen::arbitrary<std::array<std::uint8_t, 4>>();
        const RawEvent event{raw[0], raw[1], raw[2], raw[3]};
        const auto legal = referee.position().legal_moves();
        if (event.kind % 4 == 3 || legal.empty()) {
            add(event.after(), input_of({raw[3], raw[1], raw[2], 0}, referee.board()));
            continue;
        }
        const auto position = referee.position();
        const Move move = legal[event.detail % legal.size()];
        if (const auto victim = position.captured_square(move))
            add(Millis{raw[2]}, SquareLifted{*victim});
        add(Millis{raw[2] + 10}, SquareLifted{move.from()});
        add(Millis{raw[3] * 3}, SquarePlaced{move.to()});
        if (move.promotion() && raw[3] % 2 == 0)
            add(Millis{5}, PromotionNamed{position.side_to_move(), *move.promotion()});
        if (event.kind % 8 != 2) add(Millis{raw[3]}, LeverPressed{position.side_to_move()});
    }
    return game;
}

rc::Gen<RandomGame> any_game() {
    return rc::gen::exec([] { return random_game(*rc::gen::inRange<std::size_t>(1, 60)); });
}

void showValue(const RandomGame& game, std::ostream& os) {
    os << game.stream.size() << " inputs";
}

}  // namespace

TEST_CASE("the decisions on a prefix are a prefix of the decisions", "[laws]") {
    CHECK(rc::check([] {
        const auto game = *any_game();
        const std::size_t cut = *rc::gen::inRange<std::size_t>(0, game.stream.size() + 1);
        Referee whole(game.rules, game.setup);
        Referee part(game.rules, game.setup);
        Told by_whole;
        Told by_part;
        std::string state_at_cut = state_of(whole);
        std::size_t told_at_cut = 0;
        for (std::size_t i = 0; i < game.stream.size(); ++i) {
            feed(whole, by_whole, game.stream[i]);
            if (i + 1 == cut) {
                state_at_cut = state_of(whole);
                told_at_cut = by_whole.decisions.size();
            }
        }
        for (std::size_t i = 0; i < cut; ++i)
            feed(part, by_part, game.stream[i]);
        RC_ASSERT(state_of(part) == state_at_cut);
        by_whole.decisions.resize(told_at_cut);
        RC_ASSERT(by_part.decisions == by_whole.decisions);
    }));
}

TEST_CASE("a copy made in the middle goes on as the original does", "[laws]") {
    CHECK(rc::check([] {
        const auto game = *any_game();
        const std::size_t cut = *rc::gen::inRange<std::size_t>(0, game.stream.size() + 1);
        Referee original(game.rules, game.setup);
        Told before;
        for (std::size_t i = 0; i < cut; ++i)
            feed(original, before, game.stream[i]);
        Referee copy(original);
        // The copy goes first: were anything shared, the original would notice.
        Told by_copy;
        for (std::size_t i = cut; i < game.stream.size(); ++i)
            feed(copy, by_copy, game.stream[i]);
        Told by_original;
        for (std::size_t i = cut; i < game.stream.size(); ++i)
            feed(original, by_original, game.stream[i]);
        RC_ASSERT(by_copy.decisions == by_original.decisions);
        RC_ASSERT(state_of(copy) == state_of(original));
    }));
}

TEST_CASE("being told that time passes between two inputs changes nothing", "[laws]") {
    CHECK(rc::check([] {
        const auto game = *any_game();
        const auto every = *rc::gen::inRange(1, 400);
        Referee plain(game.rules, game.setup);
        Referee watched(game.rules, game.setup);
        Told by_plain;
        Told by_watched;
        DeviceTime now{};
        for (const auto& event : game.stream) {
            // A break makes the difference that it should: what nobody looked at was not seen.
            if (std::holds_alternative<SessionBroken>(event.what)) continue;
            for (auto t = now + Millis{every}; t < event.at; t += Millis{every}) {
                watched.advance(t);
                by_watched.take(watched);
            }
            now = event.at;
            feed(plain, by_plain, event);
            feed(watched, by_watched, event);
        }
        plain.advance(now + Millis{5000});
        by_plain.take(plain);
        watched.advance(now + Millis{5000});
        by_watched.take(watched);
        RC_ASSERT(by_plain.decisions == by_watched.decisions);
        RC_ASSERT(state_of(plain) == state_of(watched));
    }));
}

TEST_CASE("ten million random events: never a throw, a loop or a ply published twice", "[.long]") {
    constexpr std::size_t events = 10'000'000;
    constexpr std::size_t per_game = 2'000;
    std::mt19937_64 rng(std::random_device{}());
    const auto byte = [&] { return static_cast<std::uint8_t>(rng()); };
    std::size_t moves = 0;
    for (std::size_t done = 0; done < events; done += per_game) {
        const auto seed = rng();
        INFO("game " << seed);
        rng.seed(seed);
        auto [rules, setup] = game_of(byte(), byte());
        Referee referee(rules, std::move(setup));
        DeviceTime now{};
        PublishedOnce published;
        bool once = true;
        for (std::size_t i = 0; i < per_game; ++i) {
            RawEvent event{byte(), byte(), byte(), byte()};
            // A game that has ended, or waits for the arbiter, tests nothing any more.
            if (i % 50 == 0) {
                referee.input(now, BoardSeen{referee.position().occupied()});
                referee.input(now, PositionRestored{});
            }
            if (referee.result()) {
                auto [fresh_rules, fresh_setup] = game_of(byte(), byte());
                referee = Referee(fresh_rules, std::move(fresh_setup));
                published = {};
            }
            now += event.after();
            const auto legal = referee.position().legal_moves();
            if (event.kind % 3 == 0 && !legal.empty()) {
                const Move move = legal[event.detail % legal.size()];
                referee.input(now, SquareLifted{move.from()});
                now += Millis{event.pause};
                referee.input(now, SquarePlaced{move.to()});
                i += 1;
            } else {
                referee.input(now, input_of(event, referee.board()));
            }
            referee.advance(now);
            for (const auto& decision : referee.take_decisions())
                once = once && published.take(decision);
        }
        REQUIRE(once);
        moves += referee.moves().size();
    }
    WARN("moves in the records: " << moves);
    CHECK(moves > events / per_game);
}
