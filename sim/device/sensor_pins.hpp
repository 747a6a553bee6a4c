// sensor_pins.hpp - contacts and their wiring on the sensor pins of a Verilated model
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstdint>

#include "sim/device/wiring.hpp"

namespace touchmove::device {

/// The pins of one sensor style. `follow` is called when an output may have changed, `contacts`
/// when a contact did. Both set the model's inputs.
class MatrixPins {
  public:
    /// Of the fast model.
    static constexpr unsigned clocks_per_us = 1;

    explicit MatrixPins(const Wiring* wiring) : wiring_(wiring) { assert(wiring != nullptr); }

    template <class Model>
    void contacts(Model& model, std::uint64_t squares) {
        squares_ = squares;
        model.col_i = wiring_->columns(squares_, rows_);
    }
    template <class Model>
    void follow(Model& model) {
        if (model.row_o == rows_) [[likely]]
            return;
        rows_ = model.row_o;
        model.col_i = wiring_->columns(squares_, rows_);
    }

  private:
    const Wiring* wiring_;
    std::uint64_t squares_ = 0;
    std::uint8_t rows_ = 0;
};

class ChainPins {
  public:
    static constexpr unsigned clocks_per_us = 4;

    explicit ChainPins(const Wiring* /*wiring*/) {}

    template <class Model>
    void contacts(Model& model, std::uint64_t squares) {
        squares_ = squares;
        if (loading_) shift_ = squares;
        model.sr_data_i = shift_ & 1U;
    }
    template <class Model>
    void follow(Model& model) {
        const bool loading = model.sr_load_n_o == 0;
        const bool clock = model.sr_clk_o != 0;
        if (loading == loading_ && clock == clock_) [[likely]]
            return;
        // Loading is a level and goes before the clock (74HC165).
        if (loading) {
            shift_ = squares_;
        } else if (clock && !clock_) {
            shift_ >>= 1;
        }
        loading_ = loading;
        clock_ = clock;
        model.sr_data_i = shift_ & 1U;
    }

  private:
    std::uint64_t squares_ = 0;
    std::uint64_t shift_ = 0;
    bool loading_ = true;
    bool clock_ = false;
};

}  // namespace touchmove::device
