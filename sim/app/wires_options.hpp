// wires_options.hpp - how the simulated host's signal looks on D+ and D- of the whole chip
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/device/usb_device.hpp"

namespace CLI {
class App;
}

namespace touchmove::app {

struct Wires {
    double rate_percent = 0;
    double jitter_ns = 0;
};

/// --usb-rate and --usb-jitter.
void add_wires_options(CLI::App& command, Wires& wires);
/// Why that cannot be simulated, in one sentence.
[[nodiscard]] std::optional<std::string> wires_refused(const std::string& fidelity,
                                                       const Wires& wires);
void set_wires(device::DeviceOptions& options, const Wires& wires, std::uint64_t seed);
/// As on the command line; empty where nothing was asked for.
[[nodiscard]] std::string wires_text(const Wires& wires);

}  // namespace touchmove::app
