// usb_handshake_test.cpp - what the USB device answers to which packet
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/rtl/usb_bench.hpp"

using namespace touchmove::rtl_test;

namespace {

const Bytes some = {0x00, 0xFF, 0xFF, 0xFF, 0x7E, 0x80, 0x01};
constexpr std::array<std::uint8_t, 8> other_setup = {0xC0, 0xFF, 1, 2, 3, 4, 0xFF, 0xFF};

Bytes pattern(std::size_t size) {
    Bytes bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::uint8_t>(37 * i + 11);
    return bytes;
}

}  // namespace

TEST_CASE("a device that is not connected pulls nothing up; then it is idle at J", "[usb]") {
    UsbDevice device;
    touchmove::wire::Bus bus(device);
    bus.run_for(1000 * touchmove::wire::fs_per_ns);
    CHECK_FALSE(bus.pins().pullup);
    device.write(bus, TM_USB_ADDRESS, TM_USB_CONNECT);
    bus.step();
    CHECK(bus.pins().pullup);
    CHECK_FALSE(bus.pins().oe);
}

TEST_CASE("SETUP is acknowledged and kept in whatever state endpoint 0 is (8.5.3)", "[usb]") {
    UsbBench b;
    const auto state = GENERATE(0U, TM_USB_EP0_STALL, TM_USB_EP0_ARM_IN | 5U, TM_USB_EP0_ARM_OUT);
    b.write(TM_USB_EP0_CTRL, state);
    CHECK(b.host.setup(get_device, {}).answer == Answer::ack);
    CHECK(b.take_events() == TM_USB_EVENT_SETUP);
    CHECK(b.setup_packet() == Bytes(get_device.begin(), get_device.end()));
    // It ended whatever was armed, and a stall
    CHECK(b.host.in(0).answer == Answer::nak);
    CHECK(b.host.out(0, some).answer == Answer::nak);
    CHECK(b.host.setup(other_setup, {}).answer == Answer::ack);
    CHECK(b.setup_packet() == Bytes(other_setup.begin(), other_setup.end()));
}

TEST_CASE("until a SETUP is seen, EP0_CTRL is deaf", "[usb]") {
    UsbBench b;
    REQUIRE(b.host.setup(get_device, {}).answer == Answer::ack);
    b.arm_ep0_in(some);
    b.write(TM_USB_EP0_CTRL, TM_USB_EP0_STALL);
    CHECK(b.host.in(0).answer == Answer::nak);
    b.take_events();
    b.arm_ep0_in(some);
    CHECK(b.host.in(0).data == some);
}

TEST_CASE("what is no whole SETUP packet is not answered and leaves the last one", "[usb]") {
    UsbBench b;
    REQUIRE(b.host.setup(get_device, {}).answer == Answer::ack);
    b.take_events();
    const auto send = [&](const Bytes& data, bool data1) {
        b.host.send(touchmove::wire::token_packet(Pid::setup, 0, 0));
        return b.host.await(b.host.send(touchmove::wire::data_packet(data1, data))).answer;
    };
    const Bytes whole(other_setup.begin(), other_setup.end());
    CHECK(send(whole, true) == Answer::none);
    CHECK(send(Bytes(7, 0x55), false) == Answer::none);
    CHECK(send(Bytes(9, 0x55), false) == Answer::none);
    CHECK(send(Bytes(64, 0x55), false) == Answer::none);
    CHECK(send({}, false) == Answer::none);
    CHECK(b.events() == 0);
    CHECK(b.setup_packet() == Bytes(get_device.begin(), get_device.end()));
}

TEST_CASE("endpoint 0 IN: NAK, the armed packet from DATA1 on, STALL", "[usb]") {
    UsbBench b;
    CHECK(b.host.in(0).answer == Answer::nak);
    REQUIRE(b.host.setup(get_device, {}).answer == Answer::ack);
    b.take_events();
    for (const std::size_t size : {64U, 1U, 8U, 0U, 63U}) {
        CAPTURE(size);
        b.arm_ep0_in(pattern(size));
        const Reply reply = b.host.in(0);
        REQUIRE(reply.answer == Answer::data);
        CHECK(reply.data == pattern(size));
        CHECK_FALSE(reply.repeated);
        CHECK(b.take_events() == TM_USB_EVENT_EP0_IN);
        CHECK(b.host.in(0).answer == Answer::nak);
    }
    b.write(TM_USB_EP0_CTRL, TM_USB_EP0_STALL);
    CHECK(b.host.in(0).answer == Answer::stall);
    CHECK(b.host.out(0, some).answer == Answer::stall);
    CHECK(b.events() == 0);
}

TEST_CASE("endpoint 0 OUT: taken once, repeated after a lost ACK, NAK while not armed", "[usb]") {
    UsbBench b;
    REQUIRE(b.host.setup(other_setup, {}).answer == Answer::ack);
    b.take_events();
    b.write(TM_USB_EP0_CTRL, TM_USB_EP0_ARM_OUT);
    CHECK(b.host.out(0, pattern(64), {.deaf = true}).answer == Answer::none);
    CHECK(b.take_events() == TM_USB_EVENT_EP0_OUT);
    // The host repeats: acknowledged and dropped (8.6.4)
    CHECK(b.host.out(0, some).answer == Answer::ack);
    CHECK(b.events() == 0);
    CHECK(b.out_packet(0) == pattern(64));
    CHECK(b.host.out(0, some).answer == Answer::nak);
    CHECK(b.out_packet(0) == pattern(64));
    b.write(TM_USB_EP0_CTRL, TM_USB_EP0_ARM_OUT);
    CHECK(b.host.out(0, some).answer == Answer::ack);
    CHECK(b.out_packet(0) == some);
    b.take_events();
    b.write(TM_USB_EP0_CTRL, TM_USB_EP0_ARM_OUT);
    CHECK(b.host.out(0, {}).answer == Answer::ack);
    CHECK(b.out_packet(0).empty());
}

TEST_CASE("endpoint 1 does not exist until it is enabled, endpoints 2 to 15 never", "[usb]") {
    UsbBench b;
    b.device.records = {record(0)};
    CHECK(b.host.in(1).answer == Answer::none);
    CHECK(b.host.out(1, some).answer == Answer::none);
    b.start_ep1();
    for (unsigned endpoint = 2; endpoint < 16; ++endpoint) {
        CAPTURE(endpoint);
        CHECK(b.host.in(endpoint).answer == Answer::none);
        CHECK(b.host.out(endpoint, some).answer == Answer::none);
    }
    // SETUP is for control endpoints
    b.host.send(touchmove::wire::token_packet(Pid::setup, 0, 1));
    const auto end = b.host.send(touchmove::wire::data_packet(false, get_device));
    CHECK(b.host.await(end).answer == Answer::none);
    CHECK(b.events() == 0);
    CHECK(b.host.in(1).answer == Answer::data);
}

TEST_CASE("endpoint 1 OUT: taken once, repeated, NAK, STALL, DATA0", "[usb]") {
    UsbBench b;
    b.start_ep1();
    CHECK(b.host.out(1, pattern(64)).answer == Answer::ack);
    CHECK(b.take_events() == TM_USB_EVENT_EP1_OUT);
    CHECK(b.out_packet(1) == pattern(64));
    CHECK(b.host.out(1, some).answer == Answer::nak);
    CHECK(b.out_packet(1) == pattern(64));
    b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_ARM_OUT);
    CHECK(b.host.out(1, some, {.deaf = true}).answer == Answer::none);
    CHECK(b.host.out(1, some).answer == Answer::ack);
    CHECK(b.take_events() == TM_USB_EVENT_EP1_OUT);
    CHECK(b.out_packet(1) == some);
    b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_HALT_OUT | TM_USB_EP1_ARM_OUT);
    CHECK(b.host.out(1, some).answer == Answer::stall);
    CHECK(b.events() == 0);
    // The end of a halt: DATA0 on both sides, and it was armed meanwhile
    b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_DATA0_OUT);
    b.host.toggle_out[1] = false;
    CHECK(b.host.out(1, pattern(3)).answer == Answer::ack);
    CHECK(b.out_packet(1) == pattern(3));
}

TEST_CASE("endpoint 1 IN: records leave with the next token, eight to a packet", "[usb]") {
    UsbBench b;
    b.start_ep1();
    CHECK(b.host.in(1).answer == Answer::nak);
    std::uint64_t sent = 0;
    for (const std::size_t count : {1U, 7U, 3U, 8U, 0U, 5U}) {
        CAPTURE(count);
        for (std::size_t i = 0; i < count; ++i)
            b.device.records.push_back(record(sent + i));
        b.host.idle(20);
        const Reply reply = b.host.in(1);
        REQUIRE(reply.answer == Answer::data);  // the empty one is owed after the full one
        CHECK(reply.data == record_bytes(sent, count));
        CHECK_FALSE(reply.repeated);
        sent += count;
    }
    CHECK(b.host.in(1).answer == Answer::nak);
    CHECK(b.events() == 0);
}

TEST_CASE("endpoint 1 IN takes two packets of records and no more", "[usb]") {
    UsbBench b;
    for (std::uint64_t i = 0; i < 40; ++i)
        b.device.records.push_back(record(i));
    b.host.idle(100);
    CHECK(b.device.records.size() == 40);
    b.start_ep1();
    b.host.idle(100);
    CHECK(b.device.records.size() == 24);
    // Given is not acknowledged: no room comes free
    CHECK(b.host.in(1, {.acknowledge = false}).data == record_bytes(0, 8));
    b.host.idle(100);
    CHECK(b.device.records.size() == 24);
    const Reply repeated = b.host.in(1);
    CHECK(repeated.repeated);
    CHECK(repeated.data == record_bytes(0, 8));
    b.host.idle(100);
    CHECK(b.device.records.size() == 16);
    for (std::uint64_t i = 8; i < 40; i += 8)
        CHECK(b.host.in(1).data == record_bytes(i, 8));
}

TEST_CASE("a packet whose ACK got lost is repeated as it was, whatever came since", "[usb]") {
    UsbBench b;
    b.start_ep1();
    for (const std::uint64_t first : {0U, 3U})
        b.device.records.push_back(record(first));
    b.device.records = {record(0), record(1), record(2)};
    b.host.idle(20);
    CHECK(b.host.in(1, {.acknowledge = false}).data == record_bytes(0, 3));
    for (std::uint64_t i = 3; i < 20; ++i)
        b.device.records.push_back(record(i));
    b.host.idle(100);
    for (int i = 0; i < 3; ++i) {
        const Reply reply = b.host.in(1, {.acknowledge = false});
        CHECK(reply.repeated);
        CHECK(reply.data == record_bytes(0, 3));
    }
    // Another device's transaction between
    b.host.send(touchmove::wire::token_packet(Pid::in, 77, 1));
    b.host.send(touchmove::wire::handshake_packet(Pid::ack));
    CHECK(b.host.in(1).repeated);
    CHECK(b.host.in(1).data == record_bytes(3, 8));
    // The empty packet after a full one likewise
    CHECK(b.host.in(1).data == record_bytes(11, 8));
    CHECK(b.host.in(1).data == record_bytes(19, 1));
    for (std::uint64_t i = 20; i < 28; ++i)
        b.device.records.push_back(record(i));
    b.host.idle(100);
    CHECK(b.host.in(1).data == record_bytes(20, 8));
    CHECK(b.host.in(1, {.acknowledge = false}).data.empty());
    b.device.records.push_back(record(28));
    b.host.idle(20);
    const Reply empty = b.host.in(1);
    CHECK(empty.answer == Answer::data);
    CHECK(empty.repeated);
    CHECK(empty.data.empty());
    CHECK(b.host.in(1).data == record_bytes(28, 1));
}

TEST_CASE("a halted endpoint 1 IN stalls; the end of the halt begins at DATA0", "[usb]") {
    UsbBench b;
    b.start_ep1();
    b.device.records = {record(0)};
    b.host.idle(20);
    CHECK(b.host.in(1).data == record_bytes(0, 1));  // the next is DATA1
    b.device.records = {record(1)};
    b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_HALT_IN);
    CHECK(b.host.in(1).answer == Answer::stall);
    CHECK(b.host.in(1).answer == Answer::stall);
    b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_DATA0_IN);
    b.host.toggle_in[1] = false;
    const Reply reply = b.host.in(1);
    CHECK(reply.data == record_bytes(1, 1));
    CHECK_FALSE(reply.repeated);
}

TEST_CASE("hold and flush empty the endpoint; what was given and not acknowledged is sent empty",
          "[usb]") {
    UsbBench b;
    b.start_ep1();
    const bool host_has_it = GENERATE(false, true);
    const bool given = GENERATE(false, true);
    for (std::uint64_t i = 0; i < 20; ++i)
        b.device.records.push_back(record(i));
    b.host.idle(100);
    if (given) {
        b.host.in(1, {.acknowledge = false, .deaf = !host_has_it});
    }
    b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_HOLD_IN | TM_USB_EP1_FLUSH_IN);
    b.host.idle(100);
    CHECK(b.device.records.size() == 4);
    b.device.records = {record(100)};
    b.host.idle(100);
    CHECK(b.device.records.size() == 1);
    b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE);
    b.host.idle(20);
    if (given) {
        const Reply reply = b.host.in(1);
        CHECK(reply.answer == Answer::data);
        CHECK(reply.repeated == host_has_it);
        CHECK(reply.data.empty());
    }
    const Reply reply = b.host.in(1);
    CHECK_FALSE(reply.repeated);
    CHECK(reply.data == record_bytes(100, 1));
}

TEST_CASE("EP1_CTRL waits for the end of a bulk IN transaction", "[usb]") {
    UsbBench b;
    b.start_ep1();
    for (std::uint64_t i = 0; i < 16; ++i)
        b.device.records.push_back(record(i));
    b.host.idle(100);
    // In the midst of the packet, from the side of the firmware
    unsigned clocks = 0;
    b.bus.on_clock([&] {
        if (!b.bus.pins().oe || ++clocks != 400) return;
        b.device.begin_write(TM_USB_EP1_CTRL,
                             TM_USB_EP1_ENABLE | TM_USB_EP1_HOLD_IN | TM_USB_EP1_FLUSH_IN);
    });
    const bool acknowledge = GENERATE(true, false);
    CHECK(b.host.in(1, {.acknowledge = acknowledge}).data == record_bytes(0, 8));
    b.host.idle(40);
    CHECK(clocks > 400);
    CHECK_FALSE(b.device.busy());
    b.bus.on_clock({});
    const Reply next = b.host.in(1);
    CHECK(next.answer == (acknowledge ? Answer::nak : Answer::data));
    CHECK(next.data.empty());
}

TEST_CASE("only its own address is answered", "[usb]") {
    UsbBench b;
    const unsigned mine = GENERATE(0U, 1U, 0x55U, 127U);
    b.write(TM_USB_ADDRESS, mine | TM_USB_CONNECT);
    for (unsigned address = 0; address < 128; ++address) {
        CAPTURE(mine, address);
        b.host.address = address;
        CHECK(b.host.in(0).answer == (address == mine ? Answer::nak : Answer::none));
    }
}

TEST_CASE("data and handshakes without a token of ours are not answered", "[usb]") {
    UsbBench b;
    b.start_ep1();
    const auto answer = [&](const Bytes& packet) {
        return b.host.await(b.host.send(packet)).answer;
    };
    using namespace touchmove::wire;
    CHECK(answer(data_packet(false, some)) == Answer::none);
    CHECK(answer(handshake_packet(Pid::ack)) == Answer::none);
    CHECK(answer(sof_packet(0x2A5)) == Answer::none);
    CHECK(answer(token_packet(Pid::pre, 0, 0)) == Answer::none);
    // An OUT for another device: its data are none of our business
    b.host.send(token_packet(Pid::out, 3, 1));
    CHECK(answer(data_packet(false, some)) == Answer::none);
    // A token of ours, then something else: it is over
    b.host.send(token_packet(Pid::out, 0, 1));
    b.host.send(sof_packet(1));
    CHECK(answer(data_packet(false, some)) == Answer::none);
    CHECK(b.events() == 0);
    CHECK(b.host.out(1, some).answer == Answer::ack);
}
