// empty_loop.cpp - what the Verilated model alone costs, to compare a whole run with
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/empty_loop.hpp"

#include <ctime>
#include <memory>

#include "Vfrontend_matrix.h"
#include "fw/regs.h"

namespace touchmove::verify {
namespace {

void clock(Vfrontend_matrix& model) {
    model.clk_i = 1;
    model.eval();
    model.clk_i = 0;
    model.eval();
}

}  // namespace

std::int64_t thread_cpu_ns() {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return static_cast<std::int64_t>(used.tv_sec) * 1'000'000'000 + used.tv_nsec;
}

std::int64_t run_empty_loop(device::BenchUs simulated_us) {
    VerilatedContext context;
    const auto model = std::make_unique<Vfrontend_matrix>(&context);
    model->rst_i = 1;
    for (int i = 0; i < 4; ++i) clock(*model);
    model->rst_i = 0;
    model->reg_addr_i = TM_REG_CONTROL;
    model->reg_wdata_i = TM_CONTROL_RUN;
    model->reg_we_i = 1;
    clock(*model);
    model->reg_we_i = 0;
    // The matrix model runs at one clock to the microsecond.
    const std::int64_t began = thread_cpu_ns();
    for (device::BenchUs us = 0; us < simulated_us; ++us) clock(*model);
    const std::int64_t used = thread_cpu_ns() - began;
    model->final();
    return used;
}

}  // namespace touchmove::verify
