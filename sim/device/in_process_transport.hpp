// in_process_transport.hpp - the daemon's link to a simulated board in the same process
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <vector>

#include "host/link/transport.hpp"
#include "sim/device/usb_device.hpp"

namespace touchmove::device {

/// No sockets, no threads, no time of its own: everything happens inside poll() and run_until(), so
/// the same stimulus gives the same calls in the same order. What a handler asks for is carried out
/// at once; the answer comes in the same or the next poll(), never inside the asking call.
class InProcessTransport final : public link::Transport {
  public:
    /// How often the host looks for bulk data while the board runs (a full-speed frame).
    static constexpr BenchUs frame_us = 1000;

    /// `device` must outlive the transport.
    explicit InProcessTransport(UsbDevice& device) : device_(device) {}

    /// Enumerates the device. An unpowered one is lost at the next poll().
    void start(Handler& handler) override;
    void control_in(link::ControlRequest request, std::uint16_t length, Reply reply) override;
    void control_out(link::ControlRequest request, std::span<const std::uint8_t> data,
                     Done done) override;
    void bulk_out(std::span<const std::uint8_t> bytes, Done done) override;
    void stop() override;

    /// Delivers answers, and the records at hand. A board that has lost its power is lost here.
    void poll();
    /// Runs the board to bench time `until`, polling every frame.
    void run_until(BenchUs until);
    /// The cable is pulled; the board goes on if it has its own supply.
    void unplug();

  private:
    void lose(const char* why);

    UsbDevice& device_;
    Handler* handler_ = nullptr;
    bool present_ = false;
    std::deque<std::function<void()>> answers_;
    std::vector<std::uint8_t> transfer_;
};

}  // namespace touchmove::device
