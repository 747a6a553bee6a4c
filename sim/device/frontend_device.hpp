// frontend_device.hpp - a simulated board as a USB device: RTL, firmware, USB block, flash
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sim/device/control_pipe.hpp"
#include "sim/device/frontend.hpp"
#include "sim/device/nor_flash.hpp"
#include "sim/device/stimulus.hpp"
#include "sim/device/usb_block.hpp"
#include "sim/device/wiring.hpp"

extern "C" {
#include "fw/tm_board.h"
}

namespace touchmove::device {

/// The whole board at the level of USB transactions. Time stands still between calls: the caller
/// runs it and plays the host in turn, on one thread.
///
///     FrontendDevice board({}, stimulus);
///     board.power_on();
///     board.enumerate();
///     for (...) { board.run_until(t); while (board.bulk_in(packet) == Handshake::ack) ...; }
class FrontendDevice {
  public:
    struct Options {
        SensorStyle style = SensorStyle::matrix;
        std::string serial = "TM-SIM-1";
        bool self_powered = true;
        NorFlash* flash = nullptr;         ///< null: a board without; must outlive the device
        const Wiring* wiring = nullptr;    ///< null: a diode in every square
        std::string trace_file;            ///< FST of the model; empty: none
    };

    /// Unpowered, contacts open. `stimulus` must outlive the device.
    FrontendDevice(const Options& options, Stimulus& stimulus);
    FrontendDevice(const FrontendDevice&) = delete;
    FrontendDevice& operator=(const FrontendDevice&) = delete;

    // Power. Every power-up starts a session; the flash remembers.
    void power_on();
    void power_cut();
    [[nodiscard]] bool powered() const noexcept { return powered_; }

    // Time.
    void run_until(BenchUs until) { frontend_->run_until(until); }
    [[nodiscard]] BenchUs now() const { return frontend_->now(); }
    [[nodiscard]] const ContactState& contacts() const { return frontend_->contacts(); }
    /// Where device time 0 of the running session lies: bench time = that + device time. Somewhat
    /// before the power-up itself (docs/registers.md, TIME).
    [[nodiscard]] BenchUs session_zero() const noexcept { return session_zero_; }

    // The host. An unpowered device answers nothing.
    void bus_reset();
    [[nodiscard]] ControlReply control(const Setup& setup, std::span<const std::uint8_t> out = {});
    [[nodiscard]] Handshake bulk_in(Packet& packet);
    [[nodiscard]] Handshake bulk_out(std::span<const std::uint8_t> data);
    /// What bulk_in() would answer, without moving anything. Cheap.
    [[nodiscard]] Handshake bulk_in_state() const noexcept { return usb_.ep1_in_state(); }
    /// Reset, address, configuration: what a host does first. False: unpowered.
    bool enumerate();

  private:
    void poll();
    std::uint32_t read_register(std::uint32_t offset);
    void write_register(std::uint32_t offset, std::uint32_t value);

    Options options_;
    DiodeWiring diodes_;
    UsbBlock usb_;
    std::unique_ptr<Frontend> frontend_;
    tm_hw hw_{};
    tm_flash flash_{};
    tm_board board_{};
    BenchUs session_zero_ = 0;
    bool powered_ = false;
};

}  // namespace touchmove::device
