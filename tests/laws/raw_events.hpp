// raw_events.hpp - any bytes as a game's inputs, and what must hold whatever they are
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>

#include "host/laws/referee.hpp"

namespace touchmove::laws::testing {

/// Four bytes: what happened, its detail, and how long after the one before.
struct RawEvent {
    std::uint8_t kind, detail, pause, long_pause;

    [[nodiscard]] Millis after() const {
        return Millis{pause * 4 + (long_pause > 250 ? long_pause * 100 : 0)};
    }
};

/// Most inputs toggle a square of `board`, so that it stays one that could be.
inline Input input_of(const RawEvent& event, chess::Bitboard board) {
    const unsigned detail = event.detail;
    const Square square(detail % 64U);
    const Color side = detail % 2 == 0 ? Color::white : Color::black;
    switch (event.kind % 24) {
        case 0:
            return LeverPressed{side};
        case 1:
            return AdjustAnnounced{side};
        case 2:
            return AdjustEnded{side};
        case 3:
            return PromotionNamed{side, static_cast<chess::Kind>(detail / 2 % 6)};
        case 4:
            return SessionBroken{};
        case 5:
            return BoardSeen{board ^ square.bit()};
        case 6:
            return PositionRestored{};
        case 7:
            return ClaimUpheld{side, detail % 4 < 2 ? "4.3.1" : "7.5.1"};
        case 8:
            return DrawClaimed{side, detail % 4 < 2 ? ClaimKind::threefold : ClaimKind::fifty, {}};
        case 9:
            return ClocksPaused{side};
        case 10:
            return ClocksResumed{side};
        case 11:
            return MoveChosen{Move(square, Square(detail / 4U))};
        case 12:
            return ClockCorrected{side, Millis{detail * 100}};
        case 13:
            // What ends a game comes seldom, so that there is something to end.
            if (detail < 240) return DrawOffered{side};
            if (detail < 245) return DrawAccepted{side};
            if (detail < 250) return FlagFell{side};
            return Resigned{side};
        default:
            break;
    }
    if (chess::contains(board, square)) return SquareLifted{square};
    return SquarePlaced{square};
}

/// Rules and clock of a game by two bytes.
inline std::pair<Rules, GameSetup> game_of(std::uint8_t rules_bits, std::uint8_t clock_bits) {
    Rules rules;
    rules.has_levers = (rules_bits & 1U) != 0;
    rules.supervision = (rules_bits & 2U) != 0 ? Supervision::limited : Supervision::full;
    rules.flag_observer = (rules_bits & 8U) != 0;
    GameSetup setup;
    if ((rules_bits & 4U) != 0) {
        setup.clock.mode = static_cast<ClockMode>(1 + clock_bits % 4);
        setup.clock.periods = {{40, Millis{600'000}}, {std::nullopt, Millis{60'000}}};
        setup.clock.extra = Millis{clock_bits * 100};
    }
    return {rules, setup};
}

/// No ply is published while its publication stands: it must have been taken back before.
class PublishedOnce {
  public:
    /// False if one was.
    [[nodiscard]] bool take(const Decision& decision) {
        if (const auto* move = std::get_if<MovePublished>(&decision.what))
            return standing_.insert(move->ply).second;
        if (const auto* cut = std::get_if<RecordShortened>(&decision.what))
            standing_.erase(standing_.lower_bound(cut->ply), standing_.end());
        return true;
    }

  private:
    std::set<std::size_t> standing_;
};

}  // namespace touchmove::laws::testing
