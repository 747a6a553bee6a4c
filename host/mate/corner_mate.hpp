// corner_mate.hpp - mates with one bishop or knight: the king's own man takes its last flight
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/chess/bitboard.hpp"
#include "host/chess/state.hpp"

namespace touchmove::mate {

/// How far a position is from one of these mates. Listed when first asked for, by trying all
/// placements of the four men around a corner.
class CornerMates {
  public:
    /// For a winner of that colour who mates with that man.
    enum class By : std::uint8_t { bishop, knight };
    [[nodiscard]] static const CornerMates& of(By by, bool winner_black);

    /// Moves that both sides need to come to the nearest of them, were the other men not there: a
    /// guess, 0 for the mate itself, at most 60. Both sides have one king.
    [[nodiscard]] unsigned away(const chess::detail::State& state) const noexcept;

  private:
    struct Mate {
        std::uint8_t loser, winner, blocker;
        std::uint8_t blockers;   ///< kinds that may stand there, by code / 2
        chess::Bitboard minors;  ///< from where the man mates
    };
    CornerMates(By by, bool winner_black);
    void list(unsigned corner);
    [[nodiscard]] unsigned moves_of_minor(chess::Bitboard minors,
                                          chess::Bitboard to) const noexcept;

    By by_;
    bool winner_black_;
    std::vector<Mate> mates_;
};

}  // namespace touchmove::mate
