// clock.hpp - the chess clock, in device time (Article 6)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "host/base/time.hpp"
#include "host/laws/referee.hpp"

namespace touchmove::laws {

/// Two displays of which one at most runs. Exact to the microsecond; knows nothing of moves beyond
/// their number. Where there is no clock (ClockMode::none) every call does nothing.
class Clock {
  public:
    explicit Clock(const ClockSetup& setup);

    [[nodiscard]] bool exists() const noexcept { return setup_.mode != ClockMode::none; }
    [[nodiscard]] std::optional<Color> running() const noexcept { return running_; }
    /// Whether it ever ran or was set: before that its displays measure nothing.
    [[nodiscard]] bool used() const noexcept { return used_; }
    /// Main time left at `now`; what the display shows of it with Fischer, never below zero.
    [[nodiscard]] Micros left(Color side, DeviceTime now) const noexcept;
    /// When the flag of the running side falls, if nothing changes.
    [[nodiscard]] std::optional<DeviceTime> flag_at() const noexcept;

    void start(Color side, DeviceTime at) noexcept;
    void stop(DeviceTime at) noexcept;
    /// `side` pressed after a move: its time stops, the extra and the next period's time are
    /// credited as due, the other side's time starts (6.2.1, 6.3.2). Once the last period's time is
    /// gone no extra comes back.
    void complete_move(Color side, DeviceTime at) noexcept;
    /// `side` pressed without having earned anything: the other side's time starts.
    void pass(Color side, DeviceTime at) noexcept;
    /// A move of `side` was completed without a press (6.2.1.2, A.5.2): it counts for the period.
    void count_move(Color side) noexcept;
    /// Takes back the extra that the last press of `side` earned (7.1).
    void take_extra_back(Color side) noexcept;
    /// The move that the last press of `side` seemed to end goes on: its delay has run already.
    void resume_move(Color side) noexcept;
    /// The last counted move of `side` counts no more: the position before it is restored (7.1).
    void uncount_move(Color side) noexcept;
    /// So many half-moves, the first by `first`, were completed before time 0. A period that they
    /// end has passed; its successor's time is there, unless what is left was given.
    void count_moves_before(std::size_t half_moves, Color first) noexcept;
    void set_left(Color side, Micros left, DeviceTime now) noexcept;

  private:
    [[nodiscard]] bool has_delay() const noexcept {
        return setup_.mode == ClockMode::delay || setup_.mode == ClockMode::bronstein;
    }
    [[nodiscard]] Micros used_of_main(Color side, DeviceTime now) const noexcept;

    struct Side {
        Micros left{0};          ///< main time when the present run began
        Micros used_in_move{0};  ///< in earlier runs of this move, for the delay
        Micros used_in_last_move{0};
        unsigned moves = 0;      ///< completed in the present period
        std::size_t period = 0;
    };

    ClockSetup setup_;
    std::array<Side, chess::color_count> sides_;
    std::optional<Color> running_;
    bool used_ = false;
    DeviceTime since_{};
};

}  // namespace touchmove::laws
