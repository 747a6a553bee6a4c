// usb_device.hpp - a simulated board as a USB device, whatever stands behind the connector
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/device/control_pipe.hpp"
#include "sim/device/nor_flash.hpp"
#include "sim/device/stimulus.hpp"
#include "sim/device/usb_block.hpp"
#include "sim/device/wiring.hpp"

namespace touchmove::device {

enum class SensorStyle {
    matrix,  ///< 8x8, driven rows
    chain    ///< eight 74HC165
};

struct DeviceOptions {
    SensorStyle style = SensorStyle::matrix;
    std::string serial = "TM-SIM-1";
    std::string name = "simulator";
    bool self_powered = true;
    std::uint16_t milliamperes = 100;  ///< declared, from the bus
    unsigned lamps = 0;                ///< 0, 8 or 64
    NorFlash* flash = nullptr;       ///< null: a board without; must outlive the device
    const Wiring* wiring = nullptr;  ///< null: a diode in every square
    std::string trace_file;          ///< FST of the model; empty: none
};

/// The whole board at the level of USB transactions. Time stands still between calls, unless the
/// transaction itself takes some: the caller runs the board and plays the host in turn, on one
/// thread.
///
///     board.power_on();
///     board.enumerate();
///     for (...) { board.run_until(t); while (board.bulk_in(packet) == Handshake::ack) ...; }
class UsbDevice {
  public:
    virtual ~UsbDevice() = default;

    // Power. Every power-up starts a session; the flash remembers.
    virtual void power_on() = 0;
    virtual void power_cut() = 0;
    [[nodiscard]] virtual bool powered() const noexcept = 0;

    // Time.
    virtual void run_until(BenchUs until) = 0;
    [[nodiscard]] virtual BenchUs now() const = 0;
    [[nodiscard]] virtual const ContactState& contacts() const = 0;
    /// Where device time 0 of the running session lies: bench time = that + device time. Somewhat
    /// before the power-up itself (docs/registers.md, TIME).
    [[nodiscard]] virtual BenchUs session_zero() const noexcept = 0;

    // The host. An unpowered device answers nothing.
    virtual void bus_reset() = 0;
    [[nodiscard]] virtual ControlReply control(const Setup& setup,
                                               std::span<const std::uint8_t> out) = 0;
    [[nodiscard]] ControlReply control(const Setup& setup) { return control(setup, {}); }
    [[nodiscard]] virtual Handshake bulk_in(Packet& packet) = 0;
    [[nodiscard]] virtual Handshake bulk_out(std::span<const std::uint8_t> data) = 0;
    /// What bulk_in() would answer, without moving anything. Cheap.
    [[nodiscard]] virtual Handshake bulk_in_state() const noexcept = 0;

    /// Reset, address, configuration: what a host does first. False: no answer.
    bool enumerate();
};

}  // namespace touchmove::device
