// said.hpp - what the simulated players say, as the referee hears it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/laws/input.hpp"
#include "sim/bench/plan.hpp"

namespace touchmove::verify {

[[nodiscard]] laws::Input input_of(const bench::Said& said);

}  // namespace touchmove::verify
