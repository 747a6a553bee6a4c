// generate.hpp - the move generators behind Position
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/chess/move_list.hpp"
#include "host/chess/state.hpp"

namespace touchmove::chess::detail {

/// One build of the generator.
struct Generator {
    void (*list)(const State& s, MoveList& moves) noexcept;
    std::uint64_t (*perft)(const State& s, unsigned depth, bool bulk) noexcept;
};

/// The fastest one that this processor can run.
[[nodiscard]] const Generator& generator() noexcept;

/// Appends the legal moves by trying every step of every man: for positions of any kind.
void list_by_trial(const State& s, MoveList& moves) noexcept;

}  // namespace touchmove::chess::detail
