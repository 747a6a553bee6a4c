// time_control.cpp - time controls as people write them
// SPDX-License-Identifier: Apache-2.0
#include "host/app/time_control.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

namespace touchmove::app {
namespace {

constexpr unsigned max_seconds = 100 * 3600;
constexpr unsigned max_moves = 1000;

/// A whole number up to `limit` at the head of `text`, which is cut off.
std::optional<unsigned> take_number(std::string_view& text, unsigned limit) {
    unsigned value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc{} || value > limit) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

laws::ClockMode mode_of(char sign) {
    switch (sign) {
        case '+': return laws::ClockMode::fischer;
        case 'd': return laws::ClockMode::delay;
        case 'b': return laws::ClockMode::bronstein;
        default: return laws::ClockMode::none;
    }
}

/// One period, "40/5400+30"; `text` is used up.
bool add_period(std::string_view text, laws::ClockSetup& clock) {
    laws::ClockPeriod period{};
    auto number = take_number(text, max_seconds);
    if (!number) return false;
    if (!text.empty() && text.front() == '/') {
        if (*number == 0 || *number > max_moves) return false;
        period.moves = *number;
        text.remove_prefix(1);
        number = take_number(text, max_seconds);
        if (!number) return false;
    }
    if (*number == 0) return false;
    period.base = Millis{std::int64_t{*number} * 1000};

    laws::ClockMode mode = laws::ClockMode::sudden;
    Millis extra{0};
    if (!text.empty()) {
        mode = mode_of(text.front());
        if (mode == laws::ClockMode::none) return false;
        text.remove_prefix(1);
        const auto seconds = take_number(text, max_seconds);
        if (!seconds || !text.empty()) return false;
        extra = Millis{std::int64_t{*seconds} * 1000};
        if (*seconds == 0) mode = laws::ClockMode::sudden;
    }
    // One extra for all periods: that is what clocks can do.
    if (!clock.periods.empty() && (clock.mode != mode || clock.extra != extra)) return false;
    clock.mode = mode;
    clock.extra = extra;
    clock.periods.push_back(period);
    return true;
}

}  // namespace

Result<laws::ClockSetup> parse_time_control(std::string_view text) {
    laws::ClockSetup clock;
    if (text == "-") return clock;
    const std::string whole(text);
    for (;;) {
        const auto colon = text.find(':');
        const bool last = colon == std::string_view::npos;
        if (!add_period(text.substr(0, colon), clock) ||
            (last && clock.periods.back().moves.has_value()) ||
            (!last && !clock.periods.back().moves)) {
            return Error(std::errc::invalid_argument,
                         fmt::format("\"{}\" is no time control: write seconds as in "
                                     "\"40/5400+30:1800+30\", \"900+10\", \"300\", or \"-\" for "
                                     "none",
                                     whole));
        }
        if (last) return clock;
        text.remove_prefix(colon + 1);
    }
}

}  // namespace touchmove::app
