// sensors.hpp - what the squares read now, and since when
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "host/base/time.hpp"
#include "host/chess/bitboard.hpp"

namespace touchmove::laws {

/// The debounced sensors of the 64 squares. Shared by all readings of a turn.
struct Sensors {
    chess::Bitboard occupied = chess::no_squares;
    std::array<DeviceTime, chess::square_count> placed_at{};  ///< last time it became occupied
};

}  // namespace touchmove::laws
