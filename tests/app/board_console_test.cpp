// board_console_test.cpp - bring-up of a board: what it says of itself, settings, lamps, self-test
// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "host/app/board_report.hpp"
#include "host/app/sensor_watch.hpp"
#include "host/link/board_console.hpp"
#include "host/link/messages.hpp"
#include "sim/usbip/live_board.hpp"
#include "tests/sim/usbip/raw_client.hpp"

using namespace touchmove;
using namespace std::chrono_literals;
using app::SensorVerdict;
using app::SensorWatch;
using link::BoardConsole;

namespace {

constexpr unsigned a8 = 56, b2 = 9, d4 = 27, e2 = 12;

/// b2 is closed for good, d4 opens and closes each 3 ms, a man is set on e2 and lifted twice a
/// second, the first lever stays pressed; all other squares rest.
class Faults final : public device::Stimulus {
  public:
    device::BenchUs next_change_us() override { return next_; }
    void apply(device::ContactState& contacts) override {
        contacts.set(b2, true);
        contacts.set(d4, next_ / 3000 % 2 == 0);
        contacts.set(e2, next_ / 250'000 % 2 == 0);
        contacts.set(64, true);
        next_ += 3000;
    }

  private:
    device::BenchUs next_ = 0;
};

/// A simulated board behind its server, on a thread of its own as another process would be.
class Desk {
  public:
    explicit Desk(device::Stimulus& stimulus, unsigned lamps = 64)
        : board_(options(lamps), stimulus), server_({&board_}) {}

    [[nodiscard]] std::unique_ptr<BoardConsole> open() const {
        auto console = BoardConsole::open(uri());
        if (!console) FAIL(console.error().message());
        return std::move(*console);
    }
    [[nodiscard]] std::string uri() const {
        return "usbip://127.0.0.1:" + std::to_string(server_.port()) + "/1-1";
    }

  private:
    usbip::LiveBoard::Options options(unsigned lamps) {
        usbip::LiveBoard::Options o;
        o.device.flash = &flash_;
        o.device.serial = "TM-DESK";
        o.device.lamps = lamps;
        return o;
    }

    device::NorFlash flash_;
    usbip::LiveBoard board_;
    usbip_test::ServerFixture server_;
};

class Rest final : public device::Stimulus {
  public:
    device::BenchUs next_change_us() override { return device::never_us; }
    void apply(device::ContactState&) override {}
};

}  // namespace

TEST_CASE("a board is described in one line", "[app][console]") {
    Rest rest;
    const Desk desk(rest);
    const auto board = desk.open();
    CHECK(board->serial() == "TM-DESK");
    const auto text = app::describe(*board);
    REQUIRE(text);
    CHECK(*text ==
          "simulator, serial number TM-DESK, gateware 1.0, matrix, 11363 scans a second, queue of "
          "8192 records, session 1, 64 lamps");
}

TEST_CASE("settings are read, changed, refused whole, and kept", "[app][console]") {
    Rest rest;
    const Desk desk(rest);
    auto board = desk.open();
    auto settings = board->settings();
    REQUIRE(settings);
    CHECK(app::settings_text(*settings) ==
          "--settle-us 10 --lift-us 8000 --place-us 5000 --eager off --aux-invert 0");
    settings->lift_us = 12'000;
    settings->aux_invert = 3;
    REQUIRE(board->set_settings(*settings));
    settings->place_us = 0;
    const auto refused = board->set_settings(*settings);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == std::errc::broken_pipe);
    board.reset();
    const auto again = desk.open()->settings();
    REQUIRE(again);
    CHECK(app::settings_text(*again) ==
          "--settle-us 10 --lift-us 12000 --place-us 5000 --eager off --aux-invert 3");
}

TEST_CASE("lamps can be lit, on a board that has some", "[app][console]") {
    Rest rest;
    {
        const Desk desk(rest);
        CHECK(desk.open()->light(1));
    }
    const Desk dark(rest, 0);
    const auto refused = dark.open()->light(1);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == std::errc::broken_pipe);
}

TEST_CASE("a lamp that the board has not is named", "[app][console]") {
    using Names = std::vector<std::string>;
    CHECK(*app::lamps_of(Names{"a1", "h8"}, 64) == 0x8000000000000001);
    CHECK(*app::lamps_of(Names{"h1"}, 8) == 0x80);
    CHECK(app::lamps_of(Names{"e2"}, 8).error().message() ==
          "the board has 8 lamps, named a1 to h1: none for e2");
    CHECK(app::lamps_of(Names{"e9"}, 64).error().message() == "there is no square e9");
    CHECK(app::lamps_of(Names{"a1"}, 0).error().message() == "the board has no lamps");
}

TEST_CASE("one program at a time: the second is told so", "[app][console]") {
    Rest rest;
    const Desk desk(rest);
    const auto first = desk.open();
    const auto second = BoardConsole::open(desk.uri());
    CHECK_FALSE(second);
    CHECK(first->info());
}

TEST_CASE("the self-test names the stuck, the chattering and the untouched square",
          "[app][console]") {
    Faults faults;
    const Desk desk(faults);
    const auto board = desk.open();
    SensorWatch watch;
    for (int i = 0; i < 7; ++i) {
        if (i > 0) std::this_thread::sleep_for(SensorWatch::window);
        const auto report = board->sensors();
        REQUIRE(report);
        CHECK((report->samples == 0) == (i == 0));
        watch.take(*report);
    }
    CHECK(watch.verdict(b2) == SensorVerdict::stuck);
    CHECK(watch.verdict(d4) == SensorVerdict::chattering);
    CHECK(watch.verdict(e2) == SensorVerdict::good);
    CHECK(watch.verdict(a8) == SensorVerdict::untouched);
    CHECK(watch.verdict(64) == SensorVerdict::stuck);
    CHECK(watch.faulty());
    CHECK(watch.verdicts() ==
          " 8  . . . . . . . .\n"
          " 7  . . . . . . . .\n"
          " 6  . . . . . . . .\n"
          " 5  . . . . . . . .\n"
          " 4  . . . ! . . . .\n"
          " 3  . . . . . . . .\n"
          " 2  . X . . + . . .\n"
          " 1  . . . . . . . .\n"
          "    a b c d e f g h\n"
          "aux 0X 1. 2. 3. 4. 5. 6. 7.\n");
}

TEST_CASE("answers of another form are refused", "[app][console]") {
    const std::vector<std::uint8_t> name = {'b', 'x'}, odd = {'b', 0x1B}, none;
    CHECK(*link::decode_name(name) == "bx");
    CHECK_FALSE(link::decode_name(odd));  // no escape sequences on the user's terminal
    CHECK_FALSE(link::decode_name(none));
    const std::vector<std::uint8_t> report(TM_SENSOR_REPORT_BYTES + 1);
    CHECK(link::decode_sensors(std::span(report).first(TM_SENSOR_REPORT_BYTES)));
    CHECK_FALSE(link::decode_sensors(report));
    CHECK_FALSE(link::decode_sensors(std::span(report).first(TM_SENSOR_REPORT_BYTES - 1)));
    CHECK_FALSE(link::decode_settings(std::span(report).first(TM_SETTINGS_BYTES - 1)));
    CHECK(link::encode_lamps(0x0807060504030201)[7] == 8);
}

TEST_CASE("a board at rest is not faulty, and reads as it stands", "[app][console]") {
    SensorWatch watch;
    tm_sensor_report report{};
    watch.take(report);  // the watch begins: nothing is known
    CHECK_FALSE(watch.faulty());
    report.samples = 1000;
    watch.take(report);
    CHECK_FALSE(watch.faulty());
    report.raw[1] = 0x10;  // e2
    report.changes[e2] = 3;
    report.changes[d4] = SensorWatch::busy_changes;  // once: an accident
    watch.take(report);
    CHECK_FALSE(watch.faulty());
    CHECK(watch.picture().substr(7 * 20 - 20, 20) == " 2  . . . . # . . .\n");
    watch.take(report);
    CHECK(watch.verdict(d4) == SensorVerdict::chattering);
}
