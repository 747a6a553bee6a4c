// model_trace.hpp - the waves of a Verilated model, or none
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated_fst_c.h>

#include <cstdint>
#include <string>

namespace touchmove::device {

/// Nothing to trace into, nothing to pay for.
class NoTrace {
  public:
    template <class Model>
    NoTrace(Model& /*model*/, const std::string& /*file*/) {}
    void dump(std::uint64_t /*time*/) {}
};

class FstTrace {
  public:
    template <class Model>
    FstTrace(Model& model, const std::string& file) {
        model.trace(&fst_, 99);
        fst_.open(file.c_str());
    }
    void dump(std::uint64_t time) { fst_.dump(time); }

  private:
    VerilatedFstC fst_;
};

}  // namespace touchmove::device
