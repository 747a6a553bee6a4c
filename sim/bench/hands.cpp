// hands.cpp - from a move of the game to what hands do on the board
// SPDX-License-Identifier: Apache-2.0
#include "sim/bench/hands.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace touchmove::bench {
namespace {

using chess::Bitboard;
using chess::Kind;
using chess::Move;
using chess::Position;
using chess::Square;

constexpr BenchUs ms = 1000;

unsigned distance(Square a, Square b) {
    const auto apart = [](unsigned x, unsigned y) { return x > y ? x - y : y - x; };
    return std::max(apart(a.file(), b.file()), apart(a.rank(), b.rank()));
}

/// The squares strictly between two squares of one line, in order; none if they share no line.
std::optional<std::vector<Square>> squares_between(Square from, Square to) {
    const int files = static_cast<int>(to.file()) - static_cast<int>(from.file());
    const int ranks = static_cast<int>(to.rank()) - static_cast<int>(from.rank());
    if (files != 0 && ranks != 0 && std::abs(files) != std::abs(ranks)) return std::nullopt;
    const int steps = std::max(std::abs(files), std::abs(ranks));
    std::vector<Square> squares;
    for (int i = 1; i < steps; ++i) {
        squares.emplace_back(
            static_cast<unsigned>(static_cast<int>(from.file()) + files * i / steps),
            static_cast<unsigned>(static_cast<int>(from.rank()) + ranks * i / steps));
    }
    return squares;
}

Square nth_square(Bitboard set, std::uint32_t n) {
    for (; n > 0; --n) set &= set - 1;
    return chess::first_square(set);
}

Square any_square(Bitboard set, Rng& rng) { return nth_square(set, rng.below(chess::size(set))); }

/// A pair of hands with a sense of time: each call does something and lets time pass.
class Fingers {
  public:
    Fingers(const Style& style, const Circumstances& circumstances, Bitboard occupied, Rng& rng)
        : style_(style), slowness_(circumstances.slowness), occupied_(occupied), rng_(rng) {}

    [[nodiscard]] Plan take() && {
        // Slides and both-hands acts are noted per man, not strictly in order.
        std::stable_sort(plan_.magnets.begin(), plan_.magnets.end(),
                         [](const MagnetAct& a, const MagnetAct& b) { return a.at < b.at; });
        return std::move(plan_);
    }

    [[nodiscard]] BenchUs now() const { return now_; }
    void wait(BenchUs us) { now_ += us; }
    void wait(Range range) { now_ += slowed(rng_.in(range)); }
    [[nodiscard]] bool happens(unsigned per_mille) { return rng_.chance(per_mille); }

    void lift(Square s) {
        assert((occupied_ & s.bit()) != 0);
        occupied_ &= ~s.bit();
        plan_.magnets.push_back({now_, 0, s, Motion::lift_off});
        plan_.released = std::max(plan_.released, now_ + settled_us);
    }

    void put(Square s) {
        assert((occupied_ & s.bit()) == 0);
        occupied_ |= s.bit();
        plan_.magnets.push_back({now_, 0, s, Motion::set_down});
        note_placed();
    }

    /// The man is let go on the square where it was put.
    void let_go() {
        wait(style_.let_go);
        plan_.released = std::max(plan_.released, now_);
    }

    /// From hand over `from` to hand over `to`, through the air.
    void carry(Square from, Square to) {
        wait(style_.in_hand);
        now_ += slowed(style_.per_square * static_cast<BenchUs>(distance(from, to)));
    }

    /// Brings the man from `from`, where it still stands, to `to`, and lets go of it there.
    void bring(Square from, Square to, Bitboard shown_on) {
        if (may_slide(from, to) && happens(style_.slides)) {
            slide(from, to);
        } else {
            lift(from);
            bring_lifted(from, to, shown_on);
            return;
        }
        let_go();
    }

    /// The same for a man in hand.
    void bring_lifted(Square from, Square to, Bitboard shown_on) {
        show(shown_on & ~occupied_ & ~to.bit());
        carry(from, to);
        put(to);
        let_go();
    }

    /// Lifts a man and puts it back where it stood.
    void straighten(Square s) {
        lift(s);
        wait(style_.in_hand);
        put(s);
        let_go();
    }

    /// Takes two men off with both hands: `second` up to a few milliseconds after `first`.
    void lift_both(Square first, Square second) {
        lift(first);
        wait(rng_.in(both_hands));
        lift(second);
    }

    void button(BoardInput input, bool down) { plan_.switches.push_back({now_, input, down}); }

    void say(Said::What what, chess::Color side, Kind piece) {
        plan_.said.push_back({now_, what, side, piece});
    }

    [[nodiscard]] BenchUs both_hands_gap() { return rng_.in(both_hands); }
    [[nodiscard]] const Style& style() const { return style_; }
    [[nodiscard]] Rng& rng() { return rng_; }

    template <class Order>
    [[nodiscard]] Order choose(const std::array<unsigned, 3>& weights) {
        return static_cast<Order>(rng_.weighted(weights));
    }

  private:
    // Enough apart that the slowest sensor edge (physics.hpp) cannot turn the order round.
    static constexpr Range both_hands{5 * ms, 12 * ms};
    // A lifted man's sensor has certainly gone quiet after this.
    static constexpr BenchUs settled_us = 35 * ms;

    [[nodiscard]] BenchUs slowed(BenchUs us) const {
        return us * static_cast<BenchUs>(slowness_) / 1000;
    }

    void note_placed() {
        plan_.placed = now_;
        plan_.released = std::max(plan_.released, now_);
    }

    [[nodiscard]] bool may_slide(Square from, Square to) const {
        const auto path = squares_between(from, to);
        if (!path || (occupied_ & to.bit()) != 0) return false;
        return std::all_of(path->begin(), path->end(),
                           [&](Square s) { return (occupied_ & s.bit()) == 0; });
    }

    /// The man is over square k of its way from `centre` - `half` to `centre` + `half`; with `half`
    /// above half the distance of two squares both sensors see it for a while.
    void slide(Square from, Square to) {
        std::vector<Square> way = *squares_between(from, to);
        way.push_back(to);
        const BenchUs step = slowed(rng_.in(style_.slide_square));
        const BenchUs half = step * rng_.in({350, 600}) / 1000;
        occupied_ = (occupied_ & ~from.bit()) | to.bit();
        plan_.magnets.push_back({now_, half, from, Motion::slide_out});
        for (const Square s : way) {
            now_ += step;
            if (s == to) {
                plan_.magnets.push_back({now_ - half, half, s, Motion::slide_in});
            } else if (happens(style_.stops)) {
                plan_.magnets.push_back({now_ - half, half, s, Motion::slide_in});
                now_ += rng_.in(style_.stop);
                plan_.magnets.push_back({now_, half, s, Motion::slide_out});
            } else {
                plan_.magnets.push_back({now_ - half, 2 * half, s, Motion::pass_over});
            }
        }
        note_placed();
    }

    /// Sets the man on other squares and takes it up again, each time for less than a release.
    void show(Bitboard squares) {
        if (squares == 0 || !happens(style_.hovers)) return;
        for (BenchUs times = rng_.in({1, 3}); times > 0 && squares != 0; --times) {
            const Square s = any_square(squares, rng_);
            squares &= ~s.bit();
            wait(style_.in_hand);
            plan_.magnets.push_back({now_, 0, s, Motion::set_down});
            // At least as long as the slowest edge takes, or the man was never there.
            now_ += settled_us + rng_.in(style_.stop);
            plan_.magnets.push_back({now_, 0, s, Motion::lift_off});
        }
    }

    const Style& style_;
    unsigned slowness_;
    Bitboard occupied_;
    Rng& rng_;
    Plan plan_;
    BenchUs now_ = 0;
};

/// One move: which acts in which order.
class MovePlanner {
  public:
    MovePlanner(const Position& before, Move move, const Circumstances& circumstances,
                Fingers& fingers)
        : before_(before),
          move_(move),
          circumstances_(circumstances),
          mover_(before.side_to_move()),
          victim_(before.captured_square(move)),
          fingers_(fingers) {}

    void run() {
        const Style& style = fingers_.style();
        if (circumstances_.may_adjust && fingers_.happens(style.announces)) announce_and_adjust();
        if (fingers_.happens(style.touches)) {
            fingers_.straighten(move_.from());
            fingers_.wait(style.between);
        }
        if (before_.castling(move_)) {
            castle();
        } else if (move_.promotion()) {
            promote();
        } else if (victim_ && *victim_ != move_.to()) {
            capture_in_passing();
        } else if (victim_) {
            capture();
        } else {
            fingers_.bring(move_.from(), move_.to(), shown_on());
        }
        if (!before_.castling(move_) && !move_.promotion() && fingers_.happens(style.recentres)) {
            fingers_.wait(style.between);
            fingers_.straighten(move_.to());
        }
    }

  private:
    /// Other empty squares to which this man could go, to show it there first.
    [[nodiscard]] Bitboard shown_on() const {
        Bitboard squares = 0;
        for (const Move other : before_.legal_moves()) {
            if (other.from() == move_.from() && !before_.captured_square(other)) {
                squares |= other.to().bit();
            }
        }
        return squares;
    }

    void announce_and_adjust() {
        const BoardInput input = mover_ == chess::Color::white ? BoardInput::white_adjust
                                                               : BoardInput::black_adjust;
        fingers_.button(input, true);
        fingers_.wait(Range{60 * ms, 150 * ms});
        for (BenchUs men = fingers_.rng().in({1, 2}); men > 0; --men) {
            fingers_.straighten(any_square(before_.men(mover_), fingers_.rng()));
            fingers_.wait(fingers_.style().between);
        }
        fingers_.button(input, false);
        fingers_.wait(Range{40 * ms, 100 * ms});
    }

    [[nodiscard]] bool victim_is_not_yet_pressed() const {
        return victim_ && victim_ == circumstances_.not_yet_pressed;
    }

    /// Takes the victim off, and in two of the orders lifts the captor too. Says whether the captor
    /// is in hand now; else it still stands on its square.
    [[nodiscard]] bool take_off(CaptureOrder order) {
        if (victim_is_not_yet_pressed()) order = CaptureOrder::captor_first;
        switch (order) {
            case CaptureOrder::victim_first:
                fingers_.lift(*victim_);
                fingers_.wait(fingers_.style().between);
                break;
            case CaptureOrder::captor_first:
                fingers_.lift(move_.from());
                fingers_.wait(fingers_.style().between);
                fingers_.lift(*victim_);
                break;
            case CaptureOrder::both_at_once:
                if (fingers_.happens(500)) {
                    fingers_.lift_both(*victim_, move_.from());
                } else {
                    fingers_.lift_both(move_.from(), *victim_);
                }
                break;
        }
        return order != CaptureOrder::victim_first;
    }

    void capture() {
        if (take_off(fingers_.choose<CaptureOrder>(fingers_.style().capture))) {
            fingers_.bring_lifted(move_.from(), move_.to(), shown_on());
        } else {
            fingers_.bring(move_.from(), move_.to(), shown_on());
        }
    }

    void capture_in_passing() {
        const Style& style = fingers_.style();
        auto order = fingers_.choose<EnPassantOrder>(style.en_passant);
        if (victim_is_not_yet_pressed() && order == EnPassantOrder::victim_first) {
            order = EnPassantOrder::both_off_then_place;
        }
        switch (order) {
            case EnPassantOrder::move_then_victim:
                fingers_.bring(move_.from(), move_.to(), 0);
                fingers_.wait(style.between);
                fingers_.lift(*victim_);
                break;
            case EnPassantOrder::victim_first:
                fingers_.lift(*victim_);
                fingers_.wait(style.between);
                fingers_.bring(move_.from(), move_.to(), 0);
                break;
            case EnPassantOrder::both_off_then_place:
                fingers_.lift(move_.from());
                fingers_.wait(style.between);
                fingers_.lift(*victim_);
                fingers_.bring_lifted(move_.from(), move_.to(), 0);
                break;
        }
    }

    void castle() {
        const Style& style = fingers_.style();
        const unsigned rank = move_.from().rank();
        const bool king_side = *before_.castling(move_) == chess::CastlingSide::king_side;
        const Square rook_from(king_side ? 7U : 0U, rank);
        const Square rook_to(king_side ? 5U : 3U, rank);
        switch (fingers_.choose<CastlingOrder>(style.castling)) {
            case CastlingOrder::king_then_rook:
                fingers_.bring(move_.from(), move_.to(), 0);
                fingers_.wait(style.between);
                fingers_.lift(rook_from);
                fingers_.bring_lifted(rook_from, rook_to, 0);
                break;
            case CastlingOrder::both_in_hand:
                fingers_.lift(move_.from());
                fingers_.wait(style.between);
                fingers_.lift(rook_from);
                fingers_.bring_lifted(move_.from(), move_.to(), 0);
                fingers_.bring_lifted(rook_from, rook_to, 0);
                break;
            case CastlingOrder::both_at_once:
                fingers_.lift_both(move_.from(), rook_from);
                fingers_.carry(move_.from(), move_.to());
                fingers_.put(move_.to());
                fingers_.wait(fingers_.both_hands_gap());
                fingers_.put(rook_to);
                fingers_.let_go();
                break;
        }
    }

    void promote() {
        const Style& style = fingers_.style();
        const Range fetch{80 * ms, 220 * ms};  // the new man from beside the board
        auto order = fingers_.choose<PromotionOrder>(style.promotion);
        if (victim_is_not_yet_pressed() && order == PromotionOrder::new_man_first) {
            order = PromotionOrder::exchanged_before;
        }
        switch (order) {
            case PromotionOrder::pawn_stands_in:
                if (victim_) {
                    capture();
                } else {
                    fingers_.bring(move_.from(), move_.to(), 0);
                }
                fingers_.wait(style.between);
                fingers_.lift(move_.to());
                fingers_.wait(fetch);
                fingers_.put(move_.to());
                fingers_.let_go();
                break;
            case PromotionOrder::exchanged_before: {
                const bool pawn_in_hand =
                    victim_ && take_off(fingers_.choose<CaptureOrder>(style.capture));
                if (!pawn_in_hand) fingers_.lift(move_.from());
                fingers_.wait(fetch);
                fingers_.put(move_.to());
                fingers_.let_go();
                break;
            }
            case PromotionOrder::new_man_first:
                if (victim_) {
                    fingers_.lift(*victim_);
                    fingers_.wait(fetch);
                }
                fingers_.put(move_.to());
                fingers_.let_go();
                fingers_.wait(style.between);
                fingers_.lift(move_.from());
                break;
        }
        fingers_.wait(Range{20 * ms, 60 * ms});
        fingers_.say(Said::What::promoted_piece, mover_, *move_.promotion());
    }

    const Position& before_;
    Move move_;
    const Circumstances& circumstances_;
    chess::Color mover_;
    std::optional<Square> victim_;
    Fingers& fingers_;
};

}  // namespace

void Plan::shift(BenchUs by) {
    for (MagnetAct& act : magnets) act.at += by;
    for (SwitchAct& act : switches) act.at += by;
    for (Said& said_now : said) said_now.at += by;
    begins += by;
    placed += by;
    released += by;
    if (pressed) *pressed += by;
}

BenchUs Plan::last_act() const {
    BenchUs last = released;
    for (const MagnetAct& act : magnets) last = std::max(last, act.at + act.lasts);
    for (const SwitchAct& act : switches) last = std::max(last, act.at);
    for (const Said& said_now : said) last = std::max(last, said_now.at);
    return last;
}

Plan plan_move(const Style& style, const Position& before, Move move,
               const Circumstances& circumstances, Rng& rng) {
    assert(before.is_legal(move));
    Fingers fingers(style, circumstances, before.occupied(), rng);
    MovePlanner(before, move, circumstances, fingers).run();
    return std::move(fingers).take();
}

void add_press(Plan& plan, chess::Color side, BenchUs at, Rng& rng) {
    const bool white = side == chess::Color::white;
    const BoardInput own = white ? BoardInput::white_lever : BoardInput::black_lever;
    const BoardInput other = white ? BoardInput::black_lever : BoardInput::white_lever;
    plan.switches.push_back({at, own, true});
    // The rocker's far end leaves its contact while the near one reaches it.
    plan.switches.push_back({at + rng.in({0, 3 * ms}), other, false});
    plan.pressed = at;
}

}  // namespace touchmove::bench
