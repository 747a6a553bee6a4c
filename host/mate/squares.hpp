// squares.hpp - sets of squares, walked by index
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

#include "host/chess/bitboard.hpp"

namespace touchmove::mate {

inline constexpr chess::Bitboard dark_squares = 0xAA55AA55AA55AA55U;

[[nodiscard]] constexpr chess::Bitboard bit(unsigned square) noexcept {
    return chess::Bitboard{1} << square;
}

/// Calls `visit` with the index of each square of the set, in rising order.
template <class Visit>
void each_square(chess::Bitboard set, Visit visit) {
    for (; set != 0; set &= set - 1)
        visit(static_cast<unsigned>(std::countr_zero(set)));
}

}  // namespace touchmove::mate
