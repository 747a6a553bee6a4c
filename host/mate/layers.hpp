// layers.hpp - blockades that break step by step, and never where a mate would need it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "host/chess/bitboard.hpp"
#include "host/chess/state.hpp"
#include "host/chess/types.hpp"

namespace touchmove::mate {

/// Between two moves that cannot be taken back (by a pawn, or the capture of a man that cannot
/// move) the pawns stand still, and every other man has a set of squares that it does not leave.
/// One such stretch is a layer; each of those moves leads to another. If no layer that can come has
/// room for a mate, there is none (docs/unwinnability.md, Layers).
class Layers {
  public:
    /// True if no position that can follow `root` shows a mate by `winner`, the first one apart;
    /// false says nothing. Looks at no more than `limit` layers.
    [[nodiscard]] bool rule_out(const chess::detail::State& root, chess::Color winner,
                                std::size_t limit);
    /// Of the last question.
    [[nodiscard]] std::size_t count() const noexcept { return layers_.size(); }

  private:
    static constexpr std::size_t max_men = 24;  ///< other than pawns
    static constexpr std::uint8_t nowhere = 64;
    struct Man {
        chess::Bitboard reach = 0;
        unsigned code = 0;
        friend bool operator==(const Man&, const Man&) = default;
    };
    struct Layer {
        std::array<chess::Bitboard, 2> pawns{};  ///< by colour
        std::array<Man, max_men> men{};          ///< the kings first, White's before Black's
        std::uint8_t count = 0;
        std::uint8_t arrived = nowhere;  ///< where the move led to that opened the layer
        friend bool operator==(const Layer&, const Layer&) = default;
    };
    /// Where both kings may stand together: by who is to move (0: the winner) and the square of the
    /// loser's, the squares of the winner's.
    using Kings = std::array<std::array<chess::Bitboard, 64>, 2>;
    struct Dance {
        Kings entered{};  ///< when the layer opens
        Kings all{};      ///< at any time in it
        /// When the layer opens with a move that may check the loser's king on that square.
        std::array<chess::Bitboard, 64> checked{};
        bool waiting = false;
    };
    struct Hash {
        std::size_t operator()(const Layer& layer) const noexcept;
    };
    /// What holds in the layer at hand.
    struct View {
        chess::Bitboard walls = 0;                 ///< pawns and men that cannot move
        std::array<chess::Bitboard, 2> stands{};   ///< the same by colour
        std::array<chess::Bitboard, 2> guarded{};  ///< by what stands, whatever moves
        std::array<chess::Bitboard, max_men> strikes{};
    };

    /// `mover` says who made the move that opens the layer, from any square of its set.
    [[nodiscard]] bool enter(Layer layer, const Kings& kings, const Man& mover);
    /// Squares on which that man's move may have left the loser's king in check.
    [[nodiscard]] chess::Bitboard checks_of(const Layer& layer, const Man& mover) const;
    void spread(const Layer& layer, const View& view, Dance& dance) const;
    [[nodiscard]] bool leave(const Layer& layer, const View& view, const Kings& kings);
    [[nodiscard]] bool move_pawns(const Layer& layer, const View& view, const Kings& kings,
                                  bool black);
    [[nodiscard]] bool put_pawn(Layer next, const Kings& kings, unsigned from, unsigned to,
                                bool black);
    [[nodiscard]] bool take_standing(const Layer& layer, const View& view, const Kings& kings,
                                     std::size_t man);
    /// The kings after a move of that side to a square, by its king or by another man.
    [[nodiscard]] Kings after_other(const Kings& kings, bool black, unsigned to) const;
    [[nodiscard]] Kings after_king(const Kings& kings, bool black, unsigned to) const;
    static void settle(Layer& layer, View& view);
    static void look(const Layer& layer, View& view);
    void tidy(Layer& layer) const;
    static void sort(Layer& layer);
    [[nodiscard]] bool has_room(const Layer& layer, const View& view, const Dance& dance) const;
    [[nodiscard]] bool has_room(const Layer& layer, const View& view, unsigned mated,
                                chess::Bitboard winner_kings) const;
    /// Where the winner's king may stand when it mates the king on that square.
    [[nodiscard]] chess::Bitboard kings_at_mate(const Layer& layer, const View& view,
                                                const Dance& dance, unsigned mated) const;

    bool winner_black_ = false;
    std::size_t limit_ = 0;
    bool castling_ = false;  ///< kings do not only step
    std::vector<Layer> layers_;
    std::vector<Dance> dances_;
    std::vector<std::size_t> waiting_;
    std::unordered_map<Layer, std::size_t, Hash> known_;
};

}  // namespace touchmove::mate
