// soc_device_test.cpp - the whole chip on its wires: what may be left out, what must be the same
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "fw/regs.h"
#include "tests/sim/device/soc_fixture.hpp"

using namespace touchmove::device_test;

namespace {

/// Contacts that change and bounce at random, from `from` on; bounces are up to 2 ms apart.
void add_random(Script& script, std::mt19937& random, BenchUs from, int changes) {
    BenchUs at = from;
    std::array<bool, contact_count> level{};
    for (int i = 0; i < changes; ++i) {
        const auto contact = static_cast<unsigned>(random() % contact_count);
        const auto bounces = static_cast<unsigned>(random() % 5);
        for (unsigned k = 0; k <= 2 * bounces; ++k) {
            level[contact] = !level[contact];
            script.add({at, contact, level[contact]});
            at += static_cast<BenchUs>(random() % (random() % 8 == 0 ? 2000 : 150)) + 1;
        }
        at += static_cast<BenchUs>(random() % 12'000);
    }
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A run of which everything is kept that can be seen from outside.
struct Seen {
    std::string wires;
    Bytes records;
    BenchUs session_zero = 0, end = 0;
    bool configured = false;
};

Seen busy_run(SensorStyle style, bool rests, unsigned seed) {
    const auto file = std::filesystem::temp_directory_path() / "touchmove_soc_wires.vcd";
    std::mt19937 random(seed);
    Script script(start_squares);
    NorFlash flash;
    flash.prepare_session(7);
    DeviceOptions options = options_for(style, flash);
    options.rests = rests;
    options.usb_rate_error = 0.002;
    options.usb_jitter_ns = 5;
    options.usb_seed = seed;
    Seen seen;
    {
        SocDevice device(options, script);
        device.host().bus().trace(file.string());
        start(device);
        seen.session_zero = device.session_zero();
        add_random(script, random, device.now() + 100, 12);
        seen.configured = device.enumerate();
        Packet packet;
        for (int i = 0; i < 40; ++i) {
            device.run_until(device.now() + static_cast<BenchUs>(random() % 3000));
            switch (random() % 6) {
                case 0:
                    (void)device.control({0xC0, TM_REQ_TIME, 0, 0, 8});
                    break;
                case 1:
                    (void)device.control({0x80, 6, 0x0300 | 3, 0x0409, 255});
                    break;
                case 2:
                    (void)device.bulk_out(Bytes(8, 0x55));
                    break;
                case 3:
                    (void)device.control({0x40, TM_REQ_SNAPSHOT, 0, 0, 0});
                    break;
                default:
                    break;
            }
            while (device.bulk_in(packet) == Handshake::ack)
                seen.records.insert(seen.records.end(), packet.view().begin(), packet.view().end());
        }
        device.detach();
        device.run_until(device.now() + 1000);
        seen.end = device.now();
    }
    seen.wires = text_of(file);
    std::filesystem::remove(file);
    return seen;
}

}  // namespace

TEST_CASE("clocks left out while the chip rests change nothing on its wires", "[sim][soc]") {
    const auto style = GENERATE(SensorStyle::matrix, SensorStyle::chain);
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    const Seen fast = busy_run(style, true, seed);
    const Seen whole = busy_run(style, false, seed);
    REQUIRE(fast.configured);
    REQUIRE(fast.wires.size() > 100'000);
    CHECK(fast.session_zero == whole.session_zero);
    CHECK(fast.end == whole.end);
    CHECK((fast.records == whole.records));
    CHECK(fast.records.size() > 20 * TM_RECORD_BYTES);
    CHECK((fast.wires == whole.wires));  // every edge, to the nanosecond
}

TEST_CASE("frontend and whole chip give the same records, byte for byte", "[sim][soc]") {
    const auto style = GENERATE(SensorStyle::matrix, SensorStyle::chain);
    const bool eager = GENERATE(false, true);
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    constexpr BenchUs first = 300'000;  // after the start of the session
    const Bytes settings =
        Bytes{TM_DEFAULT_SETTLE_US, std::uint8_t{eager}, 0x05, 0} + le32(4'000) + le32(3'000);
    // Both find the same settings in their flash, start their session with the same contacts, and
    // hear the same story from there on.
    NorFlash soc_flash, frontend_flash;
    for (NorFlash* flash : {&soc_flash, &frontend_flash}) {
        Script nothing;
        FrontendDevice before(options_for(style, *flash), nothing);
        before.power_on();
        REQUIRE(before.enumerate());
        REQUIRE(accepts(before, TM_REQ_SET_SETTINGS, settings));
    }
    const auto records = [&](UsbDevice& device, Script& script) {
        std::mt19937 random(seed);
        add_random(script, random, device.session_zero() + first, 150);
        REQUIRE(device.enumerate());
        REQUIRE(device.now() < device.session_zero() + first);
        return without_watermarks(read_until(device, device.session_zero() + first + 1'500'000));
    };
    Script soc_script(start_squares), frontend_script(start_squares);
    SocDevice soc(options_for(style, soc_flash), soc_script);
    start(soc);
    FrontendDevice frontend(options_for(style, frontend_flash), frontend_script);
    frontend.power_on();
    const Bytes from_soc = records(soc, soc_script);
    const Bytes from_frontend = records(frontend, frontend_script);
    REQUIRE(from_frontend.size() > 100 * TM_RECORD_BYTES);
    CHECK((from_soc == from_frontend));
    CHECK(soc.host().bus().collisions() == 0);
    CHECK(soc.soc().flash_refused() == 0);
}
