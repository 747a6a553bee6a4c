// referee_impl.hpp - the referee's state, and the steps by which an input changes it
// SPDX-License-Identifier: Apache-2.0
//
//   input / advance            what falls due first, then the input itself      referee.cpp
//     -> board events          each reading takes them, forks, is pruned       referee_board.cpp
//     -> a board seen anew     readings that lead to it                       referee_break.cpp
//     -> presses and speech    close moves, raise reports                      referee_press.cpp
//     -> offences              their price, and whether they stand             referee_offence.cpp
//     -> settle                what all readings share enters the record       referee_record.cpp
//
// Readings are kept in order of preference; the first is the one that is shown.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <vector>

#include "host/laws/clock.hpp"
#include "host/laws/endings.hpp"
#include "host/laws/reading.hpp"
#include "host/laws/referee.hpp"

namespace touchmove::laws {

class Referee::Impl {
  public:
    Impl(Rules rules, GameSetup setup);

    void input(DeviceTime at, const Input& what);
    void advance(DeviceTime to);

    std::vector<Decision> decisions;

    [[nodiscard]] const std::vector<RecordedMove>& moves() const noexcept { return moves_; }
    [[nodiscard]] const Position& position() const noexcept { return position_; }
    [[nodiscard]] Color turn() const noexcept { return turn_; }
    [[nodiscard]] const std::optional<GameResult>& result() const noexcept { return result_; }
    [[nodiscard]] const std::vector<Report>& reports() const noexcept { return reports_; }
    [[nodiscard]] std::size_t stories() const;
    [[nodiscard]] Bitboard board() const noexcept { return sensors_.occupied; }
    [[nodiscard]] Bitboard to_restore() const noexcept {
        return hold_ && !result_ ? hold_->expected ^ sensors_.occupied : 0;
    }
    [[nodiscard]] Millis clock_left(Color side) const noexcept {
        return std::chrono::duration_cast<Millis>(clock_.left(side, now_));
    }
    [[nodiscard]] std::optional<Color> clock_running() const noexcept { return clock_.running(); }

  private:
    struct Pending {
        DeviceTime at;
        Input what;
    };
    /// Board events count for nothing until the board agrees again, or the arbiter says so.
    struct Hold {
        Bitboard expected;         ///< occupancy of the position held
        std::optional<Turn> turn;  ///< what to go on with; none: a fresh turn
        bool clocks_stopped = false;
        /// Only the arbiter ends it: men that were moved unseen may come back to where they stood.
        bool until_restored = false;
    };

    struct OpenClaim {
        std::string article;
        BoundDuty bound;
        bool lapsed = false;  ///< the claimant has touched a man since (4.8)
    };

    // referee.cpp
    void flush();
    void apply(DeviceTime at, const Input& what);
    void run_due(DeviceTime to);
    [[nodiscard]] std::optional<DeviceTime> next_due() const;
    void on_due(DeviceTime at);
    bool drop_dying(DeviceTime at);
    [[nodiscard]] Reading& primary() noexcept { return readings_.front(); }
    [[nodiscard]] const Reading& primary() const noexcept { return readings_.front(); }

    // referee_board.cpp
    void on_lift(Square s, DeviceTime at);
    void on_place(Square s, DeviceTime at);
    void lift_in(const Reading& reading, Square s, DeviceTime at, std::vector<Reading>& out) const;
    [[nodiscard]] std::vector<Reading> replies_to(const Reading& reading, const Standing& standing,
                                                  DeviceTime at) const;
    [[nodiscard]] bool placed_just_now(Bitboard squares, DeviceTime at) const;
    void place_in(Reading reading, Square s, DeviceTime at, std::vector<Reading>& out) const;
    void keep_readings(std::vector<Reading> readings);
    [[nodiscard]] static Fit fit_of(const Reading& reading);
    [[nodiscard]] Fit best_fit() const;
    void prune(Fit keep_up_to);
    void drop_misfits(DeviceTime at);
    void keep_best(const std::vector<int>& badness);
    void board_changed(DeviceTime at);
    void check_hold(DeviceTime at);
    [[nodiscard]] Bitboard expected_board() const;
    [[nodiscard]] std::vector<Square> squares_that_differ() const;
    void on_release_due(Reading& reading, DeviceTime at);
    void on_board_settled(DeviceTime at);
    void hold(DeviceTime at, bool clocks_stopped);
    void release_hold(DeviceTime at);
    [[nodiscard]] std::optional<DeviceTime> release_due(const Reading& reading) const;
    [[nodiscard]] static bool signals(const Turn& turn);
    [[nodiscard]] static bool answers_illegal_move(const Turn& turn);
    void report_answered_illegal_move(DeviceTime at);

    // referee_break.cpp
    struct Explanation {
        Reading reading;
        unsigned unseen_changes;  ///< lifts and places that it supposes
        unsigned of_closed;       ///< of these, by moves that were answered
        Bitboard moved;           ///< where men stand that moved unseen
    };
    void lose_sight(DeviceTime at);
    void on_board_seen(Bitboard occupied, DeviceTime at);
    void explain_break(Bitboard gone, Bitboard come, DeviceTime at);
    void explain_by_moves(const Explanation& before, unsigned closed, DeviceTime at,
                          std::vector<Explanation>& found) const;
    static void add_if_fits(Explanation explanation, std::vector<Explanation>& found);
    void ask_about_break(DeviceTime at);
    void on_settled_after_break(DeviceTime at);

    // referee_offence.cpp
    void offence(Color side, DeviceTime at);
    void let_stand(const Standing& played, Illegality illegality, DeviceTime at);
    [[nodiscard]] std::optional<BoundDuty> bound_by_offence(const Reading& reading,
                                                            std::vector<Move> duty) const;
    [[nodiscard]] Penalty next_penalty(Color side);
    [[nodiscard]] Millis penalty_time() const noexcept;
    [[nodiscard]] std::optional<std::string> setup_fault() const;
    [[nodiscard]] std::vector<Move> duty_of_offence(const Reading& reading) const;
    void pawn_not_exchanged(Color side, DeviceTime at);
    void look_for_illegal_position(DeviceTime at);

    // referee_press.cpp
    void on_press(Color side, DeviceTime at);
    [[nodiscard]] int press_badness(const Reading& reading, Color side, DeviceTime at) const;
    [[nodiscard]] bool is_completed(const Reading& reading, std::size_t back) const;
    [[nodiscard]] bool last_move_completed(const Reading& reading) const;
    [[nodiscard]] bool owes_press(const Reading& reading) const;
    void complete_earlier(Reading& reading, std::size_t back, DeviceTime at);
    void press_clock(Color side, bool completes, DeviceTime at);
    void ask_which(Color side, DeviceTime at);
    void ask(Report question, bool pressed, DeviceTime at);
    using PositionScores = std::map<std::uint64_t, Score>;  ///< by the position's key
    [[nodiscard]] std::vector<Score> scores_against_reading(const Reading& reading, Color side,
                                                            PositionScores& known) const;
    [[nodiscard]] Score agreed_score_against(Color side) const;
    [[nodiscard]] std::size_t half_moves_played() const;
    void on_adjust(Color side, DeviceTime at);
    void on_adjust_ended(Color side, DeviceTime at);
    void on_promotion_named(Color side, chess::Kind kind, DeviceTime at);
    void on_chosen(Move move, DeviceTime at);
    void on_upheld(Color side, const std::string& article, DeviceTime at);
    void on_resigned(Color side, DeviceTime at);
    /// `side` loses, unless the opponent cannot mate or that is for the arbiter to tell.
    void lose(Color side, std::string reason, std::string article, DeviceTime at);
    void on_draw_accepted(Color side, DeviceTime at);
    void on_claim(const DrawClaimed& claim, DeviceTime at);
    void on_flag(Color side, DeviceTime at);
    void on_flag_said(Color side, DeviceTime at);
    void decide_flag(Color side, DeviceTime at);
    void stop_clocks(DeviceTime at);
    void resume_clocks(DeviceTime at);
    void note_time_given();
    [[nodiscard]] bool flag_is_down(std::optional<Color> side) const noexcept;

    // referee_record.cpp
    enum class ClosedBy : std::uint8_t { press, opponent, end, illegal_press };
    void close(Reading& reading, const Standing& standing, ClosedBy how, DeviceTime at) const;
    void fork_promotions(std::vector<Reading>& readings) const;
    void settle(DeviceTime at);
    void commit(DeviceTime at, bool at_end = false);
    void drop_twins();
    void resolve_pieces(DeviceTime at);
    void refresh_view(DeviceTime at);
    void publish_standing(DeviceTime at);
    void end_if_over(DeviceTime at);
    void end_game(GameResult result, DeviceTime at);
    void close_made_move(DeviceTime at);
    void report(Report what, DeviceTime at);
    void decide(DeviceTime at, What what) { decisions.push_back({at, std::move(what)}); }
    void complete(std::size_t ply, DeviceTime at);
    void rebuild_history();
    void forget_uncommitted() noexcept;
    [[nodiscard]] Occurrences keys_with_shown() const;
    [[nodiscard]] Color mover_of(std::size_t ply) const noexcept;
    void restart_from(std::size_t ply, std::optional<BoundDuty> bound, DeviceTime at);

    Rules rules_;
    GameSetup setup_;
    Clock clock_;
    DeviceTime now_{};
    std::vector<Pending> pending_;  ///< inputs of one instant, order still open
    Sensors sensors_;
    DeviceTime board_changed_at_{};
    bool board_settled_ = true;  ///< the present board was looked at after its dwell
    Micros settle_after_{0};     ///< that dwell: release_ms, longer for lone signals
    std::vector<Reading> readings_;
    std::optional<Hold> hold_;
    std::array<bool, 2> adjusting_{};
    bool out_of_sight_ = false;        ///< since a session broke, until the board is seen again
    bool seen_after_break_ = false;    ///< and the board has not settled since
    std::vector<Move> open_question_;  ///< candidates of an ambiguous move
    bool question_pressed_ = false;
    std::array<unsigned, 2> offences_{};
    std::optional<Color> offer_by_;
    std::optional<Color> paused_;  ///< whose clock ran when both were stopped
    bool pause_called_ = false;      ///< by a player or the arbiter, not by an offence
    std::vector<Color> flags_down_;  ///< the own clock's, in the order in which they fell
    std::array<bool, 2> earned_{};   ///< the last move of that colour was paid for by its press
    std::optional<OpenClaim> open_claim_;  ///< the last move's first breach (4.8)
    std::optional<Move> entered_move_;     ///< of a wrong claim: it must be played (9.5.3)

    // The record. `moves_` holds the committed ones and, behind them, those of the first reading.
    std::vector<RecordedMove> moves_;
    std::size_t committed_ = 0;
    std::size_t checked_end_ = 0;      ///< the record up to here does not end the game
    std::vector<Position> positions_;  ///< before each committed move, and after the last
    Occurrences keys_;
    std::optional<RecordedMove> open_published_;  ///< published by dwell, still open (no levers)
    std::optional<RecordedMove> shown_;
    std::size_t shown_ply_ = 0;

    Position position_;
    Color turn_ = Color::white;
    std::optional<GameResult> result_;
    std::vector<Report> reports_;
};

}  // namespace touchmove::laws
