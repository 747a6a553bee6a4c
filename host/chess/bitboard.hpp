// bitboard.hpp - sets of squares as 64 bits
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

#include "host/chess/types.hpp"

namespace touchmove::chess {

/// A set of squares: bit 0 = a1, bit 1 = b1, ... bit 63 = h8.
using Bitboard = std::uint64_t;

inline constexpr Bitboard no_squares = 0;
inline constexpr Bitboard all_squares = ~Bitboard{0};

/// All squares of a file (0 = a) or of a rank (0 = the first).
[[nodiscard]] constexpr Bitboard file_squares(unsigned file) noexcept {
    return 0x0101010101010101U * (Bitboard{1} << file);
}
[[nodiscard]] constexpr Bitboard rank_squares(unsigned rank) noexcept {
    return Bitboard{0xff} << (8 * rank);
}

/// Where pawns of one colour or the other promote.
inline constexpr Bitboard last_ranks = rank_squares(0) | rank_squares(7);

/// a1 is one of them.
inline constexpr Bitboard dark_squares = 0xAA55AA55AA55AA55U;

[[nodiscard]] constexpr bool contains(Bitboard set, Square s) noexcept {
    return (set & s.bit()) != 0;
}
[[nodiscard]] constexpr unsigned size(Bitboard set) noexcept {
    return static_cast<unsigned>(std::popcount(set));
}
[[nodiscard]] constexpr bool one_bit(Bitboard set) noexcept {
    return set != 0 && (set & (set - 1)) == 0;
}
/// The lowest square of a set that is not empty.
[[nodiscard]] constexpr Square first_square(Bitboard set) noexcept {
    return Square(static_cast<unsigned>(std::countr_zero(set)));
}

/// The squares of a set in rising order, for a range-for: `for (Square s : squares(set))`.
class SquareRange {
  public:
    class Iterator {
      public:
        constexpr explicit Iterator(Bitboard rest) noexcept : rest_(rest) {}
        constexpr Square operator*() const noexcept { return first_square(rest_); }
        constexpr Iterator& operator++() noexcept {
            rest_ &= rest_ - 1;
            return *this;
        }
        friend constexpr bool operator==(Iterator, Iterator) noexcept = default;

      private:
        Bitboard rest_;
    };

    constexpr explicit SquareRange(Bitboard set) noexcept : set_(set) {}
    [[nodiscard]] constexpr Iterator begin() const noexcept { return Iterator(set_); }
    [[nodiscard]] constexpr Iterator end() const noexcept { return Iterator(no_squares); }

  private:
    Bitboard set_;
};

[[nodiscard]] constexpr SquareRange squares(Bitboard set) noexcept {
    return SquareRange(set);
}

}  // namespace touchmove::chess
