// position.cpp - questions about a position, moves, editing
// SPDX-License-Identifier: Apache-2.0
#include "host/chess/position.hpp"

#include <cassert>

#include "host/chess/generate.hpp"

namespace touchmove::chess {

using namespace detail;

namespace {

constexpr unsigned right_of(Color c, CastlingSide side) noexcept {
    return static_cast<unsigned>(index_of(c)) * 2 + static_cast<unsigned>(side);
}

constexpr Bitboard of_kind(const State& s, Kind k) noexcept {
    switch (k) {
        case Kind::pawn:
            return pawns(s);
        case Kind::knight:
            return knights(s);
        case Kind::bishop:
            return diagonal_sliders(s) & ~s.orthogonal;
        case Kind::rook:
            return orthogonal_sliders(s) & ~s.diagonal;
        case Kind::queen:
            return s.diagonal & s.orthogonal;
        case Kind::king:
            return kings(s);
    }
    return no_squares;
}

}  // namespace

Position Position::initial() {
    Position p;
    constexpr std::array<Kind, 8> first_rank{Kind::rook, Kind::knight, Kind::bishop, Kind::queen,
                                             Kind::king, Kind::bishop, Kind::knight, Kind::rook};
    for (unsigned file = 0; file < 8; ++file) {
        p.put(Square(file, 0), {Color::white, first_rank[file]});
        p.put(Square(file, 1), {Color::white, Kind::pawn});
        p.put(Square(file, 6), {Color::black, Kind::pawn});
        p.put(Square(file, 7), {Color::black, first_rank[file]});
    }
    for (const Color c : {Color::white, Color::black}) {
        p.set_castling(c, CastlingSide::king_side, true);
        p.set_castling(c, CastlingSide::queen_side, true);
    }
    return p;
}

std::optional<Man> Position::man_at(Square s) const noexcept {
    const unsigned code = code_at(state_, s.index());
    if (code == 0) return std::nullopt;
    return Man{(code & code_black) != 0 ? Color::black : Color::white, kind_of_code(code)};
}

Bitboard Position::men(Color c, Kind k) const noexcept {
    return of_kind(state_, k) & men(c);
}

Bitboard Position::men(Color c) const noexcept {
    return men_of(state_, c == Color::black);
}

Bitboard Position::occupied() const noexcept {
    return detail::occupied(state_);
}

std::optional<Square> Position::king(Color c) const noexcept {
    const Bitboard found = men(c, Kind::king);
    if (!std::has_single_bit(found)) return std::nullopt;
    return first_square(found);
}

Color Position::side_to_move() const noexcept {
    return state_.status.black_to_move() ? Color::black : Color::white;
}

bool Position::may_castle(Color c, CastlingSide side) const noexcept {
    return (state_.status.rights() >> right_of(c, side) & 1U) != 0;
}

std::optional<Square> Position::en_passant() const noexcept {
    if (state_.status.en_passant() == no_square) return std::nullopt;
    return Square(state_.status.en_passant());
}

unsigned Position::halfmove_clock() const noexcept {
    return state_.status.halfmove_clock();
}

unsigned Position::fullmove_number() const noexcept {
    return state_.status.fullmove_number();
}

MoveList Position::legal_moves() const noexcept {
    MoveList list;
    generator().list(state_, list);
    return list;
}

bool Position::has_legal_move() const noexcept {
    return generator().count(state_) != 0;
}

bool Position::is_legal(Move m) const noexcept {
    return legal_moves().contains(m);
}

bool Position::in_check() const noexcept {
    return any_king_attacked(state_, state_.status.black_to_move());
}

bool Position::attacked(Square s, Color by) const noexcept {
    return attackers(state_, s.index(), by == Color::black) != 0;
}

std::optional<Square> Position::captured_square(Move m) const noexcept {
    if (is_en_passant(state_, m.from().index(), m.to().index())) {
        return Square(passed_pawn_square(m.to().index()));
    }
    if (!contains(occupied(), m.to())) return std::nullopt;
    return m.to();
}

std::optional<CastlingSide> Position::castling(Move m) const noexcept {
    const unsigned i = castling_of(state_, m.from().index(), m.to().index());
    if (i == 4) return std::nullopt;
    return (i & 1U) == 0 ? CastlingSide::king_side : CastlingSide::queen_side;
}

void Position::make(Move m) noexcept {
    assert(contains(occupied(), m.from()) && m.from() != m.to());
    make_move(state_, m);
}

Position Position::after(Move m) const noexcept {
    Position p = *this;
    p.make(m);
    return p;
}

std::uint64_t Position::key() const noexcept {
    return state_.key;
}

void Position::end_en_passant() noexcept {
    if (const auto target = en_passant()) state_.key ^= zobrist.en_passant[target->file()];
    state_.status.set_en_passant(no_square);
    state_.status.set_passed(no_square);
}

void Position::allow_en_passant(Square target) noexcept {
    end_en_passant();
    // There must be a pawn that can have come by: behind it two empty squares.
    const unsigned color = state_.status.black_to_move() ? 0 : code_black;
    const unsigned stands = passed_pawn_square(target.index());
    const unsigned began = target.index() ^ 24U;
    if (code_at(state_, stands) != (code_pawn | color)) return;
    if (code_at(state_, target.index()) != 0 || code_at(state_, began) != 0) return;
    state_.status.set_passed(target.index());
    settle_en_passant(state_);
}

void Position::drop_rights(Square s) noexcept {
    state_.key ^= zobrist.rights[state_.status.rights()];
    state_.status.keep_rights(rights_kept[s.index()]);
    state_.key ^= zobrist.rights[state_.status.rights()];
}

void Position::put(Square s, Man m) noexcept {
    remove(s);
    const unsigned code = code_of(m);
    replace(state_, s.bit(), s.index(), code);
    state_.key ^= zobrist.man[code][s.index()];
}

void Position::remove(Square s) noexcept {
    end_en_passant();
    drop_rights(s);
    state_.key ^= zobrist.man[code_at(state_, s.index())][s.index()];
    replace(state_, s.bit(), s.index(), 0);
}

void Position::set_side_to_move(Color c) noexcept {
    end_en_passant();
    if (c == side_to_move()) return;
    state_.status.set_black_to_move(c == Color::black);
    state_.key ^= zobrist.black_to_move;
}

void Position::set_castling(Color c, CastlingSide side, bool allowed) noexcept {
    const unsigned right = right_of(c, side);
    const CastlingPath& path = castling_paths[right];
    const unsigned color = static_cast<unsigned>(index_of(c));
    const bool men_are_there = code_at(state_, path.king_from) == (code_king | color) &&
                               code_at(state_, path.rook_from) == (code_rook | color);
    unsigned rights = state_.status.rights() & ~(1U << right);
    if (allowed && men_are_there) rights |= 1U << right;
    state_.key ^= zobrist.rights[state_.status.rights()] ^ zobrist.rights[rights];
    state_.status.set_rights(rights);
}

bool Position::same_as(const Position& other) const noexcept {
    return detail::same_position(state_, other.state_);
}

}  // namespace touchmove::chess
