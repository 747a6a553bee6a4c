// libusb_test.cpp - the real libusb against an emulated board: hotplug, halts, losses, cancels
// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <functional>

#include "host/link/board_link.hpp"
#include "host/link/link_libusb.hpp"
#include "test_sink.hpp"
#include "usbfs_model.hpp"

using namespace touchmove;
using namespace touchmove::link;
using namespace touchmove::link::test;
using namespace std::chrono_literals;

namespace {

struct Bench {
    ModelDevice device{5, 0, 0};
    UsbfsModel usb{device};
    boost::asio::io_context loop;
    UsbTuning tuning{};
    std::unique_ptr<UsbHost> host;
    std::unique_ptr<BoardOpener> opener;
    std::optional<Result<OpenedBoard>> opened;

    void make_host() {
        auto made = UsbHost::create(loop.get_executor(), tuning);
        REQUIRE(made);
        host = std::move(*made);
    }
    /// Runs the loop until `done`; the time limit only ends a test that fails.
    void run_until(const std::function<bool()>& done) {
        const auto end = std::chrono::steady_clock::now() + 20s;
        while (!done() && std::chrono::steady_clock::now() < end) {
            loop.run_one_for(10ms);
            usb.owe_watermark();
        }
        REQUIRE(done());
    }
    void open(UsbAddress address = {0x1209, 0x0001, ""}) {
        if (!host) make_host();
        opened.reset();
        opener = host->opener(std::move(address));
        opener->open([this](Result<OpenedBoard> board) { opened = std::move(board); });
        run_until([this] { return opened.has_value(); });
    }
    Transport& transport() { return *opened->value().transport; }
    std::string refusal(UsbAddress address = {0x1209, 0x0001, ""}) {
        open(std::move(address));
        REQUIRE_FALSE(*opened);
        return opened->error().message();
    }
    void lifts(std::uint8_t count) {
        for (std::uint8_t square = 0; square < count; ++square) {
            device.change(RecordKind::lift, square, 10);
            device.run(1000);
        }
    }
};

struct Catcher : Transport::Handler {
    std::size_t bytes = 0;
    std::vector<std::string> lost;
    void on_bulk_in(std::span<const std::uint8_t> more) override { bytes += more.size(); }
    void on_lost(const Error& why) override { lost.push_back(why.message()); }
};

}  // namespace

TEST_CASE("a board that is plugged in is opened, with its serial number", "[link][libusb]") {
    Bench bench;
    bench.usb.plug_in();
    bench.open();
    REQUIRE(*bench.opened);
    CHECK(bench.opened->value().serial == "TM-7");
    CHECK(bench.usb.claimed == 1);
    const auto seen = bench.host->seen(0x1209, 0x0001);
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].bus == 1);
    CHECK(seen[0].may_open);
}

TEST_CASE("a board that is not there is named", "[link][libusb]") {
    Bench bench;
    CHECK(bench.refusal() == "no board usb://1209:0001 is plugged in");
    bench.usb.plug_in();
    CHECK(bench.refusal({0x1209, 0x0001, "TM-8"}) == "no board usb://1209:0001/TM-8 is plugged in");
}

TEST_CASE("a board is found after it arrives, and again after it left", "[link][libusb]") {
    Bench bench;
    bench.make_host();
    auto watcher = bench.host->opener({0x1209, 0x0001, ""});
    unsigned arrivals = 0;
    watcher->on_chance([&] { ++arrivals; });
    for (unsigned round = 1; round <= 3; ++round) {
        bench.usb.plug_in();
        bench.run_until([&] { return arrivals == round; });
        bench.open();
        REQUIRE(*bench.opened);
        Catcher catcher;
        bench.transport().start(catcher);
        bench.usb.pull(true);
        bench.run_until([&] { return !catcher.lost.empty(); });
        CHECK(catcher.lost == std::vector<std::string>{"the board was unplugged"});
    }
}

TEST_CASE("events arrive over many transfers in flight and are acknowledged", "[link][libusb]") {
    Bench bench;
    bench.lifts(40);
    bench.usb.plug_in();
    bench.open();
    TestSink sink;
    BoardLink link(bench.transport(), sink, std::nullopt, 77);
    link.start();
    bench.run_until([&] { return sink.events.size() == 42; });
    CHECK(bench.usb.most_reads >= 4);
    link.acknowledge(sink.events);
    bench.run_until([&] { return bench.device.kept() == 0; });
    CHECK(sink.detached.empty());
}

TEST_CASE("short packets and records cut in two lose nothing", "[link][libusb]") {
    Bench bench;
    bench.usb.packet_piece = GENERATE(1U, 5U, 8U, 63U);
    bench.lifts(20);
    bench.usb.plug_in();
    bench.open();
    TestSink sink;
    BoardLink link(bench.transport(), sink, std::nullopt, 77);
    link.start();
    bench.run_until([&] { return sink.events.size() == 22; });
    CHECK(bench.device.resumes == 1);
}

TEST_CASE("a transfer that fails because the device is gone loses the link once",
          "[link][libusb]") {
    Bench bench;
    bench.usb.plug_in();
    bench.open();
    Catcher catcher;
    bench.transport().start(catcher);
    bench.run_until([&] { return bench.usb.pending() > 0; });
    bench.usb.pull(false);
    bench.run_until([&] { return !catcher.lost.empty(); });
    bench.usb.pull(true);
    for (unsigned i = 0; i < 20; ++i)
        bench.loop.run_one_for(5ms);
    CHECK(catcher.lost == std::vector<std::string>{"the board was unplugged"});
}

TEST_CASE("a stall is cleared and the stream resumed without loss", "[link][libusb]") {
    Bench bench;
    bench.usb.plug_in();
    bench.open();
    TestSink sink;
    BoardLink link(bench.transport(), sink, std::nullopt, 77);
    link.start();
    bench.run_until([&] { return sink.events.size() == 2 && !sink.watermarks.empty(); });
    bench.usb.stall_reads = 1;
    bench.lifts(10);
    bench.run_until([&] { return sink.events.size() == 12; });
    CHECK(bench.usb.halts_cleared == 1);
    CHECK(bench.device.resumes == 2);
    CHECK(sink.detached.empty());
}

TEST_CASE("a board whose endpoint stays halted is given up", "[link][libusb]") {
    Bench bench;
    bench.usb.plug_in();
    bench.open();
    Catcher catcher;
    bench.usb.stall_reads = 1'000'000;
    bench.transport().start(catcher);
    bench.run_until([&] { return !catcher.lost.empty(); });
    CHECK(catcher.lost == std::vector<std::string>{"the board's endpoint stays halted"});
    CHECK(bench.usb.halts_cleared == 5);
}

TEST_CASE("a bus that keeps failing is given up", "[link][libusb]") {
    Bench bench;
    bench.usb.plug_in();
    bench.open();
    Catcher catcher;
    bench.usb.read_error = -EPROTO;
    bench.transport().start(catcher);
    bench.run_until([&] { return !catcher.lost.empty(); });
    CHECK(catcher.lost == std::vector<std::string>{"reading from the board keeps failing"});
}

TEST_CASE("data that comes with a timed-out transfer is not lost", "[link][libusb]") {
    Bench bench;
    bench.tuning.in_timeout = 5ms;
    bench.usb.data_with_cancel = true;
    bench.usb.plug_in();
    bench.open();
    TestSink sink;
    BoardLink link(bench.transport(), sink, std::nullopt, 77);
    link.start();
    bench.run_until([&] { return !sink.watermarks.empty(); });
    const auto resumes = bench.device.resumes;
    bench.usb.hold_reads = true;  // all that comes now comes with a time-out
    bench.lifts(40);
    const auto discarded = bench.usb.discarded;
    bench.run_until([&] { return sink.events.size() == 42; });
    CHECK(bench.usb.discarded > discarded);
    CHECK(bench.device.resumes == resumes);
}

TEST_CASE("stop cancels every transfer, releases the board, and is silent", "[link][libusb]") {
    Bench bench;
    bench.usb.plug_in();
    bench.open();
    Catcher catcher;
    bench.usb.hold_controls = true;
    bench.transport().start(catcher);
    unsigned answers = 0;
    bench.transport().control_in({TM_REQ_INFO}, TM_INFO_BYTES, [&](auto) { ++answers; });
    bench.usb.hold_reads = true;
    bench.run_until([&] { return bench.usb.pending() == 17; });
    const auto bytes = catcher.bytes;
    bench.usb.data_with_cancel = true;
    bench.transport().stop();
    bench.opened.reset();  // the transport may be destroyed at once
    bench.run_until([&] { return bench.usb.released == 1; });
    CHECK(bench.usb.pending() == 0);
    CHECK(bench.usb.discarded == 17);
    CHECK(catcher.bytes == bytes);
    CHECK(catcher.lost.empty());
    CHECK(answers == 0);
}

TEST_CASE("a host that is destroyed takes its transfers back first", "[link][libusb]") {
    Bench bench;
    bench.usb.plug_in();
    bench.open();
    Catcher catcher;
    bench.usb.hold_reads = true;
    bench.transport().start(catcher);
    bench.run_until([&] { return bench.usb.pending() == 16; });
    bench.opened.reset();
    bench.opener.reset();
    bench.host.reset();
    CHECK(bench.usb.pending() == 0);
    CHECK(bench.usb.released == 1);
}

TEST_CASE("a refused request is a broken pipe, an unanswered one a time-out", "[link][libusb]") {
    Bench bench;
    bench.tuning.control_timeout = 20ms;
    bench.usb.plug_in();
    bench.open();
    Catcher catcher;
    bench.transport().start(catcher);
    std::optional<std::error_code> code;
    const auto keep = [&](const Result<void>& result) {
        code = result ? std::error_code{} : result.error().code;
    };
    bench.transport().control_out({0x7F}, {}, keep);
    bench.run_until([&] { return code.has_value(); });
    CHECK(*code == std::errc::broken_pipe);
    code.reset();
    bench.usb.hold_controls = true;
    bench.transport().control_out({TM_REQ_SNAPSHOT}, {}, keep);
    bench.run_until([&] { return code.has_value(); });
    CHECK(*code == std::errc::timed_out);
}

TEST_CASE("a silent board is asked for a sign of life, and lost without one", "[link][libusb]") {
    Bench bench;
    bench.tuning.silence = 20ms;
    bench.tuning.control_timeout = 40ms;
    bench.usb.plug_in();
    bench.open();
    Catcher catcher;
    bench.usb.hold_reads = true;
    bench.transport().start(catcher);
    bench.run_until([&] { return bench.usb.status_asked >= 2; });  // silent, but alive
    CHECK(catcher.lost.empty());
    bench.usb.hung = true;
    bench.run_until([&] { return !catcher.lost.empty(); });
    CHECK(catcher.lost == std::vector<std::string>{"the board no longer answers"});
    bench.usb.hung = false;
    bench.usb.pull(false);  // the kernel gives up its transfers
    bench.opened.reset();
    for (unsigned i = 0; i < 20; ++i)
        bench.loop.run_one_for(5ms);
    CHECK(bench.usb.pending() == 0);
}

TEST_CASE("a board in use by another program is said to be", "[link][libusb]") {
    Bench bench;
    bench.usb.claim_errno = EBUSY;
    bench.usb.plug_in();
    CHECK(bench.refusal() == "the board at bus 1, address 1 is in use by another program");
}

TEST_CASE("a board without a serial number is refused", "[link][libusb]") {
    Bench bench;
    bench.usb.has_serial = false;
    bench.usb.plug_in();
    CHECK(bench.refusal() == "the device has no serial number");
}

TEST_CASE("permission that comes a moment after the board is waited for", "[link][libusb]") {
    Bench bench;
    bench.tuning.access_first_wait = 5ms;
    bench.usb.plug_in();
    bench.make_host();
    bench.usb.set_access(false);
    CHECK_FALSE(bench.host->seen(0x1209, 0x0001).at(0).may_open);
    bench.opener = bench.host->opener({0x1209, 0x0001, ""});
    bench.opener->open([&](Result<OpenedBoard> board) { bench.opened = std::move(board); });
    for (unsigned i = 0; i < 3; ++i)
        bench.loop.run_one_for(10ms);
    CHECK_FALSE(bench.opened.has_value());
    bench.usb.set_access(true);
    bench.run_until([&] { return bench.opened.has_value(); });
    CHECK(*bench.opened);
}

TEST_CASE("permission that never comes ends in a sentence that says what to do", "[link][libusb]") {
    Bench bench;
    bench.tuning.access_first_wait = 1ms;
    bench.usb.plug_in();
    bench.make_host();
    bench.usb.set_access(false);
    CHECK(bench.refusal() ==
          "no permission to use the board at bus 1, address 1: install the udev rule "
          "packaging/udev/60-touchmove.rules in /etc/udev/rules.d and plug the board in again");
}

TEST_CASE("a board pulled at any moment is a failed attempt or a lost link", "[link][libusb]") {
    unsigned failed = 0;
    unsigned lost = 0;
    for (unsigned moment = 0; moment < 90; moment += 3) {
        CAPTURE(moment);
        Bench bench;
        bench.lifts(10);
        bench.usb.plug_in();
        bench.make_host();
        bench.usb.gone_after = moment;
        bench.open();
        if (!*bench.opened) {
            ++failed;
            continue;
        }
        TestSink sink;
        BoardLink link(bench.transport(), sink, std::nullopt, 77);
        link.start();
        bench.run_until([&] { return !sink.detached.empty(); });
        REQUIRE(sink.detached.size() == 1);
        ++lost;
    }
    CHECK(failed > 2);
    CHECK(lost > 2);
}
