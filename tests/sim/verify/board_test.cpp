// board_test.cpp - the RTL behind the daemon's link reports what a debouncer in C++ reports
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/board.hpp"

#include <algorithm>
#include <cstdlib>
#include <variant>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/bench/timeline.hpp"
#include "tests/sim/bench/games.hpp"

using namespace touchmove;
using namespace touchmove::verify;
using device::BenchUs;

namespace {

constexpr BenchUs ms = 1000;

class Recorder final : public link::BoardLink::Sink {
  public:
    void on_events(std::span<const link::StampedEvent> events) override {
        for (const link::StampedEvent& event : events) {
            REQUIRE(event.at >= last);
            REQUIRE(event.at >= watermark);
            last = event.at;
            if (const auto* place = std::get_if<link::Place>(&event.event)) {
                changes.push_back({event.at, place->square, true});
            } else if (const auto* lift = std::get_if<link::Lift>(&event.event)) {
                changes.push_back({event.at, lift->square, false});
            } else if (const auto* edge = std::get_if<link::InputEdge>(&event.event)) {
                changes.push_back({event.at, 64U + edge->input, edge->active});
            } else if (std::holds_alternative<link::Gap>(event.event)) {
                FAIL("records were lost");
            }
        }
        unacknowledged.insert(unacknowledged.end(), events.begin(), events.end());
    }
    void on_watermark(DeviceTime t) override {
        REQUIRE(t >= watermark);
        watermark = t;
    }
    void on_attached(std::uint32_t) override { attached = true; }
    void on_detached(const Error& why) override { FAIL(why.message()); }

    struct Change {
        DeviceTime at;
        unsigned contact;
        bool level;
    };
    std::vector<Change> changes;
    std::vector<link::StampedEvent> unacknowledged;
    DeviceTime last{};
    DeviceTime watermark{};
    bool attached = false;
};

/// Everything that a board reports in `us` of a game; device time as bench time.
template <class Make>
std::vector<Recorder::Change> run(Make make, bench::SensorKind sensor, BenchUs us) {
    bench::TimelineSetup setup;
    setup.seed = 5;
    setup.sensor = sensor;
    bench::Timeline timeline(bench::make_script(bench::test::games().at(0)), setup);
    Recorder recorder;
    const auto board = make(timeline, recorder);
    for (BenchUs now = 10 * ms; now <= us; now += 10 * ms) {
        board->run_until(now);
        board->acknowledge(recorder.unacknowledged);
        recorder.unacknowledged.clear();
    }
    REQUIRE(recorder.attached);
    for (Recorder::Change& change : recorder.changes) change.at += Micros{board->session_began()};
    return recorder.changes;
}

}  // namespace

TEST_CASE("the RTL and the ideal board report the same changes, to a frame or a bounce",
          "[verify]") {
    const auto sensor = GENERATE(bench::SensorKind::reed, bench::SensorKind::hall);
    constexpr BenchUs us = 8'000 * ms;
    // Frames of other phase may see another bounce as the last: a reed's last 1 ms, a lever's 4 ms.
    constexpr BenchUs most_apart = 4'200;
    const auto real = run(
        [](auto& timeline, auto& sink) { return make_rtl_board(timeline, sink, {}); }, sensor, us);
    const auto ideal =
        run([](auto& timeline, auto& sink) { return make_ideal_board(timeline, sink, {}); }, sensor,
            us);
    // The RTL may report what stands at power-up as places; the ideal board has it in its
    // snapshot.
    std::vector<Recorder::Change> after_start;
    for (const auto& change : real) {
        if (change.at > device_time(100 * ms)) after_start.push_back(change);
    }
    // Most changes do not bounce around a frame's edge and must agree to two frames.
    std::size_t close = 0;
    REQUIRE(after_start.size() == ideal.size());
    REQUIRE(ideal.size() > 40);
    for (std::size_t i = 0; i < ideal.size(); ++i) {
        CAPTURE(bench::name_of(sensor), i, to_us(ideal[i].at));
        // Two contacts within a frame may be told in either order.
        bool found = false;
        for (std::size_t j = i < 2 ? 0 : i - 2; j < std::min(i + 3, ideal.size()); ++j) {
            const Micros apart = after_start[j].at - ideal[i].at;
            found = found || (after_start[j].contact == ideal[i].contact &&
                              after_start[j].level == ideal[i].level &&
                              std::abs(apart.count()) <= most_apart);
        }
        CHECK(found);
        if (std::abs((after_start[i].at - ideal[i].at).count()) <= 176) ++close;
    }
    CHECK(close * 10 >= ideal.size() * 9);
}
