// material.cpp - which men can make up a mate at all
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/material.hpp"

#include "host/chess/bitboard.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using chess::Color;
using namespace chess::detail;

bool material_can_mate(const State& s, Color winner) noexcept {
    const bool black = winner == Color::black;
    const Bitboard own = men_of(s, black) & ~kings(s);
    const Bitboard other = men_of(s, !black) & ~kings(s);
    if (((pawns(s) | orthogonal_sliders(s)) & own) != 0) return true;
    if (own == 0) return false;
    const Bitboard bishops = diagonal_sliders(s) & ~orthogonal_sliders(s);
    const Bitboard queens = diagonal_sliders(s) & orthogonal_sliders(s);
    if ((knights(s) & own) != 0) {
        // A lone knight mates beside a rook, bishop, knight or pawn of the other side that stands
        // in its own king's way; a queen never stands so that it cannot take or interpose.
        return (own & (own - 1)) != 0 || (other & ~queens) != 0;
    }
    const bool on_dark = (own & chess::dark_squares) != 0;
    if (on_dark && (own & ~chess::dark_squares) != 0) return true;
    // Bishops of one colour of squares leave the king those of the other: something of the other
    // side must stand there. Its bishops of the same colour, rooks and queens do not help it to be
    // mated: what guards the squares beside them takes or interposes.
    const Bitboard elsewhere = on_dark ? ~chess::dark_squares : chess::dark_squares;
    return ((pawns(s) | knights(s) | (bishops & elsewhere)) & other) != 0;
}

}  // namespace touchmove::mate
