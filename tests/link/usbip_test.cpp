// usbip_test.cpp - the USB/IP client against a server that keeps the rules, and one that does not
// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>

#include "host/link/board_link.hpp"
#include "host/link/link_usbip.hpp"
#include "test_sink.hpp"
#include "usbip_test_server.hpp"

using namespace touchmove;
using namespace touchmove::link;
using namespace touchmove::link::test;
using namespace std::chrono_literals;

namespace {

struct Bench {
    boost::asio::io_context loop;
    ModelDevice device{5, 0, 0};
    UsbipTestServer server{loop, device};
    UsbipTuning tuning{};
    std::unique_ptr<BoardOpener> opener;
    std::optional<Result<OpenedBoard>> opened;

    /// Runs the loop until `done`; the time limit only ends a test that fails.
    void run_until(const std::function<bool()>& done) {
        const auto end = std::chrono::steady_clock::now() + 20s;
        while (!done() && std::chrono::steady_clock::now() < end)
            loop.run_one_for(100ms);
        REQUIRE(done());
    }
    void open() {
        opened.reset();
        opener = usbip_opener(loop.get_executor(), {"127.0.0.1", server.port(), "1-1"}, tuning);
        opener->open([this](Result<OpenedBoard> board) { opened = std::move(board); });
        run_until([this] { return opened.has_value(); });
    }
    Transport& transport() { return *opened->value().transport; }
    std::string refusal() {
        open();
        REQUIRE_FALSE(*opened);
        return opened->error().message();
    }
};

/// Keeps what a transport gives.
struct Catcher : Transport::Handler {
    std::vector<std::uint8_t> bytes;
    std::vector<std::string> lost;
    unsigned halts = 0;
    void on_bulk_in(std::span<const std::uint8_t> more) override {
        bytes.insert(bytes.end(), more.begin(), more.end());
    }
    void on_halt_cleared() override { ++halts; }
    void on_lost(const Error& why) override { lost.push_back(why.message()); }
};

std::vector<std::uint8_t> urb_reply(std::uint32_t command, std::uint32_t seqnum,
                                    std::uint32_t length) {
    std::vector<std::uint8_t> b(usbip_header_bytes);
    b[3] = static_cast<std::uint8_t>(command);
    b[6] = static_cast<std::uint8_t>(seqnum >> 8);
    b[7] = static_cast<std::uint8_t>(seqnum);
    b[26] = static_cast<std::uint8_t>(length >> 8);
    b[27] = static_cast<std::uint8_t>(length);
    return b;
}

}  // namespace

TEST_CASE("a device is imported, configured and gives its serial number", "[link][usbip]") {
    Bench bench;
    bench.open();
    REQUIRE(*bench.opened);
    CHECK(bench.opened->value().serial == "TM-0042");
    CHECK(bench.server.configured == 1);
}

TEST_CASE("events arrive however the server cuts its answers", "[link][usbip]") {
    Bench bench;
    bench.server.chunk = GENERATE(1U, 7U, 47U, 48U, 49U, 4096U);
    for (std::uint8_t square = 0; square < 40; ++square) {
        bench.device.change(RecordKind::lift, square, 10);
        bench.device.run(1000);
    }
    bench.open();
    TestSink sink;
    BoardLink link(bench.transport(), sink, std::nullopt, 77);
    link.start();
    bench.run_until([&] { return sink.events.size() == 42; });
    CHECK(bench.server.most_reads() >= 4);
    link.acknowledge(sink.events);
    bench.run_until([&] { return bench.device.kept() == 0; });
    CHECK(sink.detached.empty());
}

TEST_CASE("a server that closes at any point is a lost link or a failed attempt", "[link][usbip]") {
    constexpr std::size_t whole = 1500;  // bytes: up to records in the midst of the stream
    std::size_t failed = 0;
    std::size_t lost = 0;
    for (std::size_t cut = 0; cut < whole; cut += 13) {
        CAPTURE(cut);
        Bench bench;
        bench.server.close_after = cut;
        bench.open();
        if (!*bench.opened) {
            ++failed;
            continue;
        }
        TestSink sink;
        BoardLink link(bench.transport(), sink, std::nullopt, 77);
        link.start();
        // It has something to say until it has said so much.
        bench.run_until([&] {
            bench.device.change(RecordKind::lift, 1, 0);
            bench.device.run(10);
            bench.server.pump();
            return !sink.detached.empty();
        });
        REQUIRE(sink.detached.size() == 1);
        ++lost;
    }
    CHECK(failed > 20);
    CHECK(lost > 20);
}

TEST_CASE("what cannot come from a USB/IP server is refused in one sentence", "[link][usbip]") {
    Bench bench;
    const auto where = "127.0.0.1:" + std::to_string(bench.server.port());
    SECTION("another protocol") {
        bench.server.import_reply =
            std::vector<std::uint8_t>{'H', 'T', 'T', 'P', '/', '1', '.', '1'};
        CHECK(bench.refusal() ==
              "the USB/IP server does not speak USB/IP 1.1.1 (version 0x4854, code 0x5450)");
    }
    SECTION("no such device") {
        bench.server.import_reply = std::vector<std::uint8_t>{1, 0x11, 0, 3, 0, 0, 0, 4};
        CHECK(bench.refusal() == "the USB/IP server has no device with that bus id");
    }
    SECTION("a device in use") {
        bench.server.import_reply = std::vector<std::uint8_t>{1, 0x11, 0, 3, 0, 0, 0, 2};
        CHECK(bench.refusal() ==
              "the USB/IP server says that the device is in use by another client");
    }
    SECTION("an unknown command") {
        bench.server.first_answer = urb_reply(9, 1, 0);
        CHECK(bench.refusal() == "the USB/IP server sent command 9");
    }
    SECTION("an answer to nothing") {
        bench.server.first_answer = urb_reply(3, 999, 0);
        CHECK(bench.refusal() == "the USB/IP server answers request 999, which is not pending");
    }
    SECTION("an answer to request zero") {
        bench.server.first_answer = urb_reply(3, 0, 0);
        CHECK(bench.refusal() == "the USB/IP server answers request 0, which is not pending");
    }
    SECTION("a taking back that nobody asked for") {
        bench.server.first_answer = urb_reply(4, 1, 0);
        CHECK(bench.refusal() == "the USB/IP server " + where +
                                     " says that request 1 was taken back, which is not pending");
    }
    SECTION("no serial number") {
        bench.server.has_serial = false;
        CHECK(bench.refusal() == "the device has no serial number");
    }
}

TEST_CASE("more data than was asked for loses the link", "[link][usbip]") {
    Bench bench;
    bench.open();
    Catcher catcher;
    bench.server.first_answer = urb_reply(3, 5, 65);  // the fifth request is the first read
    bench.transport().start(catcher);
    bench.run_until([&] { return !catcher.lost.empty(); });
    CHECK(catcher.lost == std::vector<std::string>{
                              "the USB/IP server answers request 5 with 65 bytes where 64 fit"});
    CHECK(catcher.bytes.empty());
}

TEST_CASE("a server that cannot be reached is named", "[link][usbip]") {
    Bench bench;
    std::uint16_t closed_port = 0;
    {
        Bench other;
        closed_port = other.server.port();
    }
    bench.opener = usbip_opener(bench.loop.get_executor(), {"127.0.0.1", closed_port, "1-1"}, {});
    bench.opener->open([&](Result<OpenedBoard> board) { bench.opened = std::move(board); });
    bench.run_until([&] { return bench.opened.has_value(); });
    REQUIRE_FALSE(*bench.opened);
    CHECK(bench.opened->error().message() ==
          "the USB/IP server 127.0.0.1:" + std::to_string(closed_port) +
              " cannot be reached: Connection refused");
}

TEST_CASE("a server that accepts and says nothing is given up", "[link][usbip]") {
    Bench bench;
    bench.tuning.connect_timeout = 40ms;
    bench.server.mute = true;
    CHECK(bench.refusal() == "the USB/IP server 127.0.0.1:" + std::to_string(bench.server.port()) +
                                 " does not answer");
}

TEST_CASE("a silent server is asked for a sign of life, and lost without one", "[link][usbip]") {
    Bench bench;
    bench.server.watermarks = false;
    bench.tuning.silence = 20ms;
    bench.tuning.answer_timeout = 40ms;
    bench.open();
    Catcher catcher;
    bench.transport().start(catcher);
    bench.run_until([&] { return bench.server.status_asked >= 2; });  // silent, but alive
    CHECK(catcher.lost.empty());
    bench.server.mute = true;
    bench.run_until([&] { return !catcher.lost.empty(); });
    CHECK(catcher.lost.size() == 1);
    CHECK(catcher.lost[0] == "the USB/IP server 127.0.0.1:" + std::to_string(bench.server.port()) +
                                 " no longer answers");
}

TEST_CASE("a control request that is not answered loses the link though data flows",
          "[link][usbip]") {
    Bench bench;
    bench.tuning.answer_timeout = 40ms;
    bench.open();
    Catcher catcher;
    bench.server.mute_controls = true;
    bench.transport().start(catcher);
    bool answered = false;
    bench.transport().control_in({TM_REQ_INFO}, TM_INFO_BYTES, [&](auto) { answered = true; });
    bench.run_until([&] {
        bench.device.change(RecordKind::lift, 1, 0);
        bench.device.run(10);
        bench.server.pump();
        return !catcher.lost.empty();
    });
    CHECK_FALSE(answered);
}

TEST_CASE("stop takes back every pending read and no callback follows", "[link][usbip]") {
    Bench bench;
    bench.open();
    Catcher catcher;
    bench.transport().start(catcher);
    bench.run_until([&] { return bench.server.pending_reads() >= 15; });
    const auto before = catcher.bytes.size();
    bench.transport().stop();
    bench.device.change(RecordKind::lift, 1, 0);
    bench.device.run(10);
    bench.server.pump();  // an answer that crosses with the taking back
    bench.run_until([&] { return bench.server.client_left; });
    CHECK(bench.server.unlinks == 16);
    CHECK(catcher.bytes.size() == before);
    CHECK(catcher.lost.empty());
}

TEST_CASE("stop ends also if the server never answers", "[link][usbip]") {
    Bench bench;
    bench.tuning.unlink_timeout = 20ms;
    bench.open();
    Catcher catcher;
    bench.transport().start(catcher);
    bench.run_until([&] { return bench.server.pending_reads() >= 15; });
    bench.server.answers_unlink = false;
    bench.transport().stop();
    bench.run_until([&] { return bench.server.client_left; });
    CHECK(catcher.lost.empty());
}

TEST_CASE("a halted endpoint is cleared, and the stream goes on without loss", "[link][usbip]") {
    Bench bench;
    bench.open();
    TestSink sink;
    BoardLink link(bench.transport(), sink, std::nullopt, 77);
    link.start();
    bench.run_until([&] { return sink.events.size() == 2; });
    bench.server.stall_reads = 1;
    bench.server.pump();
    for (std::uint8_t square = 0; square < 10; ++square) {
        bench.device.change(RecordKind::lift, square, 0);
        bench.device.run(10);
    }
    bench.run_until([&] { return sink.events.size() == 12; });
    CHECK(bench.server.halts_cleared == 1);
    CHECK(bench.device.resumes == 2);
    CHECK(sink.detached.empty());
}

TEST_CASE("an endpoint that stays halted is given up", "[link][usbip]") {
    Bench bench;
    bench.open();
    Catcher catcher;
    bench.server.stall_reads = 1'000'000;
    bench.transport().start(catcher);
    bench.run_until([&] { return !catcher.lost.empty(); });
    CHECK(catcher.lost == std::vector<std::string>{"the board's endpoint stays halted"});
    CHECK(bench.server.halts_cleared == 5);
}

TEST_CASE("data that came with a cancelled read is not lost", "[link][usbip]") {
    Bench bench;
    bench.server.read_status = -104;
    bench.open();
    TestSink sink;
    BoardLink link(bench.transport(), sink, std::nullopt, 77);
    link.start();
    bench.run_until([&] { return !sink.watermarks.empty(); });
    CHECK(sink.events.size() == 2);
    CHECK(bench.device.resumes == 1);
}

TEST_CASE("a board unplugged from the server is a lost link", "[link][usbip]") {
    Bench bench;
    bench.open();
    Catcher catcher;
    bench.server.read_status = -19;
    bench.transport().start(catcher);
    bench.run_until([&] { return !catcher.lost.empty(); });
    CHECK(catcher.lost == std::vector<std::string>{"the board was unplugged from the server"});
}

TEST_CASE("an attempt that is cancelled tells nothing", "[link][usbip]") {
    Bench bench;
    bench.opener =
        usbip_opener(bench.loop.get_executor(), {"127.0.0.1", bench.server.port(), "1-1"}, {});
    bench.opener->open([&](Result<OpenedBoard> board) { bench.opened = std::move(board); });
    bench.run_until([&] { return bench.server.connections == 1; });
    bench.opener->cancel();
    bench.run_until([&] { return bench.server.client_left; });
    CHECK_FALSE(bench.opened.has_value());
}
