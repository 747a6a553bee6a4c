// time_control.hpp - time controls as people write them
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "host/base/result.hpp"
#include "host/laws/referee.hpp"

namespace touchmove::app {

/// Reads PGN's TimeControl notation in seconds: "40/5400+30:1800+30", "900+10", "300"; "-" for no
/// clock. 'd' in place of '+' is a delay, 'b' a Bronstein delay. Fails with one sentence.
[[nodiscard]] Result<laws::ClockSetup> parse_time_control(std::string_view text);

}  // namespace touchmove::app
