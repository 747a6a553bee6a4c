// simulator_test.cpp - connector and USB/IP client against the simulator's server and its RTL
// SPDX-License-Identifier: Apache-2.0
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <random>

#include "host/link/connector.hpp"
#include "host/link/link_usbip.hpp"
#include "sim/usbip/live_board.hpp"
#include "sim/usbip/server.hpp"
#include "test_sink.hpp"

using namespace touchmove;
using namespace touchmove::link;
using namespace touchmove::link::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t men = 0xFFFF'0000'0000'FFFF;
constexpr unsigned e2 = 12;
constexpr device::BenchUs period_us = 20'000;

/// Men at rest; the pawn on e2 goes up and down, every 20 ms from 300 ms on: the session runs then.
class Fidget final : public device::Stimulus {
  public:
    explicit Fidget(unsigned moves) : left_(moves) {}
    device::BenchUs next_change_us() override {
        if (!set_up_) return 0;
        return left_ > 0 ? next_ : device::never_us;
    }
    void apply(device::ContactState& contacts) override {
        if (!std::exchange(set_up_, true)) {
            contacts.squares = men;
            return;
        }
        contacts.squares ^= std::uint64_t{1} << e2;
        next_ += period_us;
        --left_;
    }

  private:
    bool set_up_ = false;
    unsigned left_;
    device::BenchUs next_ = 300'000;
};

/// The simulated board behind its server, and a host that can be killed.
struct Hall : Connector::Owner {
    explicit Hall(unsigned moves, device::Fidelity fidelity = device::Fidelity::frontend)
        : stimulus(moves), board(options(fidelity), stimulus) {
        server = std::make_unique<usbip::Server>(loop, std::vector<usbip::Board*>{&board},
                                                 [](const std::string&) {});
        REQUIRE(server->listen(0));
    }
    ~Hall() override {
        connector.reset();
        server->stop();
        loop.run_for(2s);
    }
    usbip::LiveBoard::Options options(device::Fidelity fidelity) {
        usbip::LiveBoard::Options o;
        o.device.fidelity = fidelity;
        o.device.flash = &flash;
        o.device.serial = "TM-E2E";
        o.speed = 2;
        return o;
    }

    void start_host() {
        const DeviceUri uri = UsbipAddress{"127.0.0.1", server->port(), "1-1"};
        auto opener = opener_for(uri, loop.get_executor(), nullptr);
        REQUIRE(opener);
        connector = std::make_unique<Connector>(
            std::move(*opener), asio_retry_timer(loop.get_executor()), *this, Backoff{10ms, 100ms});
        connector->start();
    }
    /// What was not on disk is gone.
    void kill_host() {
        connector.reset();
        pending.clear();
    }
    void commit() {
        journal.insert(journal.end(), pending.begin(), pending.end());
        const auto batch = std::exchange(pending, {});
        connector->acknowledge(batch);
    }
    void run_for(std::chrono::milliseconds time) {
        const auto end = std::chrono::steady_clock::now() + time;
        while (std::chrono::steady_clock::now() < end)
            loop.run_one_until(end);
    }
    void run_until(const std::function<bool()>& done) {
        const auto end = std::chrono::steady_clock::now() + 60s;
        while (!done() && std::chrono::steady_clock::now() < end)
            loop.run_one_for(10ms);
        REQUIRE(done());
    }

    void on_board(const std::string& serial,
                  std::function<void(Connector::Start)> answer) override {
        CHECK(serial == "TM-E2E");
        commit();  // the journal's writer outlives a lost link
        answer({stored_of(journal), 1});
    }
    void on_waiting(const Error&, Millis) override {}
    void on_events(std::span<const StampedEvent> events) override {
        pending.insert(pending.end(), events.begin(), events.end());
    }
    void on_watermark(DeviceTime t) override { watermark = t; }
    void on_attached(std::uint32_t s) override {
        session = s;
        ++attached;
    }
    void on_detached(const Error&) override { ++detached; }

    template <class T>
    [[nodiscard]] std::size_t count() const {
        std::size_t n = 0;
        for (const auto* list : {&journal, &pending}) {
            for (const auto& e : *list)
                n += std::holds_alternative<T>(e.event) ? 1 : 0;
        }
        return n;
    }

    boost::asio::io_context loop;
    device::NorFlash flash;
    Fidget stimulus;
    usbip::LiveBoard board;
    std::unique_ptr<usbip::Server> server;
    std::unique_ptr<Connector> connector;
    std::vector<StampedEvent> journal, pending;
    DeviceTime watermark{};
    std::uint32_t session = 0;
    unsigned attached = 0;
    unsigned detached = 0;
};

}  // namespace

TEST_CASE("the simulated board's events arrive, stamped to the microsecond", "[link][e2e]") {
    constexpr unsigned moves = 20;
    Hall hall(moves);
    hall.start_host();
    hall.run_until([&] { return hall.count<Lift>() + hall.count<Place>() == moves; });
    hall.commit();
    REQUIRE(hall.journal.size() >= 2);
    CHECK(std::holds_alternative<SessionStart>(hall.journal[0].event));
    CHECK(std::get<Snapshot>(hall.journal[1].event).squares == men);
    CHECK(hall.attached == 1);
}

TEST_CASE("the whole chip is attached within seconds, and loses nothing to a pulled cable",
          "[link][e2e]") {
    if (!device::has_soc()) return;
    constexpr unsigned moves = 40;
    Hall hall(moves, device::Fidelity::soc);
    hall.start_host();
    hall.run_until([&] { return hall.attached == 1; });
    // Of the board's time, its start included; a person waits so long at most.
    CHECK(hall.board.status().device_seconds < 10);
    hall.run_until([&] { return hall.count<Lift>() + hall.count<Place>() >= moves / 2; });
    hall.commit();
    hall.board.pull();
    hall.run_until([&] { return hall.detached == 1; });
    hall.board.plug();
    hall.run_until([&] { return hall.count<Lift>() + hall.count<Place>() == moves; });
    hall.commit();
    CHECK(hall.count<SessionStart>() == 1);
    CHECK(hall.count<Gap>() == 0);
    unsigned edges = 0;
    for (const auto& e : hall.journal) {
        if (std::holds_alternative<Lift>(e.event)) CHECK(edges++ % 2 == 0);
        if (std::holds_alternative<Place>(e.event)) CHECK(edges++ % 2 == 1);
    }
}

TEST_CASE("cable pulled, host killed: each move of the man comes once and in order",
          "[link][e2e]") {
    constexpr unsigned moves = 150;  // three seconds of the board's time
    const unsigned seed = 20'26;
    std::mt19937 random(seed);
    Hall hall(moves);
    hall.start_host();
    unsigned pulls = 0;
    unsigned kills = 0;
    const auto end = std::chrono::steady_clock::now() + 2s;
    while (std::chrono::steady_clock::now() < end) {
        hall.run_for(std::chrono::milliseconds(random() % 60));
        switch (random() % 3) {
            case 0:
                hall.commit();
                break;
            case 1:
                hall.board.pull();
                hall.run_for(std::chrono::milliseconds(random() % 60));
                hall.board.plug();
                ++pulls;
                break;
            case 2:
                hall.kill_host();
                hall.start_host();
                ++kills;
                break;
        }
    }
    hall.run_until([&] { return hall.count<Lift>() + hall.count<Place>() >= moves; });
    const auto after_last = hall.watermark + 100ms;
    hall.run_until([&] { return hall.watermark > after_last; });
    hall.commit();
    CAPTURE(seed, pulls, kills, hall.attached);
    CHECK(pulls > 3);
    CHECK(kills > 3);
    CHECK(hall.attached > 5);

    std::vector<const StampedEvent*> edges;
    for (const auto& e : hall.journal) {
        if (std::holds_alternative<Lift>(e.event) || std::holds_alternative<Place>(e.event)) {
            edges.push_back(&e);
        }
    }
    REQUIRE(edges.size() == moves);
    for (std::size_t i = 0; i < edges.size(); ++i) {
        CAPTURE(i);
        REQUIRE(std::holds_alternative<Lift>(edges[i]->event) == (i % 2 == 0));
        if (i == 0) continue;
        // A stamp is the start of the scan frame in which the change was first seen.
        const auto step = to_us(edges[i]->at) - to_us(edges[i - 1]->at);
        REQUIRE(step > period_us - 200);
        REQUIRE(step < period_us + 200);
    }
    CHECK(hall.count<Gap>() == 0);
    CHECK(hall.count<SessionStart>() == 1);
}

TEST_CASE("a power cut is a new session, read from its start", "[link][e2e]") {
    Hall hall(0);
    hall.start_host();
    hall.run_until([&] { return hall.count<Snapshot>() == 1; });
    const std::uint32_t first = hall.session;
    hall.board.power_cut();
    hall.run_until([&] { return hall.detached == 1; });
    hall.board.power_on();
    hall.run_until([&] { return hall.count<Snapshot>() == 2; });
    hall.commit();
    CHECK(hall.session == first + 1);
    CHECK(hall.count<SessionStart>() == 2);
    CHECK(hall.count<Gap>() == 0);
}
