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

namespace touchmove::chess::detail {

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
    std::uint16_t halfmove_clock = 0;
    std::uint16_t fullmove_number = 1;
    std::uint8_t rights = 0;          ///< bit 0 K, 1 Q, 2 k, 3 q; only while king and rook are there
    std::uint8_t en_passant = 64;     ///< the target, if a capture there is legal; else 64
    std::uint8_t passed = 64;         ///< the square that the last move's pawn passed over; else 64
    std::uint8_t black_to_move = 0;
};

inline constexpr std::uint8_t no_square = 64;
inline constexpr std::uint16_t counter_limit = 9999;

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
        case code_knight: return Kind::knight;
        case code_bishop: return Kind::bishop;
        case code_rook: return Kind::rook;
        case code_queen: return Kind::queen;
        case code_king: return Kind::king;
        default: return Kind::pawn;
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

/// Clears `gone`, then puts `code` on `square`. The key is the caller's business.
constexpr void replace(State& s, Bitboard gone, unsigned square, unsigned code) noexcept {
    const Bitboard keep = ~gone;
    s.black = (s.black & keep) | Bitboard{code & 1U} << square;
    s.diagonal = (s.diagonal & keep) | Bitboard{code >> 1U & 1U} << square;
    s.orthogonal = (s.orthogonal & keep) | Bitboard{code >> 2U & 1U} << square;
    s.other = (s.other & keep) | Bitboard{code >> 3U & 1U} << square;
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

/// May the pawn on `from` take the pawn that has just passed over `target`? Both stand as they must.
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

/// Sets `en_passant` and its part of the key from `passed`: the right stands where a capture is
/// legal for the side to move.
inline void settle_en_passant(State& s) noexcept {
    const bool black = s.black_to_move != 0;
    if (black != (s.passed < 32)) return;  // its own pawn passed, in a move out of turn
    for (Bitboard rest = en_passant_pawns(s, s.passed, black); rest != 0; rest &= rest - 1) {
        if (en_passant_keeps_kings(s, static_cast<unsigned>(std::countr_zero(rest)), s.passed)) {
            s.en_passant = s.passed;
            s.key ^= zobrist.en_passant[s.passed & 7U];
            return;
        }
    }
}

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

/// The rights that are left when a man leaves or enters each square.
inline constexpr std::array<std::uint8_t, square_count> rights_kept = [] {
    std::array<std::uint8_t, square_count> kept{};
    kept.fill(15);
    for (unsigned i = 0; i < 4; ++i) {
        const auto rest = static_cast<std::uint8_t>(~(1U << i));
        kept[castling_paths[i].king_from] &= rest;
        kept[castling_paths[i].rook_from] &= rest;
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
            code_at(s, path.rook_from) == (code_rook | color) && (occupied(s) & path.between) == 0) {
            return i;
        }
    }
    return 4;
}

/// Is from-to an en-passant capture: a pawn's diagonal step onto the square just passed over?
[[nodiscard]] constexpr bool is_en_passant(const State& s, unsigned from, unsigned to) noexcept {
    if (to != s.passed) return false;
    const unsigned code = code_at(s, from);
    const bool black = (code & code_black) != 0;
    // The pawn that passed is of the other colour: a black one passed over rank 6.
    return (code & ~code_black) == code_pawn && black == (to < 32) &&
           (pawn_attacks[black ? 1 : 0][from] >> to & 1U) != 0;
}

/// Plays from-to, whoever stands there. See Position::make.
inline void make(State& s, Move m) noexcept {
    const unsigned from = m.bits() & 63U;
    const unsigned to = m.bits() >> 6U & 63U;
    const unsigned promotion = m.bits() >> 12U;
    const unsigned code = code_at(s, from);
    const unsigned captured = from == to ? 0 : code_at(s, to);
    const unsigned kind = code & ~code_black;
    const unsigned color = code & code_black;
    unsigned placed = code;
    std::uint64_t key = s.key ^ zobrist.black_to_move;

    if (s.en_passant != no_square) key ^= zobrist.en_passant[s.en_passant & 7U];
    bool passes = false;
    bool capture = captured != 0;
    if (kind == code_pawn) {
        if (promotion != 0) placed = code_of_kind[promotion] | color;
        if (is_en_passant(s, from, to)) {
            const unsigned taken = passed_pawn_square(to);
            key ^= zobrist.man[code_at(s, taken)][taken];
            replace(s, Bitboard{1} << taken, taken, 0);
            capture = true;
        }
        const unsigned middle = (from + to) / 2;
        passes = (from ^ to) == 16 && (from >> 3U) == (color != 0 ? 6U : 1U) &&
                 code_at(s, middle) == 0;
    } else if (kind == code_king) {
        if (const unsigned i = castling_of(s, from, to); i < 4) {
            const CastlingPath& path = castling_paths[i];
            key ^= zobrist.man[code_rook | color][path.rook_from] ^
                   zobrist.man[code_rook | color][path.rook_to];
            replace(s, Bitboard{1} << path.rook_from, path.rook_to, code_rook | color);
        }
    }
    key ^= zobrist.man[code][from] ^ zobrist.man[captured][to] ^ zobrist.man[placed][to];
    replace(s, Bitboard{1} << from | Bitboard{1} << to, to, placed);

    const auto rights = static_cast<std::uint8_t>(s.rights & rights_kept[from] & rights_kept[to]);
    key ^= zobrist.rights[s.rights] ^ zobrist.rights[rights];
    s.rights = rights;
    s.halfmove_clock = kind == code_pawn || capture
                           ? std::uint16_t{0}
                           : static_cast<std::uint16_t>(s.halfmove_clock + 1);
    s.fullmove_number = static_cast<std::uint16_t>(s.fullmove_number + s.black_to_move);
    s.black_to_move ^= 1U;
    s.key = key;
    s.en_passant = no_square;
    s.passed = no_square;
    if (passes) {
        s.passed = static_cast<std::uint8_t>((from + to) / 2);
        settle_en_passant(s);
    }
}

}  // namespace touchmove::chess::detail
