// corner_mate.cpp - mates with one bishop or knight: the king's own man takes its last flight
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/corner_mate.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "host/chess/generate.hpp"
#include "host/chess/geometry.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using namespace chess::detail;

namespace {

constexpr unsigned out_of_reach = 20;
constexpr std::array<unsigned, 4> corners{0, 7, 56, 63};
constexpr std::array<unsigned, 5> blocker_codes{code_pawn, code_knight, code_bishop, code_rook,
                                                code_queen};

/// Moves of a lone man of that kind on an empty board, by its squares.
class Walks {
  public:
    explicit Walks(unsigned code) {
        for (unsigned from = 0; from < 64; ++from) {
            moves_[from].fill(out_of_reach);
            Bitboard seen = bit(from), now = seen;
            for (std::uint8_t n = 0; now != 0; ++n) {
                Bitboard next = 0;
                for (const chess::Square square : chess::squares(now)) {
                    moves_[from][square.index()] = n;
                    next |= attacks_of(code, square.index(), 0);
                }
                now = next & ~seen;
                seen |= now;
            }
        }
    }
    [[nodiscard]] unsigned operator()(unsigned from, unsigned to) const { return moves_[from][to]; }
    [[nodiscard]] static const Walks& of(unsigned code) {
        static const std::array<Walks, 5> walks{Walks(code_knight), Walks(code_bishop),
                                                Walks(code_rook), Walks(code_queen),
                                                Walks(code_king)};
        switch (code) {
            case code_knight:
                return walks[0];
            case code_bishop:
                return walks[1];
            case code_rook:
                return walks[2];
            case code_queen:
                return walks[3];
            default:
                return walks[4];
        }
    }

  private:
    std::array<std::array<std::uint8_t, 64>, 64> moves_{};
};

constexpr std::uint8_t kind_bit(unsigned code) {
    return static_cast<std::uint8_t>(1U << (code / 2));
}

/// Moves until the man of that code stands on `to` as one of `kinds`; a pawn may become one.
unsigned moves_to_block(unsigned code, unsigned from, unsigned to, unsigned kinds) {
    const unsigned kind = code & ~code_black;
    if (kind != code_pawn) {
        return (kinds & kind_bit(kind)) != 0 ? Walks::of(kind)(from, to) : out_of_reach;
    }
    const bool black = (code & code_black) != 0;
    const unsigned left = black ? from >> 3U : 7 - (from >> 3U);
    const unsigned left_there = black ? to >> 3U : 7 - (to >> 3U);
    if ((kinds & kind_bit(code_pawn)) != 0 && (from & 7U) == (to & 7U) && left >= left_there) {
        return left - left_there;
    }
    const unsigned promoted = (from & 7U) + (black ? 0 : 56);
    unsigned fewest = out_of_reach;
    for (const unsigned made : {code_knight, code_bishop, code_rook}) {
        if ((kinds & kind_bit(made)) == 0) continue;
        fewest = std::min(fewest, left + Walks::of(made)(promoted, to));
    }
    return fewest;
}

}  // namespace

const CornerMates& CornerMates::of(By by, bool winner_black) {
    static const std::array<CornerMates, 4> all{
        CornerMates(By::bishop, false), CornerMates(By::bishop, true),
        CornerMates(By::knight, false), CornerMates(By::knight, true)};
    return all[(by == By::knight ? 2 : 0) + (winner_black ? 1 : 0)];
}

CornerMates::CornerMates(By by, bool winner_black) : by_(by), winner_black_(winner_black) {
    for (const unsigned corner : corners)
        list(corner);
}

void CornerMates::list(unsigned corner) {
    const unsigned own = winner_black_ ? code_black : 0;
    const unsigned code = by_ == By::bishop ? code_bishop : code_knight;
    const Bitboard near = king_steps[corner];
    Bitboard around = 0;
    for (const chess::Square square : chess::squares(near))
        around |= king_steps[square.index()];
    for (const chess::Square winner : chess::squares(around & ~near & ~bit(corner))) {
        for (const chess::Square blocker : chess::squares(near)) {
            Mate mate{static_cast<std::uint8_t>(corner), static_cast<std::uint8_t>(winner.index()),
                      static_cast<std::uint8_t>(blocker.index()), 0, 0};
            const Bitboard taken = bit(corner) | winner.bit() | blocker.bit();
            for (const chess::Square minor :
                 chess::squares(attacks_of(code, corner, taken) & ~taken)) {
                for (const unsigned kind : blocker_codes) {
                    if (kind == code_pawn && (blocker.rank() == 0 || blocker.rank() == 7)) continue;
                    State state;
                    replace(state, 0, corner, code_king | (own ^ code_black));
                    replace(state, 0, winner.index(), code_king | own);
                    replace(state, 0, blocker.index(), kind | (own ^ code_black));
                    replace(state, 0, minor.index(), code | own);
                    state.status.set_black_to_move(!winner_black_);
                    if (generator().count(state) != 0) continue;
                    mate.blockers |= kind_bit(kind);
                    mate.minors |= minor.bit();
                }
            }
            if (mate.blockers != 0) mates_.push_back(mate);
        }
    }
}

unsigned CornerMates::moves_of_minor(Bitboard minors, Bitboard to) const noexcept {
    unsigned fewest = out_of_reach;
    for (const chess::Square from : chess::squares(minors)) {
        for (const chess::Square square : chess::squares(to)) {
            const Walks& walks = Walks::of(by_ == By::bishop ? code_bishop : code_knight);
            fewest = std::min(fewest, walks(from.index(), square.index()));
        }
    }
    return fewest;
}

unsigned CornerMates::away(const State& s) const noexcept {
    const Bitboard own = men_of(s, winner_black_), other = men_of(s, !winner_black_) & ~kings(s);
    const auto winner = static_cast<unsigned>(std::countr_zero(kings(s) & own));
    const auto loser = static_cast<unsigned>(std::countr_zero(kings(s) & ~own));
    const Bitboard minors =
        by_ == By::knight ? knights(s) & own : diagonal_sliders(s) & ~orthogonal_sliders(s) & own;
    const Walks& steps = Walks::of(code_king);
    unsigned fewest = 60;
    for (const Mate& mate : mates_) {
        const unsigned kings_walk = steps(loser, mate.loser);
        const unsigned others_walk =
            steps(winner, mate.winner) + moves_of_minor(minors, mate.minors);
        if (std::max(kings_walk, others_walk) + kings_walk + others_walk >= fewest) continue;
        unsigned blocks = out_of_reach;
        for (const chess::Square man : chess::squares(other)) {
            blocks = std::min(blocks, moves_to_block(code_at(s, man.index()), man.index(),
                                                     mate.blocker, mate.blockers));
        }
        const unsigned losers = kings_walk + blocks;
        fewest = std::min(fewest, std::max(losers, others_walk) + losers + others_walk);
    }
    return fewest;
}

}  // namespace touchmove::mate
