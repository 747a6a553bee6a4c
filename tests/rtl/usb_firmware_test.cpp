// usb_firmware_test.cpp - the firmware's control endpoint, seen from D+ and D-
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstring>

#include "tests/rtl/usb_bench.hpp"

using namespace touchmove::rtl_test;

namespace {

template <class Struct>
Bytes bytes_of(const Struct& value, std::size_t size = sizeof(Struct)) {
    Bytes bytes(size);
    std::memcpy(bytes.data(), &value, size);
    return bytes;
}

using Setup = std::array<std::uint8_t, 8>;

}  // namespace

TEST_CASE("a host enumerates the device over its wires", "[usb]") {
    UsbFirmwareBench b;
    b.host.bus_reset(touchmove::wire::fs_per_ms / 10);
    // As Linux does: the first eight bytes at address 0, a second reset, the address, the rest
    CHECK(b.host.control(Setup{0x80, 6, 0, 1, 0, 0, 64, 0}).data ==
          bytes_of(tm_descriptors.device));
    b.host.bus_reset(touchmove::wire::fs_per_ms / 10);
    REQUIRE(b.host.control(Setup{0, 5, 42, 0, 0, 0, 0, 0}).answer == Answer::ack);
    b.host.idle(300);
    CHECK(b.host.in(0).answer == Answer::none);
    b.host.address = 42;
    CHECK(b.host.control(Setup{0x80, 6, 0, 1, 0, 0, 18, 0}).data ==
          bytes_of(tm_descriptors.device));
    tm_desc_configuration configuration = tm_descriptors.configuration;
    configuration.attributes = 0xC0;  // the bench has a supply of its own
    configuration.max_power_2ma = 1;
    CHECK(b.host.control(Setup{0x80, 6, 0, 2, 0, 0, 9, 0}).data ==
          bytes_of(configuration, 9));
    CHECK(b.host.control(Setup{0x80, 6, 0, 2, 0, 0, 0xFF, 0}).data ==
          bytes_of(configuration));
    CHECK(b.host.control(Setup{0x80, 6, 0, 15, 0, 0, 0xFF, 0}).data ==
          bytes_of(tm_descriptors.bos));
    CHECK(b.host.control(Setup{0x80, 6, 3, 3, 9, 4, 0xFF, 0}).data.size() == 2 + 2 * 7);
    CHECK(b.host.control(Setup{0x80, 6, 0, 6, 0, 0, 10, 0}).answer == Answer::stall);
    CHECK(b.host.in(1).answer == Answer::none);
    REQUIRE(b.host.control(Setup{0, 9, 1, 0, 0, 0, 0, 0}).answer == Answer::ack);
    b.host.idle(300);
    CHECK(b.host.in(1).answer == Answer::nak);
    CHECK(b.host.control(Setup{0x80, 8, 0, 0, 0, 0, 1, 0}).data == Bytes{1});
    CHECK(b.bus.collisions() == 0);
}

TEST_CASE("control transfers of all lengths, with a short or an empty last packet", "[usb]") {
    UsbFirmwareBench b;
    b.enumerate();
    for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 128U, 200U}) {
        for (const std::size_t asked : {size, size + 1, std::size_t{255}}) {
            CAPTURE(size, asked);
            b.vendor_reply.clear();
            for (std::size_t i = 0; i < size; ++i) {
                b.vendor_reply.push_back(static_cast<std::uint8_t>(i * 7));
            }
            if (asked == 0) continue;
            const auto low = static_cast<std::uint8_t>(asked);
            const auto result = b.host.control(
                Setup{0xC0, 0x55, 0, 0, 0, 0, low, static_cast<std::uint8_t>(asked >> 8)});
            CHECK(result.answer == Answer::ack);
            CHECK(result.data == b.vendor_reply);
        }
    }
    const Bytes out = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    CHECK(b.host.control(Setup{0x40, 0x55, 0, 0, 0, 0, 16, 0}, out).answer == Answer::ack);
    CHECK(b.vendor_got == std::vector<Bytes>{out});
    CHECK(b.host.control(Setup{0xC0, 0x56, 0, 0, 0, 0, 16, 0}).answer == Answer::stall);
    CHECK(b.host.control(Setup{0x80, 8, 0, 0, 0, 0, 1, 0}).data == Bytes{1});
}

TEST_CASE("a SETUP ends the transfer before it, wherever that stands", "[usb]") {
    UsbFirmwareBench b;
    b.enumerate();
    b.vendor_reply = Bytes(200, 0x5A);
    for (double bits = 0; bits < 1200; bits += 29) {
        CAPTURE(bits);
        REQUIRE(b.host.setup(Setup{0xC0, 0x55, 0, 0, 0, 0, 200, 0}, {}).answer == Answer::ack);
        b.host.idle(bits);
        if (bits > 600) b.host.in(0);
        b.host.idle(bits / 4);
        const auto result = b.host.control(Setup{0x80, 6, 0, 1, 0, 0, 18, 0});
        REQUIRE(result.answer == Answer::ack);
        REQUIRE(result.data == bytes_of(tm_descriptors.device));
    }
}

TEST_CASE("CLEAR_FEATURE(ENDPOINT_HALT) starts at DATA0, halted or not (9.4.5)", "[usb]") {
    UsbFirmwareBench b;
    b.enumerate();
    const bool halted = GENERATE(false, true);
    b.device.records = {record(0)};
    b.host.idle(50);
    REQUIRE(b.host.in(1).data == record_bytes(0, 1));
    REQUIRE(b.host.out(1, Bytes{1}).answer == Answer::ack);
    b.host.idle(3000);
    if (halted) {
        for (const std::uint8_t endpoint : {std::uint8_t{0x81}, std::uint8_t{0x01}}) {
            REQUIRE(b.host.control(Setup{2, 3, 0, 0, endpoint, 0, 0, 0}).answer == Answer::ack);
        }
        b.host.idle(300);
        CHECK(b.host.in(1).answer == Answer::stall);
        CHECK(b.host.out(1, Bytes{2}).answer == Answer::stall);
        CHECK(b.host.control(Setup{0x82, 0, 0, 0, 0x81, 0, 2, 0}).data == Bytes{1, 0});
    }
    for (const std::uint8_t endpoint : {std::uint8_t{0x81}, std::uint8_t{0x01}}) {
        REQUIRE(b.host.control(Setup{2, 1, 0, 0, endpoint, 0, 0, 0}).answer == Answer::ack);
    }
    b.host.idle(300);
    b.host.toggle_in[1] = b.host.toggle_out[1] = false;
    b.device.records = {record(1)};
    b.host.idle(50);
    const Reply reply = b.host.in(1);
    CHECK(reply.data == record_bytes(1, 1));
    CHECK_FALSE(reply.repeated);
    CHECK(b.host.out(1, Bytes{3}).answer == Answer::ack);
    b.host.idle(3000);
    CHECK(b.bulk_got == std::vector<Bytes>{{1}, {3}});
}

TEST_CASE("records flow without the firmware", "[usb]") {
    UsbFirmwareBench b;
    b.enumerate();
    b.bus.on_clock({});  // it has stopped
    std::uint64_t next = 0;
    for (int i = 0; i < 50; ++i) {
        for (std::uint64_t k = 0; k < 8; ++k)
            b.device.records.push_back(record(next + k));
        b.host.idle(50);
        REQUIRE(b.host.in(1).data == record_bytes(next, 8));
        next += 8;
    }
}
