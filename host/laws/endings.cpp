// endings.cpp - does the game end with this position, and under which article?
// SPDX-License-Identifier: Apache-2.0
#include "host/laws/endings.hpp"

#include <algorithm>

#include "host/mate/solver.hpp"

namespace touchmove::laws {
namespace {

using chess::Position;

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

bool is_illegal_position(const Position& p) noexcept {
    using chess::detail::any_king_attacked;
    return (chess::detail::pawns(p.state()) & chess::last_ranks) != 0 ||
           (any_king_attacked(p.state(), false) && any_king_attacked(p.state(), true));
}

Score score_against(Color side, const Position& position) {
    const Score loss = side == Color::white ? Score::black_wins : Score::white_wins;
    mate::Answer answer = mate::fast(position, ~side);
    if (std::holds_alternative<mate::Undecided>(answer)) {
        answer = mate::Solver().full(position, ~side);
    }
    if (mate::is_unwinnable(answer)) return Score::draw;
    return std::holds_alternative<mate::Winnable>(answer) ? loss : Score::open_to_arbiter;
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
    if (mate::is_dead(after)) {
        return GameResult{Score::draw, "dead_position", "5.2.2"};
    }
    if (fivefold(after, keys, edition)) return GameResult{Score::draw, "fivefold", "9.6.1"};
    if (after.halfmove_clock() >= 150) return GameResult{Score::draw, "seventyfive", "9.6.2"};
    return std::nullopt;
}

}  // namespace touchmove::laws
