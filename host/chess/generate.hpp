// generate.hpp - the move generators behind Position
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/chess/move_list.hpp"
#include "host/chess/state.hpp"

namespace touchmove::chess::detail {

/// One build of the generator.
struct Generator {
    const char* name;                                        ///< the processors it is for
    void (*list)(const State& s, MoveList& moves) noexcept;  ///< fills an empty list
    std::uint64_t (*count)(const State& s) noexcept;         ///< how many moves list() gives
    std::uint64_t (*perft)(const State& s, unsigned depth, bool bulk) noexcept;
};

/// Those that this processor can run, the fastest last.
[[nodiscard]] const std::vector<const Generator*>& generators() noexcept;
/// The fastest one that this processor can run.
[[nodiscard]] const Generator& generator() noexcept;

/// Plays `m` as Position::make says.
void make_move(State& s, Move m) noexcept;

/// Appends the legal moves by trying every step of every man: for positions of any kind.
void list_by_trial(const State& s, MoveList& moves) noexcept;
[[nodiscard]] std::uint64_t count_by_trial(const State& s) noexcept;

extern const Generator portable_generator;
#if defined(__x86_64__)
extern const Generator avx2_generator;
extern const Generator avx512_generator;
#endif

}  // namespace touchmove::chess::detail
