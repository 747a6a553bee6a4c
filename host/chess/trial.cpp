// trial.cpp - legal moves of any arrangement of men, by making each and looking for check
// SPDX-License-Identifier: Apache-2.0
//
// Pins and checks as generate.inl reckons them need exactly one king. Here nothing is assumed.
#include <bit>

#include "host/chess/generate.hpp"

namespace touchmove::chess::detail {

namespace {

class Trial {
  public:
    Trial(const State& s, MoveList& moves) noexcept
        : state_(s), moves_(moves), black_(s.status.black_to_move()) {}

    void run() noexcept {
        const Bitboard all = occupied(state_);
        const Bitboard own = men_of(state_, black_);
        const Bitboard targets = ~own & ~kings(state_);  // 1.4.1: a king is not captured
        for (const Square from : squares(own)) {
            const unsigned square = from.index();
            const unsigned code = code_at(state_, square) & ~code_black;
            if (code == code_pawn) {
                pawn(from, all, targets);
                continue;
            }
            for (const Square to : squares(attacks_of(code, square, all) & targets))
                try_move(Move(from, to));
        }
        castle(all);
    }

  private:
    void try_move(Move m) noexcept {
        State after = state_;
        make_move(after, m);
        if (!any_king_attacked(after, black_)) moves_.push_back(m);
    }

    void pawn(Square from, Bitboard all, Bitboard targets) noexcept {
        const unsigned last_rank = black_ ? 0 : 7;
        if (from.rank() == last_rank) return;
        const auto ahead = [this](Square s) {
            return Square(black_ ? s.index() - 8 : s.index() + 8);
        };
        Bitboard reach = pawn_attacks[black_ ? 1 : 0][from.index()] & targets & all;
        const Square one = ahead(from);
        if (!contains(all, one)) {
            reach |= one.bit();
            if (from.rank() == (black_ ? 6U : 1U) && !contains(all, ahead(one))) {
                reach |= ahead(one).bit();
            }
        }
        const unsigned target = state_.status.en_passant();
        if (target != no_square && is_en_passant(state_, from.index(), target)) {
            reach |= Square(target).bit();
        }
        for (const Square to : squares(reach)) {
            if (to.rank() != last_rank) {
                try_move(Move(from, to));
                continue;
            }
            for (const Kind kind : promotion_kinds) {
                try_move(Move(from, to, kind));
            }
        }
    }

    void castle(Bitboard all) noexcept {
        for (unsigned i = black_ ? 2 : 0; i < (black_ ? 4U : 2U); ++i) {
            const CastlingPath& path = castling_paths[i];
            if ((state_.status.rights() >> i & 1U) == 0 || (all & path.between) != 0) continue;
            bool safe = true;
            for (const Square s : squares(path.walk)) {
                safe = safe && attackers(state_, s.index(), !black_) == 0;
            }
            if (safe) try_move(Move(Square(path.king_from), Square(path.king_to)));
        }
    }

    const State& state_;
    MoveList& moves_;
    bool black_;
};

}  // namespace

void list_by_trial(const State& s, MoveList& moves) noexcept {
    Trial(s, moves).run();
}

std::uint64_t count_by_trial(const State& s) noexcept {
    MoveList moves;
    list_by_trial(s, moves);
    return moves.size();
}

}  // namespace touchmove::chess::detail
