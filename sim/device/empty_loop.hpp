// empty_loop.hpp - what a Verilated model alone costs, to compare a whole run with
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/device/usb_device.hpp"

namespace touchmove::device {

/// Clocks the model of a board in a loop that does nothing else, every clock, for so much simulated
/// time; nanoseconds of this thread's CPU time. The whole chip runs its firmware meanwhile.
[[nodiscard]] std::int64_t run_empty_loop(Fidelity fidelity, SensorStyle style,
                                          BenchUs simulated_us);

}  // namespace touchmove::device
