// frontend.hpp - the Verilated touchmove_frontend with contacts on its pins, clock by clock
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sim/device/stimulus.hpp"
#include "sim/device/usb_block.hpp"
#include "sim/device/usb_device.hpp"
#include "sim/device/wiring.hpp"

namespace touchmove::device {

/// The model and what surrounds its pins: contacts, wiring, shift registers, the record stream.
/// One thread.
class Frontend {
  public:
    struct Parts {
        Stimulus* stimulus = nullptr;      ///< must outlive the frontend
        const Wiring* wiring = nullptr;    ///< matrix only; must outlive the frontend
        UsbBlock* usb = nullptr;           ///< takes the records; must outlive the frontend
        std::string trace_file;  ///< FST; empty: the model without tracing, which is faster
    };

    virtual ~Frontend() = default;

    /// Runs until bench time `until`. Contacts change at their microsecond. Unpowered, only the
    /// contacts go on.
    virtual void run_until(BenchUs until) = 0;
    /// A register of fw/regs.h, by its word offset. Reading takes no time.
    [[nodiscard]] virtual std::uint32_t read(std::uint32_t reg) = 0;
    /// Takes one clock; none of the bench's time before the session runs.
    virtual void write(std::uint32_t reg, std::uint32_t value) = 0;
    /// Power-up: reset of the chip, then the clock runs.
    virtual void power_on() = 0;
    virtual void power_off() = 0;

    [[nodiscard]] virtual BenchUs now() const = 0;
    [[nodiscard]] virtual const ContactState& contacts() const = 0;
};

/// Records that the simulated board's queue holds, as on UP5K.
constexpr unsigned queue_records = 8192;

/// A matrix runs at 1 MHz, a chain at 4 MHz: its serial clock needs two edges to a microsecond.
[[nodiscard]] std::unique_ptr<Frontend> make_frontend(SensorStyle style,
                                                      const Frontend::Parts& parts);

}  // namespace touchmove::device
