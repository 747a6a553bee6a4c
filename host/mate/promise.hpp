// promise.hpp - how near a position looks to a mate with both sides' help
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/chess/state.hpp"

namespace touchmove::mate {

/// Ways to guess. Where one wanders about, another often goes straight.
enum class Taste : std::uint8_t {
    balanced,
    captures,  ///< away with the loser's men
    hunt       ///< for the king, whatever stands around
};

/// A guess: it decides where to look first, never what is true.
struct Promise {
    /// Both sides have one king.
    Promise(const chess::detail::State& state, bool winner_black, Taste taste) noexcept;

    unsigned rank;     ///< 0 is best
    bool may_be_mate;  ///< false: surely none. The king is attacked and cannot step away.
};

}  // namespace touchmove::mate
