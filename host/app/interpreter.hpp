// interpreter.hpp - what a board reported, as inputs of the referee
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/base/board_inputs.hpp"
#include "host/base/time.hpp"
#include "host/chess/position.hpp"
#include "host/journal/journal.hpp"
#include "host/laws/input.hpp"

namespace touchmove::app {

inline constexpr std::size_t aux_inputs = 8;

/// Which of a board's auxiliary inputs means what.
using InputMap = std::array<std::optional<BoardInput>, aux_inputs>;

/// The assignment that the simulated boards are wired for.
[[nodiscard]] constexpr InputMap default_input_map() noexcept {
    InputMap map{};
    for (const auto input : {BoardInput::white_lever, BoardInput::black_lever, BoardInput::pause,
                             BoardInput::white_adjust, BoardInput::black_adjust}) {
        map[number_of(input)] = input;
    }
    return map;
}

/// Board time: microseconds since the journal's first entry of this board. A device counts from 0
/// in each session; board time goes on through all of them, so that a game can outlive a power
/// cut. It is written in DeviceTime, the one clock that the referee knows.
struct BoardInputAt {
    DeviceTime at;
    laws::Input what;
};

/// Reads one board's journal entries in their order. Deterministic: nothing counts but the entries
/// and the assignment of the inputs.
class Interpreter {
  public:
    void set_inputs(const InputMap& map) noexcept { map_ = map; }

    /// The board time of this entry, which must be the next one. A new session begins where the
    /// old one ended plus the time that passed by the host's wall clock in between.
    DeviceTime take_time(const journal::Entry& entry);
    /// What it means, for entries that hold a device event. After take_time().
    [[nodiscard]] std::vector<laws::Input> take_event(const link::DeviceEvent& event);

    /// The board time of an instant of the present session; never below the last entry's.
    [[nodiscard]] DeviceTime board_time(DeviceTime device) const noexcept;

    /// The instant of the present session at that board time.
    [[nodiscard]] DeviceTime device_time_of(DeviceTime board) const noexcept {
        return board - offset_;
    }

    /// What the sensors show; none before the first snapshot.
    [[nodiscard]] std::optional<chess::Bitboard> occupied() const noexcept { return occupied_; }

  private:
    void take_edge(std::size_t input, bool active, std::vector<laws::Input>& inputs);
    void take_snapshot(const link::Snapshot& seen, std::vector<laws::Input>& inputs);

    InputMap map_ = default_input_map();

    bool any_entry_ = false;
    std::optional<std::uint32_t> session_;
    Micros offset_{0};          ///< board time less device time, in the present session
    DeviceTime last_at_{};      ///< board time of the last entry
    std::int64_t last_wall_ms_ = 0;
    bool broken_ = false;       ///< the entry in hand began a session other than the first

    std::optional<chess::Bitboard> occupied_;
    std::optional<std::uint8_t> active_;  ///< states of the aux inputs
};

}  // namespace touchmove::app
