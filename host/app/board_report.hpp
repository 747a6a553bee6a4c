// board_report.hpp - what a board says of itself, in words
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "host/base/result.hpp"
#include "host/link/board_console.hpp"

namespace touchmove::app {

/// "icebreaker, serial number TM-1, gateware 1.0, matrix, 11,363 scans a second, ...".
[[nodiscard]] Result<std::string> describe(link::BoardConsole& board);

/// The settings as options of `touchmove board`: "--settle-us 10 --lift-us 8000 ...".
[[nodiscard]] std::string settings_text(const tm_settings& settings);

}  // namespace touchmove::app
