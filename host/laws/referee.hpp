// referee.hpp - the Laws of Chess as a pure function of a stream of stamped inputs
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "host/base/time.hpp"
#include "host/chess/position.hpp"
#include "host/laws/decision.hpp"
#include "host/laws/input.hpp"

namespace touchmove::laws {

enum class Edition : std::uint16_t { y2014 = 2014, y2017 = 2017, y2018 = 2018, y2023 = 2023 };
enum class TimeClass : std::uint8_t { standard, rapid, blitz };
enum class Supervision : std::uint8_t { full, limited };  ///< limited: Appendix A.5, B.3

/// What is settled before the game.
struct Rules {
    Edition edition = Edition::y2023;
    TimeClass time_class = TimeClass::standard;
    Supervision supervision = Supervision::full;
    bool flag_observer = true;  ///< does the daemon count as the arbiter observing (6.8)?
    bool has_levers = true;     ///< without them a move is published after publish_ms
    Millis release_ms{500};     ///< dwell after which a standing man counts as released
    Millis publish_ms{1500};
};

enum class ClockMode : std::uint8_t { none, sudden, fischer, delay, bronstein };
struct ClockPeriod {
    std::optional<unsigned> moves;
    Millis base;
};
struct ClockSetup {
    ClockMode mode = ClockMode::none;
    std::vector<ClockPeriod> periods;
    Millis extra{0};
    std::array<std::optional<Millis>, 2> left;  ///< by colour, at time 0, instead of the first base
    std::optional<Color> running;               ///< whose clock runs at time 0
};

/// Where the game stands when the first input comes.
struct GameSetup {
    chess::Position start = chess::Position::initial();
    std::vector<Move> before;            ///< made and completed already, legal from `start`
    std::array<unsigned, 2> offences{};  ///< completed illegal moves so far, by colour
    ClockSetup clock;
};

/// One game's referee. Deterministic: no threads, no wall clock, no I/O; never throws. Inputs come
/// in order of time; an input below the time already reached counts as coming at that time.
class Referee {
  public:
    Referee(Rules rules, GameSetup setup);
    ~Referee();
    Referee(Referee&&) noexcept;
    Referee& operator=(Referee&&) noexcept;
    Referee(const Referee&);
    Referee& operator=(const Referee&);

    /// Something happened at `at`; all that fell due before it is decided first.
    void input(DeviceTime at, const Input& what);
    /// Nothing further happened up to and including `to`.
    void advance(DeviceTime to);

    /// Decisions since the last call, oldest first.
    [[nodiscard]] std::vector<Decision> take_decisions();

    // The state after the last input.
    [[nodiscard]] const std::vector<RecordedMove>& moves() const noexcept;
    [[nodiscard]] const chess::Position& position() const noexcept;  ///< after the recorded moves
    [[nodiscard]] Color turn() const noexcept;                       ///< who has the move (1.3)
    [[nodiscard]] const std::optional<GameResult>& result() const noexcept;
    [[nodiscard]] const std::vector<Report>& reports() const noexcept;
    /// How many accounts of what happened are still open behind the record, the piece of a
    /// promotion aside; 1: what is shown is the only one.
    [[nodiscard]] std::size_t stories() const;
    [[nodiscard]] chess::Bitboard board() const noexcept;  ///< what the sensors show
    /// Where the board differs from what must stand there, while the men are to be put back (7.1,
    /// 7.4): a man too many, or one that is missing. Else nothing.
    [[nodiscard]] chess::Bitboard to_restore() const noexcept;
    [[nodiscard]] Millis clock_left(Color side) const noexcept;
    [[nodiscard]] std::optional<Color> clock_running() const noexcept;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace touchmove::laws
