// state.cpp - the en-passant right
// SPDX-License-Identifier: Apache-2.0
#include "host/chess/state.hpp"

namespace touchmove::chess::detail {

void settle_en_passant(State& s) noexcept {
    const bool black = s.status.black_to_move();
    const unsigned target = s.status.passed();
    if (black != (target < 32)) return;  // its own pawn passed, in a move out of turn
    for (Bitboard rest = en_passant_pawns(s, target, black); rest != 0; rest &= rest - 1) {
        if (en_passant_keeps_kings(s, static_cast<unsigned>(std::countr_zero(rest)), target)) {
            s.status.set_en_passant(target);
            s.key ^= zobrist.en_passant[target & 7U];
            return;
        }
    }
}

}  // namespace touchmove::chess::detail
