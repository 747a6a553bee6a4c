// ideal_board.cpp - the frontend's effect in C++: frames, thresholds, stamps, watermark
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "sim/verify/board.hpp"

namespace touchmove::verify {
namespace {

using device::BenchUs;
using device::ContactState;

// docs/registers.md, default settings.
constexpr BenchUs frame_us = 88;
constexpr BenchUs lift_us = 8'000;
constexpr BenchUs place_us = 5'000;

bool level_of(const ContactState& state, unsigned contact) {
    return contact < device::square_count
               ? (state.squares >> contact & 1U) != 0
               : (state.aux >> (contact - device::square_count) & 1U) != 0;
}

class IdealBoard final : public Board {
  public:
    IdealBoard(device::Stimulus& stimulus, link::BoardLink::Sink& sink,
               std::optional<PowerCut> cut)
        : stimulus_(stimulus), sink_(sink), cut_(cut) {}

    void run_until(BenchUs until) override {
        if (cut_ && until > cut_->off) {
            run_powered_until(cut_->off);
            if (until < cut_->on) return;
            while (stimulus_.next_change_us() <= cut_->on) stimulus_.apply(contacts_);
            began_ = std::exchange(cut_, std::nullopt)->on;
            held_.clear();
            runs_ = {};
            attached_ = false;
        }
        run_powered_until(until);
    }

    void acknowledge(std::span<const link::StampedEvent>) override {}
    [[nodiscard]] BenchUs session_began() const override { return began_; }

  private:
    struct Run {
        BenchUs since;
        bool level;
    };

    void run_powered_until(BenchUs until) {
        if (!attached_) attach();
        while (stimulus_.next_change_us() <= until) {
            // Everything that happens between two frames is seen by the later one as one change.
            const BenchUs frame = frame_at_or_after(stimulus_.next_change_us());
            if (frame > until) break;
            accept_until(frame);
            while (stimulus_.next_change_us() <= frame) stimulus_.apply(contacts_);
            sample(frame);
        }
        accept_until(until);
        release(until);
    }

    static BenchUs frame_at_or_after(BenchUs at) {
        return (at + frame_us - 1) / frame_us * frame_us;
    }

    void attach() {
        attached_ = true;
        while (stimulus_.next_change_us() <= began_) stimulus_.apply(contacts_);
        accepted_ = contacts_;
        seq_ = 0;
        sink_.on_attached(++session_);
        push(began_, link::SessionStart{session_});
        push(began_, link::Snapshot{accepted_.squares, accepted_.aux});
    }

    void sample(BenchUs frame) {
        for (unsigned contact = 0; contact < device::contact_count; ++contact) {
            const bool level = level_of(contacts_, contact);
            auto& run = runs_[contact];
            if (level == level_of(accepted_, contact)) {
                run.reset();
            } else if (!run) {
                run = Run{frame, level};
            }
        }
    }

    /// Accepts the runs that have become old enough by `now`.
    void accept_until(BenchUs now) {
        for (unsigned contact = 0; contact < device::contact_count; ++contact) {
            auto& run = runs_[contact];
            if (!run || run->since + (run->level ? place_us : lift_us) > now) continue;
            accepted_.set(contact, run->level);
            if (contact >= device::square_count) {
                push(run->since,
                     link::InputEdge{static_cast<std::uint8_t>(contact - device::square_count),
                                     run->level, 0});
            } else if (run->level) {
                push(run->since, link::Place{static_cast<std::uint8_t>(contact), 0});
            } else {
                push(run->since, link::Lift{static_cast<std::uint8_t>(contact), 0});
            }
            run.reset();
        }
    }

    void push(BenchUs at, const link::DeviceEvent& event) {
        held_.push_back({device_time(at - began_), event, {session_, seq_++}, 1});
    }

    /// Hands on what no later record can come before.
    void release(BenchUs now) {
        BenchUs watermark = now;
        for (const auto& run : runs_) {
            if (run) watermark = std::min(watermark, run->since);
        }
        std::stable_sort(held_.begin(), held_.end(),
                         [](const auto& a, const auto& b) { return a.at < b.at; });
        const auto end = std::find_if(held_.begin(), held_.end(), [&](const auto& event) {
            return event.at >= device_time(watermark - began_);
        });
        const std::vector<link::StampedEvent> due(held_.begin(), end);
        held_.erase(held_.begin(), end);
        if (!due.empty()) sink_.on_events(due);
        sink_.on_watermark(device_time(watermark - began_));
    }

    device::Stimulus& stimulus_;
    link::BoardLink::Sink& sink_;
    std::optional<PowerCut> cut_;
    BenchUs began_ = 0;  ///< the session
    std::uint32_t session_ = 0;
    bool attached_ = false;
    ContactState contacts_;
    ContactState accepted_;
    std::array<std::optional<Run>, device::contact_count> runs_{};
    std::vector<link::StampedEvent> held_;
    std::uint16_t seq_ = 0;
};

}  // namespace

std::unique_ptr<Board> make_ideal_board(device::Stimulus& stimulus, link::BoardLink::Sink& sink,
                                        std::optional<PowerCut> cut) {
    return std::make_unique<IdealBoard>(stimulus, sink, cut);
}

}  // namespace touchmove::verify
