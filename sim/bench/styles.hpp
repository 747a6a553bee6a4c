// styles.hpp - how different players handle the men, as one table of habits
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/bench/random.hpp"

namespace touchmove::bench {

enum class CaptureOrder : std::uint8_t { victim_first, captor_first, both_at_once };
enum class EnPassantOrder : std::uint8_t { move_then_victim, victim_first, both_off_then_place };
/// Rook first is missing on purpose: it breaks Article 4.4.2.
enum class CastlingOrder : std::uint8_t { king_then_rook, both_in_hand, both_at_once };
enum class PromotionOrder : std::uint8_t {
    pawn_stands_in,    ///< pawn to the last rank, off, new man on (4.6.1 and 4.4.4)
    exchanged_before,  ///< pawn off from the rank before, new man straight to the last rank
    new_man_first      ///< new man on the last rank, then the pawn off
};

/// When a player's hand goes out: after the opponent's press, or already after the release, before
/// or around that press (1.3: the move is theirs as soon as the opponent's is made).
enum class ReplyFrom : std::uint8_t { press, release };

/// One player's habits. Times are those of the tempo `fast`, in microseconds. Everything here keeps
/// within Articles 3 and 4 as far as the recorded move goes: a style may be awkward, never a
/// breach.
struct Style {
    std::string_view name;
    std::string_view what;  ///< one line for --help

    ReplyFrom reply_from;
    Range reply;            ///< from then to the first touch
    Range in_hand;          ///< from lifting a man to setting it down, the way not counted
    BenchUs per_square;     ///< for each square of the way through the air
    Range let_go;           ///< from setting down to release; at least 30 ms (slow Hall edges)
    Range between;          ///< between handling one man and the next
    Range press;            ///< from release to the lever

    std::array<unsigned, 3> capture;     ///< weights, in the order of CaptureOrder
    std::array<unsigned, 3> en_passant;  ///< of EnPassantOrder
    std::array<unsigned, 3> castling;    ///< of CastlingOrder
    std::array<unsigned, 3> promotion;   ///< of PromotionOrder

    unsigned slides;        ///< per mille of the moves that can be slid
    Range slide_square;     ///< time that a sliding man takes from one square to the next
    unsigned stops;         ///< per mille: a short stop on a square of a slide
    Range stop;             ///< shorter than release_ms by far (FORMAT of release: 500 ms)
    unsigned hovers;        ///< per mille: shows the man on other squares before letting go
    unsigned touches;       ///< per mille: lifts and returns the man that it then moves
    unsigned announces;     ///< per mille: says "j'adoube" first and straightens men of its own
    unsigned recentres;     ///< per mille: straightens the man just moved before pressing
    bool presses;           ///< false: a board without levers
};

/// All styles by name, the dealt one not among them.
[[nodiscard]] std::span<const Style> styles() noexcept;

/// Which hands play a game.
struct Hands {
    /// None: dealt by the seed, a style a move; one game in eight on a board without levers.
    const Style* style = nullptr;

    [[nodiscard]] std::string_view name() const noexcept { return style ? style->name : "dealt"; }
};

/// The hands of that name ("dealt" included), or none.
[[nodiscard]] std::optional<Hands> parse_hands(std::string_view name) noexcept;

/// "dealt, careful, slider, ...".
[[nodiscard]] std::string hands_names();

}  // namespace touchmove::bench
