// bus.cpp - time on the wires: what a host has planned to drive meets a clocked device
// SPDX-License-Identifier: Apache-2.0
#include "sim/wire/bus.hpp"

#include <algorithm>

namespace touchmove::wire {

void Bus::plan(Line line, Fs from, Fs until) {
    if (!planned_.empty()) from = std::max(from, planned_.back().until);
    if (until > from) planned_.push_back({line, from, until});
}

void Bus::step() {
    while (!planned_.empty() && planned_.front().until <= now_)
        planned_.pop_front();
    const bool driven = !planned_.empty() && planned_.front().from <= now_;
    // Idle: the device's pull-up against the host's pull-downs (USB 2.0, 7.1.5)
    bool dp = pins_.pullup, dn = false;
    if (driven) {
        dp = dp_of(planned_.front().line);
        dn = dn_of(planned_.front().line);
        if (pins_.oe) ++collisions_;
    } else if (pins_.oe) {
        dp = pins_.dp;
        dn = pins_.dn;
    }
    if (now_ >= break_from_ && now_ < break_until_) dp = dn = false;
    if (trace_.is_open() && (dp != traced_dp_ || dn != traced_dn_)) {
        trace_ << '#' << now_ / fs_per_ns << '\n';
        if (dp != traced_dp_) trace_ << dp << "p\n";
        if (dn != traced_dn_) trace_ << dn << "n\n";
        traced_dp_ = dp;
        traced_dn_ = dn;
    }
    const Pins before = pins_;
    pins_ = device_->clock(dp, dn);
    if (!(pins_ == before)) changes_.push_back({now_, pins_});
    now_ += clock48_fs;
    if (hook_) hook_();
}

void Bus::trace(const std::string& file) {
    trace_.open(file);
    trace_ << "$timescale 1 ns $end\n$scope module bus $end\n$var wire 1 p usb_dp $end\n"
              "$var wire 1 n usb_dm $end\n$upscope $end\n$enddefinitions $end\n#0\n0p\n0n\n";
    traced_dp_ = traced_dn_ = false;
}

}  // namespace touchmove::wire
