// empty_loop.cpp - what a Verilated model alone costs, to compare a whole run with
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/empty_loop.hpp"

#include <cassert>
#include <memory>

#include "Vfrontend_chain.h"
#include "Vfrontend_matrix.h"
#include "fw/regs.h"
#include "host/base/cpu_time.hpp"
#ifdef TOUCHMOVE_SOC
#include "sim/device/soc.hpp"
#endif

namespace touchmove::device {
namespace {

template <class Model>
void clock(Model& model) {
    model.clk_i = 1;
    model.eval();
    model.clk_i = 0;
    model.eval();
}

template <class Model>
std::int64_t run_frontend(unsigned clocks_per_us, BenchUs simulated_us) {
    VerilatedContext context;
    const auto model = std::make_unique<Model>(&context);
    model->rst_i = 1;
    for (int i = 0; i < 4; ++i)
        clock(*model);
    model->rst_i = 0;
    model->reg_addr_i = TM_REG_CONTROL;
    model->reg_wdata_i = TM_CONTROL_RUN;
    model->reg_we_i = 1;
    clock(*model);
    model->reg_we_i = 0;
    const std::int64_t clocks = clocks_per_us * simulated_us;
    const std::int64_t began = thread_cpu_ns();
    for (std::int64_t i = 0; i < clocks; ++i)
        clock(*model);
    const std::int64_t used = thread_cpu_ns() - began;
    model->final();
    return used;
}

}  // namespace

std::int64_t run_empty_loop(Fidelity fidelity, SensorStyle style, BenchUs simulated_us) {
    if (fidelity == Fidelity::frontend) {
        return style == SensorStyle::chain ? run_frontend<Vfrontend_chain>(4, simulated_us)
                                           : run_frontend<Vfrontend_matrix>(1, simulated_us);
    }
#ifdef TOUCHMOVE_SOC
    const auto soc = make_bare_soc(style);
    const std::int64_t began = thread_cpu_ns();
    soc(simulated_us);
    return thread_cpu_ns() - began;
#else
    return 0;
#endif
}

}  // namespace touchmove::device
