// referee_offence.cpp - what the lever makes an offence, and what it costs (7.5, A.5)
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "host/laws/referee_impl.hpp"

namespace touchmove::laws {
namespace {

using chess::Kind;

std::vector<Move> with_all_pieces(Move m, bool is_promotion) {
    if (!is_promotion) return {m};
    std::vector<Move> all;
    for (const Kind k : chess::promotion_kinds)
        all.emplace_back(m.from(), m.to(), k);
    return all;
}

}  // namespace

Millis Referee::Impl::penalty_time() const noexcept {
    const bool short_game =
        rules_.time_class == TimeClass::blitz ||
        (rules_.time_class == TimeClass::rapid && rules_.edition == Edition::y2023);
    return short_game ? Millis{60'000} : Millis{120'000};
}

/// FORMAT.md, convention 6: the released move, else what was begun, else the touch duty.
std::vector<Move> Referee::Impl::duty_of_offence(const Reading& reading) const {
    const Turn& turn = reading.turn;
    if (!turn.releases().empty()) {
        const Standing& first = turn.releases().front().standing;
        return with_all_pieces(first.move, first.move.promotion().has_value());
    }
    if (turn.castling_half()) return {turn.castling_half()->move};
    if (turn.emptied_enemy() == 0 && chess::size(turn.emptied_own()) == 1 &&
        chess::size(turn.filled()) == 1) {
        const Move begun(chess::first_square(turn.emptied_own()),
                         chess::first_square(turn.filled()));
        if (turn.base().is_legal(begun) && turn.base().captured_square(begun)) return {begun};
    }
    return duty_of(turn.base(), turn.touches()).moves;
}

Penalty Referee::Impl::next_penalty(Color side) {
    const bool first_loses = rules_.supervision == Supervision::limited &&
                             rules_.time_class != TimeClass::standard &&
                             rules_.edition <= Edition::y2017;
    const unsigned allowed = first_loses ? 0 : 1;
    if (++offences_[chess::index_of(side)] <= allowed) return {.opponent_extra = penalty_time()};
    const bool drawn = score_against(side, position_) == Score::draw;
    return {.opponent_extra = std::nullopt,
            .outcome = drawn ? Penalty::Outcome::draw : Penalty::Outcome::loss};
}

/// Whether the man on the board would have moved legally if the men had been set up otherwise: two
/// of the mover's back-rank men swapped (7.2), or the colours reversed (7.3). Only at its first
/// move from the initial array.
std::optional<std::string> Referee::Impl::setup_fault() const {
    const Turn& turn = primary().turn;
    if (!setup_.start.same_as(Position::initial()) || chess::size(turn.filled()) != 1)
        return std::nullopt;
    const Square to = chess::first_square(turn.filled());
    if (committed_ == 0 && turn.emptied_own() == 0 && chess::size(turn.emptied_enemy()) == 1) {
        Position reversed = turn.base();
        reversed.set_side_to_move(~turn.mover());
        if (reversed.is_legal(Move(chess::first_square(turn.emptied_enemy()), to))) return "7.3";
        return std::nullopt;
    }
    if (chess::size(turn.emptied_own()) != 1 || turn.emptied_enemy() != 0) return std::nullopt;
    const Square from = chess::first_square(turn.emptied_own());
    const auto never_moved = [&](Square s) {
        return turn.base().man_at(s) == setup_.start.man_at(s) &&
               std::none_of(moves_.begin(), moves_.end(), [&](const RecordedMove& m) {
                   return m.move.from() == s || m.move.to() == s;
               });
    };
    const unsigned back_rank = turn.mover() == Color::white ? 0 : 7;
    if (from.rank() != back_rank || !never_moved(from)) return std::nullopt;
    for (unsigned file = 0; file < 8; ++file) {
        const Square other(file, back_rank);
        if (other == from || !never_moved(other)) continue;
        Position swapped = turn.base();
        const auto here = *turn.base().man_at(from);
        const auto there = *turn.base().man_at(other);
        swapped.put(from, there);
        swapped.put(other, here);
        if (swapped.is_legal(Move(from, to))) return "7.2";
    }
    return std::nullopt;
}

/// What the move must meet that takes the illegal one's place: `duty`, where there is one.
std::optional<BoundDuty> Referee::Impl::bound_by_offence(const Reading& reading,
                                                         std::vector<Move> duty) const {
    if (duty.empty()) return reading.bound;
    const Turn& turn = reading.turn;
    if (!turn.releases().empty()) {
        const bool castles = turn.base().castling(duty.front()).has_value();
        return BoundDuty{{std::move(duty), castles ? "4.7.2" : "4.7", std::nullopt},
                         ReportKind::released};
    }
    Duty again = duty_of(turn.base(), turn.touches());
    again.moves = std::move(duty);
    return BoundDuty{std::move(again), ReportKind::touch_move};
}

/// Without an arbiter at the board the game goes on from the illegal move: the press has passed the
/// clock on, without the extra, and the move stands as soon as the opponent has replied (A.5.2).
void Referee::Impl::let_stand(const Standing& played, Illegality illegality, DeviceTime at) {
    Reading& reading = primary();
    const Color side = reading.turn.mover();
    if (clock_.running()) {
        clock_.pass(side, at);
    } else if (paused_) {
        paused_ = ~side;
    }
    close(reading, played, ClosedBy::illegal_press, at);
    reading.closed.back().illegal = std::move(illegality);
    fork_promotions(readings_);
    settle(at);
    look_for_illegal_position(at);
}

/// An illegal position that is still there after the next completed move is the arbiter's, who
/// declares a draw (A.5.4). Said once while it lasts. A legal move ends it, so only the move that
/// has just been let stand can prolong it.
void Referee::Impl::look_for_illegal_position(DeviceTime at) {
    const bool lasts =
        is_illegal_position(positions_.back()) && is_illegal_position(primary().turn.base());
    if (!lasts) return;
    if (committed_ > 0 && is_illegal_position(positions_[committed_ - 1])) return;
    report({.kind = ReportKind::arbiter, .article = "A.5.4"}, at);
}

/// The lever was pressed and no legal move stands on the board (7.5.1, 7.5.3).
void Referee::Impl::offence(Color side, DeviceTime at) {
    Reading& reading = primary();
    if (const auto fault = setup_fault()) {
        const Turn& turn = reading.turn;
        report({.kind = ReportKind::setup_suspect,
                .article = *fault,
                .squares = as_list(turn.emptied() | turn.filled())},
               at);
        hold(at, /*clocks_stopped=*/true);
        settle(at);
        return;
    }
    const bool illegal = reading.turn.man_put_down();
    const bool limited = rules_.supervision == Supervision::limited;
    const auto played = illegal ? reading.turn.illegal_move() : std::nullopt;
    if (limited && played && played->piece_open && !std::exchange(reading.promotion_asked, true)) {
        report(promotion_question(side, played->move.to()), at);
    }
    Report what{.kind = illegal ? ReportKind::illegal_move : ReportKind::press_without_move,
                .article = illegal ? "7.5.1" : "7.5.3",
                .side = side};
    if (played) {
        what.squares = {played->move.from(), played->move.to()};
    } else if (illegal) {
        what.squares = as_list(reading.turn.emptied() | reading.turn.filled());
    }
    what.duty = duty_of_offence(reading);
    what.penalty = next_penalty(side);
    const bool loses = what.penalty->outcome != Penalty::Outcome::none;
    auto bound = bound_by_offence(reading, what.duty);
    report(std::move(what), at);
    if (loses && !limited) {
        lose(side, "illegal_moves", "7.5.5", at);
        return;
    }
    // Where no single move tells what happened to the board, the men must be put back all the same.
    if (limited && played) {
        let_stand(*played, {std::move(bound)}, at);
        return;
    }
    if (illegal) {
        const Position base = reading.turn.base();
        reading = Reading(Turn(base));
        reading.bound = std::move(bound);
        hold(at, /*clocks_stopped=*/true);
    } else {
        stop_clocks(at);
    }
    settle(at);
}

/// The move stands as a queen's promotion, the offence counts, the extra is taken off (7.5.2).
void Referee::Impl::pawn_not_exchanged(Color side, DeviceTime at) {
    const auto end = std::exchange(result_, std::nullopt);
    Report what{.kind = ReportKind::pawn_not_exchanged, .article = "7.5.2", .side = side};
    for (std::size_t ply = moves_.size(); ply-- > 0 && what.squares.empty();) {
        if (mover_of(ply) == side) what.squares = {moves_[ply].move.to()};
    }
    what.penalty = next_penalty(side);
    const bool loses = what.penalty->outcome != Penalty::Outcome::none;
    report(std::move(what), at);
    clock_.take_extra_back(side);
    stop_clocks(at);
    if (loses && rules_.supervision == Supervision::full) {
        lose(side, "illegal_moves", "7.5.5", at);
    } else if (end) {
        report({.kind = ReportKind::arbiter, .article = end->article}, at);
        end_game({Score::open_to_arbiter, end->reason, end->article}, at);
    }
}

}  // namespace touchmove::laws
