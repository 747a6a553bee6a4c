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
#include "host/serve/language.hpp"

namespace touchmove::serve {

/// Who reads. The arbiter sees everything; viewers, whom the players may see over the shoulder of,
/// get the record, the men and the clocks, but neither reports and claims nor whether a move is
/// completed (12.6, 11.3.1).
enum class Audience : std::uint8_t { viewer, arbiter };

/// What is known of a game before its first move. Empty means unknown.
struct GameInfo {
    std::string board;    ///< serial number of the board; the key in every message
    std::string game_id;  ///< unique over all games of this host, the same after a restart
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
    /// `setup` as the referee had it: start position and moves before the first input. `language`:
    /// of the sentences in messages; the PGN, which others read, is always in English.
    LiveGame(GameInfo info, const laws::GameSetup& setup, Language language = Language::en);

    void on_input(DeviceTime at, const laws::Input& input);
    void on_decision(const laws::Decision& decision);
    /// Cheap, to be called at every step: a message becomes due only if the clocks differ from what
    /// a reader works out from the last one.
    void on_clock(const ClockView& clock);
    /// How many accounts of what happened are open behind the record: Referee::stories().
    void on_stories(std::size_t open);
    /// `why` is shown to the arbiter, one sentence.
    void on_link(LinkState state, std::string why = {});

    /// Everything, as one JSON object ("type":"state"): for a reader that has just come.
    [[nodiscard]] std::string state_message(Audience audience) const;
    /// What changed since the last call for that audience ("type":"change"), if anything did. The
    /// first call gives the whole state, which takes the place of an earlier game on this board.
    [[nodiscard]] std::optional<std::string> take_change(Audience audience);

    /// Whether published moves, their times or the result differ from what the last call saw: then
    /// the PGN file is to be written.
    [[nodiscard]] bool take_record_changed() noexcept;
    /// The published record. Moves after an illegal one, which no reader of PGN would follow, are
    /// told in the comment of the last legal one (A.5.2).
    [[nodiscard]] chess::PgnGame pgn() const;

    [[nodiscard]] const GameInfo& info() const noexcept { return info_; }
    [[nodiscard]] Language language() const noexcept { return language_; }

    /// One move of the record as shown to the arbiter.
    struct MoveView {
        laws::RecordedMove recorded;
        std::string san;  ///< "a8=?" while the piece is not named; UCI if illegal
        bool legal = true;
        bool published = false;  ///< else only shown
        std::optional<Millis> spent;
    };
    [[nodiscard]] const std::vector<MoveView>& moves() const noexcept { return moves_; }
    /// After all of moves().
    [[nodiscard]] const chess::Position& position() const noexcept { return positions_.back(); }
    /// One that was set up and left without a move is none, and belongs in no PGN.
    [[nodiscard]] bool is_game() const noexcept { return !moves_.empty() || result_.has_value(); }
    [[nodiscard]] const std::optional<laws::GameResult>& result() const noexcept { return result_; }

    /// A report with a number that names it. Open: it still waits for the arbiter or a player.
    struct ReportView {
        std::uint32_t number = 0;
        laws::Report report;
        DeviceTime at{};
        bool open = false;
        std::string text;                     ///< one sentence, without the article
        std::vector<std::string> candidates;  ///< report.candidates in SAN where legal
    };
    /// The newest ones, oldest first; all open ones are among them.
    [[nodiscard]] const std::vector<ReportView>& reports() const noexcept { return reports_; }

  private:
    /// Members of a message, as bits of what is still to be sent.
    enum Part : unsigned {
        part_men = 1U << 0U,
        part_moves = 1U << 1U,
        part_clock = 1U << 2U,
        part_result = 1U << 3U,
        part_status = 1U << 4U,   ///< link, pause
        part_reports = 1U << 5U,  ///< arbiter only, as all that follow
        part_players = 1U << 6U,  ///< offers, adjusting
        part_stories = 1U << 7U,
        part_all = (1U << 8U) - 1U
    };
    /// What an audience has not been told yet.
    struct Pending {
        bool greeted = false;
        unsigned parts = 0;
        std::size_t moves_from = 0;  ///< first ply to be sent again, with part_moves
        ClockView clock_sent;
    };
    struct Interval {
        DeviceTime from;
        DeviceTime to;
    };

    void touch(unsigned parts) noexcept;
    void touch_moves(std::size_t from) noexcept;
    void set_move(std::size_t ply, const laws::RecordedMove& move, bool published);
    void truncate(std::size_t ply);
    void rework_times(std::size_t from);
    [[nodiscard]] std::optional<DeviceTime> turn_began(std::size_t ply) const noexcept;
    void add_report(DeviceTime at, const laws::Report& report);
    /// Closes open reports raised before `at` that one of `events` (bits of Closer) answers.
    void close_reports(DeviceTime at, unsigned events);
    void board_changed(DeviceTime at);
    void set_adjusting(chess::Color side, bool adjusting);
    [[nodiscard]] std::string message(Audience audience, unsigned parts, std::size_t moves_from,
                                      bool whole) const;
    [[nodiscard]] std::string name_of_move(laws::Move move) const;

    GameInfo info_;
    Language language_;
    std::vector<MoveView> moves_;
    std::vector<chess::Position> positions_;  ///< [i]: before move i; one more than moves_
    std::size_t moves_before_ = 0;            ///< made before the first input, of unknown times
    chess::Bitboard occupied_;
    ClockView clock_;
    std::optional<DeviceTime> last_press_;
    std::optional<DeviceTime> clock_started_;
    std::optional<DeviceTime> clock_stopped_;
    std::vector<Interval> stops_;  ///< both clocks stood still
    std::optional<laws::GameResult> result_;
    std::vector<ReportView> reports_;
    std::uint32_t next_report_ = 1;
    std::optional<chess::Color> offer_;
    std::array<bool, chess::color_count> adjusting_{};
    std::size_t stories_ = 1;
    bool paused_ = false;
    LinkState link_ = LinkState::replayed;
    std::string link_why_;
    bool record_changed_ = true;
    std::array<Pending, 2> pending_;
};

}  // namespace touchmove::serve
