// entries.hpp - journal entries as a board and its people would have made them
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "host/app/host_input.hpp"
#include "host/chess/types.hpp"
#include "host/journal/journal.hpp"

namespace touchmove::app::testing {

inline constexpr std::uint64_t array_squares = 0xFFFF'0000'0000'FFFFU;

/// Writes one board's entries; times in milliseconds of the present session.
class Scribe {
  public:
    explicit Scribe(std::int64_t wall_ms = 1'764'460'800'000) : wall_begin_(wall_ms) {}

    Scribe& session(std::uint32_t number, std::int64_t wall_pause_ms = 0) {
        wall_begin_ += last_ms_ + wall_pause_ms;
        last_ms_ = 0;
        session_ = number;
        seq_ = 0;
        return event(0, link::SessionStart{number});
    }
    Scribe& snapshot(std::int64_t ms, std::uint64_t squares = array_squares,
                     std::uint8_t inputs = 0) {
        return event(ms, link::Snapshot{squares, inputs});
    }
    Scribe& lift(std::int64_t ms, std::string_view square) {
        return event(ms, link::Lift{index(square), 0});
    }
    Scribe& place(std::int64_t ms, std::string_view square) {
        return event(ms, link::Place{index(square), 0});
    }
    Scribe& input(std::int64_t ms, std::uint8_t number, bool active) {
        return event(ms, link::InputEdge{number, active, 0});
    }
    /// A whole move: lift, place, and the mover's lever down (and the other one up).
    Scribe& move(std::int64_t ms, std::string_view from, std::string_view to, bool white) {
        lift(ms, from).place(ms + 200, to);
        const std::uint8_t own = white ? 0 : 1;
        input(ms + 400, own, true);
        return input(ms + 400, 1 - own, false);
    }
    Scribe& say(std::int64_t ms, const HostSaid& said) {
        return add(ms, journal::HostInput{to_json(said)});
    }
    Scribe& passed(std::int64_t ms) { return add(ms, journal::TimePassed{}); }
    Scribe& event(std::int64_t ms, link::DeviceEvent what) {
        add(ms, what);
        entries_.back().id = link::RecordId{session_, seq_++};
        return *this;
    }

    [[nodiscard]] const std::vector<journal::Entry>& entries() const { return entries_; }

  private:
    static std::uint8_t index(std::string_view square) {
        return static_cast<std::uint8_t>(chess::Square::parse(square)->index());
    }
    Scribe& add(std::int64_t ms, journal::Payload payload) {
        journal::Entry entry;
        entry.row = static_cast<std::int64_t>(entries_.size()) + 1;
        entry.board = "TM-1";
        entry.at = device_time(ms * 1000);
        entry.wall_ms = wall_begin_ + ms;
        entry.records = 1;
        entry.payload = std::move(payload);
        entries_.push_back(std::move(entry));
        last_ms_ = ms;
        return *this;
    }

    std::vector<journal::Entry> entries_;
    std::int64_t wall_begin_;
    std::int64_t last_ms_ = 0;
    std::uint32_t session_ = 0;
    std::uint16_t seq_ = 0;
};

}  // namespace touchmove::app::testing
