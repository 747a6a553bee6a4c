// promise.cpp - how near a position looks to a mate with both sides' help
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/promise.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "host/chess/geometry.hpp"
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

/// Plies until a queen or rook mates, were the other men not there.
unsigned plies_with_heavy(const State& s, Bitboard heavy, unsigned loser, unsigned winner,
                          bool loser_moves) {
    unsigned fewest = 99;
    for (const chess::Square man : chess::squares(heavy)) {
        const bool queen = (s.diagonal >> man.index() & 1U) != 0;
        const auto& table =
            LoneKingTable::of(queen ? LoneKingTable::By::queen : LoneKingTable::By::rook);
        unsigned plies = table.plies(loser, winner, man.index(), loser_moves);
        // The king is in check from it, so to speak: other men stand between.
        if (plies == LoneKingTable::never)
            plies = table.plies(loser, winner, man.index(), !loser_moves);
        if (plies == LoneKingTable::never) plies = 2 * distance(loser, winner) + 4;
        fewest = std::min(fewest, plies);
    }
    return fewest;
}

/// Steps until the first pawn promotes, each man in its way counted as some more.
unsigned steps_to_promote(const State& s, Bitboard men, bool black) {
    constexpr unsigned step = 2, obstacle = 3;
    unsigned fewest = 99;
    for (const chess::Square square : chess::squares(men)) {
        const unsigned left = black ? square.rank() : 7 - square.rank();
        const Bitboard below = square.bit() - 1;
        const Bitboard ahead = black ? below : ~(square.bit() | below);
        const Bitboard in_way = chess::file_squares(square.file()) & ahead & occupied(s);
        fewest = std::min(fewest, step * left + obstacle * chess::size(in_way));
    }
    return fewest;
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

}  // namespace

// The weights were found by trial on flag-fall positions: tests/mate/mate_bench.cpp counts what
// they cost.
Promise::Promise(const State& s, bool winner_black, Taste taste) noexcept {
    const Bitboard own = men_of(s, winner_black), other = men_of(s, !winner_black);
    const auto loser = static_cast<unsigned>(std::countr_zero(kings(s) & other));
    const auto winner = static_cast<unsigned>(std::countr_zero(kings(s) & own));
    const bool loser_moves = s.status.black_to_move() != winner_black;
    const Bitboard seen = attacked_by(s, winner_black, kings(s) & other);
    const unsigned flights = chess::size(king_steps[loser] & ~other & ~seen);
    may_be_mate = loser_moves && flights == 0 && (seen >> loser & 1U) != 0;

    const unsigned apart = distance(loser, winner);
    // Fewer men of the loser's: less that can take or stand between, and fewer moves to look at.
    const unsigned men = weight_of_men(taste) * chess::size(other);
    const Bitboard heavy = orthogonal_sliders(s) & own;
    if (heavy != 0) {
        const unsigned plies = plies_with_heavy(s, heavy, loser, winner, loser_moves);
        const unsigned smothered = 6 + 4 * flights + 3 * steps_to_edge(loser) + apart;
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
        rank += men;
        return;
    }
    const Bitboard bishops = diagonal_sliders(s) & own;
    const unsigned minors = chess::size((bishops | knights(s)) & own);
    const Bitboard on_dark = bishops & chess::dark_squares,
                   on_light = bishops & ~chess::dark_squares;
    unsigned with_minors = 200, with_pawns = 200;
    if (minors > 0) {
        const bool enough = minors > 1 && ((on_dark != 0 && on_light != 0) || bishops == 0 ||
                                           (knights(s) & own) != 0);
        const bool any_corner = bishops == 0 || (on_dark != 0 && on_light != 0);
        const Bitboard corners = any_corner     ? chess::all_squares
                                 : on_dark != 0 ? chess::dark_squares
                                                : ~chess::dark_squares;
        with_minors =
            (enough ? 0 : 15) + 3 * flights + 3 * steps_to_corner(loser, corners) + 2 * apart;
    }
    if ((pawns(s) & own) != 0) {
        with_pawns = 48 + 2 * steps_to_promote(s, pawns(s) & own, winner_black) + apart / 2 +
                     (minors == 0 ? steps_to_edge(loser) : 0);
    }
    rank = std::min(with_minors, with_pawns) + men;
}

}  // namespace touchmove::mate
