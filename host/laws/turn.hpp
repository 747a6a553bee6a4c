// turn.hpp - what the sensors have shown since a side got the move
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "host/base/time.hpp"
#include "host/chess/position.hpp"
#include "host/laws/duty.hpp"
#include "host/laws/evidence.hpp"
#include "host/laws/sensors.hpp"

namespace touchmove::laws {

using chess::Bitboard;
using chess::Color;
using chess::Move;
using chess::Position;
using chess::Square;

/// A legal move that the board shows, or (castling, 4.7.2) the king's half of one.
struct Standing {
    Move move;                ///< of a promotion whose piece is open: to a queen
    bool piece_open = false;  ///< a promotion whose piece has not been named
    Bitboard placed = 0;      ///< where its men arrived; it is released when they are
    Evidence evidence = Evidence::seen;

    [[nodiscard]] bool same_squares(const Standing& other) const noexcept {
        return move.from() == other.move.from() && move.to() == other.move.to();
    }
};

/// How well the board, as the sensors show it, fits one action of the side that has the move.
/// Lower is better.
enum class Fit : std::uint8_t {
    at_rest,        ///< nothing has moved, or a legal move stands
    under_way,      ///< a stage of a legal move: a man in hand, a victim off, half of castling
    doubtful,       ///< a stage of no legal move, such as a man on a square it cannot reach
    not_one_action  ///< men of the other side moved, or too many at once
};

/// A legal move (or half of castling) that was released on the board during the turn (4.7).
struct Release {
    Standing standing;
    bool castling_half = false;
    bool emptied_again = false;  ///< its square read empty afterwards
};

/// A target square that went empty and filled again, and the own men that were off meanwhile.
struct Refill {
    Square square;
    DeviceTime at;
    Bitboard own_off;
    Evidence evidence = Evidence::seen;
};

/// A slide can fill its target before its own square clears (FORMAT.md, convention 9).
inline constexpr Millis slide_overlap{100};

/// One side's turn under one reading of the events. Holds evidence and answers questions about it;
/// it decides nothing. Cheap to copy: the readings fork.
class Turn {
  public:
    /// `base`: the position before the move; the board is taken to agree with it.
    explicit Turn(const Position& base);

    [[nodiscard]] const Position& base() const noexcept { return base_; }
    [[nodiscard]] Color mover() const noexcept { return base_.side_to_move(); }

    /// A man leaves / arrives. `sensors` already shows it. An `announced` lift (j'adoube) is no
    /// touch as long as the man comes back.
    void lift(Square s, DeviceTime at, const Sensors& sensors, bool announced);
    void place(Square s, DeviceTime at, const Sensors& sensors);

    /// The legal move that the board shows now.
    [[nodiscard]] const std::optional<Standing>& standing() const noexcept { return standing_; }
    /// King two squares towards its rook, castling legal, rook not yet there.
    [[nodiscard]] const std::optional<Standing>& castling_half() const noexcept { return half_; }
    /// Moves of which the sensors cannot tell which one stands (two captures seen at once).
    [[nodiscard]] const std::vector<Move>& rivals() const noexcept { return rivals_; }
    /// Captures by the one own man that is off the board whose target never read empty (pushed
    /// off).
    [[nodiscard]] std::vector<Move> unseen_captures() const;
    /// Position after the standing move.
    [[nodiscard]] const Position& after_standing() const;

    /// The move against Article 3 that the board shows, where one move tells all of it, the rook's
    /// part of castling included.
    [[nodiscard]] std::optional<Standing> illegal_move() const;

    /// Takes `captures` as if seen: the arbiter, a press, or a board that was away, says that one
    /// happened; `why` says which of them.
    void assume_captures(const std::vector<Move>& captures, Evidence why, DeviceTime at,
                         const Sensors& sensors);

    /// What these squares read now they came to read while nobody looked.
    void mark_unseen(Bitboard changed);

    /// The selector's word for the promotion of this turn, before or after the pawn moves.
    void name_promotion(chess::Kind kind, const Sensors& sensors);

    /// The move, or the half of castling, counts as released from here on.
    void release(const Standing& standing, bool castling_half);
    [[nodiscard]] const std::vector<Release>& releases() const noexcept { return releases_; }

    [[nodiscard]] const std::vector<Touch>& touches() const noexcept { return touches_; }
    void forget_touch(Square s);
    /// Men lifted under an announcement that did not come back become touches.
    void end_announcement();

    [[nodiscard]] Fit fit() const;
    [[nodiscard]] Bitboard emptied() const noexcept {
        return emptied_;
    }  ///< of the base's men, off now
    [[nodiscard]] Bitboard filled() const noexcept {
        return filled_;
    }  ///< empty in base, occupied now
    [[nodiscard]] Bitboard emptied_own() const noexcept { return emptied_ & base_.men(mover()); }
    [[nodiscard]] Bitboard emptied_enemy() const noexcept { return emptied_ & base_.men(~mover()); }
    /// A man was put down on a square where it did not stand (FORMAT.md, convention 10).
    [[nodiscard]] bool man_put_down() const noexcept;
    /// Everything is back where it was, and at least two own men were off for at most 200 ms
    /// together (4.2.2): their squares, else nothing. They are forgotten as touches.
    [[nodiscard]] std::vector<Square> take_accident(DeviceTime now);
    /// The king stood two squares off on its rank, wherever it went later (4.4.3).
    [[nodiscard]] bool castling_attempted() const noexcept { return castling_attempted_; }
    /// Two own men lifted and two placed within 10 ms of each other, not in one frame (4.1).
    [[nodiscard]] bool hints_at_two_hands() const noexcept;
    /// The man on the square, in the reading that the standing move (if any) was played.
    [[nodiscard]] std::optional<chess::Man> man_on(Square s) const;

  private:
    void update(const Sensors& sensors);
    [[nodiscard]] std::optional<Standing> find_standing(const Sensors& sensors);
    [[nodiscard]] bool arrived_before_it_left(Move m, const Sensors& sensors) const;
    [[nodiscard]] std::optional<Standing> seen_capture(Square from);
    [[nodiscard]] std::optional<Standing> find_half();
    [[nodiscard]] Fit judge() const;
    [[nodiscard]] bool shows_en_passant() const;
    [[nodiscard]] std::optional<Standing> as_legal(Move m, Bitboard placed) const;
    [[nodiscard]] Evidence evidence_for(Move m) const;

    struct HandEvent {
        DeviceTime at;
        Square square;
    };

    Position base_;
    Bitboard base_occupied_;
    Bitboard emptied_ = 0;
    Bitboard filled_ = 0;
    Bitboard ever_emptied_ = 0;  ///< squares of base men that read empty at some time
    Bitboard unseen_ = 0;        ///< squares whose last change nobody saw
    bool castling_attempted_ = false;
    std::optional<chess::Kind> named_piece_;
    Bitboard announced_off_ = 0;  ///< lifted under an announcement and not yet back
    std::optional<Standing> standing_;
    std::optional<Standing> half_;
    std::vector<Move> rivals_;
    std::vector<Touch> touches_;
    std::vector<Refill> refills_;
    std::vector<Release> releases_;
    std::vector<HandEvent> own_lifts_;
    std::vector<HandEvent> placements_;
    std::vector<HandEvent> off_since_rest_;  ///< lifts since everything stood where it began
    mutable std::optional<Position> after_standing_;  // computed when asked, as is fit_
    mutable std::optional<Fit> fit_;
};

}  // namespace touchmove::laws
