// referee_press.cpp - levers, and what players and arbiter say
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "host/laws/referee_impl.hpp"

namespace touchmove::laws {
namespace {

using chess::Kind;

/// How badly a press fits a reading; the readings that it fits best survive it.
enum PressBadness : int {
    closes_a_move = 0,
    comes_late = 1,        // 6.2.2, with the reply under way
    infers_a_capture = 2,  // its target never read empty
    leaves_a_question = 3,
    is_an_offence = 4,
};

/// A hand takes at least this long from a man that it set down to the lever.
constexpr Millis hand_to_lever{15};

}  // namespace

int Referee::Impl::press_badness(const Reading& reading, Color side, DeviceTime at) const {
    const Turn& turn = reading.turn;
    if (side != turn.mover()) {
        const bool at_rest = turn.fit() == Fit::at_rest && !reading.victim_came_back;
        return at_rest && !last_move_completed(reading) ? closes_a_move : comes_late;
    }
    if (turn.standing()) {
        const auto last = std::max_element(sensors_.placed_at.begin(), sensors_.placed_at.end());
        return at - *last < hand_to_lever ? comes_late : closes_a_move;
    }
    if (owes_press(reading)) return comes_late;
    const auto unseen = turn.unseen_captures();
    if (unseen.size() == 1) return infers_a_capture;
    if (unseen.size() > 1 || !turn.rivals().empty()) return leaves_a_question;
    return is_an_offence;
}

/// Whether the move `back` before the turn in hand is completed in this reading; 1: the opponent's
/// last.
bool Referee::Impl::is_completed(const Reading& reading, std::size_t back) const {
    const std::size_t closed = reading.closed.size();
    if (back <= closed) return reading.closed[closed - back].move.completed;
    const std::size_t in_record = back - closed;
    return in_record > committed_ || moves_[committed_ - in_record].completed;
}

/// The opponent has replied to a move that the player has not pressed yet (6.2.2).
bool Referee::Impl::owes_press(const Reading& reading) const {
    return !is_completed(reading, 2);
}

bool Referee::Impl::last_move_completed(const Reading& reading) const {
    return is_completed(reading, 1);
}

/// Completes the move `back` before the turn in hand, by a press that the clock has taken already;
/// what is in the record already, for all readings.
void Referee::Impl::complete_earlier(Reading& reading, std::size_t back, DeviceTime at) {
    if (is_completed(reading, back)) return;
    if (back > reading.closed.size()) {
        const std::size_t ply = committed_ - (back - reading.closed.size());
        if (clock_.exists()) {
            moves_[ply].clock_left =
                std::chrono::duration_cast<Millis>(clock_.left(mover_of(ply), at));
        }
        complete(ply, at);
        return;
    }
    RecordedMove& move = reading.closed[reading.closed.size() - back].move;
    move.completed = true;
    move.pressed_at = at;
}

void Referee::Impl::on_press(Color side, DeviceTime at) {
    if (hold_) return;
    std::vector<int> badness;
    for (const Reading& reading : readings_)
        badness.push_back(press_badness(reading, side, at));
    keep_best(badness);
    const int best = *std::min_element(badness.begin(), badness.end());
    const bool unclear = primary().slides_in || primary().turn.fit() > Fit::under_way;
    if (seen_after_break_ && (best == is_an_offence || unclear)) {
        ask_about_break(at);  // what nobody saw is nobody's offence
        return;
    }
    if (best >= leaves_a_question) {
        readings_.erase(readings_.begin() + 1, readings_.end());
        if (best == leaves_a_question) {
            ask_which(side, at);
        } else {
            offence(side, at);
        }
        return;
    }
    const bool is_movers = side == primary().turn.mover();
    if (!is_movers && readings_.size() == 1 && answers_illegal_move(primary().turn)) {
        report_answered_illegal_move(at);
        return;
    }
    const bool completes = is_movers || !last_move_completed(primary());
    // Which earlier move the press completes, by reading; 0: it closes the turn in hand. Asked of
    // all before the first is changed, since they share the record.
    std::vector<std::size_t> earlier;
    for (const Reading& reading : readings_) {
        const bool owed = !reading.turn.standing() && owes_press(reading);
        earlier.push_back(reading.turn.mover() != side ? 1 : owed ? 2 : 0);
    }
    press_clock(side, completes, at);
    std::vector<Reading> next;
    for (std::size_t i = 0; i < readings_.size(); ++i) {
        Reading& reading = readings_[i];
        if (earlier[i] != 0) {
            complete_earlier(reading, earlier[i], at);
            next.push_back(std::move(reading));
            continue;
        }
        if (adjusting_[chess::index_of(side)]) reading.turn.end_announcement();
        if (!reading.turn.standing()) {
            reading.turn.assume_captures(reading.turn.unseen_captures(),
                                         Evidence::capture_inferred, at, sensors_);
        }
        const Standing standing = *reading.turn.standing();
        close(reading, standing, ClosedBy::press, at);
        std::vector<Reading> variants{std::move(reading)};
        fork_promotions(variants);
        std::move(variants.begin(), variants.end(), std::back_inserter(next));
    }
    keep_readings(std::move(next));
    settle(at);
}

/// More than one capture fits, and the board cannot tell which (FORMAT.md, convention 9).
void Referee::Impl::ask_which(Color side, DeviceTime at) {
    const Turn& turn = primary().turn;
    const auto unseen = turn.unseen_captures();
    ask({.kind = ReportKind::ambiguous,
         .article = "4.7",
         .side = side,
         .candidates = unseen.empty() ? turn.rivals() : unseen},
        /*pressed=*/true, at);
    press_clock(side, true, at);
}

/// The candidates stay open until the arbiter chooses one; `pressed`: it is completed then.
void Referee::Impl::ask(Report question, bool pressed, DeviceTime at) {
    sort_by_uci(question.candidates);
    open_question_ = question.candidates;
    question_pressed_ = pressed;
    report(std::move(question), at);
}

/// `completes`: the press ends a move of `side`. Otherwise it changes a clock only if it starts the
/// game (6.6): the first press, by the side that has not the move.
void Referee::Impl::press_clock(Color side, bool completes, DeviceTime at) {
    if (!clock_.exists()) return;
    if (completes) {
        clock_.complete_move(side, at);
        earned_[chess::index_of(side)] = true;
        if (paused_) {  // both stand still until they are resumed, whatever the levers do
            clock_.stop(at);
            paused_ = ~side;
        }
        note_time_given();
    } else if (!clock_.running() && !paused_ && side != turn_) {
        clock_.start(~side, at);
    }
}

void Referee::Impl::stop_clocks(DeviceTime at) {
    if (!clock_.running()) return;
    paused_ = clock_.running();
    clock_.stop(at);
}

void Referee::Impl::resume_clocks(DeviceTime at) {
    if (hold_) hold_->clocks_stopped = false;
    pause_called_ = false;
    if (paused_) clock_.start(*std::exchange(paused_, std::nullopt), at);
}

void Referee::Impl::on_adjust(Color side, DeviceTime at) {
    adjusting_[chess::index_of(side)] = true;
    const bool has_move = side == turn_;
    const bool clock_runs = !clock_.exists() || clock_.running() == side || !clock_.running();
    if (has_move && clock_runs) return;
    report({.kind = ReportKind::adjust_not_permitted,
            .article = has_move ? "6.2.5" : "4.2.1",
            .side = side},
           at);
}

void Referee::Impl::on_adjust_ended(Color side, DeviceTime at) {
    adjusting_[chess::index_of(side)] = false;
    for (Reading& reading : readings_)
        reading.turn.end_announcement();
    settle(at);
}

void Referee::Impl::on_promotion_named(Color side, Kind kind, DeviceTime at) {
    const auto is_open = [&](const Reading& r) {
        return std::any_of(r.pieces.begin(), r.pieces.end(),
                           [&](const AssumedPiece& p) { return mover_of(p.ply) == side; });
    };
    const Kind meant = kind == Kind::pawn ? Kind::queen : kind;  // 7.5.2
    const bool answers = std::any_of(readings_.begin(), readings_.end(), is_open);
    std::vector<int> badness;
    for (Reading& reading : readings_) {
        const bool other = std::any_of(
            reading.pieces.begin(), reading.pieces.end(),
            [&](const AssumedPiece& p) { return mover_of(p.ply) == side && p.kind != meant; });
        badness.push_back(other ? 1 : 0);
        // Where the move is not closed yet, the selector spoke of the turn in hand.
        const bool names_piece = kind != Kind::pawn && kind != Kind::king;
        if (!names_piece || is_open(reading) || reading.turn.mover() != side) continue;
        reading.turn.name_promotion(kind, sensors_);
        if (reading.made && reading.turn.standing()) reading.made = reading.turn.standing();
    }
    keep_best(badness);
    for (Reading& reading : readings_) {
        for (AssumedPiece& piece : reading.pieces)
            piece.named |= mover_of(piece.ply) == side && piece.kind == meant;
    }
    settle(at);
    // Several kinds of offence in one move count once.
    const auto& closed = primary().closed;
    const bool counted = !closed.empty() && closed.back().illegal && mover_of(committed_) == side;
    if (kind == Kind::pawn && answers && !counted) pawn_not_exchanged(side, at);
}

void Referee::Impl::on_chosen(Move move, DeviceTime at) {
    if (std::find(open_question_.begin(), open_question_.end(), move) == open_question_.end())
        return;
    open_question_.clear();
    Reading& reading = primary();
    reading.turn.assume_captures({move}, Evidence::chosen, at, sensors_);
    if (!reading.turn.standing()) return;
    if (question_pressed_) {
        const Standing standing = *reading.turn.standing();
        close(reading, standing, ClosedBy::press, at);
        fork_promotions(readings_);
    }
    settle(at);
}

void Referee::Impl::on_upheld(Color side, const std::string& article, DeviceTime at) {
    const auto& closed = primary().closed;
    if (!result_ && article == "7.5.1" && !closed.empty() && closed.front().illegal) {
        if (mover_of(committed_) == side || primary().made) return;  // the reply is made
        restart_from(committed_, closed.front().illegal->bound, at);
        return;
    }
    if (!open_claim_ || committed_ == 0 || mover_of(committed_ - 1) == side) return;
    if (open_claim_->article != article || open_claim_->lapsed) return;
    OpenClaim claim = *std::exchange(open_claim_, std::nullopt);
    claim.bound.duty.article = claim.article;
    result_.reset();  // a provisional one: the move that brought it is taken back
    restart_from(committed_ - 1, std::move(claim.bound), at);
}

void Referee::Impl::on_resigned(Color side, DeviceTime at) {
    Score score = side == Color::white ? Score::black_wins : Score::white_wins;
    if (rules_.edition == Edition::y2023) score = agreed_score_against(side);
    if (score == Score::open_to_arbiter) {
        report({.kind = ReportKind::arbiter, .article = "5.1.2"}, at);
    }
    close_made_move(at);
    end_game({score, "resignation", "5.1.2"}, at);
}

void Referee::Impl::lose(Color side, std::string reason, std::string article, DeviceTime at) {
    const Score score = score_against(side, position_);
    if (score == Score::open_to_arbiter) {
        report({.kind = ReportKind::arbiter, .article = article}, at);
    }
    end_game({score, std::move(reason), std::move(article)}, at);
}

void Referee::Impl::on_draw_accepted(Color side, DeviceTime at) {
    if (offer_by_ != ~side) {
        report({.kind = ReportKind::claim_refused, .article = "9.1", .side = side}, at);
        return;
    }
    if (rules_.edition != Edition::y2014 && half_moves_played() < 2) {
        report({.kind = ReportKind::claim_refused, .article = "5.2.3", .side = side}, at);
        return;
    }
    close_made_move(at);
    end_game({Score::draw, "agreement", "5.2.3"}, at);
}

/// From the initial array; what stood before another start follows from its move number.
std::size_t Referee::Impl::half_moves_played() const {
    const Position& start = setup_.start;
    const std::size_t before =
        2 * (start.fullmove_number() - 1) + (start.side_to_move() == Color::black ? 1 : 0);
    const bool is_setup = before < 2 && !start.same_as(Position::initial());
    return moves_.size() + (is_setup ? 2 : before);
}

void Referee::Impl::on_claim(const DrawClaimed& claim, DeviceTime at) {
    const std::string article = claim.what == ClaimKind::threefold ? "9.2" : "9.3";
    const auto refuse = [&](std::string why) {
        report({.kind = ReportKind::claim_refused, .article = std::move(why), .side = claim.side},
               at);
    };
    if (claim.side != turn_) return refuse(article);
    // The turn in hand is the opponent's while his move is made and not pressed.
    const Reading& reading = primary();
    const bool his_turn = reading.turn.mover() == claim.side;
    // A duty from a move that was taken back is a touch too.
    if (his_turn && (!reading.turn.touches().empty() || reading.bound)) return refuse("9.4");
    offer_by_ = claim.side;  // 9.1.2.3: a claim counts as an offer
    Position position = position_;
    Occurrences keys = keys_with_shown();
    if (claim.move && position.is_legal(*claim.move)) {
        position.make(*claim.move);
        keys.push_back(position.key());
    }
    const bool holds = claim.what == ClaimKind::threefold ? times_occurred(keys) >= 3
                                                          : position.halfmove_clock() >= 100;
    if (holds && (!claim.move || position_.is_legal(*claim.move))) {
        report({.kind = ReportKind::claim_correct, .article = article, .side = claim.side}, at);
        close_made_move(at);
        end_game({Score::draw, claim.what == ClaimKind::threefold ? "threefold" : "fifty", article},
                 at);
        return;
    }
    Report wrong{.kind = ReportKind::claim_wrong, .article = "9.5", .side = claim.side};
    wrong.penalty = Penalty{.opponent_extra = penalty_time()};
    report(std::move(wrong), at);
    entered_move_ = claim.move;
}

}  // namespace touchmove::laws
