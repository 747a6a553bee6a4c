// rtl_board.cpp - the Verilated device behind the daemon's own link
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sim/device/in_process_transport.hpp"
#include "sim/verify/board.hpp"

namespace touchmove::verify {
namespace {

class RtlBoard final : public Board {
  public:
    RtlBoard(std::unique_ptr<device::UsbDevice> device, link::BoardLink::Sink& sink)
        : device_(std::move(device)),
          transport_(*device_),
          link_(transport_, sink, std::nullopt, 1) {
        device_->power_on();
        link_.start();
    }

    void run_until(device::BenchUs until) override { transport_.run_until(until); }
    void acknowledge(std::span<const link::StampedEvent> events) override {
        link_.acknowledge(events);
    }
    [[nodiscard]] device::BenchUs session_began() const override {
        return device_->session_zero();
    }

  private:
    std::unique_ptr<device::UsbDevice> device_;
    device::InProcessTransport transport_;
    link::BoardLink link_;
};

}  // namespace

std::unique_ptr<Board> make_rtl_board(device::Stimulus& stimulus, link::BoardLink::Sink& sink,
                                      const device::DeviceOptions& options) {
    auto device = device::make_device(options, stimulus);
    return device == nullptr ? nullptr : std::make_unique<RtlBoard>(std::move(device), sink);
}

}  // namespace touchmove::verify
