// geometry.hpp - where men can step and see on an empty board, and along a line with men on it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "host/chess/bitboard.hpp"

namespace touchmove::chess::detail {

using SquareTable = std::array<Bitboard, square_count>;

/// The set of one square, by its index.
[[nodiscard]] constexpr Bitboard bit(unsigned square) noexcept {
    return Bitboard{1} << square;
}

struct Step {
    int file, rank;
};

/// The square `step` away from `square`, as a set; empty if it is off the board.
[[nodiscard]] constexpr Bitboard stepped(unsigned square, Step step) noexcept {
    const int file = static_cast<int>(square & 7U) + step.file;
    const int rank = static_cast<int>(square >> 3U) + step.rank;
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return 0;
    return Bitboard{1} << (rank * 8 + file);
}

template <std::size_t N>
[[nodiscard]] constexpr SquareTable step_table(const std::array<Step, N>& steps) noexcept {
    SquareTable table{};
    for (unsigned square = 0; square < square_count; ++square) {
        for (const Step step : steps)
            table[square] |= stepped(square, step);
    }
    return table;
}

inline constexpr SquareTable knight_steps =
    step_table<8>({{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}});
inline constexpr SquareTable king_steps =
    step_table<8>({{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}});
/// By colour (0 = White): the squares that a pawn attacks.
inline constexpr std::array<SquareTable, color_count> pawn_attacks{
    step_table<2>({{{-1, 1}, {1, 1}}}), step_table<2>({{{-1, -1}, {1, -1}}})};

enum class Axis : std::uint8_t { rank, file, diagonal, antidiagonal };  ///< steps 1, 8, 9, 7

/// By axis: the whole line through a square, without the square.
inline constexpr std::array<SquareTable, 4> lines = [] {
    constexpr std::array<Step, 4> steps{{{1, 0}, {0, 1}, {1, 1}, {-1, 1}}};
    std::array<SquareTable, 4> table{};
    for (std::size_t axis = 0; axis < steps.size(); ++axis) {
        for (unsigned square = 0; square < square_count; ++square) {
            for (int n = -7; n <= 7; ++n) {
                if (n == 0) continue;
                table[axis][square] |=
                    stepped(square, {steps[axis].file * n, steps[axis].rank * n});
            }
        }
    }
    return table;
}();

/// What a slider on `square` sees along one axis: up to the first man on each side, that included.
/// The borrow of a subtraction runs from the nearest man below to the nearest man above.
[[nodiscard]] constexpr Bitboard line_attacks(unsigned square, Axis axis,
                                              Bitboard occupied) noexcept {
    const Bitboard line = lines[static_cast<std::size_t>(axis)][square];
    const Bitboard men = line & occupied;
    const Bitboard below = (Bitboard{1} << square) - 1;
    const Bitboard lower = (men & below) | 1U;  // no man below: as far as the line goes
    const Bitboard upper = men & ~below;
    const Bitboard nearest_below = Bitboard{1} << (63 - std::countl_zero(lower));
    const Bitboard nearest_above = upper & (0 - upper);
    return line & (2 * nearest_above - nearest_below);
}

/// The line through both squares, without the first; empty if they share none.
[[nodiscard]] constexpr Bitboard line_through(unsigned first, unsigned second) noexcept {
    for (const SquareTable& axis : lines) {
        if ((axis[first] >> second & 1U) != 0) return axis[first];
    }
    return 0;
}

}  // namespace touchmove::chess::detail
