// board_report.hpp - what a board says of itself, and what is asked of it, in words
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "host/base/result.hpp"
#include "host/link/board_console.hpp"

namespace touchmove::app {

/// "icebreaker, serial number TM-1, gateware 1.0, matrix, 11,363 scans a second, ...".
[[nodiscard]] Result<std::string> describe(link::BoardConsole& board);

/// The settings as options of `touchmove board`: "--settle-us 10 --lift-us 8000 ...".
[[nodiscard]] std::string settings_text(const tm_settings& settings);

/// The lamps of these squares as bits, bit 0 = a1, on a board that has `count` lamps: the first
/// eight squares name the lamps of one that has eight. Fails where a square has none.
[[nodiscard]] Result<std::uint64_t> lamps_of(std::span<const std::string> squares, unsigned count);

}  // namespace touchmove::app
