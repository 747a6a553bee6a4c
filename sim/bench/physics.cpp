// physics.cpp - how reed switches, Hall sensors, levers and buttons answer to what is done to them
// SPDX-License-Identifier: Apache-2.0
#include "sim/bench/physics.hpp"

#include <algorithm>

namespace touchmove::bench {
namespace {

constexpr std::int64_t full_field = 1000;  // HallParameters: what a man at rest gives

}  // namespace

void append_bounce(const Bounce& bounce, BenchUs at, bool closed, Rng& rng,
                   std::vector<Edge>& out) {
    out.push_back({at, closed});
    const BenchUs lasts = rng.in(bounce.lasts);
    BenchUs pairs = rng.below(bounce.most + 1);
    // Every edge needs a microsecond of its own, or two of them would cancel out unseen.
    pairs = std::min(pairs, lasts / 2);
    if (pairs == 0) return;
    std::vector<BenchUs> instants;
    for (BenchUs i = 0; i < 2 * pairs; ++i) instants.push_back(rng.in({1, lasts}));
    std::sort(instants.begin(), instants.end());
    BenchUs last = 0;
    bool level = closed;
    for (BenchUs instant : instants) {
        instant = std::max(instant, last + 1);
        level = !level;
        out.push_back({at + instant, level});
        last = instant;
    }
}

void ReedSensor::react(Motion motion, BenchUs at, BenchUs lasts, Rng& rng,
                       std::vector<Edge>& out) const {
    const auto close = [&](BenchUs when) {
        append_bounce(parameters_.closing, when, true, rng, out);
    };
    const auto open = [&](BenchUs when) {
        append_bounce(parameters_.opening, when, false, rng, out);
    };
    const auto at_per_mille = [&](unsigned part) {
        return at + lasts * static_cast<BenchUs>(part) / 1000;
    };
    switch (motion) {
        case Motion::set_down: close(at); break;
        case Motion::lift_off: open(at); break;
        case Motion::slide_in:
            close(at);
            // The man comes to rest in the nearer lobe or, over the middle, in the farther one.
            if (rng.chance(500)) {
                open(at_per_mille(parameters_.null_from));
                close(at_per_mille(parameters_.null_to));
            }
            break;
        case Motion::slide_out:
            if (rng.chance(500)) {
                open(at);
                close(at_per_mille(parameters_.null_to - parameters_.null_from));
            }
            open(at + lasts);
            break;
        case Motion::pass_over:
            close(at);
            open(at_per_mille(parameters_.null_from));
            close(at_per_mille(parameters_.null_to));
            open(at + lasts);
            break;
        case Motion::tremble:
            open(at);
            close(std::max(at + rng.in(parameters_.tremble), out.back().at + 1));
            break;
    }
}

void HallSensor::ramp(BenchUs at, BenchUs lasts, std::int64_t from, std::int64_t to, bool& closed,
                      Rng& rng, std::vector<Edge>& out) const {
    for (BenchUs t = 0; t < lasts; t += parameters_.sample_us) {
        const std::int64_t mean = from + (to - from) * t / lasts;
        // Beyond six deviations of both thresholds noise cannot matter: no need to draw it.
        const bool near =
            mean > parameters_.release - reach() && mean < parameters_.operate + reach();
        const std::int64_t field = near ? mean + rng.normal(parameters_.noise) : mean;
        const bool now = closed ? field >= parameters_.release : field > parameters_.operate;
        if (now != closed) out.push_back({at + t, now});
        closed = now;
    }
    const bool settled = to > parameters_.operate;
    if (closed != settled) out.push_back({at + lasts, settled});
    closed = settled;
}

void HallSensor::react(Motion motion, BenchUs at, BenchUs lasts, Rng& rng,
                       std::vector<Edge>& out) const {
    // A motion begins, for the sensor, where noise could first carry the field over a threshold.
    const std::int64_t coming = parameters_.operate - reach();
    const std::int64_t leaving = parameters_.release + reach();
    bool closed = motion == Motion::lift_off || motion == Motion::slide_out;
    switch (motion) {
        case Motion::set_down:
            ramp(at, rng.in(parameters_.vertical_ramp), coming, full_field, closed, rng, out);
            break;
        case Motion::slide_in: ramp(at, lasts, coming, full_field, closed, rng, out); break;
        case Motion::lift_off:
            ramp(at, rng.in(parameters_.vertical_ramp), leaving, 0, closed, rng, out);
            break;
        case Motion::slide_out: ramp(at, lasts, leaving, 0, closed, rng, out); break;
        case Motion::pass_over:
            ramp(at, lasts / 2, coming, full_field, closed, rng, out);
            ramp(at + lasts / 2, lasts - lasts / 2, full_field, 0, closed, rng, out);
            break;
        case Motion::tremble:
            // Rocking changes the field by less than the hysteresis leaves room for.
            break;
    }
}

std::string_view name_of(SensorKind kind) noexcept {
    return kind == SensorKind::reed ? "reed" : "hall";
}

std::optional<SensorKind> parse_sensor_kind(std::string_view name) noexcept {
    if (name == "reed") return SensorKind::reed;
    if (name == "hall") return SensorKind::hall;
    return std::nullopt;
}

std::unique_ptr<Sensor> make_sensor(SensorKind kind) {
    if (kind == SensorKind::reed) return std::make_unique<ReedSensor>();
    return std::make_unique<HallSensor>();
}

}  // namespace touchmove::bench
