// soc_usb_test.cpp - the whole chip as a USB device: requests, records, power, cable
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "fw/regs.h"
#include "fw/tm_descriptors.h"
#include "tests/fw/chapter_9.hpp"
#include "tests/sim/device/soc_fixture.hpp"

using namespace touchmove::device_test;
namespace fw_test = touchmove::fw_test;
namespace wire = touchmove::wire;

namespace {

constexpr unsigned e2 = 12;
constexpr tm_usb_state all_states[] = {TM_USB_DEFAULT, TM_USB_ADDRESSED, TM_USB_CONFIGURED};
constexpr std::uint8_t address = 5;

struct Bench {
    explicit Bench(SensorStyle style = SensorStyle::matrix)
        : device(options_for(style, flash), script) {
        start(device);
    }
    Script script{start_squares};
    NorFlash flash;
    SocDevice device;
};

bool done(SocDevice& device, const Setup& setup) {
    return device.control(setup).status == TransferStatus::ok;
}

/// By a bus reset that is as short as any.
void enter(SocDevice& device, tm_usb_state state) {
    device.host().bus_reset(wire::fs_per_ms / 10);
    if (state != TM_USB_DEFAULT) REQUIRE(done(device, {0, TM_USB_SET_ADDRESS, address, 0, 0}));
    if (state == TM_USB_CONFIGURED)
        REQUIRE(done(device, {0, TM_USB_SET_CONFIGURATION, TM_CONFIGURATION, 0, 0}));
}

}  // namespace

TEST_CASE("chapter 9 over the wires: each request in each state", "[sim][soc]") {
    Bench bench;
    SocDevice& device = bench.device;
    device.bus_reset();
    for (const tm_usb_state state : all_states) {
        for (const fw_test::Case& c : fw_test::chapter_9) {
            enter(device, state);
            INFO(c.what << ", state " << state);
            const Bytes out(c.setup.is_in() ? 0 : c.setup.length, 0xA5);
            const TransferStatus expected =
                legal_in(c, state) ? TransferStatus::ok : TransferStatus::stall;
            const BenchUs asked = device.now();
            CHECK(device.control(c.setup, out).status == expected);
            // A kernel waits 5 s; SET_ADDRESS has 2 ms of rest behind it.
            CHECK(device.now() - asked < 5'000);
            // Whatever it was, the next request is heard.
            CHECK(device.control({0x80, TM_USB_GET_DESCRIPTOR, 0x0100, 0, 18}).data.size() == 18);
        }
        // Vendor requests need an address.
        enter(device, state);
        CHECK(done(device, {0xC0, TM_REQ_TIME, 0, 0, 8}) == (state != TM_USB_DEFAULT));
        CHECK(done(device, {0x40, TM_REQ_SNAPSHOT, 0, 0, 0}) == (state != TM_USB_DEFAULT));
    }
    CHECK(device.host().bus().collisions() == 0);
}

TEST_CASE("the address counts from the end of its status stage", "[sim][soc]") {
    Bench bench;
    SocDevice& device = bench.device;
    device.bus_reset();
    wire::Host& host = device.host();
    const Setup setup{0, TM_USB_SET_ADDRESS, 42, 0, 0};
    REQUIRE(host.setup(setup.bytes(), {}).answer == wire::Answer::ack);
    host.idle(5000);
    // The status stage still goes to the old address (9.4.6).
    host.address = 42;
    CHECK(host.in(0).answer == wire::Answer::none);
    host.address = 0;
    REQUIRE(host.in(0).answer == wire::Answer::data);
    // 2 ms are granted (9.2.6.3).
    device.run_until(device.now() + 2000);
    CHECK(host.in(0).answer == wire::Answer::none);
    host.address = 42;
    CHECK(host.in(0).answer == wire::Answer::nak);
}

TEST_CASE("a record leaves on the first IN token after it was accepted", "[sim][soc]") {
    constexpr int changes = 12;
    Bench bench;
    SocDevice& device = bench.device;
    const auto add = [](Script& script, BenchUs from) {
        for (int i = 0; i < changes; ++i)
            script.add({from + i * 40'123, e2, i % 2 != 0});
    };
    constexpr BenchUs first = 250'000;
    // When it is accepted is learnt from the model in which transactions take no time.
    Script twin_script(start_squares);
    NorFlash twin_flash;
    FrontendDevice twin(options_for(SensorStyle::matrix, twin_flash), twin_script);
    twin.power_on();
    REQUIRE(twin.enumerate());
    add(twin_script, twin.session_zero() + first);
    std::vector<BenchUs> accepted;
    Packet packet;
    while (accepted.size() < changes && twin.now() < first + changes * 50'000) {
        twin.run_until(twin.now() + 1);
        while (twin.bulk_in(packet) == Handshake::ack) {
            for (const Record& r : records_in({packet.view().begin(), packet.view().end()})) {
                if (r.kind == TM_KIND_LIFT || r.kind == TM_KIND_PLACE)
                    accepted.push_back(twin.now() - twin.session_zero());
            }
        }
    }
    REQUIRE(accepted.size() == changes);

    REQUIRE(device.enumerate());
    add(bench.script, device.session_zero() + first);
    const auto moves_read = [&] {
        int found = 0;
        while (device.bulk_in(packet) == Handshake::ack) {
            for (const Record& r : records_in({packet.view().begin(), packet.view().end()}))
                found += r.kind == TM_KIND_LIFT || r.kind == TM_KIND_PLACE;
        }
        return found;
    };
    device.host().frames(false);  // which would keep a token waiting
    for (const BenchUs at : accepted) {
        REQUIRE(
            records_in(without_watermarks(read_until(device, device.session_zero() + at - 5'000)))
                .size() <= 5);
        // There the queue takes 6 us where it takes 6 clocks here; a packet that is no record, and
        // the NAK behind it, take 17 us.
        device.run_until(device.session_zero() + at - 40);
        REQUIRE(moves_read() == 0);
        device.run_until(device.session_zero() + at);
        CHECK(moves_read() == 1);
    }
}

TEST_CASE("19 packets of bulk IN fit into a frame", "[sim][soc]") {
    Bench bench;
    SocDevice& device = bench.device;
    constexpr int rounds = 26, frames = 10;
    BenchUs at = device.now();
    for (int round = 0; round < rounds; ++round) {
        at += 25'000;
        for (unsigned square = 0; square < square_count; ++square)
            bench.script.add(
                {at, square,
                 (start_squares >> square & 1U) != 0 ? round % 2 != 0 : round % 2 == 0});
    }
    device.run_until(at + 30'000);
    REQUIRE(device.enumerate());
    wire::Host& host = device.host();
    const wire::Fs end = host.bus().now() + frames * wire::fs_per_ms;
    int packets = 0;
    std::uint16_t seq = 0;
    while (host.bus().now() < end) {
        const wire::Reply reply = host.in(1);
        REQUIRE(reply.answer == wire::Answer::data);
        REQUIRE_FALSE(reply.repeated);
        REQUIRE(reply.data.size() == TM_PACKET_BYTES);
        for (const Record& r : records_in(reply.data))
            REQUIRE(r.seq == seq++);
        ++packets;
    }
    // The interval need not begin with a frame.
    CHECK(packets >= 19 * frames - 1);
    CHECK(packets <= 19 * frames + 1);
}

TEST_CASE("a board of its own supply lets go of the bus without VBUS, and loses nothing",
          "[sim][soc]") {
    Bench bench;
    SocDevice& device = bench.device;
    REQUIRE(device.enumerate());
    Bytes got = read_until(device, device.now() + 20'000);
    device.detach();
    CHECK_FALSE(device.host().bus().pins().pullup);
    CHECK(device.bulk_in_state() == Handshake::no_reply);
    CHECK(device.control({0x80, TM_USB_GET_DESCRIPTOR, 0x0100, 0, 18}).status ==
          TransferStatus::timed_out);
    bench.script.add({device.now() + 10'000, e2, false});
    device.run_until(device.now() + 50'000);
    REQUIRE(device.enumerate());
    REQUIRE(resume(device, 1, 5));
    const auto records = records_in(without_watermarks(read_until(device, device.now() + 20'000)));
    REQUIRE(records.size() == 1);
    CHECK(records[0].kind == TM_KIND_LIFT);
    CHECK(records[0].seq == 5);
    CHECK(records_in(without_watermarks(got)).size() == 5);
}

TEST_CASE("a suspended device goes on scanning, and resumes as it was", "[sim][soc]") {
    Bench bench;
    SocDevice& device = bench.device;
    REQUIRE(device.enumerate());
    (void)read_until(device, device.now() + 20'000);
    device.host().frames(false);
    bench.script.add({device.now() + 30'000, e2, false});
    device.run_until(device.now() + 60'000);
    // K for 20 ms, as a hub drives it to resume (7.1.7.7), and its end
    wire::Bus& bus = device.host().bus();
    const wire::Fs resumed = bus.now() + 20 * wire::fs_per_ms;
    bus.plan(wire::Line::k, bus.now(), resumed);
    bus.plan(wire::Line::se0, resumed, resumed + 16 * wire::bit_fs);
    device.run_until(device.now() + 20'010);
    device.host().frames(true);
    CHECK(device.control({0x80, TM_USB_GET_CONFIGURATION, 0, 0, 1}).data == Bytes{1});
    const auto records = records_in(without_watermarks(read_until(device, device.now() + 5'000)));
    REQUIRE(records.size() == 1);
    CHECK(records[0].kind == TM_KIND_LIFT);
}

TEST_CASE("the device tells what feeds the board, and its flash may be missing", "[sim][soc]") {
    for (const bool self_powered : {false, true}) {
        Script script;
        DeviceOptions options;
        options.self_powered = self_powered;  // and no flash: no number, nothing kept
        SocDevice device(options, script);
        start(device);
        REQUIRE(device.enumerate());
        CHECK(device.control({0x80, TM_USB_GET_STATUS, 0, 0, 2}).data == Bytes{self_powered, 0});
        CHECK(ask_info(device)->session == 0);
        // Without VBUS of its own to sense, the pull-up stays.
        device.detach();
        CHECK(device.host().bus().pins().pullup != self_powered);
        REQUIRE(device.enumerate());
        CHECK(accepts(device, TM_REQ_NAME_SESSION, le32(9)));
        CHECK(ask_info(device)->session == 9);
    }
}

TEST_CASE("a power cut starts a session with the next number, and settings are kept",
          "[sim][soc]") {
    Bench bench;
    SocDevice& device = bench.device;
    REQUIRE(device.enumerate());
    const Bytes settings = Bytes{20, 0, 0, 0} + le32(5'000) + le32(3'000);
    REQUIRE(accepts(device, TM_REQ_SET_SETTINGS, settings));
    device.run_until(device.now() + 20'000);
    CHECK(ask_info(device)->session == 1);
    device.power_cut();
    CHECK(device.bulk_in_state() == Handshake::no_reply);
    device.run_until(device.now() + 5'000);
    start(device);
    REQUIRE(device.enumerate());
    CHECK(ask_info(device)->session == 2);
    CHECK(ask_info(device)->frame_us == TM_FRAME_US(20));
    CHECK(device.control({0xC0, TM_REQ_GET_SETTINGS, 0, 0, 64}).data == settings);
    CHECK(device.soc().flash_refused() == 0);
}
