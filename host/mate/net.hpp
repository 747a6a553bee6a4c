// net.hpp - can the flights of a king all be taken away at once?
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "host/chess/bitboard.hpp"

namespace touchmove::mate {

/// All that men can do together around a king that is to be mated, each on one square at a time:
/// which of the squares next to it they take away, by attack or by standing there, and whether one
/// of them gives check. For every man there are ways; one way of each is chosen.
class Net {
    /// Sets of flights of which none holds another: what takes away more is never worse.
    class Sets {
      public:
        void add(unsigned set) noexcept;
        [[nodiscard]] const std::uint8_t* begin() const noexcept { return sets_.data(); }
        [[nodiscard]] const std::uint8_t* end() const noexcept { return sets_.data() + count_; }

      private:
        static constexpr std::size_t most = 70;  ///< of eight flights: Sperner's theorem
        std::array<std::uint8_t, most> sets_;
        std::size_t count_ = 0;
    };

  public:
    /// What one man can do.
    class Man {
      public:
        explicit Man(const Net& net) noexcept : net_(net) {}
        void may(chess::Bitboard take, bool check) noexcept {
            ways_[check ? 1 : 0].add(net_.set_of(take));
        }

      private:
        friend Net;
        const Net& net_;
        std::array<Sets, 2> ways_;
    };

    /// What is taken away, and whether check is given, before any man is added.
    Net(unsigned king, chess::Bitboard taken, bool checked) noexcept;

    /// He may also do nothing.
    void add(const Man& man) noexcept;
    /// Is a check given, and do the winner's king, on one of those squares, and the men take away
    /// every flight?
    [[nodiscard]] bool closes(chess::Bitboard winner_kings) const noexcept;

  private:
    [[nodiscard]] unsigned set_of(chess::Bitboard squares) const noexcept;

    std::array<unsigned, 8> flights_{};
    unsigned count_ = 0;
    std::array<Sets, 2> taken_;  ///< by whether check is given
};

}  // namespace touchmove::mate
