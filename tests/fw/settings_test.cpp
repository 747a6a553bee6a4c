// settings_test.cpp - settings are applied whole or refused whole
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>

extern "C" {
#include "fw/tm_settings.h"
}

namespace {

using Wire = std::array<std::uint8_t, TM_SETTINGS_BYTES>;

constexpr tm_settings good = {5, TM_SETTINGS_EAGER, 0x81, 0, 20000, 1000000};

Wire encoded(const tm_settings& settings) {
    Wire wire{};
    tm_settings_encode(&settings, wire.data());
    return wire;
}

bool accepted(const tm_settings& settings) {
    tm_settings read{};
    return tm_settings_decode(encoded(settings).data(), &read);
}

}  // namespace

TEST_CASE("settings travel as twelve little-endian bytes", "[fw][settings]") {
    CHECK(encoded(good) == Wire{5, 1, 0x81, 0, 0x20, 0x4E, 0, 0, 0x40, 0x42, 0x0F, 0});
    tm_settings read{};
    REQUIRE(tm_settings_decode(encoded(good).data(), &read));
    CHECK(encoded(read) == encoded(good));
}

TEST_CASE("settings out of range are refused and change nothing", "[fw][settings]") {
    CHECK(accepted(good));
    tm_settings bad = good;
    SECTION("no settle time") { bad.settle_us = 0; }
    SECTION("unknown flag") { bad.flags = 0x02; }
    SECTION("reserved byte") { bad.reserved = 1; }
    SECTION("no lift threshold") { bad.lift_us = 0; }
    SECTION("lift threshold above the maximum") { bad.lift_us = TM_THRESHOLD_MAX_US + 1; }
    SECTION("no place threshold") { bad.place_us = 0; }
    SECTION("place threshold above the maximum") { bad.place_us = 0xFFFFFFFF; }
    tm_settings kept = good;
    CHECK_FALSE(tm_settings_decode(encoded(bad).data(), &kept));
    CHECK(encoded(kept) == encoded(good));
}

TEST_CASE("the limits themselves are legal", "[fw][settings]") {
    CHECK(accepted({1, 0, 0xFF, 0, 1, 1}));
    CHECK(accepted({255, 1, 0, 0, TM_THRESHOLD_MAX_US, TM_THRESHOLD_MAX_US}));
}
