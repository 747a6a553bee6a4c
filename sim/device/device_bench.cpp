// device_bench.cpp - what the simulated device costs beyond its model
// SPDX-License-Identifier: Apache-2.0
// For each sensor style: a bare loop that only clocks the same Verilated model, then the device
// with a stimulus, a host that polls it every millisecond, and its firmware. Rounds alternate, so
// that both see the same machine. Time is CPU time.
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <cstdlib>
#include <memory>
#include <random>

#include "Vfrontend_chain.h"
#include "Vfrontend_matrix.h"
#include "fw/regs.h"
#include "sim/device/frontend_device.hpp"

using namespace touchmove::device;

namespace {

constexpr int rounds = 5;

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

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

template <class Model>
void clock(Model& model) {
    model.clk_i = 1;
    model.eval();
    model.clk_i = 0;
    model.eval();
}

template <class Model>
double bare_loop(unsigned clocks_per_us, BenchUs us) {
    VerilatedContext context;
    const auto model = std::make_unique<Model>(&context);
    model->rst_i = 1;
    for (int i = 0; i < 4; ++i) clock(*model);
    model->rst_i = 0;
    model->reg_addr_i = TM_REG_CONTROL;
    model->reg_wdata_i = TM_CONTROL_RUN;
    model->reg_we_i = 1;
    clock(*model);
    model->reg_we_i = 0;
    const BenchUs clocks = us * clocks_per_us;
    const double start = cpu_seconds();
    for (BenchUs i = 0; i < clocks; ++i) clock(*model);
    const double seconds = cpu_seconds() - start;
    model->final();
    return seconds;
}

double whole_device(SensorStyle style, BenchUs us) {
    BusyBoard stimulus;
    NorFlash flash;
    DeviceOptions options;
    options.style = style;
    options.flash = &flash;
    FrontendDevice device(options, stimulus);
    device.power_on();
    (void)device.enumerate();
    const double start = cpu_seconds();
    Packet packet;
    std::size_t bytes = 0;
    for (BenchUs t = device.now(); t < us; t += 1000) {
        device.run_until(t);
        while (device.bulk_in(packet) == Handshake::ack) bytes += packet.size;
    }
    const double seconds = cpu_seconds() - start;
    if (bytes == 0) fmt::print(stderr, "no records came\n");
    return seconds;
}

void compare(const char* name, unsigned clocks_per_us, BenchUs us, double bare, double device) {
    const double simulated = static_cast<double>(us) * 1e-6;
    fmt::print("{}: bare loop {:.1f} x real time ({:.2f} Mclock/s), device {:.1f} x, {:.0f} %\n",
               name, simulated / bare, simulated * clocks_per_us / bare, simulated / device,
               100 * bare / device);
}

}  // namespace

int main(int argc, char** argv) {
    const BenchUs us = (argc > 1 ? std::atoll(argv[1]) : 5) * 1'000'000;
    double bare[2] = {1e9, 1e9}, device[2] = {1e9, 1e9};
    for (int round = 0; round < rounds; ++round) {
        bare[0] = std::min(bare[0], bare_loop<Vfrontend_matrix>(1, us));
        device[0] = std::min(device[0], whole_device(SensorStyle::matrix, us));
        bare[1] = std::min(bare[1], bare_loop<Vfrontend_chain>(4, us));
        device[1] = std::min(device[1], whole_device(SensorStyle::chain, us));
    }
    compare("matrix", 1, us, bare[0], device[0]);
    compare("chain", 4, us, bare[1], device[1]);
}
