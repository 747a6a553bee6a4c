// wiring_test.cpp - what the columns carry, with and without diodes
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/wiring.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "sim/device/stimulus.hpp"

using namespace touchmove::device;

namespace {

std::uint64_t squares_at(std::initializer_list<unsigned> contacts) {
    ContactState state;
    for (const unsigned contact : contacts) state.set(contact, true);
    return state.squares;
}

constexpr unsigned a1 = 0, c1 = 2, a2 = 8, c2 = 10;

}  // namespace

TEST_CASE("a contact sets its own bit and no other", "[sim][wiring]") {
    for (unsigned contact = 0; contact < contact_count; ++contact) {
        ContactState state;
        state.set(contact, true);
        CHECK(state.squares == (contact < 64 ? std::uint64_t{1} << contact : 0));
        CHECK(state.aux == (contact < 64 ? 0 : 1U << (contact - 64)));
        state.set(contact, false);
        CHECK(state == ContactState{});
    }
}

TEST_CASE("with diodes a driven row shows exactly its own squares", "[sim][wiring]") {
    const DiodeWiring wiring;
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
        const std::uint64_t squares = random() & random();
        for (unsigned row = 0; row < 8; ++row) {
            CHECK(wiring.columns(squares, static_cast<std::uint8_t>(1U << row)) ==
                  static_cast<std::uint8_t>(squares >> (8 * row)));
        }
    }
    CHECK(wiring.columns(~std::uint64_t{0}, 0) == 0);
}

TEST_CASE("without diodes three corners of a rectangle show the fourth", "[sim][wiring]") {
    const BareWiring wiring;
    const std::uint64_t three = squares_at({a1, c1, a2});
    CHECK(wiring.columns(three, 0x01) == 0x05);
    CHECK(wiring.columns(three, 0x02) == 0x05);  // c2 is the ghost
    CHECK(DiodeWiring{}.columns(three, 0x02) == 0x01);
    const std::uint64_t two = squares_at({a1, c2});
    CHECK(wiring.columns(two, 0x01) == 0x01);
    CHECK(wiring.columns(two, 0x02) == 0x04);
}

TEST_CASE("a ghost goes along a chain of closed contacts", "[sim][wiring]") {
    // a1-b1, b2-c2, c3-d3: driving row 1 reaches d through two rows driven backwards.
    const std::uint64_t chain = squares_at({0, 1, 9, 10, 18, 19});
    CHECK(BareWiring{}.columns(chain, 0x01) == 0x0F);
    CHECK(BareWiring{}.columns(chain, 0) == 0);
}
