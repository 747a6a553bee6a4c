// random_test.cpp - games with random hands give their moves; random events give no harm
// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

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

/// The squares over which a man may be slid; none for a knight's or a king's move.
std::vector<Square> squares_between(const chess::Position& position, Move move) {
    std::vector<Square> way;
    const auto man = position.man_at(move.from());
    const int files = static_cast<int>(move.to().file()) - static_cast<int>(move.from().file());
    const int ranks = static_cast<int>(move.to().rank()) - static_cast<int>(move.from().rank());
    if (!man || man->kind == Kind::knight || man->kind == Kind::king) return way;
    const int steps = std::max(std::abs(files), std::abs(ranks));
    for (int i = 1; i < steps; ++i) {
        way.emplace_back(static_cast<unsigned>(move.from().file()) +
                             static_cast<unsigned>(files / steps * i),
                         static_cast<unsigned>(move.from().rank()) +
                             static_cast<unsigned>(ranks / steps * i));
    }
    return way;
}

/// "J'adoube", and up to three of the men of the side to move straightened on their squares.
void adjust(Feed& feed, Rng& rng, const chess::Position& position) {
    const Color side = position.side_to_move();
    feed.after(between(rng, 20, 300)).say(AdjustAnnounced{side});
    for (const Square s : chess::squares(position.men(side))) {
        if (between(rng, 0, 7) != 0) continue;
        feed.after(between(rng, 20, 300)).lift(s.name());
        feed.after(between(rng, 20, 900)).place(s.name());
    }
    feed.after(between(rng, 20, 300)).say(AdjustEnded{side});
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
        const auto way = squares_between(position, move);
        if (!way.empty() && between(rng, 0, 3) == 0) {  // slid, too quickly to be released
            const Square stop = way[static_cast<std::size_t>(
                between(rng, 0, static_cast<int>(way.size()) - 1))];
            feed.after(between(rng, 20, 120)).place(stop.name());
            feed.after(between(rng, 20, 120)).lift(stop.name());
        }
        place(move.to());
    }
    if (!move.promotion() && between(rng, 0, 3) == 0) {  // straightened, by the mover
        lift(move.to());
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
    const auto holds = [](bool has_levers, const std::vector<std::uint64_t>& moves) {
        Rules rules;
        rules.has_levers = has_levers;
        Feed feed(rules);
        chess::Position position = chess::Position::initial();
        std::string expected;
        bool owes_press = false;
        // Each number is the seed of one move, so that a failing game shrinks move by move.
        for (const std::uint64_t seed : moves) {
            Rng rng(seed);
            const auto legal = position.legal_moves();
            if (legal.empty() || feed.referee.result()) break;
            const Move move = legal[static_cast<std::size_t>(
                between(rng, 0, static_cast<int>(legal.size()) - 1))];
            const Color side = position.side_to_move();
            // Only after the press: before it nobody may (4.2.1, 6.2.5).
            const bool may_adjust = has_levers && !owes_press && !expected.empty();
            if (may_adjust && between(rng, 0, 9) == 0) adjust(feed, rng, position);
            play(feed, rng, position, move);
            if (owes_press) feed.after(between(rng, 1, 40)).press(~side);
            owes_press = false;
            if (has_levers) {
                if (between(rng, 0, 3) == 0) {
                    owes_press = true;  // after the reply (6.2.2)
                    feed.after(between(rng, 0, 90));
                } else {
                    feed.after(between(rng, 20, 900)).press(side);
                }
            } else {
                feed.quiet(between(rng, 0, 1) ? between(rng, 60, 300) : between(rng, 1500, 2500));
            }
            add_word(expected, move.uci());
            position.make(move);
        }
        feed.quiet(3000);
        RC_LOG() << "reports " << feed.reports() << ", published " << feed.published();
        if (feed.referee.result()) {
            // It ended by itself, by a fifth occurrence say; what came after is not in the record.
            RC_ASSERT(expected.substr(0, feed.moves().size()) == feed.moves());
            if (feed.moves() != expected) return;
        }
        RC_ASSERT(feed.moves() == expected);
        RC_ASSERT(feed.reports().empty());
        const std::string published = feed.published();
        if (!feed.referee.result() && has_levers && owes_press) {
            // The last move stands unpressed: made, and not yet published.
            RC_ASSERT(expected.substr(0, published.size()) == published);
        } else {
            RC_ASSERT(published == expected);
        }
    };
    CHECK(rc::check([&] {
        const bool has_levers = *rc::gen::inRange(0, 4) != 0;
        const auto length = *rc::gen::inRange<std::size_t>(1, 120);
        const auto moves = *rc::gen::container<std::vector<std::uint64_t>>(
            length, rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>()));
        holds(has_levers, moves);
    }));
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
