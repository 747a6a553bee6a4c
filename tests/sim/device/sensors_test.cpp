// sensors_test.cpp - what a board says of itself for bring-up: name, raw inputs, lamps
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>

#include "tests/sim/device/device_fixture.hpp"

using namespace touchmove::device_test;

namespace {

constexpr unsigned b2 = 9, d4 = 27, e2 = 12, g7 = 54, lever = 64;

struct Report {
    unsigned samples = 0;
    std::array<std::uint8_t, TM_SENSOR_GROUPS> raw{};
    std::array<std::uint8_t, contact_count> changes{};
};

Report ask_sensors(UsbDevice& device) {
    const ControlReply reply = device.control({0xC0, TM_REQ_SENSORS, 0, 0, 255});
    REQUIRE(reply.status == TransferStatus::ok);
    REQUIRE(reply.data.size() == TM_SENSOR_REPORT_BYTES);
    const std::uint8_t* b = reply.data.data();
    Report report;
    report.samples = tm_get16(b);
    std::copy_n(b + 2, TM_SENSOR_GROUPS, report.raw.begin());
    CHECK(b[11] == 0);
    std::copy_n(b + 12, contact_count, report.changes.begin());
    return report;
}

DeviceOptions options(SensorStyle style) {
    DeviceOptions o;
    o.style = style;
    o.lamps = 64;
    return o;
}

}  // namespace

TEST_CASE("the board tells its name and its lamps", "[sim][device]") {
    Script script;
    FrontendDevice device(options(SensorStyle::matrix), script);
    device.power_on();
    REQUIRE(device.enumerate());
    const Bytes name = device.control({0xC0, TM_REQ_BOARD_NAME, 0, 0, 64}).data;
    CHECK(std::string(name.begin(), name.end()) == "simulator");
    CHECK(device.control({0xC0, TM_REQ_INFO, 0, 0, TM_INFO_BYTES}).data.at(18) == 64);
}

TEST_CASE("a stuck square, a chattering one and one that never changed are told apart",
          "[sim][device]") {
    const auto style = GENERATE(SensorStyle::matrix, SensorStyle::chain);
    Script script;
    script.add({0, b2, true});  // stuck
    // A man visits e2 and the lever is pressed; d4 comes and goes each 2 ms; g7 is never visited
    bool closed = false;
    for (BenchUs t = 100'000; t < 400'000; t += 2000) {
        script.add({t, d4, closed = !closed});
        if (t == 150'000) script.add({t, e2, true});
        if (t == 250'000) script.add({t, e2, false});
        if (t == 300'000) script.add({t, lever, true});
    }
    FrontendDevice device(options(style), script);
    device.power_on();
    REQUIRE(device.enumerate());
    CHECK(ask_sensors(device).samples == 0);  // the watch begins
    const Bytes before = read_until(device, 99'000);
    const Report still = ask_sensors(device);
    CHECK(still.samples > 900);
    CHECK(still.changes == std::array<std::uint8_t, contact_count>{});
    (void)read_until(device, 410'000);
    const Report report = ask_sensors(device);
    CHECK(report.samples > 3000);
    CHECK(int{report.changes[b2]} == 0);
    CHECK((report.raw[b2 / 8] >> b2 % 8 & 1) == 1);
    CHECK(int{report.changes[d4]} > 100);
    CHECK(int{report.changes[d4]} <= 150);
    CHECK(int{report.changes[e2]} == 2);
    CHECK((report.raw[e2 / 8] >> e2 % 8 & 1) == 0);
    CHECK(int{report.changes[g7]} == 0);
    CHECK((report.raw[g7 / 8] >> g7 % 8 & 1) == 0);
    CHECK(int{report.changes[lever]} == 1);
    CHECK(int{report.raw[8]} == 1);
    for (unsigned i = 0; i < contact_count; ++i) {
        if (i != d4 && i != e2 && i != lever) CHECK(int{report.changes[i]} == 0);
    }
    // Nobody asks for seconds: the watch is over, and the next report begins another
    device.run_until(device.now() + 5'000'000);
    CHECK(ask_sensors(device).samples == 0);
    device.run_until(device.now() + 10'000);
    CHECK(ask_sensors(device).samples > 0);
    // Counted anew, and only while a configured device is asked
    CHECK(ask_sensors(device).changes == std::array<std::uint8_t, contact_count>{});
    device.bus_reset();
    CHECK(device.control({0xC0, TM_REQ_SENSORS, 0, 0, 255}).status == TransferStatus::stall);
}

TEST_CASE("a watch of the sensors changes no record", "[sim][device]") {
    const auto run = [](bool watched) {
        Script script(start_squares);
        for (BenchUs t = 100'000; t < 300'000; t += 30'000) {
            script.add({t, e2, t / 30'000 % 2 == 0});
        }
        FrontendDevice device(options(SensorStyle::matrix), script);
        device.power_on();
        REQUIRE(device.enumerate());
        if (watched) (void)ask_sensors(device);
        return read_until(device, 400'000);
    };
    CHECK(run(false) == run(true));
}

TEST_CASE("lamps: only what the host asks for, while it has configured the board",
          "[sim][device]") {
    Script script;
    FrontendDevice device(options(SensorStyle::matrix), script);
    device.power_on();
    const Bytes e2_e4 = {0, 0x10, 0, 0x10, 0, 0, 0, 0};
    REQUIRE(device.enumerate());
    CHECK(device.lamps() == 0);
    REQUIRE(accepts(device, TM_REQ_LAMPS, e2_e4));
    CHECK(device.lamps() == 0x1000'1000);
    CHECK_FALSE(accepts(device, TM_REQ_LAMPS, {1, 2, 3}));
    CHECK(device.lamps() == 0x1000'1000);
    SECTION("a bus reset") { device.bus_reset(); }
    SECTION("another configuration") {
        REQUIRE(device.control({0, 9, 0, 0, 0}).status == TransferStatus::ok);
        CHECK_FALSE(accepts(device, TM_REQ_LAMPS, e2_e4));
    }
    SECTION("no power") {
        device.power_cut();
        device.power_on();
    }
    SECTION("put out") { REQUIRE(accepts(device, TM_REQ_LAMPS, Bytes(8))); }
    CHECK(device.lamps() == 0);
}

TEST_CASE("a board without lamps refuses them", "[sim][device]") {
    Script script;
    DeviceOptions none;
    FrontendDevice device(none, script);
    device.power_on();
    REQUIRE(device.enumerate());
    CHECK_FALSE(accepts(device, TM_REQ_LAMPS, Bytes(8)));
    CHECK(device.control({0xC0, TM_REQ_INFO, 0, 0, TM_INFO_BYTES}).data.at(18) == 0);
}
