// duty.cpp - what a touched man obliges to (Articles 4.3 to 4.5)
// SPDX-License-Identifier: Apache-2.0
#include "host/laws/duty.hpp"

#include <algorithm>

namespace touchmove::laws {
namespace {

using chess::CastlingSide;
using chess::Kind;
using chess::Move;
using chess::MoveList;
using chess::Position;
using chess::Square;

std::vector<Move> moves_from(const MoveList& legal, Square from) {
    std::vector<Move> found;
    std::copy_if(legal.begin(), legal.end(), std::back_inserter(found),
                 [&](Move m) { return m.from() == from; });
    return found;
}

std::vector<Move> captures_of(const Position& base, const MoveList& legal, Square victim) {
    std::vector<Move> found;
    std::copy_if(legal.begin(), legal.end(), std::back_inserter(found),
                 [&](Move m) { return base.captured_square(m) == victim; });
    return found;
}

/// The side on which a rook touched together with its king would castle: both stand where castling
/// begins, whether the right is left or not.
std::optional<CastlingSide> castling_side(Square king, Square rook) {
    constexpr unsigned king_file = 4;
    const bool corner = rook.file() == 0 || rook.file() == 7;
    if (king.rank() != rook.rank() || (king.rank() != 0 && king.rank() != 7)) return std::nullopt;
    if (king.file() != king_file || !corner) return std::nullopt;
    return rook.file() > king.file() ? CastlingSide::king_side : CastlingSide::queen_side;
}

bool is_own(const Position& base, const Touch& touch, Kind kind) {
    const auto man = base.man_at(touch.square);
    return touch.own && man && man->kind == kind;
}

std::optional<Move> castling_move(const Position& base, const MoveList& legal, CastlingSide side) {
    const auto* found =
        std::find_if(legal.begin(), legal.end(), [&](Move m) { return base.castling(m) == side; });
    if (found == legal.end()) return std::nullopt;
    return *found;
}

Duty one_man(std::vector<Move> moves, Square square) {
    return {std::move(moves), "4.3.1", square};
}

/// 4.3.3 and its fallback: first enemy by first own, else the earliest touched man of either
/// colour that can be moved or taken.
Duty mixed_duty(const Position& base, const MoveList& legal, const std::vector<Touch>& touches) {
    const auto first_own =
        std::find_if(touches.begin(), touches.end(), [](const Touch& t) { return t.own; });
    const auto first_enemy =
        std::find_if(touches.begin(), touches.end(), [](const Touch& t) { return !t.own; });
    if (first_own != touches.end()) {
        auto both = captures_of(base, legal, first_enemy->square);
        std::erase_if(both, [&](Move m) { return m.from() != first_own->square; });
        if (!both.empty()) return {std::move(both), "4.3.3", std::nullopt};
    }
    for (const Touch& touch : touches) {
        auto moves =
            touch.own ? moves_from(legal, touch.square) : captures_of(base, legal, touch.square);
        if (!moves.empty()) return {std::move(moves), "4.3.3", std::nullopt};
    }
    return {};
}

}  // namespace

void sort_by_uci(std::vector<Move>& moves) {
    std::sort(moves.begin(), moves.end(), [](Move a, Move b) { return a.uci() < b.uci(); });
}

bool Duty::allows(Move m) const noexcept {
    return moves.empty() || std::any_of(moves.begin(), moves.end(), [&](Move d) {
               return d.from() == m.from() && d.to() == m.to();
           });
}

Duty duty_of(const Position& base, const std::vector<Touch>& touches) {
    if (touches.empty()) return {};
    const MoveList legal = base.legal_moves();
    Duty duty;
    if (std::any_of(touches.begin(), touches.end(), [](const Touch& t) { return !t.own; })) {
        duty = mixed_duty(base, legal, touches);
        sort_by_uci(duty.moves);
        return duty;
    }

    std::optional<CastlingSide> struck_out;  // 4.4.2
    if (touches.size() >= 2) {
        const bool king_first =
            is_own(base, touches[0], Kind::king) && is_own(base, touches[1], Kind::rook);
        const bool rook_first =
            is_own(base, touches[0], Kind::rook) && is_own(base, touches[1], Kind::king);
        const Square king = touches[0].square;
        if (const auto side = king_first ? castling_side(king, touches[1].square) : std::nullopt) {
            if (const auto castle = castling_move(base, legal, *side)) {
                return {{*castle}, "4.4.1", std::nullopt};
            }
            auto king_moves = moves_from(legal, king);
            if (!king_moves.empty()) {
                sort_by_uci(king_moves);
                return {std::move(king_moves), "4.4.3", std::nullopt};
            }
            duty = one_man(moves_from(legal, touches[1].square), touches[1].square);
            duty.castling_intent_open = true;
            sort_by_uci(duty.moves);
            return duty;
        }
        if (rook_first) struck_out = castling_side(touches[1].square, touches[0].square);
    }
    for (const Touch& touch : touches) {
        auto moves = moves_from(legal, touch.square);
        if (struck_out)
            std::erase_if(moves, [&](Move m) { return base.castling(m) == struck_out; });
        if (!moves.empty()) {
            duty = one_man(std::move(moves), touch.square);
            break;
        }
    }
    if (struck_out && !duty.moves.empty()) duty.article = "4.4.2";
    sort_by_uci(duty.moves);
    return duty;
}

}  // namespace touchmove::laws
