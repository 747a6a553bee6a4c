// lone_king.hpp - how many plies a queen or a rook needs to mate a lone king that helps
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/chess/bitboard.hpp"

namespace touchmove::mate {

/// Plies of the shortest helpmate with king and one man against a king, for each placement and
/// either side to move. Worked out backwards from the mates when first asked for (some hundredths
/// of a second), the same for ever after: 512 KiB a table.
class LoneKingTable {
  public:
    enum class By : std::uint8_t { rook, queen };
    [[nodiscard]] static const LoneKingTable& of(By by);

    /// By the man's square. Where no mate comes of the placement, or it is impossible: a guess, as
    /// if other men stood between.
    using Row = std::array<std::uint8_t, 64>;
    /// Squares as indices.
    [[nodiscard]] const Row& row(unsigned lone_king, unsigned king,
                                 bool lone_king_moves) const noexcept {
        return rows_[(std::size_t{lone_king_moves} * 64 + lone_king) * 64 + king];
    }

  private:
    static constexpr std::uint8_t never = 255;
    explicit LoneKingTable(By by);
    [[nodiscard]] chess::Bitboard attacks(unsigned man, chess::Bitboard occupied) const noexcept;
    /// May the position stand with that side to move?
    [[nodiscard]] bool possible(unsigned lone_king, unsigned king, unsigned man,
                                bool lone_king_moves) const noexcept;
    /// Fills in the guesses.
    void guess();
    [[nodiscard]] bool is_mate(unsigned lone_king, unsigned king, unsigned man) const noexcept;

    By by_;
    std::vector<Row> rows_;
};

}  // namespace touchmove::mate
