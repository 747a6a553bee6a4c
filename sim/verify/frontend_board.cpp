// frontend_board.cpp - the Verilated frontend behind the daemon's own link
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/frontend_device.hpp"
#include "sim/device/in_process_transport.hpp"
#include "sim/verify/board.hpp"

namespace touchmove::verify {
namespace {

class FrontendBoard final : public Board {
  public:
    FrontendBoard(device::Stimulus& stimulus, link::BoardLink::Sink& sink,
                  const std::string& trace_file)
        : device_(options(trace_file), stimulus),
          transport_(device_),
          link_(transport_, sink, std::nullopt, 1) {
        device_.power_on();
        link_.start();
    }

    void run_until(device::BenchUs until) override { transport_.run_until(until); }
    void acknowledge(std::span<const link::StampedEvent> events) override {
        link_.acknowledge(events);
    }
    [[nodiscard]] device::BenchUs session_began() const override {
        return device_.session_zero();
    }

  private:
    static device::DeviceOptions options(const std::string& trace_file) {
        device::DeviceOptions options;
        options.trace_file = trace_file;
        return options;
    }

    device::FrontendDevice device_;
    device::InProcessTransport transport_;
    link::BoardLink link_;
};

}  // namespace

std::unique_ptr<Board> make_frontend_board(device::Stimulus& stimulus, link::BoardLink::Sink& sink,
                                           const std::string& trace_file) {
    return std::make_unique<FrontendBoard>(stimulus, sink, trace_file);
}

}  // namespace touchmove::verify
