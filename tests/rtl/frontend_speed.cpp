// frontend_speed.cpp - clock cycles a second of processor time of the Verilated frontends in an
// empty loop SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdio>
#include <ctime>

#include "Vfrontend_chain.h"
#include "Vfrontend_matrix.h"
#include "fw/regs.h"

namespace {

template <class Model>
void measure(const char* name, std::int64_t clocks_per_us) {
    Model model;
    const auto clock = [&model] {
        model.clk_i = 0;
        model.eval();
        model.clk_i = 1;
        model.eval();
    };
    model.rst_i = 1;
    clock();
    model.rst_i = 0;
    model.rec_ready_i = 1;
    model.reg_addr_i = TM_REG_CONTROL;
    model.reg_wdata_i = TM_CONTROL_RUN;
    model.reg_we_i = 1;
    clock();
    model.reg_we_i = 0;

    constexpr std::int64_t cycles = 20'000'000;
    const std::clock_t begin = std::clock();   // of this process: other load does not count
    for (std::int64_t i = 0; i < cycles; ++i) clock();
    const double took_s = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    const double rate = static_cast<double>(cycles) / took_s / 1e6;
    std::printf("%-8s %6.1f Mcycle/s = %5.1f x real time\n", name, rate,
                rate / static_cast<double>(clocks_per_us));
}

}  // namespace

int main() {
    measure<Vfrontend_matrix>("matrix", 1);
    measure<Vfrontend_chain>("chain", 4);
}
