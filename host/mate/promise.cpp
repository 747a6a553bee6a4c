// promise.cpp - how near a position looks to a mate with both sides' help
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/promise.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "host/chess/geometry.hpp"
#include "host/mate/corner_mate.hpp"
#include "host/mate/lone_king.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using namespace chess::detail;

namespace {

/// King's steps between two squares.
unsigned distance(unsigned a, unsigned b) {
    const int files = std::abs(static_cast<int>(a & 7U) - static_cast<int>(b & 7U));
    const int ranks = std::abs(static_cast<int>(a >> 3U) - static_cast<int>(b >> 3U));
    return static_cast<unsigned>(std::max(files, ranks));
}

unsigned steps_to_edge(unsigned square) {
    const unsigned file = square & 7U, rank = square >> 3U;
    return std::min(std::min(file, 7 - file), std::min(rank, 7 - rank));
}

/// To the nearest corner of which the square is in `colour`.
unsigned steps_to_corner(unsigned square, Bitboard colour) {
    unsigned nearest = 8;
    for (const unsigned corner : {0U, 7U, 56U, 63U}) {
        if ((colour >> corner & 1U) != 0) nearest = std::min(nearest, distance(square, corner));
    }
    return nearest;
}

/// All that a side attacks; lines go through the squares in `through`.
Bitboard attacked_by(const State& s, bool black, Bitboard through) {
    const Bitboard all = occupied(s) & ~through, own = men_of(s, black);
    const Bitboard men = pawns(s) & own;
    const Bitboard forward = black ? men >> 8U : men << 8U;
    Bitboard seen =
        (forward << 1U & ~chess::file_squares(0)) | (forward >> 1U & ~chess::file_squares(7));
    for (const chess::Square from : chess::squares(knights(s) & own)) {
        seen |= knight_steps[from.index()];
    }
    for (const chess::Square from : chess::squares(kings(s) & own)) {
        seen |= king_steps[from.index()];
    }
    for (const chess::Square from : chess::squares(diagonal_sliders(s) & own)) {
        seen |= line_attacks(from.index(), Axis::diagonal, all) |
                line_attacks(from.index(), Axis::antidiagonal, all);
    }
    for (const chess::Square from : chess::squares(orthogonal_sliders(s) & own)) {
        seen |= line_attacks(from.index(), Axis::rank, all) |
                line_attacks(from.index(), Axis::file, all);
    }
    return seen;
}

unsigned weight_of_men(Taste taste) {
    switch (taste) {
        case Taste::balanced:
            return 1;
        case Taste::captures:
            return 4;
        case Taste::hunt:
            return 0;
    }
    return 0;
}

unsigned weight_of_plies(Taste taste) {
    return taste == Taste::hunt ? 2 : 3;
}

/// How many squares of a set are on that file.
unsigned on_file(Bitboard set, unsigned file) {
    return static_cast<unsigned>((set >> file & chess::file_squares(0)) * chess::file_squares(0) >>
                                 56U);
}

}  // namespace

// The weights were found by trial on flag-fall positions: tests/mate/mate_bench.cpp counts what
// they cost.

/// Plies until a queen or rook mates, were the other men not there.
unsigned Forecast::plies_with_heavy(const Men& men, unsigned loser, unsigned winner) noexcept {
    unsigned fewest = 99;
    if (men.queens != 0) {
        const auto& row = men.queen->row(loser, winner, men.loser_moves);
        for (const chess::Square man : chess::squares(men.queens))
            fewest = std::min<unsigned>(fewest, row[man.index()]);
    }
    if (men.rooks != 0) {
        const auto& row = men.rook->row(loser, winner, men.loser_moves);
        for (const chess::Square man : chess::squares(men.rooks))
            fewest = std::min<unsigned>(fewest, row[man.index()]);
    }
    return fewest;
}

/// Plies until a pawn has become a queen, each man in its way counted as some more, and she mates.
unsigned Forecast::plies_with_pawns(const Men& men) noexcept {
    constexpr unsigned step = 2, obstacle = 3, knights_walk = 6, bishops_walk = 4;
    unsigned fewest = 99, file = 0;
    for (const chess::Square square : chess::squares(men.pawns)) {
        const unsigned left = men.winner_black ? square.rank() : 7 - square.rank();
        const Bitboard below = square.bit() - 1;
        const Bitboard ahead = men.winner_black ? below : ~(square.bit() | below);
        const Bitboard on = chess::file_squares(square.file());
        const Bitboard locked = ahead & on & men.other_pawns;  // until somebody takes it
        unsigned plies = step * left;
        plies += obstacle * on_file(ahead & (men.occupied & ~locked), square.file());
        for (const chess::Square pawn : chess::squares(locked)) {
            const Bitboard colour = (pawn.bit() & chess::dark_squares) != 0 ? chess::dark_squares
                                                                            : ~chess::dark_squares;
            unsigned away = 2 * distance(men.winner, pawn.index());
            if (men.knights != 0) away = std::min(away, knights_walk);
            if ((men.bishops & colour) != 0) away = std::min(away, bishops_walk);
            plies += away;
        }
        if (plies < fewest) {
            fewest = plies;
            file = square.file();
        }
    }
    const unsigned queen = file + (men.winner_black ? 0 : 56);
    const unsigned mate = men.queen->row(men.loser, men.winner, true)[queen];
    return fewest + mate + (men.loser_moves ? 1 : 0);
}

unsigned Forecast::without_heavy(const Men& men, Taste taste, unsigned flights) noexcept {
    const unsigned minors = chess::size(men.bishops | men.knights);
    const unsigned pawns = men.pawns == 0 ? 200 : 3 * plies_with_pawns(men);
    if (minors == 0) return pawns;
    const Bitboard on_dark = men.bishops & chess::dark_squares,
                   on_light = men.bishops & ~chess::dark_squares;
    const bool both = on_dark != 0 && on_light != 0;
    const bool enough = minors > 1 && (both || men.bishops == 0 || men.knights != 0);
    if (men.pawns != 0 && taste != Taste::hunt) return pawns;
    const Bitboard corners = men.bishops == 0 || both ? chess::all_squares
                             : on_dark != 0           ? chess::dark_squares
                                                      : ~chess::dark_squares;
    unsigned away = 0;
    for (const chess::Square knight : chess::squares(men.knights))
        away += distance(men.loser, knight.index());
    return std::min(pawns, (enough ? 0 : 15) + 3 * flights + away +
                               3 * steps_to_corner(men.loser, corners) +
                               2 * distance(men.loser, men.winner));
}

unsigned Forecast::of(const Men& men, Taste taste) noexcept {
    const unsigned others = weight_of_men(taste) * men.others;
    if ((men.queens | men.rooks) == 0) return without_heavy(men, taste, 0) + others;
    return weight_of_plies(taste) * plies_with_heavy(men, men.loser, men.winner) + others;
}

Forecast::Men::Men(const State& s, bool black) noexcept
    : occupied(chess::detail::occupied(s)),
      queen(&LoneKingTable::of(LoneKingTable::By::queen)),
      rook(&LoneKingTable::of(LoneKingTable::By::rook)),
      winner_black(black),
      loser_moves(s.status.black_to_move() != black) {
    const Bitboard own = men_of(s, black), other = men_of(s, !black);
    loser = static_cast<unsigned>(std::countr_zero(chess::detail::kings(s) & other));
    winner = static_cast<unsigned>(std::countr_zero(chess::detail::kings(s) & own));
    const Bitboard diagonal = diagonal_sliders(s) & own, orthogonal = orthogonal_sliders(s) & own;
    queens = diagonal & orthogonal;
    rooks = orthogonal & ~diagonal;
    bishops = diagonal & ~orthogonal;
    knights = chess::detail::knights(s) & own;
    pawns = chess::detail::pawns(s) & own;
    others = chess::size(other);
    other_pawns = chess::detail::pawns(s) & other;
}

Forecast::Forecast(const State& s, bool winner_black, Taste taste) noexcept
    : men_(s, winner_black),
      taste_(taste),
      others_(men_.loser_moves ? 0 : men_of(s, !winner_black)) {
    weight_ = static_cast<int>(weight_of_plies(taste));
    loss_ = static_cast<int>(weight_of_men(taste));
    now_ = static_cast<int>(of(men_, taste));
    men_.loser_moves = !men_.loser_moves;  // after the move
    matters_ = bit(men_.loser) | bit(men_.winner) | men_.queens | men_.rooks;
    if ((men_.queens | men_.rooks) == 0) {
        matters_ |= men_.pawns | men_.bishops | men_.knights;
        for (const chess::Square pawn : chess::squares(men_.pawns)) {
            const Bitboard below = pawn.bit() - 1;
            matters_ |= chess::file_squares(pawn.file()) & (winner_black ? below : ~below);
        }
        idle_ = static_cast<int>(of(men_, taste_)) - now_;
    } else {
        note_heavy(men_.queens, *men_.queen);
        note_heavy(men_.rooks, *men_.rook);
        idle_ = weight_ * static_cast<int>(fewest_) + loss_ * static_cast<int>(men_.others) - now_;
    }
    taken_ = idle_ - loss_;
}

void Forecast::note_heavy(Bitboard men, const LoneKingTable& table) noexcept {
    if (men == 0) return;
    const auto& row = table.row(men_.loser, men_.winner, men_.loser_moves);
    for (const chess::Square man : chess::squares(men)) {
        const unsigned plies = row[man.index()];
        if (plies < fewest_) {
            next_ = fewest_;
            fewest_ = plies;
            best_ = man.index();
        } else {
            next_ = std::min(next_, plies);
        }
    }
}

int Forecast::changed_by_heavy(unsigned from, unsigned to) const noexcept {
    int others = static_cast<int>(men_.others);
    unsigned plies = 0;
    if (!men_.loser_moves) {
        if (from == men_.loser && ((men_.queens | men_.rooks) >> to & 1U) == 0) {
            plies = plies_with_heavy(men_, to, men_.winner);
        } else if (to == best_) {
            plies = next_;  // 99: the last one goes
        } else {
            plies = fewest_;
        }
    } else {
        others -= static_cast<int>(others_ >> to & 1U);
        if (from == men_.winner) {
            plies = plies_with_heavy(men_, men_.loser, to);
        } else {
            const auto& table = (men_.queens >> from & 1U) != 0 ? men_.queen : men_.rook;
            const unsigned moved = table->row(men_.loser, men_.winner, men_.loser_moves)[to];
            plies = std::min(from == best_ ? next_ : fewest_, moved);
        }
    }
    return weight_ * static_cast<int>(plies) + loss_ * others - now_;
}

int Forecast::change(chess::Move move) const noexcept {
    const unsigned from = move.from().index(), to = move.to().index();
    const bool heavy = (men_.queens | men_.rooks) != 0;
    if (heavy && !(move.promotion() && men_.loser_moves)) return changed_by_heavy(from, to);
    const Bitboard left = bit(from), reached = bit(to);
    Men men = men_;
    men.occupied = (men.occupied & ~left) | reached;
    if (men.loser_moves) {
        men.other_pawns &= ~reached;
    } else if ((men.other_pawns & left) != 0) {
        men.other_pawns = (men.other_pawns & ~left) | reached;
    }
    const auto sets = {&men.queens, &men.rooks, &men.bishops, &men.knights, &men.pawns};
    if (!men.loser_moves) {
        if (from == men.loser) men.loser = to;
        for (Bitboard* const set : sets)
            *set &= ~reached;
        return static_cast<int>(of(men, taste_)) - now_;
    }
    men.others -= static_cast<unsigned>(others_ >> to & 1U);
    if (const auto kind = move.promotion()) {
        men.pawns &= ~left;
        Bitboard& made = *kind == chess::Kind::queen    ? men.queens
                         : *kind == chess::Kind::rook   ? men.rooks
                         : *kind == chess::Kind::bishop ? men.bishops
                                                        : men.knights;
        made |= reached;
    } else if (from == men.winner) {
        men.winner = to;
    } else {
        for (Bitboard* const set : sets) {
            if ((*set & left) != 0) *set ^= left | reached;
        }
    }
    return static_cast<int>(of(men, taste_)) - now_;
}

Promise::Promise(const State& s, bool winner_black, Taste taste) noexcept {
    const Forecast::Men men(s, winner_black);
    const bool heavy = (men.queens | men.rooks) != 0;
    const bool attacked = men.loser_moves && attackers(s, men.loser, winner_black) != 0;
    unsigned flights = 0;
    if (attacked || taste != Taste::captures || (!heavy && men.pawns == 0)) {
        const Bitboard other = men_of(s, !winner_black);
        const Bitboard seen = attacked_by(s, winner_black, kings(s) & other);
        flights = chess::size(king_steps[men.loser] & ~other & ~seen);
    }
    may_be_mate = attacked && flights == 0;

    const unsigned others = weight_of_men(taste) * men.others;
    if (taste != Taste::hunt && (men.queens | men.rooks | men.pawns) == 0 &&
        chess::size(men.bishops | men.knights) == 1) {
        const auto by = men.knights != 0 ? CornerMates::By::knight : CornerMates::By::bishop;
        rank =
            (taste == Taste::balanced ? 3 : 4) * CornerMates::of(by, winner_black).away(s) + others;
        return;
    }
    if ((men.queens | men.rooks) == 0) {
        rank = Forecast::without_heavy(men, taste, flights) + others;
        return;
    }
    const unsigned plies = Forecast::plies_with_heavy(men, men.loser, men.winner);
    const unsigned smothered =
        6 + 4 * flights + 3 * steps_to_edge(men.loser) + distance(men.loser, men.winner);
    switch (taste) {
        case Taste::balanced:
            rank = std::min(3 * plies + flights, smothered);
            break;
        case Taste::captures:
            rank = 3 * plies;
            break;
        case Taste::hunt:
            rank = std::min(2 * plies + 2 * flights, smothered);
            break;
    }
    rank += others;
}

}  // namespace touchmove::mate
