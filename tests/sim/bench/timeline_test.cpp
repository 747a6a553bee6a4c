// timeline_test.cpp - what the contacts do is reproducible, and tells the game that was played
// SPDX-License-Identifier: Apache-2.0
#include "sim/bench/timeline.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include <catch2/catch.hpp>

#include "tests/sim/bench/games.hpp"

using namespace touchmove;
using namespace touchmove::bench;
using chess::Bitboard;
using chess::Move;
using chess::Position;
using device::ContactState;

namespace {

constexpr BenchUs ms = 1000;

/// One raw contact change.
struct Change {
    BenchUs at;
    ContactState contacts;
    friend bool operator==(const Change&, const Change&) = default;
};

std::vector<Change> play(Timeline& timeline) {
    std::vector<Change> changes;
    ContactState contacts;
    while (timeline.next_change_us() != device::never_us) {
        const BenchUs at = timeline.next_change_us();
        timeline.apply(contacts);
        changes.push_back({at, contacts});
    }
    return changes;
}

TimelineSetup setup_of(std::string_view hands, std::uint64_t seed, Tempo tempo = Tempo::fast) {
    TimelineSetup setup;
    setup.hands = *parse_hands(hands);
    setup.seed = seed;
    setup.tempo = tempo;
    return setup;
}

/// A plain debouncer: a square's level counts once it has lasted for `hold`, from its first moment.
struct Accepted {
    BenchUs at;
    unsigned contact;
    bool level;
};
std::vector<Accepted> debounced(const std::vector<Change>& changes, BenchUs hold) {
    std::vector<Accepted> accepted;
    for (unsigned contact = 0; contact < device::contact_count; ++contact) {
        const auto level_in = [&](const ContactState& state) {
            return contact < 64 ? (state.squares >> contact & 1U) != 0
                                : (state.aux >> (contact - 64) & 1U) != 0;
        };
        bool level = false;
        bool raw = false;
        BenchUs since = 0;
        const auto settle = [&](BenchUs now) {
            if (raw != level && now - since >= hold) {
                level = raw;
                accepted.push_back({since, contact, level});
            }
        };
        for (const Change& change : changes) {
            const bool next = level_in(change.contacts);
            if (next == raw) continue;
            settle(change.at);
            raw = next;
            since = change.at;
        }
        settle(device::never_us);
    }
    std::stable_sort(accepted.begin(), accepted.end(),
                     [](const Accepted& a, const Accepted& b) { return a.at < b.at; });
    return accepted;
}

/// What an occupancy decoder without any cleverness makes of one turn: the legal moves that lead to
/// this board and, where several captures do, were seen to lift their victim.
std::vector<Move> fitting(const Position& before, Bitboard board,
                          const std::set<unsigned>& lifted) {
    std::vector<Move> moves;
    for (const Move move : before.legal_moves()) {
        if (move.promotion() && *move.promotion() != chess::Kind::queen) continue;
        if (before.after(move).occupied() != board) continue;
        const auto victim = before.captured_square(move);
        if (victim && !lifted.contains(victim->index())) continue;
        moves.push_back(move);
    }
    return moves;
}

bool same_men(Move a, Move b) { return a.from() == b.from() && a.to() == b.to(); }

std::vector<std::string> all_hands() {
    std::vector<std::string> names{"dealt"};
    for (const Style& style : styles()) names.emplace_back(style.name);
    return names;
}

}  // namespace

TEST_CASE("the same seed gives the same contact changes, another seed gives others", "[bench]") {
    for (const std::string& hands : all_hands()) {
        for (const chess::PgnGame& game : test::games()) {
            CAPTURE(hands, game.result);
            Timeline first(make_script(game), setup_of(hands, 7));
            Timeline second(make_script(game), setup_of(hands, 7));
            Timeline other(make_script(game), setup_of(hands, 8));
            const auto changes = play(first);
            CHECK(changes == play(second));
            CHECK_FALSE(changes == play(other));
        }
    }
}

TEST_CASE("how a timeline is asked changes nothing in what it gives", "[bench]") {
    const chess::PgnGame game = test::games().at(1);
    Timeline plain(make_script(game), setup_of("dealt", 11));
    const auto expected = play(plain);
    // Asked for what is said every 10 ms, and for the next change several times over.
    Timeline asked(make_script(game), setup_of("dealt", 11));
    std::vector<Change> changes;
    ContactState contacts;
    for (BenchUs now = 0; asked.next_change_us() != device::never_us; now += 10 * ms) {
        while (asked.take_said(now)) {
        }
        while (asked.next_change_us() <= now) {
            const BenchUs at = asked.next_change_us();
            asked.apply(contacts);
            changes.push_back({at, contacts});
        }
    }
    CHECK(changes == expected);
}

TEST_CASE("timelines made in parallel are those made one after the other", "[bench]") {
    const chess::PgnGame game = test::games().at(0);
    std::vector<std::vector<Change>> alone(4);
    std::vector<std::vector<Change>> together(4);
    const auto make = [&](std::uint64_t seed) {
        Timeline timeline(make_script(game), setup_of("dealt", seed));
        return play(timeline);
    };
    for (std::size_t i = 0; i < alone.size(); ++i) alone[i] = make(i);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < together.size(); ++i) {
        threads.emplace_back([&, i] { together[i] = make(i); });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(alone == together);
}

TEST_CASE("a timeline is made move by move as it is asked for", "[bench]") {
    const chess::PgnGame game = test::games().at(0);
    Timeline timeline(make_script(game), setup_of("careful", 1));
    ContactState contacts;
    CHECK(timeline.next_change_us() == 0);
    timeline.apply(contacts);
    CHECK(contacts.squares == Position::initial().occupied());
    CHECK(timeline.truth().size() <= 1);
    std::size_t most_ahead = 0;
    std::size_t done = 0;
    while (timeline.next_change_us() != device::never_us) {
        const BenchUs now = timeline.next_change_us();
        timeline.apply(contacts);
        while (done < timeline.truth().size() && timeline.truth()[done].released <= now) ++done;
        most_ahead = std::max(most_ahead, timeline.truth().size() - done);
    }
    CHECK(done == game.moves.size());
    CHECK(most_ahead <= 2);
}

TEST_CASE("changes come in order, each is one, and men stand still at the end", "[bench]") {
    for (const std::string& hands : all_hands()) {
        for (const chess::PgnGame& game : test::games()) {
            Timeline timeline(make_script(game), setup_of(hands, 3));
            const auto changes = play(timeline);
            CAPTURE(hands);
            for (std::size_t i = 1; i < changes.size(); ++i) {
                REQUIRE(changes[i].at > changes[i - 1].at);
                REQUIRE_FALSE(changes[i].contacts == changes[i - 1].contacts);
            }
            REQUIRE(timeline.ends_at());
            CHECK(changes.back().at <= *timeline.ends_at() + 50 * ms);
        }
    }
}

TEST_CASE("after each release the men stand as in the game, and a plain decoder finds the moves",
          "[bench]") {
    for (const SensorKind sensor : {SensorKind::reed, SensorKind::hall}) {
        for (const std::string& hands : all_hands()) {
            for (const chess::PgnGame& game : test::games()) {
                for (std::uint64_t seed = 0; seed < 5; ++seed) {
                    TimelineSetup setup = setup_of(hands, seed);
                    setup.sensor = sensor;
                    Timeline timeline(make_script(game), setup);
                    const auto events = debounced(play(timeline), 2 * ms);
                    const auto& truth = timeline.truth();
                    REQUIRE(truth.size() == game.moves.size());
                    Position position = game.start;
                    Bitboard board = 0;
                    std::size_t next = 0;
                    for (std::size_t ply = 0; ply < truth.size(); ++ply) {
                        CAPTURE(hands, name_of(sensor), seed, ply, truth[ply].style,
                                position.fen(), game.moves[ply].move.uci());
                        std::set<unsigned> lifted;
                        for (; next < events.size() && events[next].at <= truth[ply].released;
                             ++next) {
                            if (events[next].contact >= 64) continue;
                            const Bitboard bit = Bitboard{1} << events[next].contact;
                            board = events[next].level ? board | bit : board & ~bit;
                            if (!events[next].level) lifted.insert(events[next].contact);
                        }
                        const Move move = game.moves[ply].move;
                        REQUIRE(board == position.after(move).occupied());
                        const auto moves = fitting(position, board, lifted);
                        REQUIRE(std::any_of(moves.begin(), moves.end(),
                                            [&](Move m) { return same_men(m, move); }));
                        position.make(move);
                    }
                }
            }
        }
    }
}

TEST_CASE("levers go down in turn, each after its player's release", "[bench]") {
    for (const std::string& hands : all_hands()) {
        for (const chess::PgnGame& game : test::games()) {
            for (std::uint64_t seed = 0; seed < 5; ++seed) {
                CAPTURE(hands, seed);
                Timeline timeline(make_script(game), setup_of(hands, seed));
                const auto events = debounced(play(timeline), 5 * ms);
                std::vector<Accepted> downs;
                for (const Accepted& event : events) {
                    const bool is_lever = event.contact == 64 || event.contact == 65;
                    if (is_lever && event.level && event.at > 0) downs.push_back(event);
                }
                if (!timeline.has_levers()) {
                    CHECK(downs.empty());
                    continue;
                }
                // The press that starts the game, where there is one, comes before any touch.
                const auto& truth = timeline.truth();
                if (!downs.empty() && downs.front().at < truth.front().begins) {
                    CHECK(downs.front().contact == 65);
                    downs.erase(downs.begin());
                }
                std::size_t pressed = 0;
                for (std::size_t ply = 0; ply < truth.size(); ++ply) {
                    if (!truth[ply].pressed) continue;
                    REQUIRE(pressed < downs.size());
                    CHECK(downs[pressed].contact == 64 + ply % 2);
                    CHECK(downs[pressed].at >= *truth[ply].pressed);
                    CHECK(downs[pressed].at <= *truth[ply].pressed + 5 * ms);
                    CHECK(*truth[ply].pressed > truth[ply].released);
                    ++pressed;
                }
                CHECK(pressed == downs.size());
                // Only a mating or stalemating move may go unpressed.
                CHECK(pressed + 1 >= truth.size());
            }
        }
    }
}

TEST_CASE("a quick reply begins 80 to 200 ms after the release, often before the press",
          "[bench]") {
    const chess::PgnGame game = test::games().at(1);
    unsigned before_press = 0;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        Timeline timeline(make_script(game), setup_of("blitz", seed));
        play(timeline);
        const auto& truth = timeline.truth();
        for (std::size_t ply = 1; ply < truth.size(); ++ply) {
            const BenchUs after = truth[ply].begins - truth[ply - 1].released;
            REQUIRE(after >= 80 * ms);
            // Longer only where the hand is still on its way from its own lever or selector.
            const bool hand_was_free =
                ply < 2 || (truth[ply].begins > *truth[ply - 2].pressed + 60 * ms &&
                            !game.moves[ply - 2].move.promotion());
            if (hand_was_free) REQUIRE(after <= 200 * ms);
            if (ply >= 2) REQUIRE(truth[ply].begins >= *truth[ply - 2].pressed + 60 * ms);
            if (truth[ply].begins < *truth[ply - 1].pressed) ++before_press;
        }
    }
    CHECK(before_press > 50);
}

TEST_CASE("fast tempo takes 0.4 to 0.8 s a ply, boards without levers up to 1.2 s", "[bench]") {
    for (const std::string& hands : all_hands()) {
        BenchUs simulated = 0;
        std::size_t plies = 0;
        for (const chess::PgnGame& game : test::games()) {
            for (std::uint64_t seed = 0; seed < 5; ++seed) {
                Timeline timeline(make_script(game), setup_of(hands, seed));
                play(timeline);
                simulated += timeline.truth().back().released;
                plies += timeline.truth().size();
            }
        }
        CAPTURE(hands);
        const double seconds = static_cast<double>(simulated) / 1e6 / static_cast<double>(plies);
        CHECK(seconds > 0.3);
        CHECK(seconds < (hands == "no-lever" ? 1.2 : 0.85));
    }
}

TEST_CASE("real tempo presses when the game's comments say", "[bench]") {
    const auto game = chess::parse_pgn(
        "1. e4 {[%emt 0:00:05]} e5 {[%emt 0:00:12]} 2. Nf3 {[%emt 0:01:30]} Nc6 {[%emt 0:00:00]}\n"
        "3. Bb5 {[%emt 0:00:20]} a6 {[%emt 0:00:04]} *\n").at(0);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Timeline timeline(make_script(game), setup_of("careful", seed, Tempo::real));
        play(timeline);
        const auto& truth = timeline.truth();
        BenchUs began = timeline.truth().front().begins;
        for (std::size_t ply = 0; ply < truth.size(); ++ply) {
            CAPTURE(seed, ply);
            const BenchUs took = *truth[ply].pressed - began;
            const BenchUs said = timeline.script().spent[ply];
            began = *truth[ply].pressed;
            if (ply == 0) continue;  // counted from the start of the clock, not the first touch
            CHECK(took >= said - 500 * ms);
            CHECK(took <= std::max<BenchUs>(said + 500 * ms, 1'000 * ms));
        }
    }
}

TEST_CASE("dealt hands use every style that presses, and some boards have no levers", "[bench]") {
    std::set<std::string_view> seen;
    std::set<bool> levers;
    std::set<SensorKind> sensors;
    bool kings = false;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        Timeline timeline(make_script(test::games().at(2)), setup_of("dealt", seed));
        play(timeline);
        for (const PlyTruth& ply : timeline.truth()) seen.insert(ply.style);
        levers.insert(timeline.has_levers());
        sensors.insert(timeline.sensor());
        kings = kings || timeline.kings_shown();
    }
    CHECK(seen.size() == styles().size() - 1);
    CHECK(levers.size() == 2);
    CHECK(sensors.size() == 2);
    CHECK(kings);
}

TEST_CASE("promotions are named once each, after the new man stands", "[bench]") {
    const chess::PgnGame game = test::games().at(1);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        Timeline timeline(make_script(game), setup_of("dealt", seed));
        std::vector<Said> said;
        ContactState contacts;
        while (timeline.next_change_us() != device::never_us) {
            const BenchUs at = timeline.next_change_us();
            while (const auto next = timeline.take_said(at)) said.push_back(*next);
            timeline.apply(contacts);
        }
        while (const auto next = timeline.take_said(device::never_us - 1)) said.push_back(*next);
        std::size_t named = 0;
        for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
            const auto kind = game.moves[ply].move.promotion();
            if (!kind) continue;
            REQUIRE(named < said.size());
            CHECK(said[named].what == Said::What::promoted_piece);
            CHECK(said[named].piece == *kind);
            CHECK(said[named].at >= timeline.truth()[ply].placed);
            ++named;
        }
        CHECK(named == 4);
        for (std::size_t i = named; i < said.size(); ++i) {
            CHECK(said[i].what != Said::What::promoted_piece);
        }
    }
}
