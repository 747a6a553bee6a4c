// game_player_test.cpp - games are played one after the other, and the men set up between
// SPDX-License-Identifier: Apache-2.0
#include "sim/app/game_player.hpp"

#include <catch2/catch.hpp>

using namespace touchmove;
using app::GamePlayer;
using device::BenchUs;
using device::ContactState;
using device::never_us;

namespace {

constexpr std::uint64_t start_squares = 0xFFFF'0000'0000'FFFFULL;

constexpr const char* two_games = R"(
[White "Anna"]
[Black "Ben"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "Cleo"]
[Black "Dan"]
[FEN "8/P6k/8/8/8/8/7P/K7 w - - 0 1"]
[Result "1/2-1/2"]

1. a8=N Kg7 1/2-1/2
)";

struct Bench {
    explicit Bench(const char* pgn, bool loop = false)
        : player(options(pgn, loop), announce(),
                 [this](const app::Spoken& what) { spoken.push_back(what); }) {}
    static GamePlayer::Options options(const char* pgn, bool loop) {
        GamePlayer::Options o;
        if (pgn != nullptr) o.games = chess::parse_pgn(pgn);
        o.loop = loop;
        o.hands = *bench::parse_hands("careful");
        o.sensor = bench::SensorKind::reed;
        return o;
    }
    GamePlayer::Announce announce() {
        return [this](const std::string& line) { lines.push_back(line); };
    }
    /// Applies everything up to `until`; times must never go back.
    void run(BenchUs until) {
        for (BenchUs next = player.next_change_us(); next <= until;
             next = player.next_change_us()) {
            REQUIRE(next >= now);
            now = next;
            player.apply(contacts);
        }
    }
    bool said(const std::string& line) const {
        return std::find(lines.begin(), lines.end(), line) != lines.end();
    }

    std::vector<std::string> lines;
    std::vector<app::Spoken> spoken;
    GamePlayer player;
    ContactState contacts;
    BenchUs now = 0;
};

constexpr BenchUs long_enough = 600'000'000;

}  // namespace

TEST_CASE("without games the men stand in the start position", "[sim][app]") {
    Bench b(nullptr);
    b.player.start(1000);
    b.run(long_enough);
    CHECK(b.contacts == ContactState{start_squares, 0});
    CHECK(b.now == 0);
}

TEST_CASE("nothing moves before the game is started", "[sim][app]") {
    Bench b(two_games);
    b.run(long_enough);
    CHECK(b.contacts.squares == start_squares);
    CHECK(b.player.progress().game == 0);
    b.player.start(5'000'000);
    CHECK(b.player.next_change_us() >= 5'000'000);
}

TEST_CASE("the games are played to their end, in order, and announced", "[sim][app]") {
    Bench b(two_games);
    b.run(0);
    b.player.start(0);
    b.run(never_us - 1);
    CHECK(b.player.progress().over);
    CHECK(b.player.progress().game == 2);
    CHECK(b.player.progress().plies == 2);
    for (const char* line :
         {"game 1: Anna - Ben, reed sensors", "game 1: 1. f3", "game 1: 1... e5", "game 1: 2. g4",
          "game 1: 2... Qh4#", "game 1: over, 0-1", "game 2: Cleo - Dan, reed sensors",
          "game 2: 1. a8=N", "game 2: White says: knight", "game 2: 1... Kg7",
          "game 2: over, 1/2-1/2"}) {
        INFO(line);
        CHECK(b.said(line));
    }
}

TEST_CASE("names are said before a game from the initial array, all else as it happens",
          "[sim][app]") {
    Bench b(two_games);
    b.run(0);
    b.player.start(0);
    b.run(never_us - 1);
    // Both draws of the second game; mate needs no words.
    REQUIRE(b.spoken.size() == 4);
    const auto& names = std::get<app::GameNamed>(b.spoken[0]);
    CHECK(names.white == "Anna");
    CHECK(names.black == "Ben");
    using What = bench::Said::What;
    for (const auto& [i, what] : {std::pair{1U, What::promoted_piece}, {2U, What::offers_draw},
                                  {3U, What::accepts_draw}}) {
        CHECK(std::get<bench::Said>(b.spoken[i]).what == what);
    }
}

TEST_CASE("hands set the men up for the next game, one contact at a time", "[sim][app]") {
    Bench b(two_games);
    b.run(0);
    b.player.start(0);
    const auto wanted = std::uint64_t{1} << 0 | std::uint64_t{1} << 15 | std::uint64_t{1} << 48 |
                        std::uint64_t{1} << 55;
    bool over = false;
    BenchUs last = 0;
    int changes = 0;
    while (b.player.progress().game < 2) {
        const BenchUs next = b.player.next_change_us();
        if (b.player.progress().game == 2) break;
        const ContactState before = b.contacts;
        b.player.apply(b.contacts);
        if (over) {
            CHECK(next - last >= 250'000);
            CHECK(__builtin_popcountll(before.squares ^ b.contacts.squares) +
                      __builtin_popcount(unsigned{before.aux} ^ b.contacts.aux) <=
                  1);
            ++changes;
        }
        over = b.said("game 1: over, 0-1");
        if (b.spoken.size() > 1) {  // the next game is named when the men have stood for a while
            CHECK(b.contacts.squares == wanted);
        }
        last = next;
    }
    CHECK(changes >= 28);  // 28 men go; and the lever
    CHECK(b.contacts == ContactState{wanted, 0});
}

TEST_CASE("the first lever pressed in a game is not that of the side to move", "[sim][app]") {
    constexpr unsigned white_lever = 1, black_lever = 2;
    Bench b(two_games, true);  // White begins in both
    b.run(0);
    b.player.start(0);
    unsigned begun = 0;
    while (begun < 20) {
        REQUIRE(b.player.next_change_us() != never_us);
        const unsigned before = b.contacts.aux;
        b.player.apply(b.contacts);
        const unsigned down = b.contacts.aux & ~before;
        if (b.player.progress().game == begun || down == 0) continue;
        CHECK((down & white_lever) == 0);
        CHECK((down & black_lever) != 0);
        begun = b.player.progress().game;
    }
}

TEST_CASE("a loop begins again with the first game", "[sim][app]") {
    Bench b(two_games, true);
    b.run(0);
    b.player.start(0);
    while (b.player.progress().game < 4) {
        REQUIRE(b.player.next_change_us() != never_us);
        b.player.apply(b.contacts);
    }
    CHECK_FALSE(b.player.progress().over);
    CHECK(std::count(b.lines.begin(), b.lines.end(), "game 1: 2... Qh4#") == 2);
}

TEST_CASE("the same seed plays the same way", "[sim][app]") {
    const auto play = [] {
        Bench b(two_games);
        b.run(0);
        b.player.start(0);
        std::vector<std::tuple<BenchUs, std::uint64_t, std::uint8_t>> all;
        for (BenchUs t = b.player.next_change_us(); t != never_us; t = b.player.next_change_us()) {
            b.player.apply(b.contacts);
            all.emplace_back(t, b.contacts.squares, b.contacts.aux);
        }
        return all;
    };
    const auto once = play();
    CHECK(once.size() > 50);
    CHECK(once == play());
}
