// game_run.cpp - one game through the simulated device, the daemon's link and the referee
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/game_run.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "host/app/interpreter.hpp"
#include "host/base/cpu_time.hpp"
#include "host/laws/referee.hpp"
#include "sim/verify/board.hpp"
#include "sim/verify/said.hpp"

namespace touchmove::verify {
namespace {

using bench::BenchUs;
using bench::Said;
using bench::Timeline;

// The host polls so often. Longer than the 1 ms frames of a real bus, which only costs time here;
// no longer than the 10 ms in which a device must state its watermark.
constexpr BenchUs poll_us = 10'000;
// After the last act: thresholds, watermark, and the release of the last man by dwell alone.
constexpr BenchUs tail_us = 1'000'000;

/// The daemon's part: what the link delivers goes, as from the journal, to interpreter and referee.
class Host final : public link::BoardLink::Sink {
  public:
    Host(const bench::Script& script, bool has_levers, bool keep_inputs)
        : comparison_(script),
          referee_(rules_for(has_levers), setup_for(script)),
          keep_inputs_(keep_inputs) {}

    void on_events(std::span<const link::StampedEvent> events) override {
        for (const link::StampedEvent& event : events) {
            records_ += event.records;
            if (std::holds_alternative<link::Gap>(event.event)) ++gaps_;
            journal::Entry entry;
            entry.at = event.at;
            entry.id = event.id;
            entry.records = event.records;
            entry.wall_ms = now_ / 1000;
            entry.payload = event.event;
            const DeviceTime at = interpreter_.take_time(entry);
            for (const laws::Input& input : interpreter_.take_event(event.event)) tell(at, input);
        }
        unacknowledged_.insert(unacknowledged_.end(), events.begin(), events.end());
    }

    void on_watermark(DeviceTime t) override {
        watermark_ = std::max(watermark_, interpreter_.board_time(t));
        referee_.advance(watermark_);
        compare();
    }

    void on_attached(std::uint32_t) override { attached_ = true; }
    void on_detached(const Error& why) override { error_ = why.message(); }

    /// What the wall clock says from here on.
    void set_now(BenchUs now) { now_ = now; }

    /// A host input is stamped on acceptance, never below the last watermark.
    void hear(const Said& said, BenchUs session_began) {
        const DeviceTime at = interpreter_.board_time(device_time(said.at - session_began));
        tell(std::max(at, watermark_), input_of(said));
    }

    void finish() {
        compare();
        comparison_.finish();
    }

    [[nodiscard]] std::vector<link::StampedEvent> take_unacknowledged() {
        return std::exchange(unacknowledged_, {});
    }
    [[nodiscard]] const Comparison& comparison() const { return comparison_; }
    [[nodiscard]] const std::string& error() const { return error_; }
    [[nodiscard]] bool attached() const { return attached_; }
    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] std::uint64_t gaps() const { return gaps_; }
    [[nodiscard]] std::vector<TimedInput> take_inputs() { return std::move(inputs_); }

  private:
    static laws::Rules rules_for(bool has_levers) {
        laws::Rules rules;
        rules.has_levers = has_levers;
        return rules;
    }

    static laws::GameSetup setup_for(const bench::Script& script) {
        laws::GameSetup setup;
        setup.start = script.start;
        return setup;
    }

    void tell(DeviceTime at, const laws::Input& input) {
        if (keep_inputs_) inputs_.push_back({at, input});
        referee_.input(at, input);
        compare();
    }

    void compare() {
        const std::vector<laws::Decision> decisions = referee_.take_decisions();
        if (!decisions.empty()) comparison_.take(decisions);
    }

    app::Interpreter interpreter_;
    Comparison comparison_;
    laws::Referee referee_;
    BenchUs now_ = 0;
    DeviceTime watermark_{};
    bool attached_ = false;
    std::string error_;
    std::vector<link::StampedEvent> unacknowledged_;
    std::uint64_t records_ = 0;
    std::uint64_t gaps_ = 0;
    bool keep_inputs_;
    std::vector<TimedInput> inputs_;
};

}  // namespace

GameReport run_game(const bench::Script& script, const GameOptions& options) {
    const std::int64_t began = thread_cpu_ns();
    Timeline timeline(script, options.timeline);
    Host host(timeline.script(), timeline.has_levers(), options.keep_inputs);
    device::DeviceOptions device_options = options.device;
    device_options.fidelity = options.fidelity == Fidelity::soc ? device::Fidelity::soc
                                                                : device::Fidelity::frontend;
    const std::unique_ptr<Board> board =
        options.fidelity == Fidelity::ideal
            ? make_ideal_board(timeline, host, options.power_cut)
            : make_rtl_board(timeline, host, device_options);
    if (board == nullptr) {
        GameReport report;
        report.error = "this program was built without the whole chip";
        return report;
    }

    BenchUs now = 0;
    while (host.error().empty() && !host.comparison().difference()) {
        now += poll_us;
        host.set_now(now);
        board->run_until(now);
        while (const auto said = timeline.take_said(now)) host.hear(*said, board->session_began());
        if (const auto events = host.take_unacknowledged(); !events.empty()) {
            board->acknowledge(events);
        }
        if (timeline.ends_at() && now >= *timeline.ends_at() + tail_us) break;
    }
    host.finish();

    GameReport report;
    report.difference = host.comparison().difference();
    report.error = host.error();
    if (report.error.empty() && !host.attached()) report.error = "the board was never attached";
    report.cut = script.cut;
    report.kings_shown = timeline.kings_shown();
    report.has_levers = timeline.has_levers();
    report.sensor = timeline.sensor();
    if (report.difference) {
        const auto& truth = timeline.truth();
        const std::size_t ply = report.difference->ply;
        report.style = ply < truth.size() ? truth[ply].style : "no";
    }
    report.plies = script.moves.size();
    report.simulated_us = now;
    report.records = host.records();
    report.gaps = host.gaps();
    report.reports = host.comparison().reports();
    report.inputs = host.take_inputs();
    report.cpu_ns = thread_cpu_ns() - began;
    return report;
}

}  // namespace touchmove::verify
