// decision.hpp - what the referee says, and under which article
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/base/time.hpp"
#include "host/chess/position.hpp"
#include "host/laws/evidence.hpp"

namespace touchmove::laws {

using chess::Color;
using chess::Move;
using chess::Square;

/// A move of the record. `kind_known` is false while the promoted piece has not been named: then
/// `move` carries a queen for the time being and is written "a7a8?".
struct RecordedMove {
    Move move;
    bool kind_known = true;
    bool completed = false;  ///< 6.2.1; else only made (4.7)
    DeviceTime made_at{};    ///< when the release became known to the Laws
    std::optional<DeviceTime> pressed_at = {};
    /// Mover's clock after the move; nothing before the clock was started or set.
    std::optional<Millis> clock_left = {};
    Evidence evidence = Evidence::seen;
    PieceEvidence piece_evidence = PieceEvidence::none;

    [[nodiscard]] std::string uci() const;  ///< "e2e4", "a7a8q", "a7a8?"
    /// "seen", "capture_inferred+piece_deduced": both words of FORMAT.md.
    [[nodiscard]] std::string evidence_text() const;
};

enum class ReportKind : std::uint8_t {
    touch_move,
    released,
    illegal_move,
    pawn_not_exchanged,
    press_without_move,
    adjust_not_permitted,
    two_hands,
    accidental,
    displaced,
    out_of_turn,
    ambiguous,
    promotion_choice,
    setup_suspect,
    claim_correct,
    claim_wrong,
    claim_refused,
    result_signal,
    flag,
    arbiter
};

/// "touch_move" and so on: the vocabulary of tests/scenarios/FORMAT.md.
[[nodiscard]] std::string_view name_of(ReportKind kind) noexcept;

/// 7.5.5, 9.5.3: time for the opponent, or the result that the offence costs.
struct Penalty {
    std::optional<Millis> opponent_extra = {};
    enum class Outcome : std::uint8_t { none, loss, draw } outcome = Outcome::none;
};

struct Report {
    ReportKind kind;
    std::string article;  ///< numbering of the 2023 edition
    std::optional<Color> side = {};
    std::vector<Square> squares = {};
    std::vector<Move> duty = {};        ///< moves that would meet the duty, by UCI text
    std::vector<Move> candidates = {};  ///< moves that fit the evidence, by UCI text
    std::optional<Penalty> penalty = {};
};

enum class Score : std::uint8_t { white_wins, black_wins, draw, open_to_arbiter };
[[nodiscard]] std::string_view name_of(Score score) noexcept;  ///< "1-0", "0-1", "1/2-1/2", "?"

struct GameResult {
    Score score;
    std::string reason;  ///< "checkmate", "time", ... (FORMAT.md, convention 3)
    std::string article;
    bool provisional = false;  ///< a claim of the opponent is still open (5.1.1)
};

// What changes, as it happens. A move is shown once from its release (and may be withdrawn or
// replaced), and published once, when it closes; only a board without levers can follow a
// publication by MoveCorrected.
struct MoveShown {
    std::size_t ply;
    RecordedMove move;
};
struct ShownWithdrawn {
    std::size_t ply;
};
struct MovePublished {
    std::size_t ply;
    RecordedMove move;
};
struct MoveCompleted {
    std::size_t ply;
    RecordedMove move;
};
/// The piece of a promotion became known after the move was published.
struct PromotionKnown {
    std::size_t ply;
    RecordedMove move;
};
struct MoveCorrected {
    std::size_t ply;
    RecordedMove move;
};
/// The record ends before `ply` now: the arbiter had the position restored. A provisional result is
/// withdrawn with it.
struct RecordShortened {
    std::size_t ply;
};
struct Reported {
    Report report;
};
struct GameEnded {
    GameResult result;
};

/// `ply` counts from 0 over the whole record, moves made before the events included.
using What = std::variant<MoveShown, ShownWithdrawn, MovePublished, MoveCompleted, PromotionKnown,
                          MoveCorrected, RecordShortened, Reported, GameEnded>;

struct Decision {
    DeviceTime at;
    What what;
};

}  // namespace touchmove::laws
