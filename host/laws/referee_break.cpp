// referee_break.cpp - what happened while nobody looked: after a power cut, or lost records
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "host/laws/referee_impl.hpp"

namespace touchmove::laws {
namespace {

/// Moves that may have been played and answered unseen. The last one, not answered yet, comes on
/// top; more than that in a row is not guessed at.
constexpr unsigned most_closed_unseen = 2;
/// A story in which unseen moves were answered is believed only if every other takes more unseen
/// changes than this on top: as many as a move has.
constexpr unsigned credible_margin = 2;
/// A man on a square that it cannot have reached yet is as unlikely as so many changes more,
constexpr unsigned doubtful_changes = 2;
/// and one that moved unseen and moves again, as so many.
constexpr unsigned moved_twice_changes = 1;

/// Squares that changed, in the order of one frame (FORMAT.md, Events): lifts of the mover's men,
/// placements, lifts of the opponent's.
void see(Turn& turn, Bitboard gone, Bitboard come, DeviceTime at, const Sensors& sensors,
         bool announced) {
    Bitboard own = chess::no_squares;
    for (const Square s : chess::squares(gone)) {
        const auto man = turn.man_on(s);
        if (man && man->color == turn.mover()) own |= s.bit();
    }
    for (const Square s : chess::squares(own))
        turn.lift(s, at, sensors, announced);
    for (const Square s : chess::squares(come))
        turn.place(s, at, sensors);
    for (const Square s : chess::squares(gone & ~own))
        turn.lift(s, at, sensors, announced);
}

/// Lifts and places that `move` takes beyond what was seen of it.
unsigned unseen_changes_of(const Turn& turn, Move move) {
    const auto& standing = turn.standing();
    if (standing && standing->same_squares({move})) return 0;
    Bitboard lifted = move.from().bit();
    if (const auto victim = turn.base().captured_square(move)) lifted |= victim->bit();
    const Bitboard strays = turn.filled() & ~move.to().bit();
    const unsigned rook = turn.base().castling(move) ? 2 : 0;
    return chess::size(lifted & ~turn.emptied()) + chess::size(strays) + 1 + rook;
}

}  // namespace

/// Nobody has looked since the last input: no dwell that would have ended in between counts, and
/// nothing but a flag falls due until the board is seen again.
void Referee::Impl::lose_sight(DeviceTime at) {
    out_of_sight_ = true;
    sensors_.placed_at.fill(at);
}

void Referee::Impl::on_board_seen(Bitboard occupied, DeviceTime at) {
    const bool after_break = std::exchange(out_of_sight_, false);
    const Bitboard gone = sensors_.occupied & ~occupied;
    const Bitboard come = occupied & ~sensors_.occupied;
    const bool counts = !result_ && !hold_;
    if (!counts || chess::size(gone | come) < 2) {
        // At most one change: as if it had just happened.
        for (const Square s : chess::squares(gone))
            on_lift(s, at);
        for (const Square s : chess::squares(come))
            on_place(s, at);
        for (Reading& reading : readings_)
            reading.turn.mark_unseen(gone | come);
    } else {
        sensors_.occupied = occupied;
        for (const Square s : chess::squares(come))
            sensors_.placed_at[s.index()] = at;
        explain_break(gone, come, at);
    }
    if (!after_break || result_ || hold_) return;
    seen_after_break_ = true;
    board_changed(at);
    settle(at);
}

/// The story that leads from the board before the break to the board as it is now: nothing, a part
/// of a move, or moves. The one that supposes the fewest unseen changes is taken; if others are as
/// credible, the arbiter is asked; if there is none, each reading takes the change as it is.
void Referee::Impl::explain_break(Bitboard gone, Bitboard come, DeviceTime at) {
    const bool announced = adjusting_[0] || adjusting_[1];
    std::vector<Explanation> found;
    for (Reading& reading : readings_) {
        reading.take_as_likely();
        reading.misfit_since.reset();
        explain_by_moves({reading, 0, 0, 0}, 1, at, found);
        see(reading.turn, gone, come, at, sensors_, announced);
        reading.turn.mark_unseen(gone | come);
        add_if_fits({reading, chess::size(gone | come), 0, 0}, found);
    }
    if (found.empty()) return;
    const auto simplest = std::min_element(found.begin(), found.end(),
                                           [](const Explanation& a, const Explanation& b) {
                                               return a.unseen_changes < b.unseen_changes;
                                           });
    const unsigned margin = simplest->of_closed != 0 ? credible_margin : 0;
    const auto rivals = [&](const Explanation& other) {
        return &other != &*simplest && other.unseen_changes <= simplest->unseen_changes + margin;
    };
    if (std::any_of(found.begin(), found.end(), rivals)) {
        ask_about_break(at);
    } else {
        keep_readings({std::move(simplest->reading)});
    }
}

void Referee::Impl::add_if_fits(Explanation explanation, std::vector<Explanation>& found) {
    const Fit fit = explanation.reading.turn.fit();
    if (fit == Fit::not_one_action) return;
    if (fit == Fit::doubtful) explanation.unseen_changes += doubtful_changes;
    found.push_back(std::move(explanation));
}

/// Closes every legal move in turn; what the board shows beyond it must be the begin of another.
void Referee::Impl::explain_by_moves(const Explanation& before, unsigned closed, DeviceTime at,
                                     std::vector<Explanation>& found) const {
    const Turn& turn = before.reading.turn;
    const auto& stood = turn.standing();
    for (const Move move : turn.base().legal_moves()) {
        const bool promotes = move.promotion().has_value();
        if (promotes && move.promotion() != chess::Kind::queen) continue;
        const bool again = (before.moved & move.from().bit()) != 0;
        const unsigned changes =
            before.of_closed + unseen_changes_of(turn, move) + (again ? moved_twice_changes : 0);
        const Bitboard moved = before.moved | move.to().bit();
        std::vector<Reading> played{before.reading};
        const bool was_seen = stood && stood->same_squares({move});
        const Standing played_now{move, promotes, move.to().bit(),
                                  was_seen ? stood->evidence : Evidence::unseen};
        close(played.front(), played_now, ClosedBy::opponent, at);
        fork_promotions(played);
        for (Reading& after : played) {
            if (closed < most_closed_unseen) {
                explain_by_moves({after, changes, changes, moved}, closed + 1, at, found);
            }
            const Bitboard occupied = after.turn.base().occupied();
            if (occupied == sensors_.occupied) continue;  // the move stands, and is still open
            const Bitboard gone = occupied & ~sensors_.occupied;
            const Bitboard come = sensors_.occupied & ~occupied;
            see(after.turn, gone, come, at, sensors_, /*announced=*/false);
            after.turn.mark_unseen(gone | come);
            const unsigned under_way =
                chess::size(gone | come) + moved_twice_changes * chess::size(gone & moved);
            add_if_fits({std::move(after), changes + under_way, changes, moved}, found);
        }
    }
}

/// Which moves were played is for the arbiter to say. Until then nothing on the board counts: men
/// that were moved unseen may come back to where they stood.
void Referee::Impl::ask_about_break(DeviceTime at) {
    seen_after_break_ = false;
    readings_.erase(readings_.begin() + 1, readings_.end());
    report({.kind = ReportKind::displaced, .article = "7.6", .squares = squares_that_differ()}, at);
    hold(at, /*clocks_stopped=*/false);
    hold_->until_restored = true;
    settle(at);
}

/// The board has come to rest for the first time after a break.
void Referee::Impl::on_settled_after_break(DeviceTime at) {
    if (best_fit() > Fit::under_way) {
        ask_about_break(at);
        return;
    }
    // A man that is off for so long is not in a hand: it took something, and stands there.
    Turn& turn = primary().turn;
    const auto captures = turn.unseen_captures();
    if (readings_.size() > 1 || turn.standing() || captures.empty()) return;
    turn.assume_captures(captures, Evidence::unseen, at, sensors_);
    if (turn.rivals().empty()) {
        settle(at);
        return;
    }
    ask({.kind = ReportKind::ambiguous, .article = "7.6", .candidates = captures},
        /*pressed=*/false, at);
}

}  // namespace touchmove::laws
