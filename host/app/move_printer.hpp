// move_printer.hpp - the games as lines on a terminal
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/laws/decision.hpp"
#include "host/serve/live_game.hpp"

namespace touchmove::app {

/// One line for each published move, correction, report and result; nothing that may still be
/// withdrawn. In the game's language; reports and results with the time since the game began.
/// `several`: more than one board, each line begins with its serial number.
[[nodiscard]] std::vector<std::string> lines_for(const serve::LiveGame& live,
                                                 const std::vector<laws::Decision>& decisions,
                                                 bool several);

}  // namespace touchmove::app
