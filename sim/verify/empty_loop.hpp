// empty_loop.hpp - what the Verilated model alone costs, to compare a whole run with
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/device/stimulus.hpp"

namespace touchmove::verify {

/// CPU time that the calling thread has used.
[[nodiscard]] std::int64_t thread_cpu_ns();

/// Clocks the same Verilated model, running, for so much simulated time and does nothing else: no
/// contact changes, no wiring, no firmware, no host. Returns the CPU time, without the model's
/// construction.
[[nodiscard]] std::int64_t run_empty_loop(device::BenchUs simulated_us);

}  // namespace touchmove::verify
