// in_process_transport_test.cpp - the daemon's own link on a simulated board, without sockets
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/in_process_transport.hpp"

#include <random>

#include "host/link/board_link.hpp"
#include "tests/sim/device/device_fixture.hpp"

using namespace touchmove::device_test;
using touchmove::DeviceTime;
using touchmove::Error;
using touchmove::Result;
namespace tl = touchmove::link;  // `link` alone is a function of <unistd.h>

namespace {

constexpr unsigned e2 = 12;

/// A handler that writes down what it is told.
struct Listener final : tl::Transport::Handler {
    void on_bulk_in(std::span<const std::uint8_t> bytes) override {
        got.insert(got.end(), bytes.begin(), bytes.end());
        ++transfers;
    }
    void on_lost(const Error& why) override { lost.push_back(why.message()); }
    Bytes got;
    int transfers = 0;
    std::vector<std::string> lost;
};

/// Stores everything at once and acknowledges it, as the journal would.
struct Journal final : tl::BoardLink::Sink {
    void on_events(std::span<const tl::StampedEvent> events) override {
        stored.insert(stored.end(), events.begin(), events.end());
        if (acknowledging) board->acknowledge(events);
    }
    void on_watermark(DeviceTime t) override { watermark = t; }
    void on_attached(std::uint32_t number) override { session = number; }
    void on_detached(const Error& why) override { detached = why.message(); }

    tl::BoardLink* board = nullptr;
    bool acknowledging = true;
    std::vector<tl::StampedEvent> stored;
    std::optional<DeviceTime> watermark;
    std::uint32_t session = 0;
    std::string detached;
};

struct Bench {
    Bench() : device(options(), script), transport(device) {}
    DeviceOptions options() {
        DeviceOptions o;
        o.flash = &flash;
        return o;
    }
    Script script{start_squares};
    NorFlash flash;
    FrontendDevice device;
    InProcessTransport transport;
};

}  // namespace

TEST_CASE("records come while the board runs, answers in the next poll", "[sim][transport]") {
    Bench b;
    b.device.power_on();
    Listener listener;
    b.transport.start(listener);
    std::optional<std::size_t> info;
    bool called_inside = false;
    bool inside = true;
    b.transport.control_in({TM_REQ_INFO}, 64, [&](Result<Bytes> reply) {
        called_inside = inside;
        REQUIRE(reply);
        info = reply->size();
    });
    inside = false;
    CHECK_FALSE(info);
    b.transport.poll();
    CHECK(info == TM_INFO_BYTES);
    CHECK_FALSE(called_inside);
    CHECK(listener.got.empty());
    b.transport.run_until(50'000);
    CHECK(b.device.now() == 50'000);
    CHECK(kept(records_in(listener.got)).size() == 5);
}

TEST_CASE("a refused request is an error, not silence", "[sim][transport]") {
    Bench b;
    b.device.power_on();
    Listener listener;
    b.transport.start(listener);
    std::vector<std::string> said;
    b.transport.control_in({0x66}, 8, [&](Result<Bytes> r) {
        said.push_back(r ? "ok" : r.error().message());
    });
    b.transport.control_out({TM_REQ_RESUME}, Bytes(3), [&](Result<void> r) {
        said.push_back(r ? "ok" : r.error().message());
    });
    b.transport.control_out({TM_REQ_SNAPSHOT}, {}, [&](Result<void> r) {
        said.push_back(r ? "ok" : r.error().message());
    });
    b.transport.poll();
    CHECK(said == std::vector<std::string>{"the board refused the request",
                                           "the board refused the request", "ok"});
}

TEST_CASE("after stop nothing is called any more", "[sim][transport]") {
    Bench b;
    b.device.power_on();
    Listener listener;
    b.transport.start(listener);
    bool called = false;
    b.transport.control_in({TM_REQ_INFO}, 64, [&](Result<Bytes>) { called = true; });
    b.transport.stop();
    b.transport.run_until(50'000);
    CHECK_FALSE(called);
    CHECK(listener.got.empty());
    CHECK(listener.lost.empty());
}

TEST_CASE("a pulled cable and a power cut are told once", "[sim][transport]") {
    Bench b;
    b.device.power_on();
    Listener listener;
    b.transport.start(listener);
    b.transport.run_until(50'000);
    const bool cut = GENERATE(false, true);
    if (cut) {
        b.device.power_cut();
    } else {
        b.transport.unplug();
    }
    b.transport.run_until(60'000);
    b.transport.run_until(70'000);
    CHECK(listener.lost == std::vector<std::string>{cut ? "the board has no power"
                                                        : "the cable was pulled"});
    CHECK(b.device.powered() == !cut);
}

TEST_CASE("an unpowered board is lost at once", "[sim][transport]") {
    Bench b;
    Listener listener;
    b.transport.start(listener);
    b.transport.poll();
    CHECK(listener.lost.size() == 1);
}

TEST_CASE("the link delivers a game's events in order, over any number of pulled cables",
          "[sim][transport]") {
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    constexpr int toggles = 80;
    Bench b;
    for (int i = 0; i < toggles; ++i) b.script.add({100'000 + i * 20'000, e2, i % 2 != 0});
    b.device.power_on();
    std::vector<tl::StampedEvent> journal;
    std::optional<tl::Stored> stored;
    while (b.device.now() < 2'000'000) {
        Journal sink;
        sink.acknowledging = random() % 2 == 0;
        InProcessTransport transport(b.device);
        tl::BoardLink board(transport, sink, stored, 1);
        sink.board = &board;
        board.start();
        transport.run_until(b.device.now() + 20'000 + static_cast<BenchUs>(random() % 200'000));
        REQUIRE(sink.detached.empty());
        CHECK(sink.session == 1);
        journal.insert(journal.end(), sink.stored.begin(), sink.stored.end());
        if (!journal.empty()) {
            // One input toggles, so stamps and sequence numbers have the same order.
            stored = tl::Stored{journal.back().id, {}, journal.back().at};
        }
        if (random() % 2 == 0) {
            transport.unplug();
            b.device.run_until(b.device.now() + static_cast<BenchUs>(random() % 50'000));
        }
        board.stop();
    }
    std::vector<bool> levels;
    DeviceTime last{};
    for (const tl::StampedEvent& e : journal) {
        CHECK(e.at >= last);
        last = e.at;
        if (std::holds_alternative<tl::Lift>(e.event)) levels.push_back(false);
        if (std::holds_alternative<tl::Place>(e.event)) levels.push_back(true);
    }
    REQUIRE(levels.size() == toggles);
    for (std::size_t i = 0; i < levels.size(); ++i) CHECK(levels[i] == (i % 2 != 0));
}
