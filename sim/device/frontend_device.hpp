// frontend_device.hpp - a simulated board of frontend RTL, native firmware and a USB model
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sim/device/frontend.hpp"
#include "sim/device/usb_block.hpp"
#include "sim/device/usb_device.hpp"
#include "sim/device/wiring.hpp"

extern "C" {
#include "fw/tm_board.h"
}

namespace touchmove::device {

/// The fast one: the Verilated frontend, the firmware compiled natively, a model of the USB block.
/// Transactions take no time.
class FrontendDevice final : public UsbDevice {
  public:
    /// Unpowered, contacts open. `stimulus` must outlive the device.
    FrontendDevice(const DeviceOptions& options, Stimulus& stimulus);
    FrontendDevice(const FrontendDevice&) = delete;
    FrontendDevice& operator=(const FrontendDevice&) = delete;

    void power_on() override;
    void power_cut() override;
    [[nodiscard]] bool powered() const noexcept override { return powered_; }

    void run_until(BenchUs until) override;
    [[nodiscard]] BenchUs now() const override { return frontend_->now(); }
    [[nodiscard]] const ContactState& contacts() const override { return frontend_->contacts(); }
    [[nodiscard]] BenchUs session_zero() const noexcept override { return session_zero_; }

    void bus_reset() override;
    void detach() override { bus_reset(); }
    using UsbDevice::control;
    [[nodiscard]] ControlReply control(const Setup& setup,
                                       std::span<const std::uint8_t> out) override;
    [[nodiscard]] Handshake bulk_in(Packet& packet) override;
    [[nodiscard]] Handshake bulk_out(std::span<const std::uint8_t> data) override;
    [[nodiscard]] Handshake bulk_in_state() const noexcept override { return usb_.ep1_in_state(); }

    /// Lamps that are lit, bit n = lamp n.
    [[nodiscard]] std::uint64_t lamps() const noexcept { return lamps_; }

  private:
    void poll();
    std::uint32_t read_register(std::uint32_t offset);
    void write_register(std::uint32_t offset, std::uint32_t value);

    DeviceOptions options_;
    DiodeWiring diodes_;
    UsbBlock usb_;
    std::unique_ptr<Frontend> frontend_;
    tm_hw hw_{};
    tm_flash flash_{};
    tm_board_options firmware_options_{};
    std::uint64_t lamps_ = 0;
    tm_board board_{};
    BenchUs session_zero_ = 0;
    bool powered_ = false;
};

}  // namespace touchmove::device
