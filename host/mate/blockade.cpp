// blockade.cpp - positions in which the men can never come where a mate needs them
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/blockade.hpp"

#include <span>

#include "host/chess/geometry.hpp"
#include "host/mate/net.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using chess::Color;
using namespace chess::detail;

namespace {

constexpr unsigned kind_of(unsigned code) {
    return code & ~code_black;
}
constexpr bool is_black(unsigned code) {
    return (code & code_black) != 0;
}

/// Where a pawn may step from `square` if all but `blocked` may be empty.
Bitboard pawn_steps(unsigned code, unsigned square, Bitboard blocked) {
    const bool black = is_black(code);
    const unsigned rank = square >> 3U;
    if (rank == (black ? 0U : 7U)) return 0;
    const Bitboard one = (black ? bit(square) >> 8U : bit(square) << 8U) & ~blocked;
    if (rank != (black ? 6U : 1U)) return one;
    return one | ((black ? one >> 8U : one << 8U) & ~blocked);
}

}  // namespace

Blockade::Blockade(const State& s) noexcept {
    // A king and a rook that may castle, or a pawn that may be taken in passing, move as no man of
    // their kind does.
    understood_ = s.status.rights() == 0 && s.status.en_passant() == no_square && one_king_each(s);
    if (!understood_) return;
    for (const chess::Square square : chess::squares(occupied(s))) {
        men_[count_++] = {code_at(s, square.index()), square.index(), square.bit(), true};
    }
    while (grow()) {
    }
}

Bitboard Blockade::steady_squares(bool black) const noexcept {
    Bitboard squares = 0;
    for (const Man& man : std::span(men_.data(), count_)) {
        if (man.steady() && is_black(man.code) == black) squares |= bit(man.square);
    }
    return squares;
}

Bitboard Blockade::behind_opponents(const Man& pawn) const noexcept {
    // Two pawns that face each other on a file that neither leaves come nearer and never pass. So
    // neither comes where the other started, or beyond, as long as that one is not captured.
    const Bitboard file = chess::file_squares(pawn.square & 7U);
    if ((pawn.reach & ~file) != 0) return 0;
    const bool black = is_black(pawn.code);
    const Bitboard lower = bit(pawn.square) - 1;
    const Bitboard ahead = black ? lower : ~lower;
    Bitboard squares = 0;
    for (const Man& other : std::span(men_.data(), count_)) {
        if (kind_of(other.code) != code_pawn || is_black(other.code) == black || !other.kept ||
            (other.reach & ~file) != 0 || (bit(other.square) & ahead) == 0)
            continue;
        const Bitboard below = bit(other.square) - 1;
        squares |= file & (black ? below | bit(other.square) : ~below);
    }
    return squares;
}

Bitboard Blockade::reach_of_men(bool black) const noexcept {
    if (promotes_[black ? 1 : 0]) return chess::all_squares;
    Bitboard squares = 0;
    for (const Man& man : std::span(men_.data(), count_)) {
        if (is_black(man.code) == black && kind_of(man.code) != code_king) squares |= man.reach;
    }
    return squares;
}

Bitboard Blockade::guarded(bool by_black) const noexcept {
    // A line may be closed wherever any man may come to stand.
    Bitboard visited = reach_of_men(false) | reach_of_men(true);
    for (const Man& man : std::span(men_.data(), count_)) {
        if (kind_of(man.code) == code_king) visited |= man.reach;
    }
    Bitboard squares = 0;
    for (const Man& man : std::span(men_.data(), count_)) {
        if (!man.steady() || is_black(man.code) != by_black) continue;
        squares |= attacks_of(man.code, man.square, visited & ~bit(man.square));
    }
    return squares;
}

/// One step of every man under what holds so far. The sets only grow and steady men only become
/// fewer, so this ends; when nothing changes any more, no move leads out of the sets.
bool Blockade::grow() noexcept {
    bool changed = false;
    for (Man& man : std::span(men_.data(), count_))
        changed = grow(man) || changed;
    return changed;
}

bool Blockade::grow(Man& man) noexcept {
    const bool black = is_black(man.code);
    const unsigned kind = kind_of(man.code);
    const Bitboard own_steady = steady_squares(black);
    const Bitboard steady = own_steady | steady_squares(!black);
    // Turn, checks and pins are left out of account: that only adds to the sets.
    Bitboard reach = man.reach, strikes = 0;
    if (kind == code_pawn) {
        const Bitboard blocked = steady | behind_opponents(man);
        for (const chess::Square square : chess::squares(man.reach)) {
            reach |= pawn_steps(man.code, square.index(), blocked);
            strikes |= attacks_of(man.code, square.index(), 0);
        }
        reach |= strikes & reach_of_men(!black) & ~own_steady;
    } else {
        for (const chess::Square square : chess::squares(man.reach)) {
            strikes |= attacks_of(man.code, square.index(), steady & ~square.bit());
        }
        if (kind == code_king) strikes &= ~guarded(!black);
        reach |= strikes & ~own_steady;
    }
    bool changed = false;
    for (Man& other : std::span(men_.data(), count_)) {
        if (!other.kept || is_black(other.code) == black) continue;
        if (kind_of(other.code) == code_king) {
            // A king is not captured (1.4.1).
            if (other.steady()) reach &= ~other.reach | man.reach;
        } else if ((strikes & other.reach) != 0) {
            other.kept = false;
            changed = true;
        }
    }
    if (reach == man.reach) return changed;
    man.reach = reach;
    if (kind == code_pawn && (reach & chess::last_ranks) != 0) promote(black);
    return true;
}

/// From now on that side has men who come everywhere.
void Blockade::promote(bool black) noexcept {
    promotes_[black ? 1 : 0] = true;
    for (Man& man : std::span(men_.data(), count_)) {
        if (is_black(man.code) != black && kind_of(man.code) != code_king) man.kept = false;
    }
}

bool Blockade::rules_out(Color winner) const noexcept {
    const bool black = winner == Color::black;
    if (!understood_ || promotes_[black ? 1 : 0]) return false;
    Bitboard walls = 0;  // kings are none: a line of attack goes through the king that flees on it
    for (const Man& man : std::span(men_.data(), count_)) {
        if (man.steady() && kind_of(man.code) != code_king) walls |= bit(man.square);
    }
    Bitboard attacked = 0;  // by the winner's men other than the king, at some time
    Bitboard winner_king = 0, loser_king = 0;
    for (const Man& man : std::span(men_.data(), count_)) {
        const bool of_winner = is_black(man.code) == black;
        if (kind_of(man.code) == code_king) {
            (of_winner ? winner_king : loser_king) |= man.reach;
        } else if (of_winner) {
            for (const chess::Square square : chess::squares(man.reach)) {
                attacked |= attacks_of(man.code, square.index(), walls & ~square.bit());
            }
        }
    }
    const Bitboard own_men = reach_of_men(!black);
    for (const chess::Square mated : chess::squares(loser_king & attacked)) {
        // Flights that only the winner's king can take away, from one square at a time.
        const Bitboard rest = king_steps[mated.index()] & ~attacked & ~own_men;
        Bitboard kings = 0;
        for (const chess::Square king :
             chess::squares(winner_king & ~king_steps[mated.index()] & ~mated.bit())) {
            if ((rest & ~king_steps[king.index()]) == 0) kings |= king.bit();
        }
        if (kings != 0 && net_closes(mated.index(), black, walls, kings)) return false;
    }
    return true;
}

std::vector<Confined> Blockade::invariant() const {
    std::vector<Confined> men;
    for (const Man& man : std::span(men_.data(), count_)) {
        const Color color = is_black(man.code) ? Color::black : Color::white;
        men.push_back({{color, kind_of_code(man.code)}, chess::Square(man.square), man.reach});
    }
    return men;
}

/// Might every man stand so, each on one square of its set, that the king on that square is mated?
bool Blockade::net_closes(unsigned mated, bool winner_black, Bitboard walls,
                          Bitboard winner_kings) const noexcept {
    const bool loser_promotes = promotes_[winner_black ? 0 : 1];
    Net net(mated, loser_promotes ? chess::all_squares : 0, false);
    for (const Man& man : std::span(men_.data(), count_)) {
        if (kind_of(man.code) == code_king) continue;
        Net::Man ways(net);
        if (is_black(man.code) == winner_black) {
            for (const chess::Square square : chess::squares(man.reach & ~bit(mated))) {
                const Bitboard seen =
                    attacks_of(man.code, square.index(), walls & ~square.bit() & ~bit(mated));
                ways.may(seen, (seen >> mated & 1U) != 0);
            }
        } else {
            for (const chess::Square square : chess::squares(man.reach & king_steps[mated]))
                ways.may(square.bit(), false);
        }
        net.add(ways);
    }
    return net.closes(winner_kings);
}

}  // namespace touchmove::mate
