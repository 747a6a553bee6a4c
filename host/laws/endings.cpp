// endings.cpp - does the game end with this position, and under which article?
// SPDX-License-Identifier: Apache-2.0
#include "host/laws/endings.hpp"

#include <algorithm>

namespace touchmove::laws {
namespace {

using chess::Bitboard;
using chess::Kind;
using chess::Position;

constexpr Bitboard dark_squares = 0xAA55AA55AA55AA55U;

/// Only bishops besides the kings, all on squares of one colour: no mate can be built.
bool only_bishops_of_one_colour(const Position& p) {
    const Bitboard kings = p.men(Color::white, Kind::king) | p.men(Color::black, Kind::king);
    const Bitboard bishops = p.men(Color::white, Kind::bishop) | p.men(Color::black, Kind::bishop);
    if ((p.occupied() & ~kings) != bishops) return false;
    return (bishops & dark_squares) == 0 || (bishops & ~dark_squares) == 0;
}

/// Positions between five occurrences of one and the same: without capture or pawn move.
constexpr unsigned fivefold_half_moves = 16;

bool fivefold(const Position& after, const Occurrences& keys, Edition edition) {
    if (after.halfmove_clock() < fivefold_half_moves || times_occurred(keys) < 5) return false;
    if (edition != Edition::y2014) return true;
    // 2014: consecutive, that is every fourth half-move.
    const std::size_t last = keys.size() - 1;
    for (std::size_t back = 1; back < 5; ++back) {
        if (last < 4 * back || keys[last - 4 * back] != keys[last]) return false;
    }
    return true;
}

}  // namespace

unsigned times_occurred(const Occurrences& keys) noexcept {
    if (keys.empty()) return 0;
    return static_cast<unsigned>(std::count(keys.begin(), keys.end(), keys.back()));
}

bool may_still_mate(const Position& p, Color side) noexcept {
    if ((p.men(side, Kind::pawn) | p.men(side, Kind::rook) | p.men(side, Kind::queen)) != 0)
        return true;
    const Bitboard own = p.men(side) & ~p.men(side, Kind::king);
    if (own == 0) return false;
    if (only_bishops_of_one_colour(p)) return false;
    const Bitboard other = p.men(~side) & ~p.men(~side, Kind::king);
    // One minor against at most one man, by exhaustive enumeration: a knight mates beside R, B, N
    // or P but neither a bare king nor a queen; a bishop neither a bare king nor a queen nor a
    // rook.
    if (chess::size(own) == 1 && chess::size(other) <= 1) {
        const Bitboard queen = p.men(~side, Kind::queen);
        const Bitboard rook = p.men(~side, Kind::rook);
        if ((own & p.men(side, Kind::knight)) != 0 && (other & ~queen) == 0) return false;
        if ((own & p.men(side, Kind::bishop)) != 0 && (other & ~(queen | rook)) == 0) return false;
    }
    return true;
}

Score score_against(Color side, const Position& position) noexcept {
    if (!may_still_mate(position, ~side)) return Score::draw;
    return side == Color::white ? Score::black_wins : Score::white_wins;
}

std::optional<GameResult> ending_of(const Position& after, const Occurrences& keys,
                                    Edition edition) {
    if (!after.has_legal_move()) {
        if (after.in_check()) {
            const Score score =
                after.side_to_move() == Color::white ? Score::black_wins : Score::white_wins;
            return GameResult{score, "checkmate", "5.1.1"};
        }
        return GameResult{Score::draw, "stalemate", "5.2.1"};
    }
    if (!may_still_mate(after, Color::white) && !may_still_mate(after, Color::black)) {
        return GameResult{Score::draw, "dead_position", "5.2.2"};
    }
    if (fivefold(after, keys, edition)) return GameResult{Score::draw, "fivefold", "9.6.1"};
    if (after.halfmove_clock() >= 150) return GameResult{Score::draw, "seventyfive", "9.6.2"};
    return std::nullopt;
}

}  // namespace touchmove::laws
