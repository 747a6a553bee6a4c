// debounce_test.cpp - bounce, thresholds, eager mode, stamps and watermarks of the frontend
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <random>
#include <set>

#include "Vfrontend_matrix.h"
#include "tests/rtl/reference.hpp"

using namespace touchmove::rtl_test;
using Matrix = Frontend<Vfrontend_matrix, 1>;

namespace {

constexpr std::uint64_t start_position = 0xFFFF'0000'0000'FFFFu;
constexpr std::uint64_t square(int i) { return std::uint64_t{1} << i; }

/// A session in its steady state, its first records taken away.
void settle_in(Matrix& board, const Settings& settings) {
    board.squares = start_position;
    board.start(settings);
    while (!board.ready()) board.us();
    board.us(1000);
    board.records.clear();
    board.watermarks.clear();
    board.stream.clear();
}

/// To the first microsecond of the next frame. TIME moves at its start.
template <class Board>
void to_frame_start(Board& board) {
    for (const auto now = board.time_us(); board.time_us() == now;) board.us();
}

}  // namespace

TEST_CASE("a clean lift is one record with the stamp of its first frame", "[rtl]") {
    Matrix board;
    settle_in(board, {});
    to_frame_start(board);
    const auto now = board.time_us();
    board.squares &= ~square(12);
    board.us(7900);
    CHECK(board.records.empty());
    board.us(300);
    REQUIRE(board.records.size() == 1);
    const Record& r = board.records[0];
    CHECK(r.kind == TM_KIND_LIFT);
    CHECK(r.index == 12);
    CHECK(r.count == 0);
    CHECK(r.word == now);
}

TEST_CASE("a change shorter than the threshold leaves only a bounce count", "[rtl]") {
    Matrix board;
    settle_in(board, {});
    for (int i = 0; i < 5; ++i) {
        board.squares &= ~square(12);
        board.us(7000);
        board.squares |= square(12);
        board.us(1000);
    }
    CHECK(board.records.empty());
    board.squares &= ~square(12);
    board.us(9000);
    REQUIRE(board.records.size() == 1);
    CHECK(board.records[0].count == 5);
    board.squares |= square(12);
    board.us(9000);
    REQUIRE(board.records.size() == 2);
    CHECK(board.records[1].count == 0);
}

TEST_CASE("the stamp is that of the run that held, not of the bounces before it", "[rtl]") {
    Matrix board;
    settle_in(board, {});
    for (int i = 0; i < 3; ++i) {
        board.squares |= square(28);
        board.us(200);
        board.squares &= ~square(28);
        board.us(200);
    }
    to_frame_start(board);
    const auto now = board.time_us();
    board.squares |= square(28);
    board.us(6000);
    REQUIRE(board.records.size() == 1);
    CHECK(board.records[0].kind == TM_KIND_PLACE);
    CHECK(board.records[0].word == now);
    CHECK(board.records[0].count == 3);
}

TEST_CASE("lift and place have their own thresholds", "[rtl]") {
    const auto thresholds = GENERATE(std::pair{2000u, 20'000u}, std::pair{20'000u, 2000u});
    Matrix board;
    Settings s;
    s.lift_us = thresholds.first;
    s.place_us = thresholds.second;
    settle_in(board, s);
    board.squares ^= square(12) | square(28);   // one lifted, one placed
    board.us(3000);
    REQUIRE(board.records.size() == 1);
    CHECK(board.records[0].kind == (s.lift_us < s.place_us ? TM_KIND_LIFT : TM_KIND_PLACE));
    board.us(18'000);
    CHECK(board.records.size() == 2);
}

TEST_CASE("eager mode accepts the first sample and ignores what follows", "[rtl]") {
    Matrix board;
    Settings s;
    s.eager = true;
    settle_in(board, s);
    to_frame_start(board);
    const auto now = board.time_us();
    board.squares &= ~square(12);
    board.us(300);
    REQUIRE(board.records.size() == 1);
    CHECK(board.records[0].word == now);
    for (int i = 0; i < 6; ++i) {
        board.squares ^= square(12);
        board.us(500);
    }
    CHECK(board.records.size() == 1);   // within lift_us
    board.us(6000);
    CHECK(board.records.size() == 1);   // and it came back to empty
    board.squares |= square(12);
    board.us(300);
    REQUIRE(board.records.size() == 2);
    CHECK(board.records[1].kind == TM_KIND_PLACE);
    CHECK(board.records[1].count == 3);
}

TEST_CASE("aux inputs follow their polarity and stand beside the squares", "[rtl]") {
    Matrix board;
    Settings s;
    s.aux_invert = 0x02;
    board.aux = 0x02;   // inactive all
    settle_in(board, s);
    board.aux = 0x01;   // both active
    board.us(6000);
    REQUIRE(board.records.size() == 2);
    CHECK(board.records[0].kind == TM_KIND_INPUT_DOWN);
    CHECK(board.records[0].index == 0);
    CHECK(board.records[1].kind == TM_KIND_INPUT_DOWN);
    CHECK(board.records[1].index == 1);
    CHECK(board.records[0].word == board.records[1].word);
    board.aux = 0x02;
    board.us(9000);
    REQUIRE(board.records.size() == 4);
    CHECK(board.records[2].kind == TM_KIND_INPUT_UP);
}

TEST_CASE("an input that chatters is reported once, and again after an edge", "[rtl]") {
    Matrix board;
    settle_in(board, {});
    const auto chatter = [&board](int times) {
        for (int i = 0; i < times; ++i) {
            board.squares ^= square(40);
            board.us(300);
            board.squares ^= square(40);
            board.us(300);
        }
    };
    chatter(14);
    CHECK(board.records.empty());
    chatter(30);
    REQUIRE(board.records.size() == 1);
    CHECK(board.records[0].kind == TM_KIND_FAULT);
    CHECK(board.records[0].count == TM_FAULT_CHATTER);
    CHECK(board.records[0].index == 40);
    board.squares ^= square(40);
    board.us(6000);
    REQUIRE(board.records.size() == 2);
    CHECK(board.records[1].count == TM_COUNT_MAX);
    chatter(20);
    CHECK(board.records.size() == 3);
}

TEST_CASE("all inputs at once are all recorded within six frames, with one stamp", "[rtl]") {
    Matrix board;
    settle_in(board, {});
    to_frame_start(board);
    board.squares = ~board.squares;
    board.aux = 0xFF;
    board.us(8000 + 6 * 88);
    REQUIRE(board.records.size() == 72);
    std::set<std::uint32_t> stamps;
    std::set<int> seen;
    for (const Record& r : board.records) {
        stamps.insert(r.word);
        seen.insert((r.kind == TM_KIND_INPUT_DOWN ? 64 : 0) + r.index);
    }
    CHECK(seen.size() == 72);
    // Aux inputs are read at the frame's start, which the change has just missed
    CHECK(stamps.size() == 2);
}

TEST_CASE("random contacts give the records and watermarks of the reference", "[rtl]") {
    const auto seed = GENERATE(1u, 2u, 3u, 4u, 5u, 6u);
    INFO("seed " << seed);
    std::mt19937 random{seed};
    const auto below = [&random](std::uint32_t n) {
        return static_cast<std::uint32_t>(random() % n);
    };
    Settings s;
    s.settle_us = static_cast<std::uint8_t>(12 + below(8));
    s.eager = seed % 2 == 0;
    s.lift_us = 400 + below(3000);
    s.place_us = 400 + below(3000);
    const std::uint64_t frame_us = TM_FRAME_US(s.settle_us);

    Matrix board;
    settle_in(board, s);
    to_frame_start(board);
    Reference reference{s, start_position, 0};
    const std::size_t restless = 1 + below(30);   // inputs that change often
    std::int64_t last_watermark = 0;
    std::int64_t longest_silence = 0;
    for (std::int64_t frame = 0; frame < 3000; ++frame) {
        // The first tick of a frame is over when TIME is seen to move. A change now is seen by all
        // of this frame's squares; aux inputs were read at its start and change now for the next.
        const std::uint8_t aux_now = board.aux;
        const bool calm = (frame / 100) % 3 == 2;
        for (std::size_t i = 0; i < restless; ++i) {
            if (!calm && below(4) == 0) board.squares ^= square(static_cast<int>(below(64)));
            if (!calm && below(40) == 0) board.aux ^= static_cast<std::uint8_t>(1u << below(8));
        }
        reference.frame(board.time_us(), board.squares, aux_now);
        const auto seen = board.watermarks.size();
        board.us(static_cast<std::int64_t>(frame_us));
        if (board.watermarks.size() != seen) last_watermark = frame;
        longest_silence = std::max(longest_silence, frame - last_watermark);
    }
    // The reference knows nothing of sequence numbers
    for (Record& r : board.records) r.seq = 0;
    REQUIRE(board.records.size() > 100);
    CHECK(board.records.size() <= reference.records.size());
    CHECK(board.records.size() + 2 >= reference.records.size());   // two may be on their way
    for (std::size_t i = 0; i < board.records.size(); ++i) {
        INFO("record " << i << " of frame " << frame_us);
        const Record& is = board.records[i];
        const Record& should = reference.records[i];
        REQUIRE(+is.kind == +should.kind);
        REQUIRE(+is.index == +should.index);
        REQUIRE(is.word == should.word);
        REQUIRE(+is.count == +should.count);
        REQUIRE(is == should);
    }
    // Every watermark is exactly what could be stated at some frame's start, in rising order
    std::size_t at = 0;
    for (const Record& w : board.watermarks) {
        while (at < reference.watermarks.size() && reference.watermarks[at] != w.word) ++at;
        REQUIRE(at < reference.watermarks.size());
    }
    CHECK(longest_silence * static_cast<std::int64_t>(frame_us) <= 10'000);
    // And none was untrue
    std::uint32_t stated = 0;
    for (const Record& r : board.stream) {
        REQUIRE(r.word >= stated);
        if (r.kind == TM_KIND_WATERMARK) stated = r.word;
    }
}
