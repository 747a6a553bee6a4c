// usb_test.cpp - chapter 9 of USB 2.0, request by request, legal and illegal, in every state
// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fw/chapter_9.hpp"
#include "tests/fw/usb_fixture.hpp"

using namespace touchmove::fw_test;

namespace {

constexpr tm_usb_state all_states[] = {TM_USB_DEFAULT, TM_USB_ADDRESSED, TM_USB_CONFIGURED};

// Vendor requests need an address.
const Case vendor[] = {
    {"vendor request IN", {0xC0, 0x55, 0, 0, 4}, no, yes, yes},
    {"vendor request OUT", {0x40, 0x55, 0, 0, 0}, no, yes, yes},
    {"unknown vendor request", {0xC0, 0x56, 0, 0, 4}, no, no, no},
    {"vendor request to the interface", {0xC1, 0x55, 0, 0, 4}, no, no, no},
};

std::vector<Case> all_cases() {
    std::vector<Case> cases(std::begin(chapter_9), std::end(chapter_9));
    cases.insert(cases.end(), std::begin(vendor), std::end(vendor));
    return cases;
}

}  // namespace

TEST_CASE("each request is answered in the states that chapter 9 names, and stalled elsewhere",
          "[fw][usb]") {
    UsbFixture f;
    f.vendor_reply = {1, 2, 3, 4};
    for (const tm_usb_state state : all_states) {
        for (const Case& c : all_cases()) {
            f.enter(state);
            INFO(c.what << ", state " << state);
            const Bytes out(c.setup.is_in() ? 0 : c.setup.length, 0xA5);
            CHECK(f.accepts(c.setup, out) == legal_in(c, state));
            // Whatever it was, the next request is heard.
            CHECK(f.get({0x80, 6, 0x0100, 0, 18}).size() == 18);
        }
    }
}

TEST_CASE("a refused request changes nothing", "[fw][usb]") {
    for (const tm_usb_state state : all_states) {
        for (const Case& c : all_cases()) {
            UsbFixture f;
            f.enter(state);
            const std::uint8_t address = f.block.address();
            const Bytes out(c.setup.is_in() ? 0 : c.setup.length, 0xA5);
            if (f.accepts(c.setup, out)) continue;
            INFO(c.what << ", state " << state);
            CHECK(f.usb.state == state);
            CHECK(f.block.address() == address);
            CHECK_FALSE(f.usb.halt_in);
            CHECK_FALSE(f.usb.halt_out);
            CHECK(f.vendor_got.empty());
        }
    }
}

TEST_CASE("the address counts only from the end of the status stage", "[fw][usb]") {
    UsbFixture f;
    const Setup setup{0x00, TM_USB_SET_ADDRESS, 42, 0, 0};
    f.block.setup(setup.bytes());
    f.poll();
    CHECK(f.block.address() == 0);
    CHECK(f.usb.state == TM_USB_DEFAULT);
    Packet status;
    REQUIRE(f.block.ep0_in(status) == Handshake::ack);
    CHECK(status.size == 0);
    CHECK(f.block.address() == 0);
    f.poll();
    CHECK(f.block.address() == 42);
    CHECK(f.usb.state == TM_USB_ADDRESSED);
}

TEST_CASE("a set-address that the host abandons leaves the address alone", "[fw][usb]") {
    UsbFixture f;
    f.block.setup(Setup{0x00, TM_USB_SET_ADDRESS, 42, 0, 0}.bytes());
    f.poll();
    CHECK(f.get({0x80, 6, 0x0100, 0, 18}).size() == 18);
    CHECK(f.block.address() == 0);
    CHECK(f.usb.state == TM_USB_DEFAULT);
}

TEST_CASE("address 0 leads back to the default state", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_ADDRESSED);
    REQUIRE(f.accepts({0x00, TM_USB_SET_ADDRESS, 0, 0, 0}));
    CHECK(f.usb.state == TM_USB_DEFAULT);
    CHECK(f.block.address() == 0);
}

TEST_CASE("GET_CONFIGURATION tells the state, SET_CONFIGURATION 0 leaves it", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_ADDRESSED);
    CHECK(f.get({0x80, 8, 0, 0, 1}) == Bytes{0});
    REQUIRE(f.accepts({0x00, 9, 1, 0, 0}));
    CHECK(f.get({0x80, 8, 0, 0, 1}) == Bytes{1});
    CHECK(f.get({0x81, 10, 0, 0, 1}) == Bytes{0});
    REQUIRE(f.accepts({0x00, 9, 0, 0, 0}));
    CHECK(f.get({0x80, 8, 0, 0, 1}) == Bytes{0});
    CHECK(f.block.address() == 5);
}

TEST_CASE("the device status tells what feeds the board", "[fw][usb]") {
    for (const bool self_powered : {false, true}) {
        UsbFixture f("X", self_powered);
        f.enter(TM_USB_CONFIGURED);
        CHECK(f.get({0x80, 0, 0, 0, 2}) == Bytes{static_cast<std::uint8_t>(self_powered), 0});
        CHECK(f.get({0x81, 0, 0, 0, 2}) == Bytes{0, 0});
    }
}

TEST_CASE("a halted endpoint stalls until it is cleared, and then starts at DATA0",
          "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_CONFIGURED);
    Packet packet;
    f.block.push_record(1);
    REQUIRE(f.block.ep1_in(packet) == Handshake::ack);
    CHECK(f.block.next_in_is_data1());
    f.block.push_record(2);

    REQUIRE(f.accepts({0x02, 3, 0, 0x81, 0}));
    CHECK(f.get({0x82, 0, 0, 0x81, 2}) == Bytes{1, 0});
    CHECK(f.get({0x82, 0, 0, 0x01, 2}) == Bytes{0, 0});
    CHECK(f.block.ep1_in(packet) == Handshake::stall);
    CHECK(f.block.ep1_out(Bytes(8)) == Handshake::ack);

    REQUIRE(f.accepts({0x02, 1, 0, 0x81, 0}));
    CHECK(f.get({0x82, 0, 0, 0x81, 2}) == Bytes{0, 0});
    CHECK_FALSE(f.block.next_in_is_data1());
    REQUIRE(f.block.ep1_in(packet) == Handshake::ack);
    CHECK(packet.bytes[0] == 2);  // what waited was not lost
}

TEST_CASE("clearing an endpoint that is not halted also starts it at DATA0", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_CONFIGURED);
    Packet packet;
    f.block.push_record(1);
    REQUIRE(f.block.ep1_in(packet) == Handshake::ack);
    REQUIRE(f.block.ep1_out(Bytes(8)) == Handshake::ack);
    f.poll();
    CHECK(f.block.next_in_is_data1());
    CHECK(f.block.next_out_is_data1());
    REQUIRE(f.accepts({0x02, 1, 0, 0x81, 0}));
    CHECK_FALSE(f.block.next_in_is_data1());
    CHECK(f.block.next_out_is_data1());
    REQUIRE(f.accepts({0x02, 1, 0, 0x01, 0}));
    CHECK_FALSE(f.block.next_out_is_data1());
}

TEST_CASE("configuring and choosing the interface free the endpoints and their toggles",
          "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_CONFIGURED);
    const Setup restart =
        GENERATE(Setup{0x00, 9, 1, 0, 0}, Setup{0x01, 11, 0, 0, 0});
    Packet packet;
    f.block.push_record(1);
    REQUIRE(f.block.ep1_in(packet) == Handshake::ack);
    REQUIRE(f.accepts({0x02, 3, 0, 0x81, 0}));
    REQUIRE(f.accepts({0x02, 3, 0, 0x01, 0}));
    REQUIRE(f.accepts(restart));
    CHECK_FALSE(f.block.next_in_is_data1());
    CHECK(f.block.ep1_in(packet) == Handshake::nak);
    CHECK(f.block.ep1_out(Bytes(8)) == Handshake::ack);
}

TEST_CASE("endpoint 1 exists only in the configured state", "[fw][usb]") {
    UsbFixture f;
    Packet packet;
    for (const tm_usb_state state : {TM_USB_DEFAULT, TM_USB_ADDRESSED}) {
        f.enter(state);
        CHECK(f.block.ep1_in(packet) == Handshake::no_reply);
        CHECK(f.block.ep1_out(Bytes(8)) == Handshake::no_reply);
        CHECK_FALSE(f.block.wants_record());
    }
    f.enter(TM_USB_CONFIGURED);
    CHECK(f.block.wants_record());
    f.block.bus_reset();
    CHECK_FALSE(f.block.wants_record());
}

TEST_CASE("a full packet with nothing behind it is followed by an empty one", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_CONFIGURED);
    const auto sizes_after = [&](unsigned records) {
        for (unsigned i = 0; i < records; ++i) f.block.push_record(i);
        std::vector<std::size_t> sizes;
        Packet packet;
        while (f.block.ep1_in(packet) == Handshake::ack) sizes.push_back(packet.size);
        return sizes;
    };
    CHECK(sizes_after(1) == std::vector<std::size_t>{8});
    CHECK(sizes_after(7) == std::vector<std::size_t>{56});
    CHECK(sizes_after(8) == std::vector<std::size_t>{64, 0});
    CHECK(sizes_after(9) == std::vector<std::size_t>{64, 8});
    CHECK(sizes_after(16) == std::vector<std::size_t>{64, 64, 0});
    // What comes in between takes the place of the empty packet.
    Packet packet;
    for (unsigned i = 0; i < 8; ++i) f.block.push_record(i);
    REQUIRE(f.block.ep1_in(packet) == Handshake::ack);
    CHECK(sizes_after(1) == std::vector<std::size_t>{8});
}

TEST_CASE("bulk OUT packets arrive whole, one at a time", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_CONFIGURED);
    Bytes full(64);
    for (std::size_t i = 0; i < full.size(); ++i) full[i] = static_cast<std::uint8_t>(i * 7);
    REQUIRE(f.block.ep1_out(full) == Handshake::ack);
    CHECK(f.block.ep1_out(Bytes{1}) == Handshake::nak);
    f.poll();
    REQUIRE(f.block.ep1_out(Bytes{1, 2, 3}) == Handshake::ack);
    f.poll();
    REQUIRE(f.block.ep1_out({}) == Handshake::ack);
    f.poll();
    CHECK(f.bulk_got == std::vector<Bytes>{full, {1, 2, 3}, {}});
}

TEST_CASE("an answer is cut at wLength, and ended by a short packet where it is shorter",
          "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_ADDRESSED);
    for (std::size_t have = 1; have <= 200; ++have) {
        f.vendor_reply.assign(have, 0);
        for (std::size_t i = 0; i < have; ++i) f.vendor_reply[i] = static_cast<std::uint8_t>(i);
        for (const int wanted : {1, 63, 64, 65, 127, 128, 129, 192, 255}) {
            const auto asked = static_cast<std::uint16_t>(wanted);
            const Bytes got = f.get({0xC0, 0x55, 0, 0, asked});
            INFO("have " << have << " asked " << asked);
            const auto expected = static_cast<std::ptrdiff_t>(std::min<std::size_t>(have, asked));
            CHECK(got == Bytes(f.vendor_reply.begin(), f.vendor_reply.begin() + expected));
        }
    }
}

TEST_CASE("exactly wLength bytes are not followed by an empty packet", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_ADDRESSED);
    f.vendor_reply.assign(64, 1);
    f.block.setup(Setup{0xC0, 0x55, 0, 0, 64}.bytes());
    f.poll();
    Packet packet;
    REQUIRE(f.block.ep0_in(packet) == Handshake::ack);
    f.poll();
    CHECK(f.block.ep0_in(packet) == Handshake::nak);
    CHECK(f.block.ep0_out({}) == Handshake::ack);
}

TEST_CASE("the host may end a data stage early", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_ADDRESSED);
    f.vendor_reply.assign(200, 1);
    f.block.setup(Setup{0xC0, 0x55, 0, 0, 200}.bytes());
    f.poll();
    Packet packet;
    REQUIRE(f.block.ep0_in(packet) == Handshake::ack);
    REQUIRE(f.block.ep0_out({}) == Handshake::ack);
    f.poll();
    CHECK(f.get({0x80, 6, 0x0100, 0, 18}).size() == 18);
}

TEST_CASE("a new SETUP ends whatever was under way", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_ADDRESSED);
    f.vendor_reply.assign(200, 0xEE);
    Packet packet;
    SECTION("while data goes in") {
        f.block.setup(Setup{0xC0, 0x55, 0, 0, 200}.bytes());
        f.poll();
        REQUIRE(f.block.ep0_in(packet) == Handshake::ack);
    }
    SECTION("before the firmware saw the last one") {
        f.block.setup(Setup{0xC0, 0x55, 0, 0, 200}.bytes());
    }
    SECTION("while data comes out") {
        f.block.setup(Setup{0x40, 0x55, 0, 0, 8}.bytes());
        f.poll();
    }
    SECTION("after a stall") {
        f.block.setup(Setup{0xC0, 0x77, 0, 0, 8}.bytes());
        f.poll();
        REQUIRE(f.block.ep0_in(packet) == Handshake::stall);
        REQUIRE(f.block.ep0_in(packet) == Handshake::stall);
    }
    const Bytes device = f.get({0x80, 6, 0x0100, 0, 64});
    CHECK(device.size() == 18);
    CHECK(device[1] == TM_DESC_DEVICE);
    CHECK(f.vendor_got.empty());
}

TEST_CASE("an OUT request is carried out with all of its data or not at all", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_CONFIGURED);
    REQUIRE(f.accepts({0x40, 0x55, 0, 0, 5}, {9, 8, 7, 6, 5}));
    CHECK(f.vendor_got == std::vector<Bytes>{{9, 8, 7, 6, 5}});
    f.vendor_got.clear();
    SECTION("more data than announced") {
        CHECK_FALSE(f.accepts({0x40, 0x55, 0, 0, 2}, {1, 2, 3}));
    }
    SECTION("less data than announced") {
        CHECK_FALSE(f.accepts({0x40, 0x55, 0, 0, 4}, {1, 2, 3}));
    }
    SECTION("more than any request has") {
        CHECK_FALSE(f.accepts({0x40, 0x55, 0, 0, 17}, Bytes(17)));
        CHECK_FALSE(f.accepts({0x40, 0x55, 0, 0, 65535}, Bytes(65535)));
    }
    CHECK(f.vendor_got.empty());
}

TEST_CASE("a bus reset in the middle of anything leads to the default state", "[fw][usb]") {
    UsbFixture f;
    f.enter(TM_USB_CONFIGURED);
    REQUIRE(f.accepts({0x02, 3, 0, 0x81, 0}));
    f.block.setup(Setup{0x00, TM_USB_SET_ADDRESS, 9, 0, 0}.bytes());
    f.poll();
    f.block.bus_reset();
    f.poll();
    CHECK(f.usb.state == TM_USB_DEFAULT);
    CHECK(f.block.address() == 0);
    f.enter(TM_USB_CONFIGURED);
    CHECK(f.get({0x82, 0, 0, 0x81, 2}) == Bytes{0, 0});
}

TEST_CASE("no sequence of tokens stops the device from answering", "[fw][usb]") {
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const auto byte = [&] { return static_cast<std::uint8_t>(random()); };
    const std::vector<Case> cases = all_cases();
    UsbFixture f;
    f.vendor_reply.assign(130, 3);
    for (int round = 0; round < 20000; ++round) {
        Packet packet;
        switch (random() % 7) {
            case 0: {
                const Case& c = cases[random() % cases.size()];
                f.block.setup(c.setup.bytes());
                break;
            }
            case 1: {
                const std::array<std::uint8_t, 8> any{byte(), byte(), byte(), byte(),
                                                      byte(), byte(), byte(), byte()};
                f.block.setup(any);
                break;
            }
            case 2: (void)f.block.ep0_in(packet); break;
            case 3: (void)f.block.ep0_out(Bytes(random() % 65)); break;
            case 4: (void)f.block.ep1_out(Bytes(random() % 65)); break;
            case 5: f.poll(); break;
            default:
                if (random() % 50 == 0) f.block.bus_reset();
        }
        if (round % 100 == 0) REQUIRE(f.get({0x80, 6, 0x0100, 0, 64}).size() == 18);
    }
}
