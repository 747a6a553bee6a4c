// types.hpp - squares, men and moves as small values
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace touchmove::chess {

enum class Color : std::uint8_t { white, black };

[[nodiscard]] constexpr Color operator~(Color c) noexcept {
    return c == Color::white ? Color::black : Color::white;
}
[[nodiscard]] constexpr std::size_t index_of(Color c) noexcept {
    return static_cast<std::size_t>(c);
}

enum class Kind : std::uint8_t { pawn, knight, bishop, rook, queen, king };
inline constexpr std::string_view kind_letters = "PNBRQK";  ///< English, by kind (C.3, PGN, FEN)

/// What a pawn may become (3.7.3.3).
inline constexpr std::array promotion_kinds{Kind::queen, Kind::rook, Kind::bishop, Kind::knight};

inline constexpr std::size_t color_count = 2;
inline constexpr std::size_t kind_count = 6;
inline constexpr std::size_t square_count = 64;

/// A chessman: its colour and what it is.
struct Man {
    Color color;
    Kind kind;
    friend constexpr bool operator==(Man, Man) noexcept = default;
};

/// A square of the board: 0 = a1, 1 = b1, ... 63 = h8. Never anything else; "no square" is
/// std::optional<Square>.
class Square {
  public:
    constexpr explicit Square(unsigned index) noexcept : index_(static_cast<std::uint8_t>(index)) {
        assert(index < square_count);
    }
    /// `file` and `rank` count from 0 (a, 1).
    constexpr Square(unsigned file, unsigned rank) noexcept : Square(rank * 8 + file) {}

    [[nodiscard]] constexpr unsigned index() const noexcept { return index_; }
    [[nodiscard]] constexpr unsigned file() const noexcept { return index_ & 7U; }
    [[nodiscard]] constexpr unsigned rank() const noexcept { return index_ >> 3U; }
    [[nodiscard]] constexpr std::uint64_t bit() const noexcept {
        return std::uint64_t{1} << index_;
    }

    friend constexpr auto operator<=>(Square, Square) noexcept = default;

    /// "e4".
    [[nodiscard]] std::string name() const;
    /// The square of that name, or none ("i9", "e", "e44").
    [[nodiscard]] static std::optional<Square> parse(std::string_view name) noexcept;

  private:
    std::uint8_t index_;
};

/// A move in 16 bits: from, to, and the piece that a pawn becomes. Castling is the king's move of
/// two squares (e1g1), en passant the pawn's move; what a move captures follows from the position.
class Move {
  public:
    constexpr Move(Square from, Square to) noexcept
        : bits_(static_cast<std::uint16_t>(from.index() | (to.index() << 6U))) {}
    /// `promotion` is knight, bishop, rook or queen.
    constexpr Move(Square from, Square to, Kind promotion) noexcept
        : bits_(static_cast<std::uint16_t>(from.index() | (to.index() << 6U) |
                                           (static_cast<unsigned>(promotion) << 12U))) {}

    [[nodiscard]] constexpr Square from() const noexcept { return Square(bits_ & 63U); }
    [[nodiscard]] constexpr Square to() const noexcept { return Square((bits_ >> 6U) & 63U); }
    [[nodiscard]] constexpr std::optional<Kind> promotion() const noexcept {
        const unsigned kind = bits_ >> 12U;
        if (kind == 0) return std::nullopt;
        return static_cast<Kind>(kind);
    }
    [[nodiscard]] constexpr std::uint16_t bits() const noexcept { return bits_; }
    /// The move whose bits() were `bits`.
    [[nodiscard]] static constexpr Move from_bits(std::uint16_t bits) noexcept {
        Move m;
        m.bits_ = bits;
        return m;
    }

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 takes the 0 within <=> for a pointer
    friend constexpr auto operator<=>(Move, Move) noexcept = default;

    /// "e2e4", "a7a8q".
    [[nodiscard]] std::string uci() const;
    /// The move so written, or none. Says nothing of its legality.
    [[nodiscard]] static std::optional<Move> parse_uci(std::string_view text) noexcept;

  private:
    friend class MoveList;
    constexpr Move() noexcept = default;  // the unused end of a MoveList; never seen outside

    std::uint16_t bits_;
};

}  // namespace touchmove::chess
