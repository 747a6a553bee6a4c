// solver.hpp - can this side still mate by any series of legal moves? (5.2.2, 6.9, 7.5.5, 5.1.2)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "host/chess/position.hpp"
#include "host/mate/answer.hpp"
#include "host/mate/exploration.hpp"
#include "host/mate/frontier.hpp"
#include "host/mate/projection.hpp"

namespace touchmove::mate {

/// In a microsecond or few, without memory: for after every move. Undecided where only a search
/// could tell.
[[nodiscard]] Answer fast(const chess::Position& position, chess::Color winner);

/// A dead position (5.2.2), as far as fast() proves it.
[[nodiscard]] bool is_dead(const chess::Position& position);

/// Answers with a proof or not at all. The same question gets the same answer on any machine:
/// budgets count positions, not time. One object a thread; it keeps its memory between questions.
class Solver {
  public:
    /// At most 230 MiB, while the memory grows to its full size.
    static constexpr std::size_t default_budget = 2'000'000;

    /// As long as it takes, up to `budget` positions in one attempt (there are some smaller ones
    /// before).
    [[nodiscard]] Answer full(const chess::Position& position, chess::Color winner,
                              std::size_t budget = default_budget);

  private:
    Exploration exploration_;
    Frontier frontier_;
    Projection projection_;
};

}  // namespace touchmove::mate
