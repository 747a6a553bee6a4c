// blockade.hpp - positions in which the men can never come where a mate needs them
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "host/chess/bitboard.hpp"
#include "host/chess/state.hpp"
#include "host/chess/types.hpp"
#include "host/mate/answer.hpp"

namespace touchmove::mate {

/// An invariant of all positions that can follow: for each man a set of squares that it never
/// leaves, whoever moves and however often. It holds at the start, and no legal move breaks it, so
/// it holds for ever (docs/unwinnability.md, Blockade).
class Blockade {
  public:
    explicit Blockade(const chess::detail::State& state) noexcept;

    /// True if no position that can follow shows a mate by `winner`, the first one apart: whether
    /// a mate stands already is asked before. False says nothing.
    [[nodiscard]] bool rules_out(chess::Color winner) const noexcept;
    /// The sets of all men.
    [[nodiscard]] std::vector<Confined> invariant() const;

  private:
    struct Man {
        unsigned code;          ///< colour and kind (host/chess/state.hpp)
        unsigned square;        ///< where it stands at the start
        chess::Bitboard reach;  ///< every square on which it may ever stand, as what it is
        bool kept;              ///< it is never captured
        /// It neither moves nor is captured, ever.
        [[nodiscard]] bool steady() const noexcept { return kept && chess::one_bit(reach); }
    };
    static constexpr std::size_t max_men = 64;

    [[nodiscard]] chess::Bitboard steady_squares(bool black) const noexcept;
    /// Squares that a pawn never reaches on its file, as another stays in its way.
    [[nodiscard]] chess::Bitboard behind_opponents(const Man& pawn) const noexcept;
    /// Squares that steady men of that colour attack in every position.
    [[nodiscard]] chess::Bitboard guarded(bool by_black) const noexcept;
    /// Squares on which a man of that colour other than the king may ever stand.
    [[nodiscard]] chess::Bitboard reach_of_men(bool black) const noexcept;
    [[nodiscard]] bool net_closes(unsigned mated, bool winner_black, chess::Bitboard walls,
                                  chess::Bitboard winner_kings) const noexcept;
    [[nodiscard]] bool grow() noexcept;
    [[nodiscard]] bool grow(Man& man) noexcept;
    void promote(bool black) noexcept;

    std::array<Man, max_men> men_;
    std::size_t count_ = 0;
    bool understood_ = false;         ///< castling, en passant, other than one king: left to others
    std::array<bool, 2> promotes_{};  ///< by colour: a pawn may reach the last rank
};

}  // namespace touchmove::mate
