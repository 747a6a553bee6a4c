// usb_fault_test.cpp - broken packets on the wires of the USB device lose and double nothing
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/rtl/usb_bench.hpp"

using namespace touchmove::rtl_test;
using namespace touchmove::wire;

namespace {

const Bytes some = {0x00, 0xFF, 0xFF, 0xFF, 0x7E, 0x80, 0x01};

}  // namespace

TEST_CASE("a token with any one bit wrong, or cut anywhere, is not answered", "[usb]") {
    UsbBench b;
    const auto bits = static_cast<int>(line_bits(token_packet(Pid::in, 0, 0)).size());
    for (int bit = 0; bit < bits; ++bit) {
        CAPTURE(bit);
        // SYNC's first bit is not looked at: a hub may eat it
        const bool forgiven = bit == 0;
        CHECK(b.host.in(0, {.token_fault = {.invert_bit = bit}}).answer ==
              (forgiven ? Answer::nak : Answer::none));
        CHECK(b.host.in(0, {.token_fault = {.cut_at_bit = bit}}).answer == Answer::none);
        CHECK(b.host.in(0, {.token_fault = {.cut_at_bit = bit, .no_end = true}}).answer ==
              Answer::none);
        CHECK(b.host.in(0).answer == Answer::nak);
    }
    CHECK(b.host.in(0, {.token_fault = {.no_end = true}}).answer == Answer::none);
    CHECK(b.host.in(0).answer == Answer::nak);
}

TEST_CASE("OUT data with any one bit wrong, or cut anywhere, are not taken", "[usb]") {
    UsbBench b;
    b.start_ep1();
    const auto bits = static_cast<int>(line_bits(data_packet(false, some)).size());
    for (int bit = 0; bit < bits; ++bit) {
        CAPTURE(bit);
        if (bit > 0) {
            CHECK(b.host.out(1, some, {.data_fault = {.invert_bit = bit}}).answer == Answer::none);
        }
        CHECK(b.host.out(1, some, {.data_fault = {.cut_at_bit = bit}}).answer == Answer::none);
        CHECK(b.events() == 0);
    }
    CHECK(b.host.out(1, some, {.data_fault = {.no_end = true}}).answer == Answer::none);
    CHECK(b.events() == 0);
    CHECK(b.host.out(1, some).answer == Answer::ack);
    CHECK(b.out_packet(1) == some);
}

TEST_CASE("an ACK with any one bit wrong, or cut anywhere, moves nothing on", "[usb]") {
    UsbBench b;
    b.start_ep1();
    b.device.records = {record(0), record(1)};
    b.host.idle(20);
    const auto bits = static_cast<int>(line_bits(handshake_packet(Pid::ack)).size());
    REQUIRE(b.host.in(1, {.acknowledge = false}).data == record_bytes(0, 2));
    for (int bit = 1; bit < bits; ++bit) {
        CAPTURE(bit);
        REQUIRE(b.host.in(1, {.ack_fault = {.invert_bit = bit}}).repeated);
        REQUIRE(b.host.in(1, {.ack_fault = {.cut_at_bit = bit}}).repeated);
    }
    REQUIRE(b.host.in(1, {.ack_fault = {.no_end = true}}).repeated);
    b.host.idle(20);  // only idle ends what has no end
    CHECK(b.host.in(1).repeated);
    CHECK(b.host.in(1).answer == Answer::nak);
}

TEST_CASE("what follows an IN packet and is no ACK moves nothing on", "[usb]") {
    UsbBench b;
    b.start_ep1();
    b.device.records = {record(0)};
    b.host.idle(20);
    REQUIRE(b.host.in(1, {.acknowledge = false}).data == record_bytes(0, 1));
    const std::vector<Bytes> others = {handshake_packet(Pid::nak),
                                       handshake_packet(Pid::stall),
                                       handshake_packet(Pid::pre),
                                       {0x22},
                                       {0xC2},
                                       {0xD2, 0x00},
                                       {0xD2, 0xD2},
                                       data_packet(false, {}),
                                       sof_packet(5),
                                       token_packet(Pid::in, 77, 1),
                                       token_packet(Pid::out, 0, 1)};
    for (const Bytes& other : others) {
        CAPTURE(other);
        REQUIRE(b.host.in(1, {.acknowledge = false}).repeated);
        b.host.send(other);
        b.host.idle(30);
    }
    CHECK(b.host.in(1).repeated);
    CHECK(b.host.in(1).answer == Answer::nak);
}

TEST_CASE("wrong CRCs and PIDs, short and long packets are not answered", "[usb]") {
    UsbBench b;
    b.start_ep1();
    const auto answer = [&](const Bytes& packet) {
        return b.host.await(b.host.send(packet)).answer;
    };
    for (unsigned bit = 0; bit < 16; ++bit) {
        CAPTURE(bit);
        Bytes token = token_packet(Pid::in, 0, 0);
        token[1 + bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        CHECK(answer(token) == Answer::none);
        Bytes data = data_packet(false, some);
        data[data.size() - 2 + bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        b.host.send(token_packet(Pid::out, 0, 1));
        CHECK(answer(data) == Answer::none);
    }
    for (unsigned pid = 0; pid < 256; ++pid) {
        CAPTURE(pid);
        Bytes token = token_packet(Pid::in, 0, 0);
        token[0] = static_cast<std::uint8_t>(pid);
        CHECK(answer(token) == (pid == 0x69 ? Answer::nak : Answer::none));
    }
    for (unsigned pid = 0; pid < 256; ++pid) {
        CAPTURE(pid);
        Bytes data = data_packet(false, some);
        data[0] = static_cast<std::uint8_t>(pid);
        if (pid == 0xC3 || pid == 0x4B) continue;
        b.host.send(token_packet(Pid::out, 0, 1));
        CHECK(answer(data) == Answer::none);
    }
    const Bytes in = token_packet(Pid::in, 0, 0);
    CHECK(answer({in[0]}) == Answer::none);
    CHECK(answer({in[0], in[1]}) == Answer::none);
    CHECK(answer({in[0], in[1], in[2], 0x00}) == Answer::none);
    CHECK(answer({in[0], in[1], in[2], in[1], in[2]}) == Answer::none);
    CHECK(answer({}) == Answer::none);
    CHECK(b.events() == 0);
    CHECK(answer(in) == Answer::nak);
}

TEST_CASE("more than 64 bytes are not taken, and spoil no other buffer", "[usb]") {
    UsbBench b;
    b.start_ep1();
    REQUIRE(b.host.setup(get_device, {}).answer == Answer::ack);
    b.take_events();
    const Bytes kept(64, 0x3C);
    b.fill_ep0(kept);
    b.device.records = {record(0)};
    b.host.idle(20);
    for (const std::size_t size : {65U, 66U, 67U, 68U, 100U, 128U, 300U, 1024U}) {
        CAPTURE(size);
        CHECK(b.host.out(1, Bytes(size, 0xEE)).answer == Answer::none);
        b.write(TM_USB_EP0_CTRL, TM_USB_EP0_ARM_OUT);
        CHECK(b.host.out(0, Bytes(size, 0xDD)).answer == Answer::none);
        b.host.send(token_packet(Pid::setup, 0, 0));
        CHECK(b.host.await(b.host.send(data_packet(false, Bytes(size, 0xCC)))).answer ==
              Answer::none);
    }
    CHECK(b.events() == 0);
    CHECK(b.setup_packet() == Bytes(get_device.begin(), get_device.end()));
    b.write(TM_USB_EP0_CTRL, TM_USB_EP0_ARM_IN | 64U);
    CHECK(b.host.in(0).data == kept);
    CHECK(b.host.in(1).data == record_bytes(0, 1));
}
