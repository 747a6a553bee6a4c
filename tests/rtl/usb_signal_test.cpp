// usb_signal_test.cpp - the USB device and the line: jitter, rates, turnaround, time-outs, resets
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/rtl/usb_bench.hpp"

using namespace touchmove::rtl_test;
using touchmove::wire::bit_fs;
using touchmove::wire::Fs;
using touchmove::wire::fs_per_ms;
using touchmove::wire::fs_per_ns;
using touchmove::wire::Line;

namespace {

Bytes noise(std::uint64_t seed, std::size_t size) {
    std::mt19937_64 random(seed);
    Bytes bytes(size);
    for (std::uint8_t& byte : bytes) {
        // Long runs without an edge are the hard case: half of the bytes are all ones
        byte = (random() & 1U) != 0 ? 0xFF : static_cast<std::uint8_t>(random());
    }
    return bytes;
}

// A packet each way, whole.
bool exchange(UsbBench& b, std::uint64_t seed, std::size_t size) {
    const Bytes data = noise(seed, size);
    b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_ARM_OUT);
    if (b.host.out(1, data).answer != Answer::ack || b.out_packet(1) != data) return false;
    b.device.records.push_back(record(seed));
    b.host.idle(20);
    return b.host.in(1).data == record_bytes(seed, 1);
}

}  // namespace

TEST_CASE("packets are understood at the limits of rate, jitter, skew and SE0", "[usb]") {
    UsbBench b;
    b.start_ep1();
    // 7.1.11: 0.25 %. 7.1.15.1: 18.5 ns to the next edge, so each may lie 9.25 ns off; skew and
    // length of SE0: table 7-9.
    b.host.signal.rate_error = GENERATE(-0.0025, 0.0, 0.0025);
    b.host.signal.jitter_ns = GENERATE(0.0, 4.0, 9.25);
    b.host.signal.skew_ns = GENERATE(0.0, 14.0);
    b.host.signal.end_ns = GENERATE(82.0, 160.0, 175.0);
    CAPTURE(b.host.signal.rate_error, b.host.signal.jitter_ns, b.host.signal.skew_ns,
            b.host.signal.end_ns);
    for (std::uint64_t i = 0; i < 40; ++i) {
        CAPTURE(i);
        REQUIRE(exchange(b, i, i % 4 == 0 ? 64 : i % 9));
    }
}

TEST_CASE("a rate that is far off is not understood: the test can fail", "[usb]") {
    UsbBench b;
    b.start_ep1();
    b.host.signal.rate_error = GENERATE(-0.08, 0.08);
    CHECK(b.host.out(1, Bytes(64, 0xFF)).answer == Answer::none);
}

TEST_CASE("the last bit may be stretched (7.1.9.1)", "[usb]") {
    UsbBench b;
    b.start_ep1();
    for (std::uint64_t i = 0; i < 50; ++i) {
        const Bytes data = noise(i, 9);
        b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_ARM_OUT);
        const Fault stretched = {.dribble_bits = 1};
        const Reply reply =
            b.host.out(1, data, {.token_fault = stretched, .data_fault = stretched});
        REQUIRE(reply.answer == Answer::ack);
        CHECK(b.out_packet(1) == data);
        b.device.records = {record(i)};
        b.host.idle(20);
        CHECK(b.host.in(1, {.ack_fault = stretched}).data == record_bytes(i, 1));
    }
}

TEST_CASE("an answer starts 2 to 6.5 bit times after the packet (7.1.18.1)", "[usb]") {
    UsbBench b;
    b.start_ep1();
    b.host.signal.rate_error = GENERATE(-0.0025, 0.0025);
    double least = 100, most = 0;
    const auto note = [&](const Reply& reply) {
        REQUIRE(reply.answer != Answer::none);
        least = std::min(least, reply.turnaround_bits);
        most = std::max(most, reply.turnaround_bits);
    };
    for (std::uint64_t i = 0; i < 300; ++i) {
        b.device.records = {record(i)};
        note(b.host.in(0));
        b.host.idle(20);
        note(b.host.in(1));
        note(b.host.out(0, {}));
        note(b.host.out(1, noise(i, i % 65)));
        note(b.host.setup(get_device, {}));
    }
    INFO("from " << least << " to " << most << " bit times");
    CHECK(least >= 2.0);
    CHECK(most <= 6.5);
    CHECK(most - least < 1.5);
}

TEST_CASE("ACK and data are waited for 16 bit times, not 18 (7.1.19.1)", "[usb]") {
    UsbBench b;
    b.start_ep1();
    for (std::uint64_t i = 0; i < 40; ++i) {
        CAPTURE(i);
        b.device.records = {record(i)};
        b.host.idle(20);
        // The host steps on for one bit, J, behind SE0: its idle counts from there
        b.host.signal.gap_bits = 15.9 - 1;
        Reply reply = b.host.in(1);
        REQUIRE(reply.data == record_bytes(i, 1));
        b.host.signal.gap_bits = 3;
        REQUIRE(b.host.in(1).answer == Answer::nak);  // the ACK was in time

        b.device.records = {record(i)};
        b.host.idle(20);
        b.host.signal.gap_bits = 18.1 - 1;
        reply = b.host.in(1);
        b.host.signal.gap_bits = 3;
        REQUIRE(b.host.in(1).repeated);  // it was not

        b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_ARM_OUT);
        const auto out = [&](double gap) {
            b.host.send(touchmove::wire::token_packet(Pid::out, 0, 1));
            b.host.signal.gap_bits = gap - 1;
            const Fs end = b.host.send(touchmove::wire::data_packet(b.host.toggle_out[1], {}));
            b.host.signal.gap_bits = 3;
            return b.host.await(end).answer;
        };
        REQUIRE(out(18.1) == Answer::none);
        REQUIRE(out(15.9) == Answer::ack);
        b.host.toggle_out[1] = !b.host.toggle_out[1];
    }
}

TEST_CASE("SE0 of 2.5 us is a reset only from 2.5 us on (7.1.7.5)", "[usb]") {
    UsbBench b;
    const Line before = GENERATE(Line::j, Line::k);
    const auto pulse = [&](double us) {
        b.write(TM_USB_ADDRESS, 9 | TM_USB_CONNECT);
        b.take_events();
        const Fs start = b.bus.now() + bit_fs;
        const Fs low = start + 6 * bit_fs;
        b.bus.plan(before, start, low);
        const Fs end = low + static_cast<Fs>(us * 1000 * static_cast<double>(fs_per_ns));
        b.bus.plan(Line::se0, low, end);
        b.bus.run_until(end + 20 * bit_fs);
        return b.take_events() == TM_USB_EVENT_RESET;
    };
    for (int i = 0; i < 20; ++i) {
        CAPTURE(i);
        CHECK_FALSE(pulse(1.33));  // two bits of low speed: the end of a resume (7.1.7.7)
        CHECK_FALSE(pulse(2.49));
        CHECK(pulse(4.0));
        b.host.idle(0.1 * i);
    }
}

TEST_CASE("a bus reset at any moment leaves a device at address 0, nothing armed", "[usb]") {
    // The reset begins so many bit times into an exchange.
    for (int at = 0; at < 330; at += 3) {
        CAPTURE(at);
        UsbBench b(static_cast<std::uint64_t>(at));
        b.start_ep1();
        b.write(TM_USB_ADDRESS, 9 | TM_USB_CONNECT);
        b.host.address = 9;
        for (std::uint64_t i = 0; i < 24; ++i)
            b.device.records.push_back(record(i));
        b.host.idle(100);
        const Fs start = b.bus.now() + at * bit_fs;
        const Fs end = start + fs_per_ms / 10;  // longer than any packet
        // The host breaks off; the device may still be driving
        const auto both = [&] {
            if (at % 2 == 0) {
                b.host.out(1, Bytes(16, 0xA5));
                b.host.in(1);
            } else {
                b.host.in(1);
                b.host.setup(get_device, {});
            }
        };
        b.bus.break_at(start, end);
        both();
        b.bus.run_until(end + 20 * bit_fs);
        REQUIRE((b.take_events() & TM_USB_EVENT_RESET) != 0);
        b.host.toggle_in = b.host.toggle_out = {};
        b.host.address = 9;
        CHECK(b.host.in(0).answer == Answer::none);
        b.host.address = 0;
        CHECK(b.host.in(0).answer == Answer::nak);
        CHECK(b.host.out(0, {}).answer == Answer::nak);
        CHECK(b.host.in(1).answer == Answer::none);
        CHECK(b.host.out(1, {}).answer == Answer::none);
        CHECK(b.host.setup(get_device, {}).answer == Answer::ack);
        CHECK(b.take_events() == TM_USB_EVENT_SETUP);
        // What the endpoint held is gone; what comes now begins at DATA0
        b.device.records = {record(100), record(101)};
        b.write(TM_USB_EP1_CTRL, TM_USB_EP1_ENABLE | TM_USB_EP1_ARM_OUT);
        b.host.idle(20);
        const Reply reply = b.host.in(1);
        CHECK(reply.data == record_bytes(100, 2));
        CHECK_FALSE(reply.repeated);
        CHECK(b.host.out(1, {}).answer == Answer::ack);
    }
}

TEST_CASE("a suspended device keeps everything, and goes on after a resume", "[usb]") {
    UsbBench b;
    b.start_ep1();
    b.write(TM_USB_ADDRESS, 9 | TM_USB_CONNECT);
    b.host.address = 9;
    b.device.records = {record(0), record(1)};
    b.host.idle(20);
    REQUIRE(b.host.in(1, {.acknowledge = false}).data == record_bytes(0, 2));
    b.host.start_of_frame();
    CHECK((b.read(TM_USB_EVENTS) & TM_USB_EVENT_ALIVE) != 0);
    b.write(TM_USB_EVENTS, TM_USB_EVENT_ALIVE);
    b.bus.run_for(4 * fs_per_ms);
    CHECK((b.read(TM_USB_EVENTS) & TM_USB_EVENT_ALIVE) == 0);
    // K for at least 20 ms (3 here), then the end of a packet of low speed (7.1.7.7)
    const Fs start = b.bus.now();
    b.bus.plan(Line::k, start, start + 3 * fs_per_ms);
    b.bus.plan(Line::se0, 0, start + 3 * fs_per_ms + 16 * bit_fs);
    b.bus.plan(Line::j, 0, start + 3 * fs_per_ms + 24 * bit_fs);
    b.bus.run_until(start + 3 * fs_per_ms + 100 * bit_fs);
    CHECK(b.read(TM_USB_EVENTS) == 0);
    CHECK_FALSE(b.bus.pins().oe);
    b.host.start_of_frame();
    const Reply reply = b.host.in(1);
    CHECK(reply.repeated);
    CHECK(reply.data == record_bytes(0, 2));
    CHECK(b.host.in(1).answer == Answer::nak);
}

TEST_CASE("nineteen full packets fit into a frame", "[usb]") {
    UsbBench b;
    b.start_ep1();
    for (std::uint64_t i = 0; i < 8 * 60; ++i)
        b.device.records.push_back(record(i));
    b.host.idle(100);
    b.host.signal.gap_bits = 2;
    std::uint64_t next = 0;
    for (int frame = 0; frame < 3; ++frame) {
        const Fs start = b.bus.now();
        b.host.start_of_frame();
        for (int i = 0; i < 19; ++i) {
            CAPTURE(frame, i);
            REQUIRE(b.host.in(1).data == record_bytes(next, 8));
            next += 8;
        }
        CHECK(b.bus.now() - start <= fs_per_ms);
        b.bus.run_until(start + fs_per_ms);
    }
}

TEST_CASE("endless K, SE0 and noise leave the device mute, and it recovers", "[usb]") {
    UsbBench b;
    b.start_ep1();
    std::mt19937_64 random(7);
    for (int i = 0; i < 30; ++i) {
        CAPTURE(i);
        Fs at = b.bus.now();
        for (int k = 0; k < 300; ++k) {
            const auto line = static_cast<Line>(1 + random() % 2);
            const Fs until = at + static_cast<Fs>(random() % (3 * bit_fs)) + 1;
            b.bus.plan(line, at, until);
            at = until;
        }
        b.bus.clear_changes();
        b.bus.run_until(at + 30 * bit_fs);
        CHECK(b.bus.changes().empty());
        CHECK(b.host.in(0).answer == Answer::nak);
    }
}
