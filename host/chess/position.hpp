// position.hpp - a chess position, its legal moves and its text form
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/base/result.hpp"
#include "host/chess/bitboard.hpp"
#include "host/chess/move_list.hpp"
#include "host/chess/state.hpp"
#include "host/chess/types.hpp"

namespace touchmove::chess {

enum class CastlingSide : std::uint8_t { king_side, queen_side };

/// A position: men, side to move, castling rights, en-passant right, counters. Any arrangement of
/// men can be held, also ones that no game can reach (several kings, none, a pawn on the last
/// rank): the referee must go on from them (Laws, A.5.2). Legality is a question, not an invariant.
///
/// What the Laws do not say is settled so:
/// - A move is legal if it is one of those of Article 3, captures no king (1.4.1), and leaves none
/// of
///   the mover's own kings attacked. So with several kings each must be safe, and with none nothing
///   is check.
/// - A pawn on its own first rank steps one square, on the last rank not at all.
/// - A castling right exists only while that colour's king and rook stand on their first squares.
class Position {
  public:
    /// The initial array (2.3).
    [[nodiscard]] static Position initial();
    /// An empty board, White to move, no rights, move 1.
    Position() = default;

    /// Parses a FEN of 4 or 6 fields. Refused only if it is malformed, in one sentence that names
    /// the field; unreachable positions pass. Castling rights without king and rook on their
    /// squares, and an en-passant square where no capture is legal, are dropped.
    [[nodiscard]] static Result<Position> parse_fen(std::string_view fen);
    /// Six fields. The en-passant field is set only where an en-passant capture is legal.
    [[nodiscard]] std::string fen() const;
    /// The first field of the FEN.
    [[nodiscard]] std::string board_fen() const;

    [[nodiscard]] std::optional<Man> man_at(Square s) const noexcept;
    [[nodiscard]] Bitboard men(Color c, Kind k) const noexcept;
    [[nodiscard]] Bitboard men(Color c) const noexcept;
    [[nodiscard]] Bitboard occupied() const noexcept;
    /// The king of that colour, if there is exactly one.
    [[nodiscard]] std::optional<Square> king(Color c) const noexcept;

    [[nodiscard]] Color side_to_move() const noexcept;
    [[nodiscard]] bool may_castle(Color c,
                                  CastlingSide side) const noexcept;  ///< the right, not legality
    [[nodiscard]] std::optional<Square> en_passant()
        const noexcept;  ///< target square, if capture legal
    [[nodiscard]] unsigned halfmove_clock()
        const noexcept;  ///< half-moves since a pawn move or capture
    [[nodiscard]] unsigned fullmove_number() const noexcept;

    /// All legal moves, in no particular order.
    [[nodiscard]] MoveList legal_moves() const noexcept;
    [[nodiscard]] bool has_legal_move() const noexcept;
    [[nodiscard]] bool is_legal(Move m) const noexcept;
    [[nodiscard]] bool in_check() const noexcept;
    /// Is `s` attacked by a man of `by` (3.1.2: also by a pinned one)?
    [[nodiscard]] bool attacked(Square s, Color by) const noexcept;

    /// The square of the man that `m` captures: its target, or the pawn taken in passing.
    [[nodiscard]] std::optional<Square> captured_square(Move m) const noexcept;
    /// Whether `m` is the king's half of castling, legal or not: which side. The king goes from e
    /// to g or c on its first rank, its rook stands in the corner, and nothing stands between.
    [[nodiscard]] std::optional<CastlingSide> castling(Move m) const noexcept;

    /// Plays `m`. It need not be legal, but a man must stand on its from-square and leave it: it
    /// goes there, what stood there is gone, whatever its colour, and the turn passes. The king's
    /// half of castling takes the rook along; a pawn takes in passing wherever the last move's pawn
    /// passed; a pawn that is not said to promote stays a pawn.
    void make(Move m) noexcept;
    [[nodiscard]] Position after(Move m) const noexcept;

    /// Zobrist key of men, side, castling rights and *legal* en-passant right: equal keys mean the
    /// same position in the sense of 9.2.3.
    [[nodiscard]] std::uint64_t key() const noexcept;

    // Editing, for set-up and for an arbiter's correction. Ends the en-passant right; a castling
    // right goes with its king or rook, and is given only while both are there.
    void put(Square s, Man m) noexcept;
    void remove(Square s) noexcept;
    void set_side_to_move(Color c) noexcept;
    void set_castling(Color c, CastlingSide side, bool allowed) noexcept;

    /// Same men, side, rights; counters are not compared.
    [[nodiscard]] bool same_as(const Position& other) const noexcept;

    /// As it is stored: for the generators and their tests.
    [[nodiscard]] const detail::State& state() const noexcept { return state_; }

  private:
    void end_en_passant() noexcept;
    void allow_en_passant(Square target) noexcept;
    void drop_rights(Square s) noexcept;

    detail::State state_;
};

/// Number of leaf nodes of the legal move tree of `depth` plies. With `bulk` the last ply is
/// counted without being played.
[[nodiscard]] std::uint64_t perft(const Position& p, unsigned depth, bool bulk) noexcept;

}  // namespace touchmove::chess
