// wires_options.cpp - how the simulated host's signal looks on D+ and D- of the whole chip
// SPDX-License-Identifier: Apache-2.0
#include "sim/app/wires_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

namespace touchmove::app {
namespace {

// USB 2.0, 7.1.11; and 7.1.15.1: two edges, each off by so much, are 20 ns off their distance
constexpr double most_percent = 0.25, most_jitter_ns = 10;

}  // namespace

void add_wires_options(CLI::App& command, Wires& wires) {
    command
        .add_option("--usb-rate", wires.rate_percent,
                    "Fidelity soc: by how much the host's bit rate is off")
        ->check(CLI::Range(-most_percent, most_percent))
        ->type_name("PERCENT");
    command
        .add_option("--usb-jitter", wires.jitter_ns,
                    "Fidelity soc: each edge of the host lies up to so much off its place")
        ->check(CLI::Range(0.0, most_jitter_ns))
        ->type_name("NS");
}

std::optional<std::string> wires_refused(const std::string& fidelity, const Wires& wires) {
    // CLI11's ranges let "nan" pass.
    if (std::isnan(wires.rate_percent) || std::isnan(wires.jitter_ns)) {
        return "--usb-rate and --usb-jitter take numbers";
    }
    if (fidelity == "soc") {
        if (device::has_soc()) return std::nullopt;
        return "fidelity soc is not built in: its firmware wants riscv64-unknown-elf-gcc";
    }
    if (wires_text(wires).empty()) return std::nullopt;
    return fmt::format("fidelity {} has no USB wires; --usb-rate and --usb-jitter go with "
                       "--fidelity soc",
                       fidelity);
}

void set_wires(device::DeviceOptions& options, const Wires& wires, std::uint64_t seed) {
    options.usb_rate_error = wires.rate_percent / 100;
    options.usb_jitter_ns = wires.jitter_ns;
    options.usb_seed = seed;
}

std::string wires_text(const Wires& wires) {
    std::string text;
    if (wires.rate_percent != 0) text += fmt::format(" --usb-rate {}", wires.rate_percent);
    if (wires.jitter_ns != 0) text += fmt::format(" --usb-jitter {}", wires.jitter_ns);
    return text;
}

}  // namespace touchmove::app
