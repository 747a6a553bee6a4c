// clock_and_style_test.cpp - records depend neither on the clock nor on the sensor style
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <random>

#include "Vfrontend_chain.h"
#include "Vfrontend_matrix.h"
#include "Vfrontend_matrix_4mhz.h"
#include "tests/rtl/frontend.hpp"

using namespace touchmove::rtl_test;
using Matrix = Frontend<Vfrontend_matrix, 1>;
using Matrix4 = Frontend<Vfrontend_matrix_4mhz, 4>;
using Chain = Frontend<Vfrontend_chain, 4>;

namespace {

struct Change {
    std::int64_t after_us;
    std::uint64_t squares;   // flipped
    std::uint8_t aux;
};

/// Contacts with bounce. `grid_us` 1: at any microsecond; a frame: only between frames.
std::vector<Change> contacts(unsigned seed, std::int64_t grid_us) {
    std::mt19937 random{seed};
    std::vector<Change> changes;
    for (int i = 0; i < 1500; ++i) {
        const std::int64_t pause = random() % 3 == 0 ? random() % 6000 : random() % 300;
        Change c{std::max<std::int64_t>(1, pause / grid_us) * grid_us, 0, 0};
        if (random() % 5 != 0) c.squares = std::uint64_t{1} << (random() % 20);
        else c.aux = static_cast<std::uint8_t>(1u << (random() % 3));
        changes.push_back(c);
    }
    return changes;
}

template <class Board>
std::vector<Record> records_of(const std::vector<Change>& changes, std::int64_t first_us) {
    Board board;
    Settings s;
    s.settle_us = 10;
    s.lift_us = 1500;
    s.place_us = 900;
    board.squares = 0xFFFF'0000'0000'FFFFu;
    board.start(s, 99);
    board.us(first_us);
    for (const Change& c : changes) {
        board.squares ^= c.squares;
        board.aux ^= c.aux;
        board.us(c.after_us);
    }
    board.us(20'000);
    return board.records;
}

}  // namespace

TEST_CASE("records do not depend on the clock", "[rtl]") {
    const auto seed = GENERATE(1u, 2u, 3u);
    INFO("seed " << seed);
    const auto changes = contacts(seed, 1);
    const auto at_1mhz = records_of<Matrix>(changes, 5000);
    const auto at_4mhz = records_of<Matrix4>(changes, 5000);
    CHECK(at_1mhz.size() > 200);
    CHECK(at_1mhz == at_4mhz);
}

TEST_CASE("matrix and shift chain give the same records", "[rtl]") {
    const auto seed = GENERATE(4u, 5u, 6u);
    INFO("seed " << seed);
    // The chain reads all squares at the frame's start, the matrix rank by rank within the frame:
    // the same contacts are the same to both where they stand still within the frame. A frame is 88
    // us, the first begins 8 us after the start; change in the tick before.
    const auto changes = contacts(seed, 88);
    const auto matrix = records_of<Matrix>(changes, 7 + 57 * 88);
    const auto chain = records_of<Chain>(changes, 7 + 57 * 88);
    CHECK(matrix.size() > 200);
    CHECK(matrix == chain);
}
