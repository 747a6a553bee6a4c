// promise.hpp - how near a position looks to a mate with both sides' help
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/chess/bitboard.hpp"
#include "host/chess/state.hpp"
#include "host/chess/types.hpp"
#include "host/mate/lone_king.hpp"

namespace touchmove::mate {

/// Ways to guess. Where one wanders about, another often goes straight.
enum class Taste : std::uint8_t {
    balanced,
    captures,  ///< away with the loser's men
    hunt       ///< for the king, whatever stands around
};

/// A guess: it decides where to look first, never what is true.
struct Promise {
    /// Both sides have one king.
    Promise(const chess::detail::State& state, bool winner_black, Taste taste) noexcept;

    unsigned rank;     ///< 0 is best
    bool may_be_mate;  ///< false: surely none. The king is attacked and cannot step away.
};

/// The part of a promise that asks only where the men stand, not what they attack: so much better
/// or worse each move of a position looks, without making it.
class Forecast {
  public:
    Forecast(const chess::detail::State& state, bool winner_black, Taste taste) noexcept;

    /// False: the move changes the turn, and perhaps takes a man of the loser's.
    [[nodiscard]] bool matters(chess::Move move) const noexcept {
        const chess::Bitboard squares = move.from().bit() | move.to().bit();
        return (squares & matters_) != 0 || move.promotion().has_value();
    }
    [[nodiscard]] bool takes(chess::Move move) const noexcept {
        return (move.to().bit() & others_) != 0;
    }
    // By how much the rank is expected to change: with a move that matters, with one that does not
    // and takes nothing, with one that takes a man of the loser's.
    [[nodiscard]] int change(chess::Move move) const noexcept;
    [[nodiscard]] int idle() const noexcept { return idle_; }
    [[nodiscard]] int taken() const noexcept { return taken_; }

  private:
    /// What the guess looks at.
    struct Men {
        Men(const chess::detail::State& state, bool black) noexcept;
        unsigned loser, winner;                                  ///< where the kings stand
        chess::Bitboard queens, rooks, knights, bishops, pawns;  ///< of the winner
        unsigned others;                                         ///< men of the loser's
        chess::Bitboard other_pawns;                             ///< of the loser
        chess::Bitboard occupied;
        const LoneKingTable *queen, *rook;
        bool winner_black;
        bool loser_moves;
    };
    friend Promise;
    [[nodiscard]] static unsigned plies_with_heavy(const Men& men, unsigned loser,
                                                   unsigned winner) noexcept;
    [[nodiscard]] static unsigned plies_with_pawns(const Men& men) noexcept;
    [[nodiscard]] static unsigned without_heavy(const Men& men, Taste taste,
                                                unsigned flights) noexcept;
    [[nodiscard]] static unsigned of(const Men& men, Taste taste) noexcept;
    void note_heavy(chess::Bitboard men, const LoneKingTable& table) noexcept;
    [[nodiscard]] int changed_by_heavy(unsigned from, unsigned to) const noexcept;

    Men men_;
    Taste taste_;
    chess::Bitboard others_;   ///< the loser's men, where the winner moves
    chess::Bitboard matters_;  ///< men on other squares move without any change but one of turn
    int now_;
    int weight_;                        ///< of a ply
    int loss_;                          ///< less for each of the loser's men
    unsigned fewest_ = 99, next_ = 99;  ///< plies with the best of the heavy men and the second
    unsigned best_ = 64;                ///< where that one stands
    int idle_;                          ///< the change of turn alone
    int taken_;                         ///< and one man of the loser's less
};

}  // namespace touchmove::mate
