// live_game.hpp - one board as others see it: record, men, clocks, open questions
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/base/time.hpp"
#include "host/chess/pgn.hpp"
#include "host/chess/position.hpp"
#include "host/laws/decision.hpp"
#include "host/laws/input.hpp"
#include "host/laws/referee.hpp"

namespace touchmove::serve {

/// Who reads. The arbiter sees everything; viewers, whom the players may see over the shoulder of,
/// get the record, the men and the clocks, but neither reports and claims nor whether a move is
/// completed (12.6, 11.3.1).
enum class Audience : std::uint8_t { viewer, arbiter };

/// What is known of a game before its first move. Empty means unknown.
struct GameInfo {
    std::string board;         ///< serial number of the board; the key in every message
    std::string game_id;       ///< unique over all games of this host, the same after a restart
    std::string white;
    std::string black;
    std::string event;
    std::string site;
    std::string round;
    std::string date;          ///< "2026.11.29"
    std::string time_control;  ///< as in the PGN tag, see time_control_tag()
};

/// PGN's TimeControl: "40/5400+30:1800+30", "900+10", "-" without a clock. Delay and Bronstein,
/// for which the standard has no sign, are written with 'd' in place of '+'.
[[nodiscard]] std::string time_control_tag(const laws::ClockSetup& clock);

/// What the clocks show at one instant.
struct ClockView {
    DeviceTime at{};
    std::array<std::optional<Millis>, chess::color_count> left;  ///< by colour; none: no clock
    std::optional<chess::Color> running;
};

enum class LinkState : std::uint8_t {
    connected,
    lost,     ///< cable, power or program; the record is kept, the clock view may be old
    replayed  ///< known from the journal only, not seen since this program started
};

/// One game on one board. Told everything in the order in which the referee had it:
///
///     referee.input(at, what);
///     live.on_input(at, what);
///     for (const auto& decision : referee.take_decisions()) live.on_decision(decision);
///     live.on_clock({at, {referee.clock_left(white), referee.clock_left(black)}, running});
///
/// then asked what to send and whether the record is to be written. No threads, no clock, no I/O.
class LiveGame {
  public:
    /// `setup` as the referee had it: start position and moves before the first input.
    LiveGame(GameInfo info, const laws::GameSetup& setup);

    void on_input(DeviceTime at, const laws::Input& input);
    void on_decision(const laws::Decision& decision);
    /// Cheap, to be called at every step: a message becomes due only if the clocks differ from what
    /// a reader works out from the last one.
    void on_clock(const ClockView& clock);
    /// `why` is shown to the arbiter, one sentence.
    void on_link(LinkState state, std::string why = {});

    /// Everything, as one JSON object ("type":"state"): for a reader that has just come.
    [[nodiscard]] std::string state_message(Audience audience) const;
    /// What changed since the last call for that audience ("type":"change"), if anything did.
    [[nodiscard]] std::optional<std::string> take_change(Audience audience);

    /// Whether published moves, their times or the result differ from what the last call saw: then
    /// the PGN file is to be written.
    [[nodiscard]] bool take_record_changed() noexcept;
    /// The published record. Moves after an illegal one, which no reader of PGN would follow, are
    /// told in the comment of the last legal one (7.5.4, A.5.2).
    [[nodiscard]] chess::PgnGame pgn() const;

    [[nodiscard]] const GameInfo& info() const noexcept { return info_; }

    /// One move of the record as shown to the arbiter.
    struct MoveView {
        laws::RecordedMove recorded;
        std::string san;            ///< "a8=?" while the piece is not named; UCI if illegal
        bool legal = true;
        bool published = false;     ///< else only shown
        std::optional<Millis> spent;
    };
    [[nodiscard]] const std::vector<MoveView>& moves() const noexcept { return moves_; }
    [[nodiscard]] const chess::Position& position() const noexcept;  ///< after all of moves()
    [[nodiscard]] const std::optional<laws::GameResult>& result() const noexcept { return result_; }

    /// A report that still waits for the arbiter or a player, with a number that names it.
    struct OpenReport {
        std::uint32_t number = 0;
        laws::Report report;
        DeviceTime at{};
    };
    [[nodiscard]] const std::vector<OpenReport>& open_reports() const noexcept { return open_; }

  private:
    GameInfo info_;
    std::vector<MoveView> moves_;
    std::optional<laws::GameResult> result_;
    std::vector<OpenReport> open_;
};

}  // namespace touchmove::serve
