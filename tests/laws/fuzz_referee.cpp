// fuzz_referee.cpp - any stream of inputs: no crash, no endless loop, no ply published twice
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>

#include "host/laws/referee.hpp"

using namespace touchmove;
using namespace touchmove::laws;

namespace {

/// Four bytes an input: kind, detail, and how long after the one before.
Input input_of(std::uint8_t kind, std::uint8_t detail, const Referee& referee) {
    const Square square(detail % 64U);
    const Color side = detail % 2 == 0 ? Color::white : Color::black;
    switch (kind % 20) {
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
            return BoardSeen{referee.board() ^ square.bit()};
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
        default:
            break;
    }
    // Most inputs toggle a square, so that the board stays one that could be.
    if (chess::contains(referee.board(), square)) return SquareLifted{square};
    return SquarePlaced{square};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    Rules rules;
    rules.has_levers = (data[0] & 1U) != 0;
    rules.supervision = (data[0] & 2U) != 0 ? Supervision::limited : Supervision::full;
    GameSetup setup;
    if ((data[0] & 4U) != 0) {
        setup.clock.mode = static_cast<ClockMode>(1 + data[1] % 4);
        setup.clock.periods = {{40, Millis{600'000}}, {std::nullopt, Millis{60'000}}};
        setup.clock.extra = Millis{data[1] * 100};
    }
    Referee referee(rules, setup);
    DeviceTime now{};
    std::set<std::size_t> published;
    for (std::size_t i = 2; i + 4 <= size; i += 4) {
        now += Millis{data[i + 2] * 4 + (data[i + 3] > 250 ? data[i + 3] * 100 : 0)};
        referee.input(now, input_of(data[i], data[i + 1], referee));
        referee.advance(now);
        for (const auto& decision : referee.take_decisions()) {
            if (const auto* move = std::get_if<MovePublished>(&decision.what)) {
                if (!published.insert(move->ply).second) std::abort();
            } else if (const auto* cut = std::get_if<RecordShortened>(&decision.what)) {
                published.erase(published.lower_bound(cut->ply), published.end());
            }
        }
    }
    return 0;
}
