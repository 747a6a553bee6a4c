// line.hpp - D+ and D- as a simulated device and a simulated host see them
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace touchmove::wire {

/// Time on the bus, in femtoseconds: a clock of 48 MHz is then exact to 2e-8.
using Fs = std::int64_t;
inline constexpr Fs fs_per_ns = 1'000'000;
inline constexpr Fs fs_per_ms = 1'000'000 * fs_per_ns;
inline constexpr Fs clock48_fs = 20'833'333;
/// A bit of full speed (USB 2.0, 7.1.11).
inline constexpr Fs bit_fs = 4 * clock48_fs;

/// Both lines at full speed; J is the idle state (USB 2.0, table 7-2).
enum class Line : std::uint8_t { se0, j, k };

[[nodiscard]] constexpr bool dp_of(Line line) {
    return line == Line::j;
}
[[nodiscard]] constexpr bool dn_of(Line line) {
    return line == Line::k;
}

/// What a device puts out.
struct Pins {
    bool dp = true, dn = false, oe = false;
    bool pullup = false;

    friend bool operator==(const Pins&, const Pins&) = default;
};

/// A device on the wires, clocked at 48 MHz.
class LineDevice {
  public:
    virtual ~LineDevice() = default;
    /// One clock: the lines before its edge, the pins behind it.
    virtual Pins clock(bool dp, bool dn) = 0;
    /// Passes up to `clocks` clocks at once, the lines as given in all of them: how many. None
    /// where a clock could change the pins.
    virtual std::int64_t rest(bool /*dp*/, bool /*dn*/, std::int64_t /*clocks*/) { return 0; }
};

}  // namespace touchmove::wire
