// connector_test.cpp - one board attached again and again, without a clock
// SPDX-License-Identifier: Apache-2.0
#include "host/link/connector.hpp"

#include <catch2/catch.hpp>
#include <utility>

#include "model_device.hpp"
#include "test_sink.hpp"

using namespace touchmove;
using namespace touchmove::link;
using namespace touchmove::link::test;

namespace {

/// The world around a connector, every step of it taken by hand.
struct World : Connector::Owner {
    struct Opener : BoardOpener {
        World& world;
        explicit Opener(World& w) : world(w) {}
        void open(Opened opened) override { world.opened = std::move(opened); }
        void cancel() override { world.opened = nullptr; }
        void on_chance(std::function<void()> retry) override { world.chance = std::move(retry); }
    };
    struct Timer : RetryTimer {
        World& world;
        explicit Timer(World& w) : world(w) {}
        void start(Millis wait, std::function<void()> due) override {
            world.waits.push_back(wait.count());
            world.due = std::move(due);
        }
        void cancel() override { world.due = nullptr; }
    };

    ModelDevice device{5, 0, 0};
    BoardOpener::Opened opened;
    std::function<void()> chance;
    std::function<void()> due;
    std::vector<std::int64_t> waits;
    ModelCable* cable = nullptr;
    std::function<void(Connector::Start)> answer;
    std::vector<std::string> boards, complaints, detached;
    std::vector<StampedEvent> events;
    unsigned attached = 0;
    unsigned watermarks = 0;
    Connector connector{std::make_unique<Opener>(*this),
                        std::make_unique<Timer>(*this),
                        *this,
                        {Millis(100), Millis(500)}};

    void on_board(const std::string& serial, std::function<void(Connector::Start)> reply) override {
        boards.push_back(serial);
        answer = std::move(reply);
    }
    void on_waiting(const Error& why, Millis after) override {
        complaints.push_back(why.message() + ", " + std::to_string(after.count()));
    }
    void on_events(std::span<const StampedEvent> more) override {
        events.insert(events.end(), more.begin(), more.end());
    }
    void on_watermark(DeviceTime) override { ++watermarks; }
    void on_attached(std::uint32_t) override { ++attached; }
    void on_detached(const Error& why) override { detached.push_back(why.message()); }

    void find() {
        auto transport = std::make_unique<ModelCable>(device);
        cable = transport.get();
        std::exchange(opened, nullptr)(OpenedBoard{std::move(transport), "TM-0042"});
    }
    void miss() { std::exchange(opened, nullptr)(Error(std::errc::no_such_device, "not there")); }
    void time_passes() { std::exchange(due, nullptr)(); }
};

}  // namespace

TEST_CASE("attempts are repeated with doubled waits up to the longest", "[link]") {
    World world;
    world.connector.start();
    for (unsigned i = 0; i < 5; ++i) {
        world.miss();
        world.time_passes();
    }
    CHECK(world.waits == std::vector<std::int64_t>{100, 200, 400, 500, 500});
    CHECK(world.complaints.front() == "not there, 100");
    CHECK(world.complaints.size() == 5);
}

TEST_CASE("a device that is plugged in is tried at once", "[link]") {
    World world;
    world.connector.start();
    world.chance();
    CHECK(world.waits.empty());  // an attempt is under way
    world.miss();
    world.chance();
    CHECK(world.waits.back() == 0);
    world.time_passes();
    CHECK(world.opened);
}

TEST_CASE("the owner is asked what is stored at each attachment", "[link]") {
    World world;
    world.connector.start();
    world.find();
    CHECK(world.boards == std::vector<std::string>{"TM-0042"});
    CHECK(world.attached == 0);
    world.answer({std::nullopt, 77});  // later, when the journal has answered
    world.cable->settle();
    CHECK(world.attached == 1);
    REQUIRE(world.events.size() == 2);
    world.connector.acknowledge(world.events);

    world.cable->pull();
    CHECK(world.detached == std::vector<std::string>{"pulled"});
    world.time_passes();
    world.find();
    world.device.change(RecordKind::lift, 3, 10);
    world.device.run(100);
    world.answer({stored_of(world.events), 77});
    world.cable->settle();
    CHECK(world.attached == 2);
    REQUIRE(world.events.size() == 3);
    CHECK(std::get<Lift>(world.events[2].event).square == 3);
}

TEST_CASE("the wait goes back to the first one only when a board was in step", "[link]") {
    World world;
    world.connector.start();
    world.miss();
    world.time_passes();
    world.find();
    world.answer({std::nullopt, 77});
    world.cable->pull();  // attached, but nothing came of it
    CHECK(world.waits.back() == 200);
    world.time_passes();
    world.find();
    world.answer({std::nullopt, 77});
    world.cable->settle();
    REQUIRE(world.watermarks > 0);
    world.cable->pull();
    CHECK(world.waits.back() == 100);
}

TEST_CASE("an answer that comes after the board was given up is void", "[link]") {
    World world;
    world.connector.start();
    world.find();
    world.connector.stop();
    world.answer({std::nullopt, 77});
    CHECK_FALSE(world.connector.is_linked());
    CHECK(world.attached == 0);
}

TEST_CASE("after stop the owner hears nothing and nothing is tried", "[link]") {
    World world;
    world.connector.start();
    world.find();
    world.answer({std::nullopt, 77});
    world.cable->settle();
    world.connector.stop();
    CHECK(world.cable->stopped());
    CHECK(world.detached.empty());
    CHECK_FALSE(world.due);
    CHECK_FALSE(world.opened);
}
