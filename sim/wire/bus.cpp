// bus.cpp - time on the wires: what a host has planned to drive meets a clocked device
// SPDX-License-Identifier: Apache-2.0
#include "sim/wire/bus.hpp"

#include <algorithm>
#include <limits>

namespace touchmove::wire {

void Bus::plan(Line line, Fs from, Fs until) {
    if (!planned_.empty()) from = std::max(from, planned_.back().until);
    if (until > from) planned_.push_back({line, from, until});
    held_.until = now_;
}

Bus::Level Bus::level() {
    constexpr Fs forever = std::numeric_limits<Fs>::max();
    while (!planned_.empty() && planned_.front().until <= now_)
        planned_.pop_front();
    if (now_ >= break_from_ && now_ < break_until_) return {false, false, true, break_until_};
    const Fs break_from = break_from_ > now_ ? break_from_ : forever;
    if (!planned_.empty() && planned_.front().from <= now_) {
        const Span& span = planned_.front();
        return {dp_of(span.line), dn_of(span.line), true, std::min(span.until, break_from)};
    }
    const Fs until = planned_.empty() ? forever : planned_.front().from;
    // Idle: the device's pull-up against the host's pull-downs (USB 2.0, 7.1.5)
    const bool dp = pins_.oe ? pins_.dp : pins_.pullup;
    return {dp, pins_.oe && pins_.dn, false, std::min(until, break_from)};
}

bool Bus::rest(Fs until) {
    if (pins_.oe || hook_) return false;
    const Level now = held();
    const Fs length = std::min(until, now.until) - now_;
    const std::int64_t clocks =
        device_->rest(now.dp, now.dn, (length + clock48_fs - 1) / clock48_fs);
    now_ += clocks * clock48_fs;
    return clocks > 0;
}

void Bus::write_trace(const Level& now) {
    if (now.dp == traced_dp_ && now.dn == traced_dn_) return;
    trace_ << '#' << now_ / fs_per_ns << '\n';
    if (now.dp != traced_dp_) trace_ << now.dp << "p\n";
    if (now.dn != traced_dn_) trace_ << now.dn << "n\n";
    traced_dp_ = now.dp;
    traced_dn_ = now.dn;
}

void Bus::step() {
    const Level& lines = held();
    if (lines.driven && pins_.oe) ++collisions_;
    if (tracing_) write_trace(lines);
    const Pins after = device_->clock(lines.dp, lines.dn);
    if (!(after == pins_)) {
        pins_ = after;
        changes_.push_back({now_, pins_});
        held_.until = now_;
    }
    now_ += clock48_fs;
    if (hook_) hook_();
}

void Bus::trace(const std::string& file) {
    trace_.open(file);
    tracing_ = trace_.is_open();
    trace_ << "$timescale 1 ns $end\n$scope module bus $end\n$var wire 1 p usb_dp $end\n"
              "$var wire 1 n usb_dm $end\n$upscope $end\n$enddefinitions $end\n#"
           << now_ / fs_per_ns << "\n0p\n0n\n";
    traced_dp_ = traced_dn_ = false;
}

}  // namespace touchmove::wire
