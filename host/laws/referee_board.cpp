// referee_board.cpp - lifts and places: how readings take them, fork and are pruned
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "host/laws/referee_impl.hpp"

namespace touchmove::laws {
namespace {

using chess::first_square;
using chess::Kind;
using chess::size;

/// d4, e4, d5, e5: where kings are put to signal a result.
constexpr Bitboard centre_squares =
    Square(3, 3).bit() | Square(4, 3).bit() | Square(3, 4).bit() | Square(4, 4).bit();
/// More readings than this are never kept; the least preferred go.
constexpr std::size_t max_readings = 16;
/// How long a reading may be doubtful while another one fits: a slide's square to square.
constexpr Millis misfit_patience{150};
/// How much longer than a release a single king on a centre square, out of turn, is waited for the
/// other one before it is reported.
constexpr int signal_patience = 10;

bool can_capture(const Position& position, Square victim, std::optional<Square> captor) {
    const auto legal = position.legal_moves();
    return std::any_of(legal.begin(), legal.end(), [&](Move m) {
        return (!captor || m.from() == *captor) && position.captured_square(m) == victim;
    });
}

/// Could the reply to the standing move take `victim`? Where its piece is open: whatever it is.
bool reply_can_capture(const Turn& turn, Square victim) {
    if (can_capture(turn.after_standing(), victim, std::nullopt)) return true;
    const Standing& standing = *turn.standing();
    if (!standing.piece_open) return false;
    constexpr std::array others{Kind::rook, Kind::bishop, Kind::knight};
    return std::any_of(others.begin(), others.end(), [&](Kind kind) {
        const Move move(standing.move.from(), standing.move.to(), kind);
        return can_capture(turn.base().after(move), victim, std::nullopt);
    });
}

/// Could a man put down on `s` be the new one of a promotion, its pawn still on the board?
bool may_be_new_man(const Turn& turn, Square s) {
    const auto legal = turn.base().legal_moves();
    return std::any_of(legal.begin(), legal.end(),
                       [&](Move m) { return m.promotion() && m.to() == s; });
}

bool is_king(const std::optional<chess::Man>& man) {
    return man && man->kind == Kind::king;
}

}  // namespace

void Referee::Impl::on_lift(Square s, DeviceTime at) {
    if (!(sensors_.occupied & s.bit())) return;
    sensors_.occupied &= ~s.bit();
    if (result_) return;
    if (hold_) {
        check_hold(at);
        return;
    }
    const auto man = position_.man_at(s);
    const bool announced = adjusting_[0] || adjusting_[1];
    if (!announced && man && man->color == turn_) {
        if (offer_by_ == ~turn_) offer_by_.reset();  // 9.1.2.1
        if (open_claim_ && !pause_called_) open_claim_->lapsed = true;  // 4.8
    }
    board_changed(at);
    std::vector<Reading> next;
    next.reserve(readings_.size() + 1);
    for (const Reading& reading : readings_)
        lift_in(reading, s, at, next);
    keep_readings(std::move(next));
    drop_misfits(at);
    settle(at);
}

/// The board is looked at again once it has stood for release_ms.
void Referee::Impl::board_changed(DeviceTime at) {
    board_changed_at_ = at;
    board_settled_ = false;
    settle_after_ = rules_.release_ms;
}

void Referee::Impl::keep_readings(std::vector<Reading> readings) {
    if (readings.size() > max_readings) {
        readings.erase(readings.begin() + max_readings, readings.end());
    }
    readings_ = std::move(readings);
}

/// Whether all of these squares filled so lately that a slide may have filled them.
bool Referee::Impl::placed_just_now(Bitboard squares, DeviceTime at) const {
    for (const Square s : chess::squares(squares)) {
        if (at - sensors_.placed_at[s.index()] > slide_overlap) return false;
    }
    return true;
}

/// The readings in which the opponent's touch closed `standing`: one, or one for each piece.
std::vector<Reading> Referee::Impl::replies_to(const Reading& reading, const Standing& standing,
                                               DeviceTime at) const {
    std::vector<Reading> replies{reading};
    close(replies.front(), standing, ClosedBy::opponent, at);
    fork_promotions(replies);
    return replies;
}

void Referee::Impl::lift_in(const Reading& reading, Square s, DeviceTime at,
                            std::vector<Reading>& out) const {
    const bool announced = adjusting_[0] || adjusting_[1];
    const auto push_replies = [&](const Standing& standing, std::optional<Square> victim_first) {
        for (Reading& reply : replies_to(reading, standing, at)) {
            reply.victim_first = victim_first;
            reply.turn.lift(s, at, sensors_, announced);
            out.push_back(std::move(reply));
        }
    };
    const auto push_continuing = [&](std::optional<DeviceTime> dies_at) {
        Reading same = reading;
        if (dies_at) same.dies_at = dies_at;
        const auto lifted = same.turn.man_on(s);
        const bool own = lifted && lifted->color == same.turn.mover();
        const bool waited_for = !dies_at && (own || (same.turn.filled() & s.bit()) != 0);
        const auto& standing = same.turn.standing();
        const auto& half = same.turn.castling_half();
        // The lift of another own man ends the interval of release (FORMAT.md, convention 16).
        if (own && standing && !(standing->placed & s.bit())) same.turn.release(*standing, false);
        if (own && half && !(half->placed & s.bit())) same.turn.release(*half, true);
        same.turn.lift(s, at, sensors_, announced);
        // What an unlikely reading waited for: its man is lifted in time, and nothing else was put
        // down meanwhile but where it slides to.
        if (waited_for && placed_just_now(same.turn.filled(), at)) same.take_as_likely();
        out.push_back(std::move(same));
    };

    const Turn& turn = reading.turn;
    const auto man = turn.man_on(s);
    if (announced || !man) {
        push_continuing(std::nullopt);
        // Or the announcement is an old one, and this is the reply.
        const bool replies = man && turn.standing() && man->color != turn.mover();
        if (replies) push_replies(Standing(*turn.standing()), std::nullopt);
        return;
    }
    if (!turn.standing()) {
        // A made man is being straightened while the opponent already replies.
        if (reading.made && man->color != turn.mover()) push_replies(*reading.made, std::nullopt);
        push_continuing(std::nullopt);
        return;
    }
    const Standing standing = *turn.standing();
    if (man->color != turn.mover()) {
        push_replies(standing, std::nullopt);
        // Or the mover set his man down beside its victim and takes that off now.
        const bool goes_on = !reading.made && can_capture(turn.base(), s, standing.move.from());
        // Or both kings are on their way to the centre.
        const auto moved = turn.base().man_at(standing.move.from());
        const bool may_signal =
            is_king(man) && is_king(moved) && (standing.placed & centre_squares);
        if (goes_on) {
            push_continuing(release_due(reading));
        } else if (may_signal) {
            push_continuing(std::nullopt);
        }
        return;
    }
    push_continuing(std::nullopt);
    // Or it is the victim of the reply, taken off before the captor is lifted.
    if (reply_can_capture(turn, s)) push_replies(standing, s);
}

void Referee::Impl::on_place(Square s, DeviceTime at) {
    if (sensors_.occupied & s.bit()) return;
    sensors_.occupied |= s.bit();
    sensors_.placed_at[s.index()] = at;
    if (result_) return;
    if (hold_) {
        check_hold(at);
        return;
    }
    board_changed(at);
    std::vector<Reading> next;
    next.reserve(readings_.size() + 1);
    for (Reading& reading : readings_)
        place_in(std::move(reading), s, at, next);
    keep_readings(std::move(next));
    prune(Fit::doubtful);
    drop_misfits(at);
    for (Reading& reading : readings_) {
        auto brushed = reading.turn.take_accident(at);
        if (!brushed.empty() && &reading == &primary()) {
            report(
                {.kind = ReportKind::accidental, .article = "4.2.2", .squares = std::move(brushed)},
                at);
        }
    }
    settle(at);
}

void Referee::Impl::place_in(Reading reading, Square s, DeviceTime at,
                             std::vector<Reading>& out) const {
    // On top of a move that stands: the mover slides on, or the reply slides in, its first square
    // filling before the captor's own clears.
    std::vector<Reading> replies;
    if (reading.turn.standing() && !reading.turn.man_on(s) && !adjusting_[0] && !adjusting_[1]) {
        const Standing standing = *reading.turn.standing();
        replies = replies_to(reading, standing, at);
        for (Reading& reply : replies) {
            reply.slides_in = !may_be_new_man(reply.turn, s);  // which may stand there for any time
            if (reply.slides_in) reply.dies_at = at + slide_overlap;
            reply.turn.place(s, at, sensors_);
        }
    }
    if (reading.victim_first == s && reading.turn.emptied_own() == 0 &&
        !may_be_new_man(reading.turn, s)) {
        // It was straightened, unless a captor slides in over it.
        reading.victim_came_back = true;
        reading.dies_at = at + slide_overlap;
    } else if (readings_.size() > 1 && reading.turn.emptied_own() == 0 &&
               !reading.turn.standing() && reading.turn.filled() == 0 && !reading.turn.man_on(s) &&
               !may_be_new_man(reading.turn, s)) {
        reading.slides_in = true;
        reading.dies_at = at + slide_overlap;
    }
    reading.turn.place(s, at, sensors_);
    out.push_back(std::move(reading));
    std::move(replies.begin(), replies.end(), std::back_inserter(out));
}

void Referee::Impl::keep_best(const std::vector<int>& badness) {
    if (readings_.size() < 2) return;
    const int best = *std::min_element(badness.begin(), badness.end());
    std::size_t i = 0;
    std::erase_if(readings_, [&](const Reading&) { return badness[i++] > best; });
}

/// A signal explains the board, unless a king's step that it began with was taken for a move.
Fit Referee::Impl::fit_of(const Reading& reading) {
    return reading.closed.empty() && signals(reading.turn) ? Fit::at_rest : reading.turn.fit();
}

/// The best fit of the readings that do not wait for anything.
Fit Referee::Impl::best_fit() const {
    Fit best = Fit::not_one_action;
    for (const Reading& reading : readings_) {
        if (!reading.dies_at) best = std::min(best, fit_of(reading));
    }
    return best;
}

/// Drops the readings that fit the board worse than the best one does, and worse than `keep_up_to`.
void Referee::Impl::prune(Fit keep_up_to) {
    if (readings_.size() < 2) return;
    const Fit limit = std::max(best_fit(), keep_up_to);
    std::erase_if(readings_, [&](const Reading& r) { return !r.slides_in && fit_of(r) > limit; });
}

/// Drops the readings that have been doubtful for longer than a slide takes from square to square,
/// while another one fitted.
void Referee::Impl::drop_misfits(DeviceTime at) {
    if (readings_.size() < 2) return;
    const Fit limit = std::max(best_fit(), Fit::under_way);
    for (Reading& reading : readings_) {
        if (reading.dies_at || fit_of(reading) <= limit) {
            reading.misfit_since.reset();
        } else if (!reading.misfit_since) {
            reading.misfit_since = at;
        }
    }
    std::erase_if(readings_, [&](const Reading& r) {
        return r.misfit_since && at - *r.misfit_since > misfit_patience;
    });
}

std::optional<DeviceTime> Referee::Impl::release_due(const Reading& reading) const {
    const auto last_placed = [&](Bitboard placed) {
        DeviceTime last{};
        for (const Square s : chess::squares(placed))
            last = std::max(last, sensors_.placed_at[s.index()]);
        return last;
    };
    if (const auto& standing = reading.turn.standing()) {
        if (reading.made && reading.made->same_squares(*standing)) return std::nullopt;
        return last_placed(standing->placed) + rules_.release_ms;
    }
    if (const auto& half = reading.turn.castling_half()) {
        const auto& releases = reading.turn.releases();
        const bool known = std::any_of(releases.begin(), releases.end(), [&](const Release& r) {
            return r.castling_half && !r.emptied_again && r.standing.same_squares(*half);
        });
        if (!known) return last_placed(half->placed) + rules_.release_ms;
    }
    return std::nullopt;
}

void Referee::Impl::on_release_due(Reading& reading, DeviceTime at) {
    if (const auto standing = reading.turn.standing()) {
        reading.turn.release(*standing, false);
        reading.made = standing;
        reading.made_at = at;
        reading.made_turn = reading.turn;
        const bool ask = standing->piece_open && !reading.promotion_asked;
        const Color side = reading.turn.mover();
        reading.promotion_asked |= ask;
        prune(Fit::at_rest);
        if (ask) {
            for (Reading& other : readings_)
                other.promotion_asked = true;
            report(promotion_question(side, standing->move.to()), at);
        }
    } else if (const auto half = reading.turn.castling_half()) {
        reading.turn.release(*half, true);
    }
}

/// Both kings stand on centre squares and one of them at least was put there in this turn, not as a
/// legal move.
bool Referee::Impl::signals(const Turn& turn) {
    if (turn.standing()) return false;
    const Position& base = turn.base();
    const Bitboard kings = base.men(Color::white, Kind::king) | base.men(Color::black, Kind::king);
    const Bitboard moved = turn.emptied() & kings;
    return moved != 0 && turn.emptied() == moved && ((kings & ~moved) & ~centre_squares) == 0 &&
           (turn.filled() & ~centre_squares) == 0 && size(turn.filled()) == size(moved);
}

void Referee::Impl::on_board_settled(DeviceTime at) {
    board_settled_ = true;
    prune(Fit::under_way);
    Reading& reading = primary();
    Turn& turn = reading.turn;
    if (signals(turn)) {
        readings_.erase(readings_.begin() + 1, readings_.end());
        primary().made.reset();
        report({.kind = ReportKind::result_signal,
                .article = "5.2.3",
                .squares = as_list(sensors_.occupied & centre_squares)},
               at);
        hold(at, /*clocks_stopped=*/false);
        settle(at);
        return;
    }
    if (std::exchange(seen_after_break_, false)) {
        on_settled_after_break(at);
        if (hold_) return;
    }
    if (readings_.size() > 1) return;
    const Bitboard enemy = turn.emptied_enemy();
    if (size(enemy) == 1 && turn.emptied_own() == 0 && size(turn.filled()) == 1) {
        const bool lone_signal =
            is_king(turn.base().man_at(first_square(enemy))) && (turn.filled() & centre_squares);
        if (lone_signal && settle_after_ == rules_.release_ms) {
            settle_after_ = rules_.release_ms * signal_patience;
            board_settled_ = false;
            return;
        }
        turn.forget_touch(first_square(enemy));
        report({.kind = ReportKind::out_of_turn,
                .article = "1.2",
                .side = ~turn.mover(),
                .squares = as_list(enemy | turn.filled())},
               at);
        return;
    }
    if (turn.fit() != Fit::not_one_action) return;
    if (answers_illegal_move(turn)) {
        report_answered_illegal_move(at);
        return;
    }
    if (reading.made) {
        // One more action from the position after the made move is still somebody's turn.
        const Bitboard after = turn.base().after(reading.made->move).occupied();
        if (size(after & ~sensors_.occupied) <= 2 && size(sensors_.occupied & ~after) <= 1) return;
    }
    report({.kind = ReportKind::displaced, .article = "7.4", .squares = squares_that_differ()}, at);
    hold(at, /*clocks_stopped=*/false);
    settle(at);
}

/// A man of either side went to a new square, and the mover's could not: a reply on top of an
/// illegal move that was not pressed (FORMAT.md, convention 22).
bool Referee::Impl::answers_illegal_move(const Turn& turn) {
    return turn.fit() == Fit::not_one_action && size(turn.emptied_own()) == 1 &&
           size(turn.emptied_enemy()) == 1 && size(turn.filled()) == 2;
}

void Referee::Impl::report_answered_illegal_move(DeviceTime at) {
    report({.kind = ReportKind::arbiter, .article = "7.5.1", .squares = squares_that_differ()}, at);
    hold(at, /*clocks_stopped=*/false);
    settle(at);
}

/// Where the men stand by the record and the move that is shown.
Bitboard Referee::Impl::expected_board() const {
    const Reading& reading = primary();
    const Position& base = reading.turn.base();
    const bool after_made = reading.made && reading.made_turn;
    return after_made ? base.after(reading.made->move).occupied() : base.occupied();
}

std::vector<Square> Referee::Impl::squares_that_differ() const {
    return as_list(expected_board() ^ sensors_.occupied);
}

void Referee::Impl::hold(DeviceTime at, bool clocks_stopped) {
    Reading& reading = primary();
    Hold hold{
        .expected = expected_board(), .turn = std::nullopt, .clocks_stopped = clocks_stopped};
    if (reading.made && reading.made_turn) hold.turn = reading.made_turn;
    hold_ = std::move(hold);
    if (clocks_stopped) stop_clocks(at);
}

void Referee::Impl::check_hold(DeviceTime at) {
    if (!hold_->until_restored && sensors_.occupied == hold_->expected) release_hold(at);
}

void Referee::Impl::release_hold(DeviceTime at) {
    Reading& reading = primary();
    reading.turn = hold_->turn ? *hold_->turn : Turn(reading.turn.base());
    hold_.reset();
    board_changed(at);
    settle(at);
}

}  // namespace touchmove::laws
