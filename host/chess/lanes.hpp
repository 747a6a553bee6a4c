// lanes.hpp - the eight directions in which sets of squares move
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "host/chess/bitboard.hpp"
#include "host/chess/geometry.hpp"

namespace touchmove::chess::detail {

// Lanes 0 to 3 shift left, lanes 4 to 7 right by the same distances.
inline constexpr std::array<long long, 4> ray_shifts{1, 8, 9, 7};  // E N NE NW, W S SW SE
inline constexpr std::array<long long, 4> knight_shifts{17, 15, 10, 6};

/// The squares on which a step of that many files and ranks can end: not what has wrapped round an
/// edge, be it by shifting or by rotating.
[[nodiscard]] constexpr Bitboard step_ends(Step step) noexcept {
    Bitboard ends = 0;
    for (unsigned square = 0; square < square_count; ++square)
        ends |= stepped(square, step);
    return ends;
}
inline constexpr std::array<Bitboard, 8> ray_ends{
    step_ends({1, 0}),  step_ends({0, 1}),  step_ends({1, 1}),   step_ends({-1, 1}),
    step_ends({-1, 0}), step_ends({0, -1}), step_ends({-1, -1}), step_ends({1, -1})};
inline constexpr std::array<Bitboard, 8> knight_ends{
    step_ends({1, 2}),   step_ends({-1, 2}), step_ends({2, 1}),   step_ends({-2, 1}),
    step_ends({-1, -2}), step_ends({1, -2}), step_ends({-2, -1}), step_ends({2, -1})};

/// By square: a load that spreads a bit over a register costs less than a shift that is then
/// spread.
inline constexpr std::array<Bitboard, square_count> square_bits = [] {
    std::array<Bitboard, square_count> bits{};
    for (unsigned square = 0; square < square_count; ++square)
        bits[square] = Bitboard{1} << square;
    return bits;
}();

/// By code: all ones in the planes where a man of that code has its bits.
inline constexpr std::array<std::array<Bitboard, 4>, 16> code_planes = [] {
    std::array<std::array<Bitboard, 4>, 16> table{};
    for (unsigned code = 0; code < 16; ++code) {
        for (unsigned plane = 0; plane < 4; ++plane) {
            if ((code >> plane & 1U) != 0) table[code][plane] = all_squares;
        }
    }
    return table;
}();

}  // namespace touchmove::chess::detail
