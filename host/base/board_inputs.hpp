// board_inputs.hpp - what a board's auxiliary inputs mean unless its configuration says otherwise
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace touchmove {

/// The number of the input on the device (docs/protocol.md: 0..7, contacts 64..71 of the frontend).
/// The simulated boards are wired like this, and it is the daemon's default assignment.
enum class BoardInput : std::uint8_t {
    white_lever = 0,   ///< active while White's side of the clock is down: a press (6.2.1)
    black_lever = 1,   ///< the same for Black
    pause = 2,         ///< becomes active: clocks stopped; becomes inactive: restarted (6.11)
    white_adjust = 3,  ///< active as long as White has announced "j'adoube" (4.2.1)
    black_adjust = 4,  ///< the same for Black
    // 5 to 7 have no meaning by default
};

[[nodiscard]] constexpr unsigned number_of(BoardInput input) noexcept {
    return static_cast<unsigned>(input);
}

}  // namespace touchmove
