// soc_device.hpp - a simulated board of the whole chip, and a USB host on its D+ and D-
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sim/device/soc.hpp"
#include "sim/device/usb_device.hpp"
#include "sim/device/wiring.hpp"
#include "sim/wire/bus.hpp"
#include "sim/wire/host.hpp"

namespace touchmove::device {

/// The true one: the Verilated touchmove_soc with the firmware's image, everything the host does
/// bit by bit. Transactions take the time that they take on a bus; from bus_reset() to detach() a
/// frame begins every millisecond. A session runs about 0.1 s after power_on().
class SocDevice final : public UsbDevice {
  public:
    /// Unpowered, contacts open. `stimulus` must outlive the device.
    SocDevice(const DeviceOptions& options, Stimulus& stimulus);
    SocDevice(const SocDevice&) = delete;
    SocDevice& operator=(const SocDevice&) = delete;

    void power_on() override;
    void power_cut() override;
    [[nodiscard]] bool powered() const noexcept override { return powered_; }

    /// Ends a few microseconds later where a frame begins just before.
    void run_until(BenchUs until) override;
    [[nodiscard]] BenchUs now() const override { return soc_->clocks() / clocks48_per_us; }
    [[nodiscard]] const ContactState& contacts() const override { return soc_->contacts(); }
    [[nodiscard]] BenchUs session_zero() const noexcept override;

    /// Waits for the pull-up first; 20 ms for the reset itself.
    void bus_reset() override;
    void detach() override;
    using UsbDevice::control;
    /// Keeps account of address and toggles, as a host's drivers do.
    [[nodiscard]] ControlReply control(const Setup& setup,
                                       std::span<const std::uint8_t> out) override;
    [[nodiscard]] Handshake bulk_in(Packet& packet) override;
    [[nodiscard]] Handshake bulk_out(std::span<const std::uint8_t> data) override;
    [[nodiscard]] Handshake bulk_in_state() const noexcept override;

    // For tests
    [[nodiscard]] wire::Host& host() { return host_; }
    [[nodiscard]] Soc& soc() { return *soc_; }

  private:
    void run_for_us(BenchUs length);
    void note(const Setup& setup);

    DeviceOptions options_;
    DiodeWiring diodes_;
    std::unique_ptr<Soc> soc_;
    wire::Bus bus_;
    wire::Host host_;
    bool powered_ = false;
    bool attached_ = false;  // a port is on and has seen the pull-up
};

}  // namespace touchmove::device
