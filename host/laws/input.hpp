// input.hpp - everything that can change a game, as the referee sees it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "host/base/time.hpp"
#include "host/chess/position.hpp"

namespace touchmove::laws {

using chess::Color;
using chess::Move;
using chess::Square;

/// A lift or a place of the debounced sensor of a square.
struct SquareLifted {
    Square square;
};
struct SquarePlaced {
    Square square;
};
/// What all squares read (bit 0 = a1), after a session began, records were lost, or on request.
struct BoardSeen {
    chess::Bitboard occupied;
};
/// The device lost its power or was reset here; what happened before the next BoardSeen is unknown.
struct SessionBroken {};

struct LeverPressed {
    Color side;
};  ///< that player's own lever (6.2.1)
/// "J'adoube" announced or withdrawn (4.2.1).
struct AdjustAnnounced {
    Color side;
};
struct AdjustEnded {
    Color side;
};

struct DrawOffered {
    Color side;
};  ///< 9.1.2
struct DrawAccepted {
    Color side;
};
struct DrawDeclined {
    Color side;
};
struct Resigned {
    Color side;
};  ///< 5.1.2

enum class ClaimKind : std::uint8_t { threefold, fifty };
/// A claim under 9.2 or 9.3; `move` is the entered, unplayed move, if any.
struct DrawClaimed {
    Color side;
    ClaimKind what;
    std::optional<Move> move;
};

/// Both clocks stopped or restarted; no side means the arbiter (6.11).
struct ClocksPaused {
    std::optional<Color> by;
};
struct ClocksResumed {
    std::optional<Color> by;
};

/// What stands on the promotion square, from the selector or the arbiter; pawn: it was left there.
struct PromotionNamed {
    Color side;
    chess::Kind kind;
};
/// The arbiter's answer to an open question about which move it was.
struct MoveChosen {
    Move move;
};
/// The arbiter upholds an open claim under that article.
struct ClaimUpheld {
    Color side;
    std::string article;
};
/// The men stand again as the referee asked.
struct PositionRestored {};
/// The arbiter sets what is left on a clock (6.10, 7.1).
struct ClockCorrected {
    Color side;
    Millis left;
};
/// A flag has fallen: somebody saw it, or a player claims it rightly (6.8). On a clock that the
/// referee does not keep this is all it hears of it.
struct FlagFell {
    Color side;
};
/// Only time passed. Journalled where passing time alone led to a decision.
struct TimePassed {};

using Input = std::variant<SquareLifted, SquarePlaced, BoardSeen, SessionBroken, LeverPressed,
                           AdjustAnnounced, AdjustEnded, DrawOffered, DrawAccepted, DrawDeclined,
                           Resigned, DrawClaimed, ClocksPaused, ClocksResumed, PromotionNamed,
                           MoveChosen, ClaimUpheld, PositionRestored, ClockCorrected, FlagFell,
                           TimePassed>;

}  // namespace touchmove::laws
