// turn.cpp - what the sensors have shown since a side got the move
// SPDX-License-Identifier: Apache-2.0
#include "host/laws/turn.hpp"

#include <algorithm>
#include <cassert>

namespace touchmove::laws {
namespace {

using chess::CastlingSide;
using chess::first_square;
using chess::Kind;
using chess::size;

/// Men off and back together within this were brushed, not chosen (FORMAT.md, convention 12).
constexpr Millis accident_window{200};
/// Closer than this, two lifts or two placements hint at two hands (FORMAT.md, convention 12).
constexpr Millis two_hands_window{10};

bool on_last_rank(Square s) {
    return s.rank() == 0 || s.rank() == 7;
}

/// Where the rook of a castling move stands before and after it.
std::pair<Square, Square> rook_squares(Move king_move) {
    const unsigned rank = king_move.from().rank();
    const bool king_side = king_move.to().file() > king_move.from().file();
    return king_side ? std::pair{Square(7, rank), Square(5, rank)}
                     : std::pair{Square(0, rank), Square(3, rank)};
}

}  // namespace

Turn::Turn(const Position& base) : base_(base), base_occupied_(base.occupied()) {}

void Turn::lift(Square s, DeviceTime at, const Sensors& sensors, bool announced) {
    if (announced) {
        announced_off_ |= s.bit();
    } else if (const auto man = base_.man_at(s); man && !(emptied_ & s.bit())) {
        const bool standing_captor = standing_ && (standing_->placed & s.bit());
        const bool known = std::any_of(touches_.begin(), touches_.end(),
                                       [&](const Touch& t) { return t.square == s; });
        if (!standing_captor && !known) touches_.push_back({s, man->color == mover(), at});
        if (man->color == mover()) own_lifts_.push_back({at, s});
        off_since_rest_.push_back({at, s});
    }
    if (base_occupied_ & s.bit()) ever_emptied_ |= s.bit();
    unseen_ &= ~s.bit();
    for (Release& release : releases_) {
        if (release.standing.placed & s.bit()) release.emptied_again = true;
    }
    // A sliding captor may clear its own square a moment after the target has filled.
    if (base_.men(mover()) & s.bit()) {
        for (Refill& refill : refills_) {
            if (at - refill.at <= slide_overlap) refill.own_off |= s.bit();
        }
    }
    update(sensors);
}

void Turn::place(Square s, DeviceTime at, const Sensors& sensors) {
    announced_off_ &= ~s.bit();
    unseen_ &= ~s.bit();
    placements_.push_back({at, s});
    if (base_.men(~mover()) & s.bit() & ever_emptied_) {
        std::erase_if(refills_, [&](const Refill& r) { return r.square == s; });
        refills_.push_back({s, at, emptied_own(), Evidence::seen});
    }
    update(sensors);
}

void Turn::update(const Sensors& sensors) {
    emptied_ = base_occupied_ & ~sensors.occupied;
    filled_ = sensors.occupied & ~base_occupied_;
    after_standing_.reset();
    rivals_.clear();
    standing_ = find_standing(sensors);
    if (standing_) standing_->evidence = evidence_for(standing_->move);
    half_ = standing_ ? std::nullopt : find_half();
    fit_.reset();
}

void Turn::mark_unseen(Bitboard changed) {
    unseen_ |= changed;
    if (standing_) standing_->evidence = evidence_for(standing_->move);
}

/// A standing move is as sure as the change that was seen worst.
Evidence Turn::evidence_for(Move m) const {
    Bitboard changed = m.from().bit() | m.to().bit();
    if (const auto victim = base_.captured_square(m)) changed |= victim->bit();
    if (base_.castling(m)) {
        const auto [rook_from, rook_to] = rook_squares(m);
        changed |= rook_from.bit() | rook_to.bit();
    }
    if ((changed & unseen_) != 0) return Evidence::unseen;
    if ((filled_ & m.to().bit()) != 0) return Evidence::seen;
    const auto refill = std::find_if(refills_.begin(), refills_.end(),
                                     [&](const Refill& r) { return r.square == m.to(); });
    return refill == refills_.end() ? Evidence::seen : refill->evidence;
}

std::optional<Standing> Turn::as_legal(Move m, Bitboard placed) const {
    const auto man = base_.man_at(m.from());
    const bool promotes = man && man->kind == Kind::pawn && on_last_rank(m.to());
    const Move played = promotes ? Move(m.from(), m.to(), named_piece_.value_or(Kind::queen)) : m;
    if (!base_.is_legal(played)) return std::nullopt;
    return Standing{played, promotes && !named_piece_, placed, Evidence::seen};
}

std::optional<Standing> Turn::find_standing(const Sensors& sensors) {
    const Bitboard own = emptied_own();
    const Bitboard enemy = emptied_enemy();
    if (own == 0) return std::nullopt;
    const unsigned own_count = size(own);
    const unsigned filled_count = size(filled_);
    const Square from = first_square(own);

    if (own_count == 1 && filled_count == 0 && enemy == 0) return seen_capture(from);
    if (own_count == 1 && filled_count == 1) {
        const Move m(from, first_square(filled_));
        if (base_.castling(m)) return std::nullopt;
        const auto standing = as_legal(m, filled_);
        if (!standing || arrived_before_it_left(standing->move, sensors)) return std::nullopt;
        const auto victim = base_.captured_square(m);  // in passing: the target itself is empty
        return enemy == (victim ? victim->bit() : 0) ? standing : std::nullopt;
    }
    if (own_count == 2 && filled_count == 2 && enemy == 0) {
        const auto king = base_.king(mover());
        if (!king || !(own & king->bit())) return std::nullopt;
        for (const Square to : chess::squares(filled_)) {
            const Move m(*king, to);
            if (!base_.castling(m) || !base_.is_legal(m)) continue;
            const auto [rook_from, rook_to] = rook_squares(m);
            if (own == (king->bit() | rook_from.bit()) && filled_ == (to.bit() | rook_to.bit())) {
                return Standing{m, false, filled_, Evidence::seen};
            }
        }
    }
    return std::nullopt;
}

/// The target filled before the man's own square cleared, by more than a slide explains: another
/// man stands there. A new man of a promotion may.
bool Turn::arrived_before_it_left(Move m, const Sensors& sensors) const {
    if (m.promotion()) return false;
    const auto left = std::find_if(own_lifts_.begin(), own_lifts_.end(),
                                   [&](const HandEvent& e) { return e.square == m.from(); });
    return left != own_lifts_.end() && left->at - sensors.placed_at[m.to().index()] > slide_overlap;
}

std::optional<Standing> Turn::seen_capture(Square from) {
    std::optional<Standing> found;
    const auto man = base_.man_at(from);
    const bool is_pawn = man && man->kind == Kind::pawn;
    for (const Refill& refill : refills_) {
        const bool new_man = is_pawn && on_last_rank(refill.square);  // put down at any time
        if (!new_man && !(refill.own_off & from.bit())) continue;
        const auto capture = as_legal(Move(from, refill.square), refill.square.bit());
        if (!capture) continue;
        if (found) {
            if (rivals_.empty()) rivals_.push_back(found->move);
            rivals_.push_back(capture->move);
        }
        found = capture;
    }
    return rivals_.empty() ? found : std::nullopt;
}

std::optional<Standing> Turn::find_half() {
    const auto king = base_.king(mover());
    if (!king || !(emptied_ & king->bit()) || filled_ == 0) return std::nullopt;
    for (const Square to : chess::squares(filled_)) {
        const Move m(*king, to);
        const unsigned files =
            to.file() > king->file() ? to.file() - king->file() : king->file() - to.file();
        if (to.rank() == king->rank() && files == 2) castling_attempted_ = true;
        if (base_.castling(m) && base_.is_legal(m))
            return Standing{m, false, to.bit(), Evidence::seen};
    }
    return std::nullopt;
}

std::vector<Move> Turn::unseen_captures() const {
    std::vector<Move> found;
    if (size(emptied_own()) != 1 || emptied_enemy() != 0 || filled_ != 0) return found;
    if (man_put_down()) return found;  // the board shows where the man went
    const Square from = first_square(emptied_own());
    for (const Move m : base_.legal_moves()) {
        if (m.from() != from) continue;
        const auto victim = base_.captured_square(m);
        if (!victim || *victim != m.to() || (ever_emptied_ & victim->bit())) continue;
        if (m.promotion() && m.promotion() != Kind::queen) continue;
        found.push_back(m);
    }
    return found;
}

std::optional<Standing> Turn::illegal_move() const {
    std::optional<Standing> found;
    unsigned count = 0;
    const unsigned last_rank = mover() == Color::white ? 7 : 0;
    const auto consider = [&](Square from, Square to) {
        const auto man = base_.man_at(from);
        const bool promotes = man && man->kind == Kind::pawn && man->color == mover() &&
                              to.rank() == last_rank;
        const Move m =
            promotes ? Move(from, to, named_piece_.value_or(Kind::queen)) : Move(from, to);
        if (base_.after(m).occupied() != ((base_occupied_ & ~emptied_) | filled_)) return;
        found = Standing{m, promotes && !named_piece_, to.bit(), evidence_for(m)};
        ++count;
    };
    const Bitboard off = emptied_own() != 0 ? emptied_own() : emptied_enemy();
    for (const Square from : chess::squares(off)) {
        for (const Square to : chess::squares(filled_))
            consider(from, to);
        if (filled_ != 0 || emptied_own() == 0) continue;
        for (const Refill& refill : refills_) {
            if ((refill.own_off & from.bit()) != 0) consider(from, refill.square);
        }
    }
    return count == 1 ? found : std::nullopt;
}

const Position& Turn::after_standing() const {
    assert(standing_);
    if (!after_standing_) after_standing_ = base_.after(standing_->move);
    return *after_standing_;
}

void Turn::release(const Standing& standing, bool castling_half) {
    const bool known = std::any_of(releases_.begin(), releases_.end(), [&](const Release& r) {
        return r.castling_half == castling_half && r.standing.same_squares(standing) &&
               !r.emptied_again;
    });
    if (!known) releases_.push_back({standing, castling_half, false});
}

void Turn::forget_touch(Square s) {
    std::erase_if(touches_, [&](const Touch& t) { return t.square == s; });
}

void Turn::end_announcement() {
    for (const Square s : chess::squares(announced_off_ & base_occupied_)) {
        const auto man = base_.man_at(s);
        touches_.push_back({s, man && man->color == mover(), {}});
    }
    announced_off_ = 0;
}

void Turn::assume_captures(const std::vector<Move>& captures, Evidence why, DeviceTime at,
                           const Sensors& sensors) {
    refills_.clear();
    if (why == Evidence::chosen) unseen_ = chess::no_squares;  // whoever saw it or not
    for (const Move capture : captures)
        refills_.push_back({capture.to(), at, capture.from().bit(), why});
    update(sensors);
}

void Turn::name_promotion(Kind kind, const Sensors& sensors) {
    named_piece_ = kind;
    update(sensors);
}

std::vector<Square> Turn::take_accident(DeviceTime now) {
    std::vector<Square> brushed;
    if ((emptied_ | filled_) != 0) return brushed;
    if (off_since_rest_.size() >= 2 && now - off_since_rest_.front().at <= accident_window) {
        for (const HandEvent& event : off_since_rest_)
            brushed.push_back(event.square);
        std::sort(brushed.begin(), brushed.end());
        brushed.erase(std::unique(brushed.begin(), brushed.end()), brushed.end());
        if (brushed.size() < 2) brushed.clear();
        for (const Square s : brushed)
            forget_touch(s);
    }
    off_since_rest_.clear();
    return brushed;
}

bool Turn::man_put_down() const noexcept {
    if (filled_ != 0) return true;
    const Bitboard missing = emptied_own();
    return missing != 0 && std::any_of(refills_.begin(), refills_.end(), [&](const Refill& r) {
               return (r.own_off & missing) != 0 && !(emptied_ & r.square.bit());
           });
}

bool Turn::hints_at_two_hands() const noexcept {
    const auto close_pair = [](const std::vector<HandEvent>& events) {
        for (std::size_t i = 1; i < events.size(); ++i) {
            const auto gap = events[i].at - events[i - 1].at;
            if (events[i].square != events[i - 1].square && gap > Micros{0} &&
                gap <= two_hands_window) {
                return true;
            }
        }
        return false;
    };
    return close_pair(own_lifts_) && close_pair(placements_);
}

std::optional<chess::Man> Turn::man_on(Square s) const {
    if (standing_) return after_standing().man_at(s);
    return base_.man_at(s);
}

Fit Turn::fit() const {
    if (!fit_) fit_ = judge();
    return *fit_;
}

/// A pawn went as if it took the one beside it in passing, whether it may or not.
bool Turn::shows_en_passant() const {
    if (size(emptied_own()) != 1 || size(emptied_enemy()) != 1 || size(filled_) != 1) return false;
    const Square from = first_square(emptied_own()), victim = first_square(emptied_enemy());
    const Square to = first_square(filled_);
    const auto is_pawn = [&](Square s) { return base_.man_at(s)->kind == Kind::pawn; };
    const unsigned forward = mover() == Color::white ? from.rank() + 1 : from.rank() - 1;
    const unsigned aside = from.file() > to.file() ? from.file() - to.file()
                                                   : to.file() - from.file();
    return is_pawn(from) && is_pawn(victim) && victim == Square(to.file(), from.rank()) &&
           to.rank() == forward && aside == 1;
}

Fit Turn::judge() const {
    if (standing_ || (emptied_ | filled_) == 0) return Fit::at_rest;
    const Bitboard own = emptied_own();
    const Bitboard enemy = emptied_enemy();
    const unsigned own_count = size(own);
    const unsigned enemy_count = size(enemy);
    const unsigned filled_count = size(filled_);
    if (enemy_count > 1 || filled_count > 2) return Fit::not_one_action;

    const auto legal = base_.legal_moves();
    const auto any = [&](auto&& wanted) { return std::any_of(legal.begin(), legal.end(), wanted); };

    if (filled_count == 0) {
        if (own_count > 2) return Fit::not_one_action;
        const bool stage = any([&](Move m) {
            const auto victim = base_.captured_square(m);
            if (own_count == 1 && m.from() != first_square(own)) return false;
            return enemy_count == 0 || (victim && *victim == first_square(enemy));
        });
        return stage ? Fit::under_way : Fit::doubtful;
    }
    if (enemy_count == 1) {
        // A captor on its way to its victim's square, which is off already: in passing, or sliding,
        // when two squares may read occupied, or one before its own clears.
        const bool on_its_way = own_count <= 1 && any([&](Move m) {
                                    const auto victim = base_.captured_square(m);
                                    return victim && *victim == first_square(enemy) &&
                                           (own_count == 0 || m.from() == first_square(own));
                                });
        return on_its_way || shows_en_passant() ? Fit::doubtful : Fit::not_one_action;
    }
    if (own_count == 0) {
        // Nothing of the mover's is off: a new man put down first, or the start of a slide.
        if (filled_count == 1) {
            const Square to = first_square(filled_);
            if (any([&](Move m) { return m.to() == to; })) return Fit::under_way;
        }
        return filled_count == 1 ? Fit::doubtful : Fit::not_one_action;
    }
    if (half_) return Fit::under_way;
    if (filled_count == 1) {
        // Rook first, en passant half done, or a man on the way.
        const Square from = first_square(own);
        const Square to = first_square(filled_);
        if (own_count <= 2 && any([&](Move m) {
                if (base_.castling(m)) {
                    const auto [rook_from, rook_to] = rook_squares(m);
                    return (own & ~(m.from().bit() | rook_from.bit())) == 0 && rook_to == to;
                }
                return own_count == 1 && m.from() == from && m.to() == to;
            })) {
            return Fit::under_way;
        }
        return own_count <= 2 ? Fit::doubtful : Fit::not_one_action;
    }
    // Two filled: a slide that fills the next square before it clears the last, or two men moved.
    const bool overlap = own_count == 1 && any([&](Move m) {
                             return m.from() == first_square(own) && (filled_ & m.to().bit()) != 0;
                         });
    if (overlap) return Fit::under_way;
    return own_count <= 2 ? Fit::doubtful : Fit::not_one_action;
}

}  // namespace touchmove::laws
