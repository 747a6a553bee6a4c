// random_test.cpp - games with random hands give their moves; random events give no harm
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <random>

#include "tests/laws/event_feed.hpp"

using namespace touchmove;
using namespace touchmove::laws;
using namespace touchmove::laws::testing;
using chess::Kind;

namespace {

using Rng = std::mt19937_64;

/// A new seed each run; TOUCHMOVE_SEED repeats one.
std::uint64_t test_seed() {
    const char* given = std::getenv("TOUCHMOVE_SEED");
    return given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
}

int between(Rng& rng, int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(rng);
}

/// The lifts and places of one move in a random order that a correct player may choose.
void play(Feed& feed, Rng& rng, const chess::Position& position, Move move) {
    const auto lift = [&](Square s) { feed.after(between(rng, 20, 400)).lift(s.name()); };
    const auto place = [&](Square s) { feed.after(between(rng, 20, 400)).place(s.name()); };
    const auto victim = position.captured_square(move);
    const Color side = position.side_to_move();
    if (position.castling(move)) {
        const bool king_side = move.to().file() > move.from().file();
        const Square rook_from(king_side ? 7 : 0, move.from().rank());
        const Square rook_to(king_side ? 5 : 3, move.from().rank());
        lift(move.from());
        if (between(rng, 0, 1)) {
            place(move.to());
            lift(rook_from);
            place(rook_to);
        } else {
            lift(rook_from);
            place(move.to());
            place(rook_to);
        }
    } else if (victim && *victim != move.to()) {
        switch (between(rng, 0, 2)) {
            case 0:
                lift(move.from());
                place(move.to());
                lift(*victim);
                break;
            case 1:
                lift(*victim);
                lift(move.from());
                place(move.to());
                break;
            default:
                lift(move.from());
                lift(*victim);
                place(move.to());
                break;
        }
    } else {
        if (victim && between(rng, 0, 1)) {
            lift(*victim);
            lift(move.from());
        } else {
            lift(move.from());
            if (victim) lift(*victim);
        }
        place(move.to());
    }
    if (move.promotion()) {
        feed.after(1).say(PromotionNamed{side, *move.promotion()});
        if (between(rng, 0, 1)) {
            lift(move.to());
            place(move.to());
        }
    }
}

}  // namespace

TEST_CASE("random games with random hands give exactly their moves, each published once",
          "[laws]") {
    const auto seed = test_seed();
    INFO("seed " << seed);
    Rng rng(seed);
    for (int game = 0; game < 60; ++game) {
        Rules rules;
        rules.has_levers = between(rng, 0, 3) != 0;
        Feed feed(rules);
        chess::Position position = chess::Position::initial();
        std::string expected;
        bool owes_press = false;
        for (int ply = 0; ply < 120 && !feed.referee.result(); ++ply) {
            const auto legal = position.legal_moves();
            if (legal.empty()) break;
            const Move move = legal[static_cast<std::size_t>(
                between(rng, 0, static_cast<int>(legal.size()) - 1))];
            const Color side = position.side_to_move();
            play(feed, rng, position, move);
            if (owes_press) feed.after(between(rng, 1, 40)).press(~side);
            owes_press = false;
            if (rules.has_levers) {
                if (between(rng, 0, 3) == 0) {
                    owes_press = true;  // after the reply (6.2.2)
                    feed.after(between(rng, 0, 90));
                } else {
                    feed.after(between(rng, 10, 900)).press(side);
                }
            } else {
                feed.quiet(between(rng, 0, 1) ? between(rng, 60, 300) : between(rng, 1500, 2500));
            }
            add_word(expected, move.uci());
            position.make(move);
        }
        feed.quiet(3000);
        INFO("game " << game << (rules.has_levers ? "" : ", no levers") << ", reports "
                     << feed.reports());
        REQUIRE(feed.moves() == expected);
        std::string published = feed.published();
        if (!feed.referee.result() && rules.has_levers && owes_press) {
            // The last move stands unpressed: made, and not yet published.
            REQUIRE(expected.substr(0, published.size()) == published);
        } else {
            REQUIRE(published == expected);
        }
    }
}

TEST_CASE("no stream of events makes the referee publish a ply twice or go back", "[laws]") {
    const auto seed = test_seed();
    INFO("seed " << seed);
    Rng rng(seed);
    for (int game = 0; game < 40; ++game) {
        Rules rules;
        rules.has_levers = between(rng, 0, 1) != 0;
        if (between(rng, 0, 1)) rules.supervision = Supervision::limited;
        GameSetup setup;
        if (between(rng, 0, 1)) {
            setup.clock.mode = ClockMode::fischer;
            setup.clock.periods = {{std::nullopt, Millis{400'000}}};
            setup.clock.extra = Millis{1000};
        }
        Feed feed(rules, setup);
        for (int i = 0; i < 2000; ++i) {
            const int dice = between(rng, 0, 99);
            const Square s(static_cast<unsigned>(between(rng, 0, 63)));
            const Color side = between(rng, 0, 1) ? Color::white : Color::black;
            feed.after(dice % 3 == 0 ? 0 : between(rng, 0, 700));
            if (dice < 80) {
                // Mostly toggles of what is there, so that the board stays half sensible.
                if (chess::contains(feed.referee.board(), s))
                    feed.lift(s.name());
                else
                    feed.place(s.name());
            } else if (dice < 90) {
                feed.press(side);
            } else if (dice == 90) {
                feed.say(BoardSeen{rng()});
            } else if (dice == 91) {
                feed.say(SessionBroken{});
            } else if (dice == 92) {
                feed.say(AdjustAnnounced{side});
            } else if (dice == 93) {
                feed.say(AdjustEnded{side});
            } else if (dice == 94) {
                feed.say(PromotionNamed{side, static_cast<Kind>(between(rng, 0, 5))});
            } else if (dice == 95) {
                feed.say(MoveChosen{Move(s, Square(static_cast<unsigned>(between(rng, 0, 63))))});
            } else if (dice == 96) {
                feed.say(ClaimUpheld{side, between(rng, 0, 1) ? "4.3.1" : "7.5.1"});
            } else if (dice == 97) {
                feed.say(PositionRestored{});
            } else if (dice == 98) {
                feed.say(DrawClaimed{side, ClaimKind::threefold, std::nullopt});
            } else {
                feed.quiet(between(rng, 0, 5000));
            }
        }
        std::map<std::size_t, int> standing;  // publications of a ply that were not taken back
        for (const auto& decision : feed.decisions) {
            if (const auto* published = std::get_if<MovePublished>(&decision.what)) {
                REQUIRE(++standing[published->ply] == 1);
            } else if (const auto* shortened = std::get_if<RecordShortened>(&decision.what)) {
                standing.erase(standing.lower_bound(shortened->ply), standing.end());
            }
        }
    }
}
