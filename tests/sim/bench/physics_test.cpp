// physics_test.cpp - contacts bounce within their bounds and end where they must
// SPDX-License-Identifier: Apache-2.0
#include "sim/bench/physics.hpp"

#include <catch2/catch.hpp>

using namespace touchmove::bench;

namespace {

constexpr std::array all_motions{Motion::set_down,  Motion::lift_off,  Motion::slide_in,
                                 Motion::slide_out, Motion::pass_over, Motion::tremble};

bool closed_before(Motion m) {
    return m == Motion::lift_off || m == Motion::slide_out || m == Motion::tremble;
}
bool closed_after(Motion m) {
    return m == Motion::set_down || m == Motion::slide_in || m == Motion::tremble;
}

/// Lengths of the stretches at `level` that are longer than `least`, within the edges' span.
std::vector<BenchUs> stretches(const std::vector<Edge>& edges, bool level, BenchUs least) {
    std::vector<BenchUs> lengths;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const BenchUs length = edges[i + 1].at - edges[i].at;
        if (edges[i].closed == level && length > least) lengths.push_back(length);
    }
    return lengths;
}

}  // namespace

TEST_CASE("a bouncing contact starts at once, alternates, and rests within its bound", "[bench]") {
    const Bounce bounce{{100, 1000}, 6};
    unsigned bounced = 0;
    for (std::uint64_t seed = 0; seed < 5000; ++seed) {
        CAPTURE(seed);
        Rng rng(seed);
        std::vector<Edge> edges;
        append_bounce(bounce, 7000, seed % 2 == 0, rng, edges);
        REQUIRE(edges.size() % 2 == 1);
        REQUIRE(edges.size() <= 13);
        REQUIRE(edges.front().at == 7000);
        REQUIRE(edges.back().at <= 7000 + 1000 + 12);
        REQUIRE(edges.back().closed == (seed % 2 == 0));
        for (std::size_t i = 1; i < edges.size(); ++i) {
            REQUIRE(edges[i].at > edges[i - 1].at);
            REQUIRE(edges[i].closed != edges[i - 1].closed);
        }
        if (edges.size() > 1) ++bounced;
    }
    CHECK(bounced > 3000);
}

TEST_CASE("a bounce without room or pairs is one clean edge", "[bench]") {
    Rng rng(1);
    std::vector<Edge> edges;
    append_bounce({{0, 1}, 6}, 5, true, rng, edges);
    append_bounce({{1000, 1000}, 0}, 9, false, rng, edges);
    REQUIRE(edges.size() == 2);
}

TEST_CASE("every motion over every sensor alternates and ends at its level", "[bench]") {
    const SensorKind kind = GENERATE(SensorKind::reed, SensorKind::hall);
    const auto sensor = make_sensor(kind);
    for (const Motion motion : all_motions) {
        for (std::uint64_t seed = 0; seed < 500; ++seed) {
            CAPTURE(name_of(kind), static_cast<int>(motion), seed);
            Rng rng(seed);
            const BenchUs lasts = rng.in({5'000, 90'000});
            std::vector<Edge> edges;
            sensor->react(motion, 1'000'000, lasts, rng, edges);
            bool level = closed_before(motion);
            BenchUs last = 999'999;
            for (const Edge& edge : edges) {
                REQUIRE(edge.at > last);
                REQUIRE(edge.closed != level);
                level = edge.closed;
                last = edge.at;
            }
            REQUIRE(level == closed_after(motion));
            // Slow Hall edges take up to the hand's 30 ms, reed bounce 1 ms.
            REQUIRE(last <= 1'000'000 + std::max<BenchUs>(lasts + 1'020, 30'000));
        }
    }
}

TEST_CASE("a man put down on a reed is seen at once and steady after a millisecond", "[bench]") {
    const ReedSensor reed;
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
        CAPTURE(seed);
        Rng rng(seed);
        std::vector<Edge> edges;
        reed.react(Motion::set_down, 0, 0, rng, edges);
        REQUIRE(edges.front().at == 0);
        REQUIRE(edges.back().at <= 1'012);
    }
}

TEST_CASE("a magnet that slides over a reed closes it twice, over a Hall sensor once", "[bench]") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        Rng rng(seed);
        std::vector<Edge> reed_edges;
        std::vector<Edge> hall_edges;
        ReedSensor().react(Motion::pass_over, 0, 60'000, rng, reed_edges);
        HallSensor().react(Motion::pass_over, 0, 60'000, rng, hall_edges);
        CHECK(stretches(reed_edges, true, 5'000).size() == 2);
        CHECK(stretches(reed_edges, false, 5'000).size() == 1);
        CHECK(stretches(hall_edges, true, 5'000).size() == 1);
    }
}

TEST_CASE("noise makes a Hall sensor flicker at its thresholds, and hysteresis keeps it rare",
          "[bench]") {
    unsigned flickers = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Rng rng(seed);
        std::vector<Edge> edges;
        HallSensor().react(Motion::set_down, 0, 0, rng, edges);
        if (edges.size() > 1) ++flickers;
    }
    CHECK(flickers > 100);
    HallParameters wide;
    wide.release = 300;
    unsigned with_more_hysteresis = 0;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
        Rng rng(seed);
        std::vector<Edge> edges;
        HallSensor(wide).react(Motion::set_down, 0, 0, rng, edges);
        if (edges.size() > 1) ++with_more_hysteresis;
    }
    CHECK(with_more_hysteresis < flickers / 10);
}

TEST_CASE("a rocking man opens a reed for less than a millisecond and stays seen by a Hall sensor",
          "[bench]") {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        Rng rng(seed);
        std::vector<Edge> edges;
        ReedSensor().react(Motion::tremble, 0, 0, rng, edges);
        REQUIRE(edges.size() >= 2);
        for (const BenchUs open : stretches(edges, false, 0)) CHECK(open <= 700);
        edges.clear();
        HallSensor().react(Motion::tremble, 0, 0, rng, edges);
        CHECK(edges.empty());
    }
}

TEST_CASE("sensor kinds are read back by name", "[bench]") {
    CHECK(parse_sensor_kind("reed") == SensorKind::reed);
    CHECK(parse_sensor_kind("hall") == SensorKind::hall);
    CHECK_FALSE(parse_sensor_kind("radar"));
}
