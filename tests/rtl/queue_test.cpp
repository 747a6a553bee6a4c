// queue_test.cpp - acknowledgement, replay and overflow of the record queue
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <random>

#include "Vfrontend_matrix.h"
#include "Vfrontend_matrix_small.h"
#include "Vfrontend_spram_0.h"
#include "Vfrontend_spram_1.h"
#include "tests/rtl/frontend.hpp"

using namespace touchmove::rtl_test;
using Matrix = Frontend<Vfrontend_matrix, 1>;
using Small = Frontend<Vfrontend_matrix_small, 1>;   // 64 records
using Spram = Frontend<Vfrontend_spram_0, 1>;        // the same in SPRAM; with a holding register
using Held = Frontend<Vfrontend_spram_1, 1>;

namespace {

constexpr std::size_t small_depth = 64;

Settings quick() {
    Settings s;
    s.lift_us = 400;
    s.place_us = 400;
    return s;
}

template <class Board>
void start(Board& board) {
    board.squares = 0xFFFF'0000'0000'FFFFu;
    board.start(quick());
    while (!board.ready()) board.us();
    board.us(100);
}

/// `n` edges, one after the other.
template <class Board>
void edges(Board& board, int n) {
    for (int i = 0; i < n; ++i) {
        board.squares ^= std::uint64_t{1} << (i % 64);
        board.us(700);
    }
}

}  // namespace

TEST_CASE("sequence numbers follow each other from 0", "[rtl]") {
    Matrix board;
    start(board);
    edges(board, 100);
    REQUIRE(board.records.size() == 105);
    for (std::size_t i = 0; i < board.records.size(); ++i) CHECK(board.records[i].seq == i);
    CHECK(board.next_seq() == 105);
    CHECK(board.acked_seq() == 0xFFFF);
}

TEST_CASE("every kept record can be had again, word for word", "[rtl]") {
    Matrix board;
    start(board);
    edges(board, 60);
    const auto first = board.records;
    board.write(TM_REG_ACK, 20);
    CHECK(board.acked_seq() == 20);
    const auto from = GENERATE(std::size_t{21}, std::size_t{22}, std::size_t{40}, std::size_t{64});
    board.records.clear();
    board.write(TM_REG_RESUME, static_cast<std::uint32_t>(from));
    board.us(1000);
    REQUIRE(board.records.size() == first.size() - from);
    for (std::size_t i = 0; i < board.records.size(); ++i)
        CHECK(board.records[i] == first[from + i]);
}

TEST_CASE("resume to the next record sends nothing again", "[rtl]") {
    Matrix board;
    start(board);
    edges(board, 10);
    board.records.clear();
    board.write(TM_REG_RESUME, board.next_seq());
    board.us(1000);
    CHECK(board.records.empty());
    edges(board, 1);
    CHECK(board.records.size() == 1);
}

TEST_CASE("resume and acknowledgement outside the window do nothing", "[rtl]") {
    Matrix board;
    start(board);
    edges(board, 60);
    board.write(TM_REG_ACK, 20);
    board.records.clear();
    const auto resume = GENERATE(0u, 20u, 66u, 0x8000u, 0xFFFFu);
    board.write(TM_REG_RESUME, resume);
    board.us(1000);
    CHECK(board.records.empty());
    for (const auto ack : {0u, 19u, 65u, 66u, 0x8000u, 0xFFFFu}) board.write(TM_REG_ACK, ack);
    CHECK(board.acked_seq() == 20);
    board.write(TM_REG_ACK, 64);
    CHECK(board.acked_seq() == 64);
}

TEST_CASE("what was not given out cannot be acknowledged", "[rtl]") {
    Matrix board;
    board.take = false;
    start(board);
    board.write(TM_REG_ACK, 2);
    CHECK(board.acked_seq() == 0xFFFF);
}

TEST_CASE("a microcontroller can take records over the bus", "[rtl]") {
    Matrix board;
    board.take = false;
    start(board);
    edges(board, 3);
    std::vector<Record> got;
    while (board.next_seq() != got.size()) {
        const auto r = board.read_record();
        board.us();
        if (r && r->kind != TM_KIND_WATERMARK) got.push_back(*r);
    }
    REQUIRE(got.size() == 8);
    CHECK(got[0].kind == TM_KIND_SESSION);
    CHECK(got[7].kind == TM_KIND_LIFT);
    for (std::size_t i = 0; i < got.size(); ++i) CHECK(got[i].seq == i);
}

TEST_CASE("a full queue loses new records, says how many, then takes stock", "[rtl]") {
    Small board;
    start(board);
    const auto extra = GENERATE(1, 5, 300);
    edges(board, static_cast<int>(small_depth) - 5);   // the session and its snapshot are 5
    REQUIRE(board.records.size() == small_depth);
    CHECK((board.read(TM_REG_CONTROL) & TM_CONTROL_LOSSY) == 0);
    edges(board, extra);
    CHECK((board.read(TM_REG_CONTROL) & TM_CONTROL_LOSSY) != 0);
    CHECK(board.records.size() == small_depth);

    // Too little room yet
    board.write(TM_REG_ACK, 7);
    board.us(1000);
    CHECK(board.records.size() == small_depth);

    board.write(TM_REG_ACK, 8);
    board.us(1000);
    REQUIRE(board.records.size() >= small_depth + 5);
    const auto at = board.records.begin() + small_depth;
    CHECK(at[0].kind == TM_KIND_GAP);
    CHECK(at[0].word == static_cast<std::uint32_t>(extra));
    std::size_t next = 1;
    for (std::uint8_t i = 0; i < 4; ++i, ++next) {
        CHECK(at[next].kind == TM_KIND_SNAPSHOT);
        CHECK(at[next].index == i);
    }
    CHECK(at[2].word == static_cast<std::uint32_t>(board.squares));
    CHECK(at[3].word == static_cast<std::uint32_t>(board.squares >> 32));
    CHECK((board.read(TM_REG_CONTROL) & TM_CONTROL_LOSSY) == 0);

    // Nothing kept was touched
    board.records.clear();
    board.write(TM_REG_RESUME, 9);
    board.us(2000);
    CHECK(board.records[0].seq == 9);
    CHECK(board.records.size() == board.next_seq() - 9u);
}

TEMPLATE_TEST_CASE("a host that comes and goes at random gets every record once", "[rtl]", Small,
                   Spram, Held) {
    const auto seed = GENERATE(1u, 2u, 3u);
    INFO("seed " << seed);
    std::mt19937 random{seed};
    TestType board;
    start(board);
    std::vector<Record> stored(board.records.begin(), board.records.end());
    board.stream.clear();
    std::size_t lost = 0;
    for (int i = 0; i < 3000; ++i) {
        board.take = random() % 3 != 0;
        if (random() % 2 == 0) board.squares ^= std::uint64_t{1} << (random() % 64);
        board.us(static_cast<std::int64_t>(random() % 900));
        for (const Record& r : board.stream) {
            if (r.kind == TM_KIND_WATERMARK) continue;
            const auto expected = static_cast<std::uint16_t>(stored.size());
            if (r.seq == expected) {
                stored.push_back(r);
                if (r.kind == TM_KIND_GAP) lost += r.word;
            } else {
                // A replay: it must be what was stored before
                const auto back = static_cast<std::uint16_t>(expected - r.seq);
                REQUIRE(back <= stored.size());
                REQUIRE(stored[stored.size() - back] == r);
            }
        }
        board.stream.clear();
        if (random() % 20 == 0 && !stored.empty()) board.write(TM_REG_ACK, stored.back().seq);
        if (random() % 30 == 0) {
            // The host died and remembers what it acknowledged
            board.write(TM_REG_RESUME, static_cast<std::uint16_t>(board.acked_seq() + 1));
        }
    }
    CHECK(stored.size() > 500);
    CAPTURE(lost);
}
