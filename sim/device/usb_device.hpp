// usb_device.hpp - a simulated board as a USB device, whatever stands behind the connector
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
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

/// How much of the chip is simulated (docs/simulator.md).
enum class Fidelity {
    frontend,  ///< scan, debounce, queue; firmware natively, USB as transactions
    soc        ///< everything, down to D+ and D-
};

struct DeviceOptions {
    Fidelity fidelity = Fidelity::frontend;
    SensorStyle style = SensorStyle::matrix;
    std::string serial = "TM-SIM-1";
    std::string name = "simulator";
    bool self_powered = true;
    std::uint16_t milliamperes = 100;  ///< declared, from the bus
    unsigned lamps = 0;                ///< 0, 8 or 64
    NorFlash* flash = nullptr;       ///< null: a board without; must outlive the device
    const Wiring* wiring = nullptr;  ///< null: a diode in every square
    std::string trace_file;          ///< FST of the model; empty: none
    // Of the whole chip
    double usb_rate_error = 0;   ///< of the host's bit rate: 0.0025 is the limit (USB 2.0, 7.1.11)
    double usb_jitter_ns = 0;    ///< of the host's edges, each up to so much off its place
    std::uint64_t usb_seed = 1;  ///< of phases and jitter
    bool rests = true;           ///< clocks that nothing depends on are left out
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
    /// The host is gone, or the cable, though not the supply.
    virtual void detach() = 0;
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

/// Unpowered, contacts open. `stimulus` must outlive the device. Null where the program was built
/// without a compiler for the firmware, which the whole chip needs.
[[nodiscard]] std::unique_ptr<UsbDevice> make_device(const DeviceOptions& options,
                                                     Stimulus& stimulus);
/// Whether this program has the whole chip.
[[nodiscard]] bool has_soc();

}  // namespace touchmove::device
