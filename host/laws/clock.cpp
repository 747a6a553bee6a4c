// clock.cpp - the chess clock, in device time (Article 6)
// SPDX-License-Identifier: Apache-2.0
#include "host/laws/clock.hpp"

#include <algorithm>
#include <utility>

namespace touchmove::laws {

using chess::index_of;

Clock::Clock(const ClockSetup& setup) : setup_(setup) {
    for (const Color side : {Color::white, Color::black}) {
        Side& s = sides_[index_of(side)];
        if (!setup_.periods.empty()) s.left = setup_.periods.front().base;
        // The extra of the first move is on the display from the start (glossary: increment).
        if (setup_.mode == ClockMode::fischer) s.left += setup_.extra;
        if (setup_.left[index_of(side)]) s.left = *setup_.left[index_of(side)];
    }
    if (exists()) running_ = setup_.running;
    used_ = running_.has_value();
}

Micros Clock::used_of_main(Color side, DeviceTime now) const noexcept {
    if (running_ != side) return Micros{0};
    const Micros run = std::max(now - since_, Micros{0});
    if (!has_delay()) return run;
    const Micros free =
        std::max(Micros{setup_.extra} - sides_[index_of(side)].used_in_move, Micros{0});
    return std::max(run - free, Micros{0});
}

Micros Clock::left(Color side, DeviceTime now) const noexcept {
    return std::max(sides_[index_of(side)].left - used_of_main(side, now), Micros{0});
}

std::optional<DeviceTime> Clock::flag_at() const noexcept {
    if (!running_) return std::nullopt;
    const Side& side = sides_[index_of(*running_)];
    Micros run = side.left;
    if (has_delay()) run += std::max(Micros{setup_.extra} - side.used_in_move, Micros{0});
    return since_ + run;
}

void Clock::start(Color side, DeviceTime at) noexcept {
    if (!exists()) return;
    stop(at);
    running_ = side;
    used_ = true;
    since_ = at;
}

void Clock::stop(DeviceTime at) noexcept {
    if (!running_) return;
    Side& side = sides_[index_of(*running_)];
    side.left = left(*running_, at);
    side.used_in_move += std::max(at - since_, Micros{0});
    running_.reset();
}

void Clock::complete_move(Color side, DeviceTime at) noexcept {
    if (!exists()) return;
    stop(at);
    Side& s = sides_[index_of(side)];
    s.used_in_last_move = std::exchange(s.used_in_move, Micros{0});
    const bool spent = s.left == Micros{0} && s.period + 1 >= setup_.periods.size();
    if (setup_.mode == ClockMode::fischer && !spent) s.left += setup_.extra;
    count_move(side);
    start(~side, at);
}

void Clock::count_move(Color side) noexcept {
    Side& s = sides_[index_of(side)];
    ++s.moves;
    if (s.period + 1 < setup_.periods.size() && setup_.periods[s.period].moves == s.moves) {
        ++s.period;
        s.moves = 0;
        s.left += setup_.periods[s.period].base;
    }
}

void Clock::uncount_move(Color side) noexcept {
    Side& s = sides_[index_of(side)];
    if (s.moves == 0 && s.period > 0) {
        s.left = std::max(s.left - setup_.periods[s.period].base, Micros{0});
        --s.period;
        s.moves = setup_.periods[s.period].moves.value_or(0);
    }
    if (s.moves > 0) --s.moves;
}

void Clock::pass(Color side, DeviceTime at) noexcept {
    if (!exists()) return;
    stop(at);
    Side& s = sides_[index_of(side)];
    s.used_in_last_move = std::exchange(s.used_in_move, Micros{0});
    start(~side, at);
}

void Clock::resume_move(Color side) noexcept {
    Side& s = sides_[index_of(side)];
    if (s.used_in_move == Micros{0}) s.used_in_move = std::exchange(s.used_in_last_move, Micros{0});
}

void Clock::take_extra_back(Color side) noexcept {
    Micros& left = sides_[index_of(side)].left;
    if (setup_.mode == ClockMode::fischer) left = std::max(left - setup_.extra, Micros{0});
}

void Clock::count_moves_before(std::size_t half_moves, Color first) noexcept {
    for (std::size_t ply = 0; ply < half_moves; ++ply)
        count_move(ply % 2 == 0 ? first : ~first);
    for (const Color side : {Color::white, Color::black}) {
        if (const auto given = setup_.left[index_of(side)]) sides_[index_of(side)].left = *given;
    }
}

void Clock::set_left(Color side, Micros left, DeviceTime now) noexcept {
    const auto running = running_;
    stop(now);
    sides_[index_of(side)].left = left;
    used_ = true;
    if (running) start(*running, now);
}

}  // namespace touchmove::laws
