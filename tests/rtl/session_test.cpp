// session_test.cpp - sessions, snapshots, device time and its wrap
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "Vfrontend_matrix.h"
#include "Vfrontend_matrix_small.h"
#include "tests/rtl/frontend.hpp"

using namespace touchmove::rtl_test;
using Matrix = Frontend<Vfrontend_matrix, 1>;
using Small = Frontend<Vfrontend_matrix_small, 1>;   // starts 0.5 s before a wrap of the time

namespace {
constexpr std::uint64_t start_position = 0xFFFF'0000'0000'FFFFu;
}

TEST_CASE("a session begins with its number and a snapshot", "[rtl]") {
    Matrix board;
    board.squares = start_position;
    board.aux = 0x81;
    board.start({}, 0xCAFE'0001u);
    CHECK_FALSE(board.ready());
    board.us(7000);
    CHECK(board.records.empty());   // still waiting for the threshold to pass
    board.us(3000);
    CHECK(board.ready());
    REQUIRE(board.records.size() == 5);
    CHECK(board.records[0].kind == TM_KIND_SESSION);
    CHECK(board.records[0].word == 0xCAFE'0001u);
    for (std::uint8_t i = 0; i < 4; ++i) {
        CHECK(board.records[1u + i].kind == TM_KIND_SNAPSHOT);
        CHECK(board.records[1u + i].index == i);
        CHECK(board.records[1u + i].seq == 1 + i);
    }
    CHECK(board.records[1].word <= board.time_us());
    CHECK(board.records[2].word == 0x0000'FFFFu);
    CHECK(board.records[3].word == 0xFFFF'0000u);
    CHECK(board.records[4].word == 0x81u);
}

TEST_CASE(
    "nothing is stamped before the first snapshot, and contacts that change meanwhile are in it",
    "[rtl]") {
    Matrix board;
    board.squares = start_position;
    board.start({});
    board.us(4000);
    board.squares ^= 1u << 12;
    board.us(20'000);
    REQUIRE(board.records.size() == 5);
    CHECK(board.records[2].word == (0xFFFFu ^ (1u << 12)));
}

TEST_CASE("clearing RUN ends the session and empties the queue", "[rtl]") {
    Matrix board;
    board.squares = start_position;
    board.start({}, 1);
    board.us(20'000);
    board.write(TM_REG_CONTROL, 0);
    board.us(10);
    CHECK(board.next_seq() == 0);
    board.records.clear();
    board.write(TM_REG_SESSION, 2);
    board.write(TM_REG_CONTROL, TM_CONTROL_RUN);
    board.us(20'000);
    REQUIRE(board.records.size() == 5);
    CHECK(board.records[0].word == 2);
    CHECK(board.records[0].seq == 0);
}

TEST_CASE("a snapshot agrees with the edges before and after it, whenever it is asked for",
          "[rtl]") {
    Matrix board;
    board.squares = start_position;
    Settings s;
    s.lift_us = s.place_us = 400;
    board.start(s);
    board.us(3000);
    REQUIRE(board.records.size() == 5);
    for (int i = 0; i < 200; ++i) {
        board.squares ^= std::uint64_t{1} << (i * 7 % 64);
        if (i % 3 == 0) board.aux ^= static_cast<std::uint8_t>(1u << (i % 8));
        board.us(37 + i * 13 % 350);
        if (i % 4 == 0) board.write(TM_REG_CONTROL, TM_CONTROL_RUN | TM_CONTROL_SNAPSHOT);
    }
    board.us(2000);

    std::uint64_t squares = 0;
    std::uint8_t aux = 0;
    std::size_t snapshots = 0;
    for (std::size_t i = 0; i < board.records.size(); ++i) {
        const Record& r = board.records[i];
        const auto square = std::uint64_t{1} << r.index;
        const auto input = static_cast<std::uint8_t>(1u << (r.index & 7u));
        switch (r.kind) {
            case TM_KIND_LIFT: REQUIRE((squares & square) != 0); squares &= ~square; break;
            case TM_KIND_PLACE: REQUIRE((squares & square) == 0); squares |= square; break;
            case TM_KIND_INPUT_DOWN: aux |= input; break;
            case TM_KIND_INPUT_UP: aux &= static_cast<std::uint8_t>(~input); break;
            case TM_KIND_SNAPSHOT: {
                REQUIRE(r.index == 0);
                REQUIRE(i + 3 < board.records.size());
                const auto seen = board.records[i + 1].word |
                                  (std::uint64_t{board.records[i + 2].word} << 32);
                for (std::uint8_t part = 1; part < 4; ++part) {
                    REQUIRE(board.records[i + part].kind == TM_KIND_SNAPSHOT);
                    REQUIRE(board.records[i + part].index == part);
                }
                if (snapshots++ > 0) {
                    REQUIRE(seen == squares);
                    REQUIRE(board.records[i + 3].word == aux);
                }
                squares = seen;
                aux = static_cast<std::uint8_t>(board.records[i + 3].word);
                i += 3;
                break;
            }
            default: break;
        }
    }
    CHECK(snapshots > 20);
    CHECK(squares == board.squares);
    CHECK(aux == board.aux);
}

TEST_CASE("the time counts every microsecond whatever the settle time", "[rtl]") {
    const auto settle =
        GENERATE(std::uint8_t{8}, std::uint8_t{10}, std::uint8_t{33}, std::uint8_t{255});
    Matrix board;
    Settings s;
    s.settle_us = settle;
    board.start(s);
    board.us(10'000);
    const auto before = board.time_us();
    board.us(1'000'000);
    const auto passed = board.time_us() - before;
    const auto frame = TM_FRAME_US(settle);
    CHECK(passed + frame >= 1'000'000);
    CHECK(passed <= 1'000'000 + frame);
    CHECK(passed % frame == 0);
}

TEST_CASE("a new settle time takes effect between frames and loses no microsecond", "[rtl]") {
    Matrix board;
    board.start({});
    board.us(20'000);
    auto now = board.time_us();
    while (board.time_us() == now) board.us();   // a frame has begun
    const auto began = board.time_us();
    board.us(40);
    Settings s;
    s.settle_us = 20;
    board.apply(s);                              // three clocks
    board.us(88 - 40 - 3);
    CHECK(board.time_us() == began + 88);
    board.us(168);
    CHECK(board.time_us() == began + 88 + 168);
}

TEST_CASE("settle times below the least are taken as the least", "[rtl]") {
    Matrix board;
    Settings s;
    s.settle_us = 0;
    board.start(s);
    board.us(20'000);
    const auto before = board.time_us();
    board.us(72);
    CHECK(board.time_us() - before == 72);
}

TEST_CASE("a wrap of the time writes an epoch record, and every record knows its side", "[rtl]") {
    Small board;
    Settings s;
    s.lift_us = s.place_us = 50'000;
    s.eager = GENERATE(false, true);
    board.squares = start_position;
    board.start(s);
    constexpr std::uint64_t begin = 4'294'467'296u;
    constexpr std::uint64_t wrap = std::uint64_t{1} << 32;
    std::uint64_t device = begin;
    int toggled = 0;
    while (device < wrap + 200'000) {
        if (device > wrap - 100'000 && toggled < 40) {
            board.squares ^= std::uint64_t{1} << (toggled++ % 20);
            board.us(4000 + 23 * toggled);
        }
        board.us(88);
        const std::uint64_t shown = board.time_us();
        device = (shown >> 32) == 0 ? shown : shown;   // HIGH counts wraps
    }
    board.us(60'000);

    bool wrapped = false;
    std::uint64_t stated = 0;
    std::size_t old_after = 0, edges = 0;
    for (const Record& r : board.stream) {
        if (r.kind == TM_KIND_EPOCH) {
            CHECK_FALSE(wrapped);
            CHECK(r.word == 1);
            CHECK(r.parity);
            wrapped = true;
            continue;
        }
        const bool stamped = r.kind != TM_KIND_SESSION &&
                             !(r.kind == TM_KIND_SNAPSHOT && r.index != 0);
        if (!stamped) continue;
        // Before the epoch record every stamp is old; after it the parity tells
        if (!wrapped) CHECK_FALSE(r.parity);
        if (wrapped && !r.parity) ++old_after;
        const std::uint64_t at = r.word + (r.parity ? wrap : 0);
        CHECK(at > wrap - 600'000);
        CHECK(at < wrap + 400'000);
        if (r.kind == TM_KIND_WATERMARK) {
            CHECK(at >= stated);
            stated = at;
        } else {
            CHECK(at >= stated);
            ++edges;
        }
    }
    CHECK(wrapped);
    CHECK(edges > 20);
    if (!s.eager) CHECK(old_after > 0);   // stamped before the wrap, accepted after it
}
