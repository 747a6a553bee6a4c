// decoder.hpp - judges what a device sends, from the pins alone
// SPDX-License-Identifier: Apache-2.0
// Written apart from packet.cpp and from rtl/usb: other CRC algorithms, its own idea of time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/wire/line.hpp"

namespace touchmove::wire {

/// The pins from `at` on.
struct PinChange {
    Fs at = 0;
    Pins pins;
};

struct Decoded {
    std::string problem;              ///< empty: a packet without fault
    std::vector<std::uint8_t> bytes;  ///< PID first, CRC included
};

/// One transmission, from the first change with oe to the first without.
[[nodiscard]] Decoded decode(std::span<const PinChange> changes);

}  // namespace touchmove::wire
