// zobrist.hpp - the random numbers of which position keys are made
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace touchmove::chess::detail {

/// A key is the exclusive-or of the entries that apply. Entries for "nothing" (code 0, no rights)
/// are 0, so an empty board with White to move has key 0.
struct Zobrist {
    std::array<std::array<std::uint64_t, 64>, 16> man{};  ///< by code (state.hpp) and square
    std::array<std::uint64_t, 16> rights{};
    std::array<std::uint64_t, 8> en_passant{};  ///< by file
    std::uint64_t black_to_move = 0;
};

/// The same numbers in every build: keys may be stored.
[[nodiscard]] consteval Zobrist make_zobrist() {
    std::uint64_t state = 0x746f7563686d6f76;  // any constant will do
    const auto next = [&state] {               // splitmix64: a counter through a mixing function
        state += 0x9e3779b97f4a7c15;
        std::uint64_t z = state;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111eb;
        return z ^ (z >> 31U);
    };
    Zobrist table;
    for (std::size_t code = 1; code < table.man.size(); ++code) {
        for (auto& entry : table.man[code])
            entry = next();
    }
    // One number for each right, so that rights combine like men.
    for (std::size_t bit = 1; bit < table.rights.size(); bit *= 2) {
        const std::uint64_t number = next();
        for (std::size_t set = 0; set < table.rights.size(); ++set) {
            if ((set & bit) != 0) table.rights[set] ^= number;
        }
    }
    for (auto& entry : table.en_passant)
        entry = next();
    table.black_to_move = next();
    return table;
}

inline constexpr Zobrist zobrist = make_zobrist();

}  // namespace touchmove::chess::detail
