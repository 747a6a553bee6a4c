// state.hpp - how a position is stored, and the one way to change it
// SPDX-License-Identifier: Apache-2.0
//
// Inner header of host/chess: everything here works on the bare State, so that the generators
// (generate.inl, compiled once for each kind of processor) can inline it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "host/chess/bitboard.hpp"
#include "host/chess/geometry.hpp"
#include "host/chess/types.hpp"
#include "host/chess/zobrist.hpp"

#define TOUCHMOVE_INLINE [[gnu::always_inline]] inline

namespace touchmove::chess::detail {

inline constexpr unsigned no_square = 64;
inline constexpr unsigned counter_limit = 9999;  ///< of what a FEN may say

/// All of a position but the men, in one word, so that a move computes and stores it at once:
///
///     bit 0-15        16-31        32-35   40-46       48-54   63
///     half-move clock move number  rights  en passant  passed  Black to move
///
/// `rights`: bit 0 = K, 1 = Q, 2 = k, 3 = q. `en_passant`: the target if a capture there is legal,
/// `passed`: the square that the last move's pawn passed over; 64 = none.
class Status {
  public:
    [[nodiscard]] constexpr unsigned halfmove_clock() const noexcept { return field(0, 0xffff); }
    [[nodiscard]] constexpr unsigned fullmove_number() const noexcept { return field(16, 0xffff); }
    [[nodiscard]] constexpr unsigned rights() const noexcept { return field(32, 15); }
    [[nodiscard]] constexpr unsigned en_passant() const noexcept { return field(40, 127); }
    [[nodiscard]] constexpr unsigned passed() const noexcept { return field(48, 127); }
    [[nodiscard]] constexpr bool black_to_move() const noexcept { return bits_ >> 63U != 0; }

    constexpr void set_halfmove_clock(unsigned n) noexcept { set(0, 0xffff, n); }
    constexpr void set_fullmove_number(unsigned n) noexcept { set(16, 0xffff, n); }
    constexpr void set_rights(unsigned rights) noexcept { set(32, 15, rights); }
    constexpr void set_en_passant(unsigned square) noexcept { set(40, 127, square); }
    constexpr void set_passed(unsigned square) noexcept { set(48, 127, square); }
    constexpr void set_black_to_move(bool black) noexcept { set(63, 1, black ? 1 : 0); }

    /// After a move that is neither a pawn's nor a capture and loses no right. The half-move clock
    /// wraps at 65,536; the Laws end a game at 150.
    [[nodiscard]] constexpr Status next() const noexcept {
        Status after;
        after.set_halfmove_clock(halfmove_clock() + 1);
        after.set_fullmove_number(fullmove_number() + (black_to_move() ? 1 : 0));
        after.set_rights(rights());
        after.set_black_to_move(!black_to_move());
        return after;
    }
    constexpr void restart_halfmove_clock() noexcept { bits_ &= ~std::uint64_t{0xffff}; }
    /// Takes off the rights whose bits are 0 in `kept` (from rights_kept).
    constexpr void keep_rights(std::uint64_t kept) noexcept { bits_ &= kept; }
    [[nodiscard]] static constexpr std::uint64_t all_but(unsigned right) noexcept {
        return ~(std::uint64_t{1} << (32 + right));
    }

  private:
    [[nodiscard]] constexpr unsigned field(unsigned at, unsigned mask) const noexcept {
        return static_cast<unsigned>(bits_ >> at) & mask;
    }
    constexpr void set(unsigned at, std::uint64_t mask, unsigned value) noexcept {
        bits_ = (bits_ & ~(mask << at)) | (value & mask) << at;
    }

    std::uint64_t bits_ =
        std::uint64_t{no_square} << 48U | std::uint64_t{no_square} << 40U | std::uint64_t{1} << 16U;
};

/// 48 bytes. The man of a square is a code of four bits, one in each of four planes:
///
///     plane        pawn  knight  bishop  rook  queen  king
///     diagonal       .      1       1      .     1      .
///     orthogonal     .      .       .      1     1      1
///     other          1      1       .      .     .      1
///     black          set if the man is black
///
/// All men that slide diagonally are `diagonal & ~other`, and a move clears two squares in four
/// words and sets one, whatever moved and whatever was captured: no branch depends on the men.
struct State {
    Bitboard black = 0;
    Bitboard diagonal = 0;
    Bitboard orthogonal = 0;
    Bitboard other = 0;
    std::uint64_t key = 0;
    Status status;
};

inline constexpr unsigned code_black = 1;
inline constexpr unsigned code_bishop = 2;
inline constexpr unsigned code_rook = 4;
inline constexpr unsigned code_queen = 6;
inline constexpr unsigned code_pawn = 8;
inline constexpr unsigned code_knight = 10;
inline constexpr unsigned code_king = 12;

inline constexpr std::array<std::uint8_t, kind_count> code_of_kind{
    code_pawn, code_knight, code_bishop, code_rook, code_queen, code_king};

[[nodiscard]] constexpr unsigned code_of(Man m) noexcept {
    return code_of_kind[static_cast<std::size_t>(m.kind)] | static_cast<unsigned>(m.color);
}
[[nodiscard]] constexpr Kind kind_of_code(unsigned code) noexcept {
    switch (code & ~code_black) {
        case code_knight:
            return Kind::knight;
        case code_bishop:
            return Kind::bishop;
        case code_rook:
            return Kind::rook;
        case code_queen:
            return Kind::queen;
        case code_king:
            return Kind::king;
        default:
            return Kind::pawn;
    }
}

[[nodiscard]] constexpr Bitboard occupied(const State& s) noexcept {
    return s.diagonal | s.orthogonal | s.other;
}
[[nodiscard]] constexpr Bitboard men_of(const State& s, bool black) noexcept {
    return occupied(s) & (black ? s.black : ~s.black);
}
// Men of either colour.
[[nodiscard]] constexpr Bitboard pawns(const State& s) noexcept {
    return s.other & ~s.diagonal & ~s.orthogonal;
}
[[nodiscard]] constexpr Bitboard knights(const State& s) noexcept {
    return s.other & s.diagonal;
}
[[nodiscard]] constexpr Bitboard kings(const State& s) noexcept {
    return s.other & s.orthogonal;
}
[[nodiscard]] constexpr Bitboard diagonal_sliders(const State& s) noexcept {
    return s.diagonal & ~s.other;
}
[[nodiscard]] constexpr Bitboard orthogonal_sliders(const State& s) noexcept {
    return s.orthogonal & ~s.other;
}

/// The code on a square; 0 = empty.
[[nodiscard]] constexpr unsigned code_at(const State& s, unsigned square) noexcept {
    return static_cast<unsigned>(((s.black >> square) & 1U) | ((s.diagonal >> square) & 1U) << 1U |
                                 ((s.orthogonal >> square) & 1U) << 2U |
                                 ((s.other >> square) & 1U) << 3U);
}

/// Same men, side and rights: all that 9.2.3 compares.
[[nodiscard]] constexpr bool same_position(const State& a, const State& b) noexcept {
    return a.black == b.black && a.diagonal == b.diagonal && a.orthogonal == b.orthogonal &&
           a.other == b.other && a.status.rights() == b.status.rights() &&
           a.status.en_passant() == b.status.en_passant() &&
           a.status.black_to_move() == b.status.black_to_move();
}

/// Clears `gone`, then puts `code` on `square`. The key is the caller's business.
constexpr void replace(State& s, Bitboard gone, unsigned square, unsigned code) noexcept {
    const Bitboard keep = ~gone;
    s.black = (s.black & keep) | Bitboard{code & 1U} << square;
    s.diagonal = (s.diagonal & keep) | Bitboard{code >> 1U & 1U} << square;
    s.orthogonal = (s.orthogonal & keep) | Bitboard{code >> 2U & 1U} << square;
    s.other = (s.other & keep) | Bitboard{code >> 3U & 1U} << square;
}

/// What a man of that code attacks from `square`: along a line up to the first of `stops`, that
/// included.
[[nodiscard]] inline Bitboard attacks_of(unsigned code, unsigned square, Bitboard stops) noexcept {
    switch (code & ~code_black) {
        case code_pawn:
            return pawn_attacks[code & code_black][square];
        case code_knight:
            return knight_steps[square];
        case code_king:
            return king_steps[square];
        default:
            break;
    }
    Bitboard seen = 0;
    if ((code & code_bishop) != 0) {
        seen |= line_attacks(square, Axis::diagonal, stops) |
                line_attacks(square, Axis::antidiagonal, stops);
    }
    if ((code & code_rook) != 0) {
        seen |= line_attacks(square, Axis::rank, stops) | line_attacks(square, Axis::file, stops);
    }
    return seen;
}

/// The men of one colour (`black`) that attack `square`, pinned or not (3.1.2).
[[nodiscard]] inline Bitboard attackers(const State& s, unsigned square, bool black) noexcept {
    const Bitboard all = occupied(s);
    const Bitboard diagonal =
        line_attacks(square, Axis::diagonal, all) | line_attacks(square, Axis::antidiagonal, all);
    const Bitboard orthogonal =
        line_attacks(square, Axis::rank, all) | line_attacks(square, Axis::file, all);
    // A pawn attacks a square from where a pawn of the other colour on it would attack.
    const Bitboard found = (knight_steps[square] & knights(s)) | (king_steps[square] & kings(s)) |
                           (pawn_attacks[black ? 0 : 1][square] & pawns(s)) |
                           (diagonal & diagonal_sliders(s)) | (orthogonal & orthogonal_sliders(s));
    return found & (black ? s.black : ~s.black);
}

/// What most rules take for granted.
[[nodiscard]] constexpr bool one_king_each(const State& s) noexcept {
    return one_bit(kings(s) & s.black) && one_bit(kings(s) & ~s.black);
}

/// Whether any king of that colour is attacked.
[[nodiscard]] inline bool any_king_attacked(const State& s, bool black) noexcept {
    Bitboard rest = kings(s) & men_of(s, black);
    for (; rest != 0; rest &= rest - 1) {
        if (attackers(s, static_cast<unsigned>(std::countr_zero(rest)), !black) != 0) return true;
    }
    return false;
}

/// Where the pawn stands that an en-passant capture on `target` takes.
[[nodiscard]] constexpr unsigned passed_pawn_square(unsigned target) noexcept {
    return target ^ 8U;  // rank 3 <-> 4, 6 <-> 5
}

/// May the pawn on `from` take the pawn that has just passed over `target`? Both stand as they
/// must.
[[nodiscard]] inline bool en_passant_keeps_kings(const State& s, unsigned from,
                                                 unsigned target) noexcept {
    const unsigned code = code_at(s, from);
    const Bitboard gone = Bitboard{1} << from | Bitboard{1} << passed_pawn_square(target);
    State after = s;
    replace(after, gone, target, code);
    return !any_king_attacked(after, (code & code_black) != 0);
}

/// Pawns of the side to move that stand beside the pawn that has just passed over `target`.
[[nodiscard]] constexpr Bitboard en_passant_pawns(const State& s, unsigned target,
                                                  bool black) noexcept {
    return pawn_attacks[black ? 0 : 1][target] & pawns(s) & (black ? s.black : ~s.black);
}

/// Sets the en-passant right and its part of the key from the passed square: it stands where a
/// capture is legal for the side to move.
void settle_en_passant(State& s) noexcept;

/// Castling as a king's step: where the rook is.
struct CastlingPath {
    std::uint8_t king_from, king_to, rook_from, rook_to;
    Bitboard between;  ///< must be empty
    Bitboard walk;     ///< must not be attacked, the king's own square included
};
/// By bit of State::rights.
inline constexpr std::array<CastlingPath, 4> castling_paths{{
    {4, 6, 7, 5, 0x60, 0x70},
    {4, 2, 0, 3, 0x0e, 0x1c},
    {60, 62, 63, 61, Bitboard{0x60} << 56, Bitboard{0x70} << 56},
    {60, 58, 56, 59, Bitboard{0x0e} << 56, Bitboard{0x1c} << 56},
}};

/// By square: for Status::keep_rights, when a man leaves it or arrives.
inline constexpr std::array<std::uint64_t, square_count> rights_kept = [] {
    std::array<std::uint64_t, square_count> kept{};
    kept.fill(~std::uint64_t{0});
    for (unsigned i = 0; i < 4; ++i) {
        kept[castling_paths[i].king_from] &= Status::all_but(i);
        kept[castling_paths[i].rook_from] &= Status::all_but(i);
    }
    return kept;
}();

/// The castling (bit of rights, 0 to 3) of which from-to is the king's half, or 4. Asks for the men
/// and the empty squares between them, not for the right or for attacks.
[[nodiscard]] constexpr unsigned castling_of(const State& s, unsigned from, unsigned to) noexcept {
    for (unsigned i = 0; i < 4; ++i) {
        const CastlingPath& path = castling_paths[i];
        if (from != path.king_from || to != path.king_to) continue;
        const unsigned color = i >> 1U;
        if (code_at(s, from) == (code_king | color) &&
            code_at(s, path.rook_from) == (code_rook | color) &&
            (occupied(s) & path.between) == 0) {
            return i;
        }
    }
    return 4;
}

/// Is from-to an en-passant capture: a pawn's diagonal step onto the square just passed over?
[[nodiscard]] constexpr bool is_en_passant(const State& s, unsigned from, unsigned to) noexcept {
    if (to != s.status.passed()) return false;
    const unsigned code = code_at(s, from);
    const bool black = (code & code_black) != 0;
    // The pawn that passed is of the other colour: a black one passed over rank 6.
    return (code & ~code_black) == code_pawn && black == (to < 32) &&
           (pawn_attacks[black ? 1 : 0][from] >> to & 1U) != 0;
}

}  // namespace touchmove::chess::detail
