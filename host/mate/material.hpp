// material.hpp - which men can make up a mate at all
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/chess/state.hpp"
#include "host/chess/types.hpp"

namespace touchmove::mate {

/// False only where no position with these men, fewer of them, or what their pawns may become shows
/// a mate by `winner`. Sound, far from complete. Asks nothing of whose move it is, so a mate that
/// stands must be looked for before (a mate on an impossible board may break the rules of thumb).
[[nodiscard]] bool material_can_mate(const chess::detail::State& state,
                                     chess::Color winner) noexcept;

}  // namespace touchmove::mate
