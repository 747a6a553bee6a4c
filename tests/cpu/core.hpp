// core.hpp - the Verilated core on a memory that makes it wait
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Vtm_cpu.h>

#include <cstdint>
#include <memory>
#include <random>

#include "tests/cpu/image.hpp"

namespace touchmove::cpu_test {

class Core {
  public:
    /// Answers after 0 to `most_wait` clocks, at random.
    explicit Core(std::uint32_t seed = 1, unsigned most_wait = 2)
        : random_(seed), most_wait_(most_wait) {
        context_.randReset(2);
        context_.randSeed(static_cast<int>(seed));
        model_ = std::make_unique<Vtm_cpu>(&context_);
        model_->rst_i = 1;
        model_->ready_i = 0;
        for (int i = 0; i < 3; ++i)
            clock();
        model_->rst_i = 0;
    }

    /// Runs until the core halts. False: it did not within `most` clocks.
    bool run(Memory& memory, std::uint64_t most = 2'000'000) {
        unsigned wait = draw();
        for (std::uint64_t i = 0; i < most; ++i) {
            model_->eval();
            if (model_->halt_o != 0) return true;
            model_->ready_i = 0;
            model_->rdata_i = static_cast<Word>(random_());
            const bool asks = model_->valid_o != 0;
            if (asks && wait == 0) {
                model_->ready_i = 1;
                answer(memory);
                wait = draw();
            } else if (asks) {
                --wait;
            }
            clock();
        }
        return false;
    }
    [[nodiscard]] std::uint64_t clocks() const { return clocks_; }

  private:
    unsigned draw() {
        return most_wait_ == 0 ? 0 : static_cast<unsigned>(random_()) % (most_wait_ + 1);
    }
    void answer(Memory& memory) {
        const Word at = model_->addr_o & (memory_bytes - 1) & ~3U;
        if (model_->wstrb_o == 0) {
            model_->rdata_i = load_word(memory, at);
            return;
        }
        for (Word i = 0; i < 4; ++i) {
            if ((model_->wstrb_o >> i & 1) != 0) {
                memory[at + i] = static_cast<std::uint8_t>(model_->wdata_o >> 8 * i);
            }
        }
    }
    void clock() {
        model_->clk_i = 0;
        model_->eval();
        model_->clk_i = 1;
        model_->eval();
        ++clocks_;
    }

    VerilatedContext context_;
    std::unique_ptr<Vtm_cpu> model_;
    std::minstd_rand random_;
    unsigned most_wait_;
    std::uint64_t clocks_ = 0;
};

}  // namespace touchmove::cpu_test
