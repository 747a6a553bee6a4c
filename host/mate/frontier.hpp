// frontier.hpp - a few moves made, and every position that comes of them closed
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "host/chess/state.hpp"
#include "host/chess/types.hpp"
#include "host/mate/layers.hpp"

namespace touchmove::mate {

/// Where the men are not locked yet but are about to be: the positions that can follow are visited,
/// each once, and none that Layers or the material closes is followed.
class Frontier {
  public:
    /// True if no mate by `winner` can follow; the root itself is not asked for one. False says
    /// nothing. Keeps no more than `positions` and looks at about `layers` layers in all.
    [[nodiscard]] bool rule_out(const chess::detail::State& root, chess::Color winner,
                                std::size_t positions, std::size_t layers);
    /// Layers and positions of the last question.
    [[nodiscard]] std::size_t count() const noexcept { return count_ + states_.size(); }

  private:
    void add(const chess::detail::State& state);

    Layers layers_;
    std::size_t count_ = 0;
    std::vector<chess::detail::State> states_;
    std::unordered_multimap<std::uint64_t, std::size_t> known_;
};

}  // namespace touchmove::mate
