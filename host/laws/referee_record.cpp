// referee_record.cpp - how moves close, and enter the record once all readings agree
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "host/laws/referee_impl.hpp"

namespace touchmove::laws {
namespace {

using chess::index_of;
using chess::Kind;

bool same_squares(Move a, Move b) {
    return a.from() == b.from() && a.to() == b.to();
}

/// The first released move that was not kept to (4.7, 4.7.2).
std::optional<Report> release_breach(const Turn& turn, const Standing& played) {
    for (const Release& release : turn.releases()) {
        if (release.standing.same_squares(played) || !release.emptied_again) continue;
        const bool castles = turn.base().castling(release.standing.move).has_value();
        return Report{.kind = ReportKind::released,
                      .article = castles ? "4.7.2" : "4.7",
                      .side = turn.mover(),
                      .duty = {release.standing.move}};
    }
    return std::nullopt;
}

/// Only men of the move itself were touched, and not a rook before its king: no duty is broken, and
/// none needs to be worked out.
bool touched_only_its_men(const Turn& turn, Move played) {
    const Position& base = turn.base();
    const auto victim = base.captured_square(played);
    return std::all_of(turn.touches().begin(), turn.touches().end(), [&](const Touch& t) {
        return t.own ? t.square == played.from() : t.square == victim;
    });
}

std::optional<Report> touch_breach(const Turn& turn, Move played) {
    if (touched_only_its_men(turn, played)) return std::nullopt;
    const Duty duty = duty_of(turn.base(), turn.touches());
    if (duty.castling_intent_open) {
        if (duty.allows(played) || turn.castling_attempted()) return std::nullopt;
        return Report{.kind = ReportKind::arbiter, .article = "4.4.3"};
    }
    if (duty.allows(played)) return std::nullopt;
    Report report{.kind = ReportKind::touch_move, .article = duty.article, .side = turn.mover()};
    const auto man = turn.base().man_at(played.from());
    if (duty.article == "4.4.2" && man && man->kind != Kind::king) report.article = "4.3.1";
    if (report.article == "4.3.1" && duty.binds) report.squares = {*duty.binds};
    report.duty = duty.moves;
    return report;
}

PieceEvidence piece_evidence_of(const Standing& standing) {
    const bool named = standing.move.promotion() && !standing.piece_open;
    return named ? PieceEvidence::named : PieceEvidence::none;
}

std::optional<Report> bound_breach(const Reading& reading, Move played) {
    if (!reading.bound || reading.bound->duty.allows(played)) return std::nullopt;
    const Duty& duty = reading.bound->duty;
    Report report{
        .kind = reading.bound->breach, .article = duty.article, .side = reading.turn.mover()};
    if (report.article == "4.3.1" && duty.binds) report.squares = {*duty.binds};
    report.duty = duty.moves;
    return report;
}

/// Whether `turn` counts a man as touched that `other` does not, and that is off or has been moved
/// or taken.
bool shows_more_touches(const Turn& turn, const Turn& other) {
    const auto knows = [](const Turn& t, Square s) {
        return std::any_of(t.touches().begin(), t.touches().end(),
                           [&](const Touch& touch) { return touch.square == s; });
    };
    const auto& standing = turn.standing();
    return std::any_of(turn.touches().begin(), turn.touches().end(), [&](const Touch& touch) {
        if (knows(other, touch.square)) return false;
        if (chess::contains(turn.emptied(), touch.square)) return true;
        return standing && (standing->move.from() == touch.square ||
                            turn.base().captured_square(standing->move) == touch.square);
    });
}

}  // namespace

void Referee::Impl::forget_uncommitted() noexcept {
    moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(committed_), moves_.end());
}

Color Referee::Impl::mover_of(std::size_t ply) const noexcept {
    const Color first = setup_.start.side_to_move();
    return ply % 2 == 0 ? first : ~first;
}

/// Closes the turn of `reading` with the standing move; its reports wait with it.
void Referee::Impl::close(Reading& reading, const Standing& standing, ClosedBy how,
                          DeviceTime at) const {
    const Turn& turn = reading.turn;
    const Move move = standing.move;
    const bool named = !standing.piece_open;

    ClosedMove closed{.move = {.move = move, .kind_known = named, .made_at = at}, .reports = {}};
    closed.move.evidence = standing.evidence;
    closed.move.piece_evidence = piece_evidence_of(standing);
    if (reading.made && reading.made->same_squares(standing)) closed.move.made_at = reading.made_at;
    if (how == ClosedBy::press || how == ClosedBy::illegal_press) {
        closed.move.completed = true;
        closed.move.pressed_at = at;
    }
    if (how == ClosedBy::press || how == ClosedBy::opponent) {
        const auto add = [&](std::optional<Report> report) {
            if (report) closed.reports.push_back(std::move(*report));
        };
        auto bound = bound_breach(reading, move);
        auto touched = touch_breach(turn, move);
        if (bound && bound->kind == ReportKind::released) add(std::exchange(bound, std::nullopt));
        add(release_breach(turn, standing));
        add(std::move(bound));
        if (!touched || touched->kind != ReportKind::arbiter)
            add(std::exchange(touched, std::nullopt));
        if (turn.hints_at_two_hands()) {
            closed.reports.push_back(
                {.kind = ReportKind::two_hands, .article = "4.1", .side = turn.mover()});
        }
        add(std::move(touched));
    }
    if (!named && !reading.promotion_asked) {
        closed.reports.push_back(promotion_question(turn.mover(), move.to()));
    }
    Reading next(Turn(turn.base().after(move)));
    next.closed = std::move(reading.closed);
    next.closed.push_back(std::move(closed));
    next.pieces = std::move(reading.pieces);
    reading = std::move(next);
}

/// A closed promotion whose piece is open becomes four readings, the queen first.
void Referee::Impl::fork_promotions(std::vector<Reading>& readings) const {
    for (std::size_t i = 0; i < readings.size(); ++i) {
        if (readings[i].closed.empty()) continue;
        const RecordedMove last = readings[i].closed.back().move;
        const std::size_t ply = committed_ + readings[i].closed.size() - 1;
        const auto& pieces = readings[i].pieces;
        if (last.kind_known || (!pieces.empty() && pieces.back().ply == ply)) continue;
        const Reading queen = readings[i];
        readings[i].pieces.push_back({ply, Kind::queen});
        for (const Kind kind : chess::promotion_kinds) {
            if (kind == Kind::queen) continue;
            Reading other = queen;
            const Move move(last.move.from(), last.move.to(), kind);
            Position after = queen.turn.base();
            after.put(move.to(), {~after.side_to_move(), kind});
            other.closed.back().move.move = move;
            other.turn = Turn(after);
            other.pieces.push_back({ply, kind});
            readings.insert(readings.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                            std::move(other));
            ++i;
        }
    }
}

void Referee::Impl::report(Report what, DeviceTime at) {
    reports_.push_back(what);
    decide(at, Reported{std::move(what)});
}

void Referee::Impl::complete(std::size_t ply, DeviceTime at) {
    if (ply >= committed_ || moves_[ply].completed) return;
    moves_[ply].completed = true;
    if (!moves_[ply].pressed_at) moves_[ply].pressed_at = at;
    decide(at, MoveCompleted{ply, moves_[ply]});
}

/// Two readings that closed the same moves, with the same move on the board, differ no more but in
/// which men they take for touched in this turn. One goes: the one with fewer, as it saw less of
/// the turn; unless all that the other has more stands where it stood, and nothing bears it out.
void Referee::Impl::drop_twins() {
    const auto twins = [](const Reading& a, const Reading& b) {
        const auto& one = a.turn.standing();
        const auto& other = b.turn.standing();
        return a.closed.size() == b.closed.size() && a.turn.base().same_as(b.turn.base()) &&
               one.has_value() == other.has_value() && (!one || one->same_squares(*other)) &&
               !a.dies_at && !b.dies_at && a.pieces == b.pieces &&
               std::equal(a.closed.begin(), a.closed.end(), b.closed.begin(),
                          [](const ClosedMove& x, const ClosedMove& y) {
                              return x.move.move == y.move.move;
                          });
    };
    for (std::size_t i = 0; i < readings_.size(); ++i) {
        for (std::size_t j = readings_.size() - 1; j > i; --j) {
            if (!twins(readings_[i], readings_[j])) continue;
            if (shows_more_touches(readings_[j].turn, readings_[i].turn)) {
                readings_[i] = std::move(readings_[j]);
            }
            readings_.erase(readings_.begin() + static_cast<std::ptrdiff_t>(j));
        }
    }
}

/// Moves that every reading shares enter the record. One against Article 3 waits until the opponent
/// has replied, or the game is over (A.5.2).
void Referee::Impl::commit(DeviceTime at, bool at_end) {
    forget_uncommitted();
    const auto all_share_front = [&] {
        const auto& first = primary().closed;
        return !first.empty() &&
               std::all_of(readings_.begin(), readings_.end(), [&](const Reading& r) {
                   return !r.closed.empty() &&
                          (!r.closed.front().illegal || r.closed.size() > 1 || at_end) &&
                          same_squares(r.closed.front().move.move, first.front().move.move);
               });
    };
    while (all_share_front()) {
        ClosedMove closed = primary().closed.front();
        for (Reading& reading : readings_)
            reading.closed.erase(reading.closed.begin());
        const std::size_t ply = committed_;
        RecordedMove& move = closed.move;
        Position after = positions_[ply].after(move.move);
        if (clock_.used()) {
            move.clock_left = std::chrono::duration_cast<Millis>(clock_.left(mover_of(ply), at));
        }
        moves_.push_back(move);
        positions_.push_back(after);
        keys_.push_back(after.key());
        ++committed_;
        adjusting_[chess::index_of(mover_of(ply))] = false;
        const Color mover = mover_of(ply);
        if (ply >= 2 && !moves_[ply - 2].completed) {
            complete(ply - 2, at);  // by the player's own next move (6.2.1.2)
            clock_.count_move(mover);
            note_time_given();
        }
        if (closed.illegal) clock_.count_move(mover);  // it stands (A.5.2)
        if (closed.illegal || !move.completed) earned_[index_of(mover)] = false;

        const auto shown_open = std::exchange(open_published_, std::nullopt);
        if (!shown_open) {
            decide(at, MovePublished{ply, move});
        } else if (!same_squares(shown_open->move, move.move)) {
            decide(at, MoveCorrected{ply, move});
        }
        if (move.completed) decide(at, MoveCompleted{ply, move});

        open_claim_.reset();
        for (Report& raised : closed.reports) {
            const bool claimable =
                raised.kind == ReportKind::touch_move || raised.kind == ReportKind::released;
            if (claimable && !open_claim_) {
                Duty duty{raised.duty, "", std::nullopt};
                if (!raised.squares.empty()) duty.binds = raised.squares.front();
                // Closed by the opponent's touch: that was the end of the right to claim (4.8).
                // Without levers it is also the first that anybody hears of the breach.
                const bool lapsed = !move.completed && rules_.has_levers && !at_end;
                open_claim_ = OpenClaim{raised.article, {std::move(duty), raised.kind}, lapsed};
            }
            report(std::move(raised), at);
        }
        if (entered_move_ && !same_squares(*entered_move_, move.move)) {
            report({.kind = ReportKind::arbiter, .article = "9.5"}, at);
        }
        entered_move_.reset();
    }
}

/// A promotion whose piece all readings agree on by now becomes known.
void Referee::Impl::resolve_pieces(DeviceTime at) {
    while (!primary().pieces.empty()) {
        const AssumedPiece piece = primary().pieces.front();
        const bool agreed = std::all_of(readings_.begin(), readings_.end(), [&](const Reading& r) {
            return !r.pieces.empty() && r.pieces.front().ply == piece.ply &&
                   r.pieces.front().kind == piece.kind;
        });
        if (!agreed || piece.ply >= committed_) return;
        for (Reading& reading : readings_)
            reading.pieces.erase(reading.pieces.begin());
        RecordedMove& move = moves_[piece.ply];
        move.move = Move(move.move.from(), move.move.to(), piece.kind);
        move.kind_known = true;
        move.piece_evidence = piece.named ? PieceEvidence::named : PieceEvidence::deduced;
        rebuild_history();
        decide(at, PromotionKnown{piece.ply, move});
    }
}

void Referee::Impl::rebuild_history() {
    Position position = positions_.front();
    positions_.resize(1);
    keys_.resize(1);
    for (std::size_t ply = 0; ply < committed_; ++ply) {
        position.make(moves_[ply].move);
        positions_.push_back(position);
        keys_.push_back(position.key());
    }
}

/// The record's positions, and those of the moves that are shown behind it.
Occurrences Referee::Impl::keys_with_shown() const {
    Occurrences keys = keys_;
    Position position = positions_.back();
    for (std::size_t ply = committed_; ply < moves_.size(); ++ply) {
        position.make(moves_[ply].move);
        keys.push_back(position.key());
    }
    return keys;
}

void Referee::Impl::settle(DeviceTime at) {
    if (result_) return;
    drop_twins();
    if (readings_.size() == 1) primary().take_as_likely();
    commit(at);
    resolve_pieces(at);
    refresh_view(at);
    end_if_over(at);
}

/// Brings `moves_`, the position and the turn in line with the preferred reading, and says what
/// changed in what is shown.
void Referee::Impl::refresh_view(DeviceTime at) {
    const Reading& reading = primary();
    forget_uncommitted();
    for (const ClosedMove& closed : reading.closed)
        moves_.push_back(closed.move);
    position_ = reading.turn.base();
    if (reading.made) {
        RecordedMove made{.move = reading.made->move, .made_at = reading.made_at};
        made.kind_known = !reading.made->piece_open;
        made.evidence = reading.made->evidence;
        made.piece_evidence = piece_evidence_of(*reading.made);
        position_.make(made.move);
        moves_.push_back(made);
    }
    turn_ = position_.side_to_move();

    const std::optional<RecordedMove> now_shown =
        moves_.size() > committed_ ? std::optional(moves_.back()) : std::nullopt;
    const std::size_t ply = moves_.empty() ? 0 : moves_.size() - 1;
    const bool same = now_shown && shown_ && shown_ply_ == ply && now_shown->move == shown_->move &&
                      now_shown->kind_known == shown_->kind_known;
    if (now_shown && !same &&
        !(open_published_ && same_squares(open_published_->move, now_shown->move))) {
        decide(at, MoveShown{ply, *now_shown});
    } else if (!now_shown && shown_ && shown_ply_ >= committed_) {
        decide(at, ShownWithdrawn{shown_ply_});
    }
    shown_ = now_shown;
    shown_ply_ = ply;
}

/// Without levers: a move that has stood for publish_ms is published although its mover could still
/// go on; a correction may follow.
void Referee::Impl::publish_standing(DeviceTime at) {
    open_published_ = moves_.back();
    decide(at, MovePublished{committed_, *open_published_});
}

void Referee::Impl::end_if_over(DeviceTime at) {
    if (result_ || readings_.size() != 1 || !primary().pieces.empty()) return;
    if (primary().made) {
        const RecordedMove& made = moves_.back();
        if (!made.kind_known || !ending_of(position_, keys_with_shown(), rules_.edition)) return;
        // A move that ends the game is not open to further action (FORMAT.md, convention 17).
        close(primary(), *primary().made, ClosedBy::opponent, at);
        commit(at, /*at_end=*/true);
        refresh_view(at);
    }
    if (!primary().closed.empty()) return;
    if (checked_end_ == committed_) return;
    checked_end_ = committed_;
    auto ending = ending_of(positions_.back(), keys_, rules_.edition);
    if (!ending) return;
    ending->provisional = open_claim_.has_value();
    // Who touches his men after mate does not mean to move them.
    if (open_claim_) open_claim_->lapsed = false;
    complete(committed_ - 1, at);
    end_game(std::move(*ending), at);
}

/// The game ends from outside: a made move is in the record as made, without further reports.
void Referee::Impl::close_made_move(DeviceTime at) {
    readings_.erase(readings_.begin() + 1, readings_.end());
    if (primary().made) close(primary(), *primary().made, ClosedBy::end, at);
    commit(at, /*at_end=*/true);
    refresh_view(at);
}

void Referee::Impl::end_game(GameResult result, DeviceTime at) {
    if (result.provisional) stop_clocks(at);  // an upheld claim has them go on
    clock_.stop(at);
    result_ = std::move(result);
    decide(at, GameEnded{*result_});
}

/// The record ends before `ply` again; the men are to be put back as they stood then.
void Referee::Impl::restart_from(std::size_t ply, std::optional<BoundDuty> bound, DeviceTime at) {
    // An illegal move that was let stand had been pressed, and is not in the record yet.
    if (ply == committed_ || moves_[ply].completed) clock_.resume_move(mover_of(ply));
    if (ply < committed_ && std::exchange(earned_[index_of(mover_of(ply))], false)) {
        clock_.take_extra_back(mover_of(ply));  // 7.1
        clock_.uncount_move(mover_of(ply));
    }
    moves_.erase(moves_.begin() + static_cast<std::ptrdiff_t>(ply), moves_.end());
    committed_ = ply;
    checked_end_ = ply;
    positions_.resize(ply + 1);
    keys_.resize(ply + 1);
    readings_.clear();
    readings_.emplace_back(Turn(positions_.back()));
    primary().bound = std::move(bound);
    shown_.reset();
    decide(at, RecordShortened{ply});
    hold(at, /*clocks_stopped=*/true);
    refresh_view(at);
    if (paused_) paused_ = turn_;
    check_hold(at);
}

}  // namespace touchmove::laws
