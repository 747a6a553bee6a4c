// soc.hpp - the Verilated touchmove_soc: contacts and flash on its pins, D+ and D- open
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sim/device/nor_flash.hpp"
#include "sim/device/stimulus.hpp"
#include "sim/device/usb_block.hpp"
#include "sim/device/usb_device.hpp"
#include "sim/device/wiring.hpp"
#include "sim/wire/line.hpp"

namespace touchmove::device {

/// The chip as it is after configuration, with the firmware's image in its memory, and what
/// surrounds its pins. Clocks of 48 MHz come from the bus; every second is one of 24 MHz too.
/// One thread.
class Soc : public wire::LineDevice {
  public:
    struct Parts {
        Stimulus* stimulus = nullptr;    ///< must outlive the chip
        const Wiring* wiring = nullptr;  ///< matrix only; must outlive the chip
        NorFlash* flash = nullptr;       ///< null: no chip; must outlive this one
        bool self_powered = true;        ///< the board has a supply of its own
        std::string serial;              ///< what the maker wrote into the flash
        std::string trace_file;          ///< FST of the first power-up; empty: none
        bool rests = true;               ///< rest() leaves clocks out (docs/simulator.md)
    };

    /// Configured anew, in reset; VBUS is there.
    virtual void power_on() = 0;
    virtual void power_off() = 0;
    /// Unpowered, only the contacts go on.
    virtual void pass_until(BenchUs until) = 0;
    virtual void set_vbus(bool on) = 0;
    /// Asks the stimulus anew when the next contact changes.
    virtual void look_ahead() = 0;

    /// Clocks of 48 MHz since the simulation began, had the power always been on.
    [[nodiscard]] virtual std::int64_t clocks() const = 0;
    [[nodiscard]] virtual const ContactState& contacts() const = 0;
    /// Bench time of device time 0, once the session runs.
    [[nodiscard]] virtual std::optional<BenchUs> session_zero() const = 0;
    /// What bulk IN would answer.
    [[nodiscard]] virtual Handshake bulk_in_state() const = 0;
    /// Commands that the flash refused.
    [[nodiscard]] virtual unsigned flash_refused() const = 0;
};

constexpr std::int64_t clocks48_per_us = 48;

[[nodiscard]] std::unique_ptr<Soc> make_soc(SensorStyle style, const Soc::Parts& parts);

/// The model with nothing around it but two clocks, configured: runs it for so many microseconds.
[[nodiscard]] std::function<void(BenchUs)> make_bare_soc(SensorStyle style);

}  // namespace touchmove::device
