// interpreter_test.cpp - what a board reported, as inputs of the referee
// SPDX-License-Identifier: Apache-2.0
#include "host/app/interpreter.hpp"

#include <catch2/catch.hpp>

#include "tests/app/entries.hpp"

using namespace touchmove;
using namespace touchmove::app;
using namespace touchmove::app::testing;

namespace {

struct Heard {
    std::int64_t ms;
    laws::Input what;
};

std::vector<Heard> all_of(const Scribe& scribe, Interpreter interpreter = {}) {
    std::vector<Heard> heard;
    for (const auto& entry : scribe.entries()) {
        const auto at = interpreter.take_time(entry);
        const auto* event = std::get_if<link::DeviceEvent>(&entry.payload);
        if (event == nullptr) continue;
        for (const auto& what : interpreter.take_event(*event)) {
            heard.push_back({to_us(at) / 1000, what});
        }
    }
    return heard;
}

template <class T>
std::vector<Heard> only(const std::vector<Heard>& heard) {
    std::vector<Heard> found;
    for (const auto& each : heard) {
        if (std::holds_alternative<T>(each.what)) found.push_back(each);
    }
    return found;
}

}  // namespace

TEST_CASE("an active edge of a lever is a press by its owner, its release is nothing", "[app]") {
    const auto heard = all_of(Scribe()
                                  .session(1)
                                  .snapshot(1, array_squares, 0b10)
                                  .input(100, 0, true)
                                  .input(101, 1, false)
                                  .input(200, 1, true));
    const auto presses = only<laws::LeverPressed>(heard);
    REQUIRE(presses.size() == 2);
    CHECK(std::get<laws::LeverPressed>(presses[0].what).side == chess::Color::white);
    CHECK(presses[0].ms == 100);
    CHECK(std::get<laws::LeverPressed>(presses[1].what).side == chess::Color::black);
}

TEST_CASE("pause and adjust buttons say both edges", "[app]") {
    const auto heard = all_of(Scribe()
                                  .session(1)
                                  .snapshot(1)
                                  .input(10, 2, true)
                                  .input(20, 2, false)
                                  .input(30, 4, true)
                                  .input(40, 4, false));
    CHECK(only<laws::ClocksPaused>(heard).size() == 1);
    CHECK(only<laws::ClocksResumed>(heard).size() == 1);
    REQUIRE(only<laws::AdjustAnnounced>(heard).size() == 1);
    CHECK(std::get<laws::AdjustAnnounced>(only<laws::AdjustAnnounced>(heard)[0].what).side ==
          chess::Color::black);
    CHECK(only<laws::AdjustEnded>(heard).size() == 1);
}

TEST_CASE("an input without a meaning says nothing", "[app]") {
    InputMap map{};
    map[7] = BoardInput::white_lever;
    Interpreter interpreter;
    interpreter.set_inputs(map);
    const auto heard = all_of(Scribe().session(1).snapshot(1).input(10, 0, true).input(20, 7, true),
                              interpreter);
    REQUIRE(only<laws::LeverPressed>(heard).size() == 1);
    CHECK(only<laws::LeverPressed>(heard)[0].ms == 20);
}

TEST_CASE("a session is broken by the next one, not by the first", "[app]") {
    const auto heard =
        all_of(Scribe().session(1).snapshot(1).lift(5000, "e2").session(2, 0).snapshot(1));
    REQUIRE(only<laws::SessionBroken>(heard).size() == 1);
    CHECK(only<laws::BoardSeen>(heard).size() == 2);
    CHECK(only<laws::SessionBroken>(heard)[0].ms == 5000);
}

TEST_CASE("time goes on through sessions, by the wall clock in between", "[app]") {
    const auto heard = all_of(
        Scribe().session(1).snapshot(1).lift(5000, "e2").session(2, 60'000).snapshot(1).place(
            700, "e4"));
    const auto placed = only<laws::SquarePlaced>(heard);
    REQUIRE(placed.size() == 1);
    CHECK(placed[0].ms == 5000 + 60'000 + 700);
}

TEST_CASE("a wall clock that was set back never turns board time back", "[app]") {
    const auto heard = all_of(
        Scribe().session(1).snapshot(1).lift(5000, "e2").session(2, -3'600'000).place(10, "e4"));
    std::int64_t last = 0;
    for (const auto& each : heard) {
        CHECK(each.ms >= last);
        last = each.ms;
    }
    CHECK(last == 5010);
}

TEST_CASE("lost records leave the board unknown until the snapshot", "[app]") {
    const auto heard = all_of(
        Scribe().session(1).snapshot(1).event(100, link::Gap{7}).snapshot(101, 0xFFU));
    REQUIRE(heard.size() == 3);
    CHECK(std::holds_alternative<laws::SessionBroken>(heard[1].what));
    CHECK(std::get<laws::BoardSeen>(heard[2].what).occupied == 0xFFU);
}

TEST_CASE("a press that nobody saw is told by the snapshot after it", "[app]") {
    const auto heard = all_of(Scribe()
                                  .session(1)
                                  .snapshot(1, array_squares, 0b10)
                                  .event(100, link::Gap{4})
                                  .snapshot(101, array_squares, 0b01));
    const auto presses = only<laws::LeverPressed>(heard);
    REQUIRE(presses.size() == 1);
    CHECK(std::get<laws::LeverPressed>(presses[0].what).side == chess::Color::white);
}
