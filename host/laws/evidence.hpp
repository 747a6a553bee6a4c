// evidence.hpp - on what a move of the record rests
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace touchmove::laws {

/// How the referee knows which move it was.
enum class Evidence : std::uint8_t {
    seen,              ///< every lift and place that the move takes was seen
    capture_inferred,  ///< the target never read empty, and no other capture by that man was open
    unseen,            ///< a part of it at least happened while nobody looked
    chosen,            ///< the arbiter said which of several moves it was
    told               ///< made before the events, as the set-up of the game has it
};

/// How the referee knows the piece of a promotion.
enum class PieceEvidence : std::uint8_t {
    none,    ///< no promotion, or the piece is not known yet
    named,   ///< by the selector or the arbiter
    deduced  ///< by what the new piece did later
};

/// "seen", "capture_inferred" and so on: the vocabulary of tests/scenarios/FORMAT.md.
[[nodiscard]] std::string_view name_of(Evidence evidence) noexcept;
[[nodiscard]] std::string_view name_of(PieceEvidence evidence) noexcept;

}  // namespace touchmove::laws
