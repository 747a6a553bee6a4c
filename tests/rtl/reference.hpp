// reference.hpp - what the debouncer must do, written plainly: one input after the other, whole
// times SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/rtl/frontend.hpp"

namespace touchmove::rtl_test {

/// Follows frames whose inputs stand still within the frame. `settle_us` of 12 or more, so that no
/// watermark takes an edge's slot; no snapshots after the first.
class Reference {
  public:
    /// `squares`, `aux`: levels at the start of the session, as active and inactive.
    Reference(const Settings& settings, std::uint64_t squares, std::uint8_t aux)
        : settings_{settings} {
        for (int i = 0; i < inputs; ++i) inputs_[index(i)].level = bit(i, squares, aux);
    }

    /// One frame. `start_us`: its device time.
    void frame(std::uint64_t start_us, std::uint64_t squares, std::uint8_t aux) {
        // Of the runs open when the frame before ended, and that frame's start
        std::uint64_t oldest = last_start_us_.value_or(start_us);
        for (const Input& in : inputs_)
            if (in.run_since) oldest = std::min(oldest, *in.run_since);
        if (last_start_us_) watermarks.push_back(oldest);
        last_start_us_ = start_us;

        const std::uint64_t settle = settings_.settle_us;
        for (int visit = 0; visit < inputs; ++visit) {
            const int input = visit < 8 ? 64 + visit : visit - 8;
            const auto slot = static_cast<std::uint64_t>(visit / 8);
            const auto within = static_cast<std::uint64_t>(visit % 8);
            const std::uint64_t tick =
                start_us + (slot < 8 ? slot * settle + settle - 8 : 8 * settle) + within;
            visit_one(input, bit(input, squares, aux), start_us, tick);
        }
    }

    std::vector<Record> records;             ///< edges and faults; sequence numbers are left 0
    std::vector<std::uint64_t> watermarks;   ///< what could be stated at each frame's start

  private:
    static constexpr int inputs = 72;
    static constexpr std::uint64_t ticks_between_records = 4;
    struct Input {
        bool level = false;
        std::optional<std::uint64_t> run_since;   // every sample since then differed
        std::optional<std::uint64_t> held_since;  // eager: ignored since then
        bool differed_in_hold = false;
        unsigned bounces = 0;
    };

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
    static bool bit(int i, std::uint64_t squares, std::uint8_t aux) {
        return i < 64 ? ((squares >> i) & 1u) != 0 : ((aux >> (i - 64)) & 1u) != 0;
    }
    [[nodiscard]] std::uint64_t threshold(bool to) const {
        return (to ? settings_.place_us : settings_.lift_us) / 8 * 8;
    }

    void emit(std::uint8_t kind, unsigned count, int input, std::uint64_t stamp,
              std::uint64_t tick) {
        Record r;
        r.kind = kind;
        r.count = static_cast<std::uint8_t>(count);
        r.index = static_cast<std::uint8_t>(kind == TM_KIND_INPUT_DOWN || kind == TM_KIND_INPUT_UP
                                                ? input - 64 : input);
        r.word = static_cast<std::uint32_t>(stamp);
        r.parity = ((stamp >> 32) & 1u) != 0;
        records.push_back(r);
        last_record_tick_ = tick;
    }

    void visit_one(int i, bool sample, std::uint64_t now, std::uint64_t tick) {
        Input& in = inputs_[index(i)];
        const bool may_record =
            !last_record_tick_ || tick - *last_record_tick_ >= ticks_between_records;
        const bool differs = sample != in.level;

        if (in.held_since && now - *in.held_since < threshold(in.level)) {
            if (in.differed_in_hold && !differs && in.bounces < TM_COUNT_MAX - 1) ++in.bounces;
            in.differed_in_hold = differs;
            return;
        }
        if (in.held_since) {
            in.held_since.reset();
            if (in.differed_in_hold && !differs && in.bounces < TM_COUNT_MAX - 1) ++in.bounces;
            in.differed_in_hold = false;
        }

        if (!differs) {
            if (!in.run_since) return;
            const std::uint64_t since = *in.run_since;
            in.run_since.reset();
            if (in.bounces == TM_COUNT_MAX - 1) {
                if (!may_record) return;   // the fault record waits for the next bounce
                emit(TM_KIND_FAULT, TM_FAULT_CHATTER, i, since, tick);
            }
            if (in.bounces < TM_COUNT_MAX) ++in.bounces;
            return;
        }
        const bool first = !in.run_since;
        if (first) in.run_since = now;
        const bool due = settings_.eager || (!first && now - *in.run_since >= threshold(sample));
        if (!due || !may_record) return;
        const std::uint8_t kind = i < 64 ? (sample ? TM_KIND_PLACE : TM_KIND_LIFT)
                                         : (sample ? TM_KIND_INPUT_DOWN : TM_KIND_INPUT_UP);
        emit(kind, in.bounces, i, *in.run_since, tick);
        if (settings_.eager) in.held_since = in.run_since;
        in.run_since.reset();
        in.level = sample;
        in.bounces = 0;
    }

    Settings settings_;
    std::array<Input, inputs> inputs_;
    std::optional<std::uint64_t> last_start_us_;
    std::optional<std::uint64_t> last_record_tick_;
};

}  // namespace touchmove::rtl_test
