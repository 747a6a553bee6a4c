// bus.hpp - time on the wires: what a host has planned to drive meets a clocked device
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "sim/wire/decoder.hpp"
#include "sim/wire/line.hpp"

namespace touchmove::wire {

/// Steps the device by clocks of 48 MHz. What is planned plays whoever steps. One thread.
class Bus {
  public:
    /// `device` must outlive the bus.
    explicit Bus(LineDevice& device) : device_(&device) {}
    ~Bus() { end_trace(); }
    Bus(const Bus&) = delete;
    Bus& operator=(const Bus&) = delete;

    /// One clock.
    void step();
    /// Clock by clock, or faster where the device rests and nobody looks on.
    void run_until(Fs until) {
        while (now_ < until) {
            if (!rest(until)) step();
        }
    }
    void run_for(Fs length) { run_until(now_ + length); }

    /// Drive `line` from `from`, no earlier than the end of what is planned, to `until`.
    void plan(Line line, Fs from, Fs until);
    /// SE0 from `from` to `until`, whatever is planned, then or later: a bus reset.
    void break_at(Fs from, Fs until) {
        break_from_ = from;
        break_until_ = until;
        held_.until = now_;
    }
    [[nodiscard]] Fs now() const noexcept { return now_; }
    [[nodiscard]] const Pins& pins() const noexcept { return pins_; }
    /// Pins that changed since the last clear_changes().
    [[nodiscard]] const std::vector<PinChange>& changes() const noexcept { return changes_; }
    void clear_changes() { changes_.clear(); }
    /// Clocks in which both sides drove.
    [[nodiscard]] unsigned collisions() const noexcept { return collisions_; }

    /// Called after each clock.
    void on_clock(std::function<void()> hook) { hook_ = std::move(hook); }
    /// D+ and D- as a value change dump, for decoders that read such.
    void trace(const std::string& file);

  private:
    /// What is on the lines, and until when.
    struct Level {
        bool dp = false, dn = false, driven = false;
        Fs until = 0;
    };
    [[nodiscard]] Level level();
    /// Level now: worked out anew only where it ends, or something new is planned or driven.
    const Level& held() {
        if (held_.until <= now_) held_ = level();
        return held_;
    }
    bool rest(Fs until);
    void write_trace(const Level& now);
    // A decoder needs to know how long the last state lasted.
    void end_trace() {
        if (tracing_) trace_ << '#' << now_ / fs_per_ns << '\n';
    }
    struct Span {
        Line line;
        Fs from, until;
    };

    LineDevice* device_;
    std::deque<Span> planned_;
    Fs break_from_ = 0, break_until_ = 0;
    Fs now_ = 0;
    Pins pins_;
    Level held_;
    std::vector<PinChange> changes_;
    unsigned collisions_ = 0;
    std::function<void()> hook_;
    std::ofstream trace_;
    bool tracing_ = false;
    bool traced_dp_ = false, traced_dn_ = false;
};

}  // namespace touchmove::wire
