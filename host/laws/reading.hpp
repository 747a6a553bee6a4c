// reading.hpp - one way to understand what the sensors have shown
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "host/laws/decision.hpp"
#include "host/laws/turn.hpp"

namespace touchmove::laws {

/// From a1 on, as reports name them.
[[nodiscard]] inline std::vector<Square> as_list(Bitboard set) {
    std::vector<Square> list;
    for (const Square s : chess::squares(set))
        list.push_back(s);
    return list;
}

/// What stands on the promotion square is to be named (3.7.3.3).
[[nodiscard]] inline Report promotion_question(Color side, Square square) {
    return {.kind = ReportKind::promotion_choice,
            .article = "3.7.3.3",
            .side = side,
            .squares = {square}};
}

/// A promotion of which the piece is assumed in this reading.
struct AssumedPiece {
    std::size_t ply;
    chess::Kind kind;
    bool named = false;  ///< the selector or the arbiter said so, not what it did
    friend bool operator==(const AssumedPiece&, const AssumedPiece&) = default;
};

/// A duty that outlives the turn in which it arose: after an illegal move or an upheld claim.
struct BoundDuty {
    Duty duty;
    ReportKind breach;  ///< touch_move or released
};

/// A move against Article 3 that nobody has claimed yet (A.5.2), and what it costs if somebody
/// does.
struct Illegality {
    std::optional<BoundDuty> bound;  ///< of the move that takes its place
};

/// A move that is closed in this reading, but not yet in the record, because other readings are
/// still possible, or because it was illegal and the opponent has not replied.
struct ClosedMove {
    RecordedMove move;
    std::vector<Report> reports;  ///< raised by its closing
    std::optional<Illegality> illegal = {};
};

struct Reading {
    std::vector<ClosedMove> closed;
    Turn turn;
    /// Made by dwell alone: the record shows it, but the mover may still act (FORMAT.md, 16).
    std::optional<Standing> made;
    DeviceTime made_at{};
    /// The turn as it was when the move was made: where an upset board returns to.
    std::optional<Turn> made_turn;
    /// When an unlikely reading dies, if nothing speaks for it until then: the mover who goes on
    /// although the opponent seems to have touched a man, and whose standing man is released then;
    /// a reply whose victim came back, and whose captor did not slide in over it.
    std::optional<DeviceTime> dies_at;
    /// The man that the opponent seems to have taken off before lifting the captor.
    std::optional<Square> victim_first;
    bool victim_came_back = false;
    /// It began with a placement: a captor sliding in, its own square not clear yet. Until it is,
    /// the board says nothing against the reading.
    bool slides_in = false;
    /// Since when the board has fitted another reading clearly better.
    std::optional<DeviceTime> misfit_since;
    std::optional<BoundDuty> bound;
    std::vector<AssumedPiece> pieces;
    bool promotion_asked = false;  ///< promotion_choice was raised in this turn

    /// What it waited for has come, or nothing competes with it any more.
    void take_as_likely() noexcept {
        dies_at.reset();
        victim_came_back = false;
        slides_in = false;
    }

    explicit Reading(Turn t) : turn(std::move(t)) {}
};

}  // namespace touchmove::laws
