// projection.hpp - no mate, wherever the loser's roaming men may be
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <vector>

#include "host/chess/bitboard.hpp"
#include "host/chess/state.hpp"
#include "host/chess/types.hpp"

namespace touchmove::mate {

/// Some of the loser's men are taken off the board and thought to be wherever they help a mate
/// most: such a *roamer* takes what it likes, stands in a line or a flight, is taken anywhere, lets
/// its side pass, or is long gone. The positions of the other men are visited, each once. Every
/// position that can follow has its image among them, so if none looks like a mate, there is none
/// (docs/unwinnability.md, Projection).
class Projection {
  public:
    /// True if no position that can follow `root` shows a mate by `winner`, the first one apart;
    /// false says nothing. Keeps about `limit` images, for each of at most three choices of men.
    [[nodiscard]] bool rule_out(const chess::detail::State& root, chess::Color winner,
                                std::size_t limit);
    /// Images of the last choice.
    [[nodiscard]] std::size_t count() const noexcept { return images_.size(); }

  private:
    struct Image {
        chess::detail::State men;   ///< without the roamers; its key and counters mean nothing
        std::uint8_t promoted = 0;  ///< pawns of the loser's that became roamers since
    };
    struct Hash {
        std::size_t operator()(const Image& image) const noexcept;
    };
    struct Same {
        bool operator()(const Image& a, const Image& b) const noexcept;
    };
    /// How many there are, by the squares that they can stand on.
    struct Roamers {
        std::size_t anywhere = 0, dark = 0, light = 0;
    };

    [[nodiscard]] bool closed(const chess::detail::State& root, chess::Bitboard roamers,
                              std::size_t limit);
    [[nodiscard]] Roamers roamers_of(const Image& image) const noexcept;
    void move_men(const Image& image);
    void move_pawn(const Image& image, unsigned from);
    void put_pawn(const Image& image, chess::Bitboard gone, unsigned to);
    void move_roamers(const Image& image);
    /// With `gone` empty, then that man on its square (code 0: none); `passed` by a double step.
    void put(Image image, chess::Bitboard gone, unsigned to, unsigned code,
             unsigned passed = chess::detail::no_square);
    [[nodiscard]] bool looks_mated(const Image& image) const;
    [[nodiscard]] bool takes_at_hand(const Image& image) const;

    bool winner_black_ = false;
    Roamers first_;  ///< before any pawn promotes
    std::vector<Image> images_;
    std::unordered_set<Image, Hash, Same> known_;
};

}  // namespace touchmove::mate
