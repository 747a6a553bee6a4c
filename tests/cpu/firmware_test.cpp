// firmware_test.cpp - the image on the core does what the same sources do natively
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "fw/tm_descriptors.h"
#include "sim/device/frontend_device.hpp"
#include "tests/cpu/soft_board.hpp"

namespace touchmove::cpu_test {
namespace {

using device::ControlReply;
using device::Setup;
using device::TransferStatus;

class Rest final : public device::Stimulus {
  public:
    device::BenchUs next_change_us() override { return device::never_us; }
    void apply(device::ContactState&) override {}
};

void start(SoftBoard& board) {
    for (int ms = 0; ms < 1000 && !board.running(); ++ms)
        board.run(24'000);
    REQUIRE_FALSE(board.halted());
    REQUIRE(board.running());
}

bool enumerate(SoftBoard& board) {
    board.usb.bus_reset();
    board.run(5000);
    return board.control({0, TM_USB_SET_ADDRESS, 9, 0, 0}).status == TransferStatus::ok &&
           board.control({0, TM_USB_SET_CONFIGURATION, TM_CONFIGURATION, 0, 0}).status ==
               TransferStatus::ok;
}

}  // namespace

TEST_CASE("the image comes up, starts the session and names the board as its flash says", "[cpu]") {
    device::NorFlash nor;
    nor.prepare_session(41);
    Rest rest;
    SoftBoard board(nor, rest, "TM-SOFT-7");
    start(board);
    CHECK(board.clocks() / SoftBoard::clocks_per_us < 150'000);  // us; an empty flash: 108 ms
    CHECK((board.frontend->read(TM_REG_CONTROL) & TM_CONTROL_RUN) != 0);
    REQUIRE(enumerate(board));
    CHECK(board.usb.address() == 9);
    const ControlReply info = board.control({0xC0, TM_REQ_INFO, 0, 0, TM_INFO_BYTES});
    REQUIRE(info.status == TransferStatus::ok);
    REQUIRE(info.data.size() == TM_INFO_BYTES);
    CHECK(info.data[4] == 41);
    const ControlReply serial = board.control(
        {0x80, TM_USB_GET_DESCRIPTOR, TM_DESC_STRING << 8 | TM_STRING_SERIAL, TM_LANGUAGE, 255});
    REQUIRE(serial.data.size() == 2 + 2 * 9);
    CHECK(serial.data[2] == 'T');
    CHECK(serial.data[18] == '7');
    CHECK(board.flash.refused() == 0);
}

TEST_CASE("a board without flash starts at once, wherever the line floats", "[cpu]") {
    const bool level = GENERATE(false, true);
    device::NorFlash nor;
    Rest rest;
    SoftBoard board(nor, rest, "");
    board.undriven = level;
    start(board);
    CHECK(board.clocks() / SoftBoard::clocks_per_us < 20'000);  // us
    REQUIRE(enumerate(board));
    const ControlReply info = board.control({0xC0, TM_REQ_INFO, 0, 0, TM_INFO_BYTES});
    REQUIRE(info.data.size() == TM_INFO_BYTES);
    CHECK(std::vector<std::uint8_t>(info.data.begin() + 4, info.data.begin() + 8) ==
          std::vector<std::uint8_t>(4, 0));  // session: to be named by the host
    const ControlReply named = board.control({0x40, TM_REQ_NAME_SESSION, 0, 0, 4}, {7, 0, 0, 0});
    CHECK(named.status == TransferStatus::ok);
}

TEST_CASE("every request gets from the core what it gets from the native build", "[cpu]") {
    device::NorFlash soft_nor, native_nor;
    Rest rest;
    SoftBoard soft(soft_nor, rest, "TM-SIM-1");
    start(soft);
    device::DeviceOptions options;
    options.flash = &native_nor;
    device::FrontendDevice native(options, rest);
    native.power_on();

    soft.usb.bus_reset();
    soft.run(5000);
    native.bus_reset();
    const std::vector<std::uint8_t> settings = {12, 0, 3, 0, 0x40, 0x1F, 0, 0, 0x88, 0x13, 0, 0};
    std::vector<std::pair<Setup, std::vector<std::uint8_t>>> requests;
    const auto ask = [&](std::uint8_t type, std::uint8_t request, int value, int index, int length,
                         std::vector<std::uint8_t> out = {}) {
        requests.push_back({{type, request, static_cast<std::uint16_t>(value),
                             static_cast<std::uint16_t>(index), static_cast<std::uint16_t>(length)},
                            std::move(out)});
    };
    for (const int length : {8, 18, 64, 255, 1024}) {
        for (const int what : {0x100, 0x200, 0x300, 0x301, 0x302, 0x303, 0x600, 0xF00}) {
            ask(0x80, TM_USB_GET_DESCRIPTOR, what, what > 0x300 && what < 0x400 ? TM_LANGUAGE : 0,
                length);
        }
    }
    ask(0, TM_USB_SET_ADDRESS, 5, 0, 0);
    ask(0, TM_USB_SET_CONFIGURATION, 1, 0, 0);
    for (int request = 0; request < 16; ++request) {
        for (const int type : {0x80, 0x81, 0x82, 0x00, 0x01, 0x02}) {
            if (request == TM_USB_SET_ADDRESS || request == 9) continue;
            ask(static_cast<std::uint8_t>(type), static_cast<std::uint8_t>(request), 0, 0x81,
                (type & 0x80) != 0 ? 2 : 0);
        }
    }
    ask(0xC0, TM_REQ_MS_OS_20, 0, 7, 1000);
    ask(0xC0, TM_REQ_GET_SETTINGS, 0, 0, TM_SETTINGS_BYTES);
    ask(0x40, TM_REQ_SET_SETTINGS, 0, 0, TM_SETTINGS_BYTES, settings);
    ask(0xC0, TM_REQ_GET_SETTINGS, 0, 0, TM_SETTINGS_BYTES);
    ask(0x40, TM_REQ_NAME_SESSION, 0, 0, 4, {1, 2, 3, 4});
    ask(0x40, TM_REQ_SNAPSHOT, 0, 0, 0);
    ask(0xC0, TM_REQ_BOARD_NAME, 0, 0, 64);
    ask(0xC0, TM_REQ_SENSORS, 0, 0, TM_SENSOR_REPORT_BYTES);  // the first one is empty
    ask(0x40, TM_REQ_LAMPS, 0, 0, TM_LAMPS_BYTES, {1, 2, 3, 4, 5, 6, 7, 8});
    ask(0x40, 0x7F, 0, 0, 0);
    for (const auto& [setup, out] : requests) {
        INFO("type " << int{setup.request_type} << " request " << int{setup.request} << " value "
                     << setup.value << " index " << setup.index << " length " << setup.length);
        const ControlReply got = soft.control(setup, out);
        const ControlReply expected = native.control(setup, out);
        REQUIRE(got.status == expected.status);
        REQUIRE(got.data == expected.data);
    }
    CHECK(soft.flash.refused() == 0);
    CHECK_FALSE(soft.halted());
    // image.ld keeps 512 bytes free
    INFO("stack: " << soft.stack_bytes() << " bytes");
    CHECK(soft.stack_bytes() > 64);
    CHECK(soft.stack_bytes() <= 448);
}

TEST_CASE("settings and session number outlive a power cut in the flash behind the SPI pins",
          "[cpu]") {
    device::NorFlash nor;
    Rest rest;
    const std::vector<std::uint8_t> settings = {14, 1, 5, 0, 0x10, 0x27, 0, 0, 0x10, 0x0E, 0, 0};
    {
        SoftBoard board(nor, rest, "");
        start(board);
        REQUIRE(enumerate(board));
        const ControlReply done =
            board.control({0x40, TM_REQ_SET_SETTINGS, 0, 0, TM_SETTINGS_BYTES}, settings);
        REQUIRE(done.status == TransferStatus::ok);
        board.run(200'000);
        CHECK(board.flash.refused() == 0);
    }
    SoftBoard board(nor, rest, "");
    start(board);
    REQUIRE(enumerate(board));
    CHECK(board.control({0xC0, TM_REQ_GET_SETTINGS, 0, 0, TM_SETTINGS_BYTES}).data == settings);
    const ControlReply info = board.control({0xC0, TM_REQ_INFO, 0, 0, TM_INFO_BYTES});
    REQUIRE(info.data.size() == TM_INFO_BYTES);
    CHECK(info.data[4] == 2);
}

TEST_CASE("bulk acknowledgements reach the queue through the core", "[cpu]") {
    device::NorFlash nor;
    nor.prepare_session(7);
    Rest rest;
    SoftBoard board(nor, rest, "");
    start(board);
    REQUIRE(enumerate(board));
    device::Packet packet;
    for (int ms = 0; ms < 100 && board.usb.ep1_in(packet) != device::Handshake::ack; ++ms) {
        board.run(24'000);
    }
    REQUIRE(packet.size >= TM_RECORD_BYTES);
    const auto before = board.frontend->read(TM_REG_QUEUE) >> 16;
    CHECK(before == 0xFFFF);
    const std::vector<std::uint8_t> ack = {TM_OUT_ACK, 0, 0, 0, 7, 0, 0, 0};
    REQUIRE(board.usb.ep1_out(ack) == device::Handshake::ack);
    board.run(24'000);
    CHECK(board.frontend->read(TM_REG_QUEUE) >> 16 == 0);
}

TEST_CASE("the loop on the core meets every input, and counts what each does", "[cpu]") {
    // b1 closed for good; in each rank one square, and the aux input 7, change each 5 ms
    class Faults final : public device::Stimulus {
      public:
        device::BenchUs next_change_us() override { return next_; }
        void apply(device::ContactState& contacts) override {
            contacts.set(1, true);
            for (unsigned rank = 0; rank < 8; ++rank)
                contacts.set(9 * rank, next_ / 5000 % 2 == 0);
            contacts.set(71, next_ / 5000 % 2 == 0);
            next_ += 5000;
        }

      private:
        device::BenchUs next_ = 0;
    } faults;
    device::NorFlash nor;
    SoftBoard board(nor, faults, "");
    start(board);
    REQUIRE(enumerate(board));
    const Setup report{0xC0, TM_REQ_SENSORS, 0, 0, TM_SENSOR_REPORT_BYTES};
    const ControlReply first = board.control(report);
    REQUIRE(first.data.size() == TM_SENSOR_REPORT_BYTES);
    CHECK(first.data == std::vector<std::uint8_t>(TM_SENSOR_REPORT_BYTES));
    const auto from = board.clocks();
    while (board.clocks() - from < 24 * 250'000) board.run(24'000);
    const std::vector<std::uint8_t> data = board.control(report).data;
    REQUIRE(data.size() == TM_SENSOR_REPORT_BYTES);
    const unsigned samples = data[0] | data[1] << 8;
    INFO("groups read in 250 ms: " << samples);
    CHECK(samples > 9 * 150);  // each group at least once in 1.7 ms, on average
    CHECK((data[2] >> 1 & 1) == 1);
    for (unsigned i = 0; i < 72; ++i) {
        const unsigned changes = data[12 + i];
        INFO("input " << i << ": " << changes << " changes of 50");
        const bool changing = i == 71 || (i < 64 && i % 9 == 0);
        CHECK(changes >= (changing ? 35 : 0));
        CHECK(changes <= (changing ? 52 : 0));
    }
    CHECK(board.stack_bytes() <= 448);
}

TEST_CASE("lamps are lit as asked for through the chain, and dark before and after", "[cpu]") {
    device::NorFlash nor;
    Rest rest;
    SoftBoard board(nor, rest, "");
    board.lamps_kind = TM_SOC_LAMPS_CHAIN;
    start(board);
    REQUIRE(enumerate(board));
    CHECK(board.control({0xC0, TM_REQ_INFO, 0, 0, TM_INFO_BYTES}).data.at(18) == 64);
    const std::vector<std::uint8_t> lamps = {0x01, 0x80, 0, 0, 0x55, 0xAA, 0, 0xC0};
    REQUIRE_FALSE(board.chain.ever_lit);
    REQUIRE(board.control({0x40, TM_REQ_LAMPS, 0, 0, TM_LAMPS_BYTES}, lamps).status ==
            TransferStatus::ok);
    board.run(240'000);
    CHECK(board.chain.lit() == 0xC000'AA55'0000'8001);
    board.usb.bus_reset();
    board.run(240'000);
    CHECK(board.chain.lit() == 0);
}

TEST_CASE("eight lamps have an output each; what a board has not is not written to", "[cpu]") {
    const bool any = GENERATE(true, false);
    device::NorFlash nor;
    Rest rest;
    SoftBoard board(nor, rest, "");
    if (any) board.lamps_kind = TM_SOC_LAMPS_EIGHT;
    start(board);
    REQUIRE(enumerate(board));
    CHECK(board.control({0xC0, TM_REQ_INFO, 0, 0, TM_INFO_BYTES}).data.at(18) == (any ? 8 : 0));
    CHECK(board.lamp_pins == 0);
    const std::vector<std::uint8_t> lamps = {0xA5, 0xFF, 0, 0, 0, 0, 0, 0};
    const ControlReply reply = board.control({0x40, TM_REQ_LAMPS, 0, 0, TM_LAMPS_BYTES}, lamps);
    CHECK(reply.status == (any ? TransferStatus::ok : TransferStatus::stall));
    CHECK(board.lamp_pins == (any ? 0xA5 : 0));
}

}  // namespace touchmove::cpu_test
