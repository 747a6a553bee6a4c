// device_bench.cpp - what the simulated device costs beyond its model
// SPDX-License-Identifier: Apache-2.0
// A bare loop that only clocks the same Verilated model, every clock, then the device with a
// stimulus, a host that polls it every millisecond, and its firmware. Rounds alternate, so that
// both see the same machine. Time is CPU time.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>

#include "host/base/cpu_time.hpp"
#include "sim/device/empty_loop.hpp"
#include "sim/device/usb_device.hpp"

using namespace touchmove::device;
using touchmove::thread_cpu_seconds;

namespace {

constexpr int rounds = 5;

/// A game played at blitz speed: 20 changes a second, each with five bounces.
class BusyBoard final : public Stimulus {
  public:
    BenchUs next_change_us() override { return next_; }
    void apply(ContactState& contacts) override {
        if (bounces_ == 0) {
            contact_ = static_cast<unsigned>(random_() % contact_count);
            level_ = !level_;
        }
        contacts.set(contact_, bounces_ % 2 == 0 ? level_ : !level_);
        bounces_ = (bounces_ + 1) % 11;
        next_ += bounces_ == 0 ? 50'000 : 40;
    }

  private:
    std::mt19937 random_{1};
    BenchUs next_ = 1000;
    unsigned contact_ = 0, bounces_ = 0;
    bool level_ = true;
};

/// Seconds of CPU time.
double whole_device(const DeviceOptions& asked, BenchUs us) {
    BusyBoard stimulus;
    NorFlash flash;
    DeviceOptions options = asked;
    options.flash = &flash;
    const auto device = make_device(options, stimulus);
    device->power_on();
    (void)device->enumerate();
    const double start = thread_cpu_seconds();
    Packet packet;
    std::size_t bytes = 0;
    for (BenchUs t = 0; t < us; t += 1000) {
        device->run_until(device->now() + 1000);
        while (device->bulk_in(packet) == Handshake::ack)
            bytes += packet.size;
    }
    const double used = thread_cpu_seconds() - start;
    if (bytes == 0) fmt::print(stderr, "no records came\n");
    return used;
}

struct Case {
    const char* name;
    Fidelity fidelity;
    SensorStyle style;
    bool rests;
    BenchUs part;  // of the time given, so that none takes far longer than the others
    double bare = 1e9, device = 1e9;
};

}  // namespace

int main(int argc, char** argv) {
    const BenchUs us = (argc > 1 ? std::atoll(argv[1]) : 5) * 1'000'000;
    Case cases[] = {
        {"frontend, matrix", Fidelity::frontend, SensorStyle::matrix, true, 1},
        {"frontend, chain", Fidelity::frontend, SensorStyle::chain, true, 1},
        {"soc, matrix", Fidelity::soc, SensorStyle::matrix, true, 10},
        {"soc, matrix, every clock", Fidelity::soc, SensorStyle::matrix, false, 10},
        {"soc, chain", Fidelity::soc, SensorStyle::chain, true, 10},
    };
    for (int round = 0; round < rounds; ++round) {
        for (Case& c : cases) {
            DeviceOptions options;
            options.fidelity = c.fidelity;
            options.style = c.style;
            options.rests = c.rests;
            const BenchUs length = us / c.part;
            const auto ns = static_cast<double>(run_empty_loop(c.fidelity, c.style, length));
            c.bare = std::min(c.bare, 1e-9 * ns);
            c.device = std::min(c.device, whole_device(options, length));
        }
    }
    for (const Case& c : cases) {
        const double simulated = 1e-6 * static_cast<double>(us / c.part);
        fmt::print("{}: empty loop {:.2f} x real time, device {:.2f} x, {:.0f} %\n", c.name,
                   simulated / c.bare, simulated / c.device, 100 * c.bare / c.device);
    }
}
