// sensor_watch.cpp - what the raw inputs of a board did while somebody went over its squares
// SPDX-License-Identifier: Apache-2.0
#include "host/app/sensor_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace touchmove::app {
namespace {

constexpr unsigned squares = 64;

/// `sign` gives the character of an input.
template <class Sign>
std::string draw(unsigned inputs, Sign sign) {
    std::string text;
    for (unsigned rank = 8; rank-- > 0;) {
        text += fmt::format(" {} ", rank + 1);
        for (unsigned file = 0; file < 8; ++file) {
            text += ' ';
            text += sign(8 * rank + file);
        }
        text += '\n';
    }
    text += "    a b c d e f g h\naux";
    for (unsigned input = squares; input < inputs; ++input) {
        text += fmt::format(" {}{}", input - squares, sign(input));
    }
    return text + '\n';
}

}  // namespace

void SensorWatch::take(const tm_sensor_report& report) {
    if (report.samples == 0) return;
    any_ = true;
    std::copy(std::begin(report.raw), std::end(report.raw), raw_.begin());
    for (unsigned input = 0; input < inputs; ++input) {
        if (report.changes[input] > 0) changed_[input] = true;
        if (report.changes[input] >= busy_changes) ++busy_[input];
    }
}

SensorVerdict SensorWatch::verdict(unsigned input) const {
    if (busy_.at(input) >= busy_windows) return SensorVerdict::chattering;
    if (changed_.at(input)) return SensorVerdict::good;
    return any_ && closed(input) ? SensorVerdict::stuck : SensorVerdict::untouched;
}

bool SensorWatch::faulty() const {
    for (unsigned input = 0; input < inputs; ++input) {
        const SensorVerdict v = verdict(input);
        if (v == SensorVerdict::stuck || v == SensorVerdict::chattering) return true;
    }
    return false;
}

std::string SensorWatch::picture() const {
    return draw(inputs, [this](unsigned input) { return closed(input) ? '#' : '.'; });
}

std::string SensorWatch::verdicts() const {
    return draw(inputs, [this](unsigned input) {
        switch (verdict(input)) {
            case SensorVerdict::good: return '+';
            case SensorVerdict::stuck: return 'X';
            case SensorVerdict::chattering: return '!';
            case SensorVerdict::untouched: break;
        }
        return '.';
    });
}

}  // namespace touchmove::app
