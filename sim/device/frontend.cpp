// frontend.cpp - the Verilated touchmove_frontend with contacts on its pins, clock by clock
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/frontend.hpp"

#include <verilated.h>

#include <algorithm>
#include <type_traits>

#include "Vfrontend_chain.h"
#include "Vfrontend_chain_traced.h"
#include "Vfrontend_matrix.h"
#include "Vfrontend_matrix_traced.h"
#include "fw/regs.h"
#include "sim/device/model_trace.hpp"
#include "sim/device/sensor_pins.hpp"

namespace touchmove::device {
namespace {

constexpr int reset_clocks = 4;

template <class Model, class Pins, class Trace>
class VerilatedFrontend final : public Frontend {
  public:
    explicit VerilatedFrontend(const Parts& parts)
        : model_((context_.traceEverOn(!parts.trace_file.empty()), &context_)),
          trace_(model_, parts.trace_file),
          pins_(parts.wiring),
          stimulus_(*parts.stimulus),
          usb_(*parts.usb) {}
    ~VerilatedFrontend() override { model_.final(); }
    VerilatedFrontend(const VerilatedFrontend&) = delete;
    VerilatedFrontend& operator=(const VerilatedFrontend&) = delete;

    void run_until(BenchUs until) override {
        next_change_ = stimulus_.next_change_us();
        while (now_ < until) {
            if (next_change_ <= now_) change_contacts();
            const BenchUs stop = std::min(until, next_change_);
            if (!powered_) {
                now_ = stop;
            } else {
                for (; now_ < stop; ++now_) {
                    for (unsigned i = phase_; i < Pins::clocks_per_us; ++i) clock();
                    phase_ = 0;
                }
            }
        }
    }

    std::uint32_t read(std::uint32_t reg) override {
        model_.reg_addr_i = static_cast<std::uint8_t>(reg & 0xFU);
        model_.eval();
        return model_.reg_rdata_o;
    }

    void write(std::uint32_t reg, std::uint32_t value) override {
        next_change_ = stimulus_.next_change_us();
        if (next_change_ <= now_) change_contacts();
        model_.reg_addr_i = static_cast<std::uint8_t>(reg & 0xFU);
        model_.reg_wdata_i = value;
        model_.reg_we_i = 1;
        clock();
        model_.reg_we_i = 0;
        if (!running_) {
            // Setting up takes no time of the bench's, so that a session begins in the same
            // microsecond whatever the clock.
            running_ = reg == TM_REG_CONTROL && (value & TM_CONTROL_RUN) != 0;
        } else if (++phase_ == Pins::clocks_per_us) {
            phase_ = 0;
            ++now_;
        }
    }

    void power_on() override {
        powered_ = true;
        running_ = false;
        phase_ = 0;
        model_.reg_we_i = 0;
        model_.reg_re_i = 0;
        model_.rst_i = 1;
        set_contacts();
        for (int i = 0; i < reset_clocks; ++i) clock();
        model_.rst_i = 0;
    }
    void power_off() override { powered_ = false; }

    [[nodiscard]] BenchUs now() const override { return now_; }
    [[nodiscard]] const ContactState& contacts() const override { return contacts_; }

  private:
    void set_contacts() {
        pins_.contacts(model_, contacts_.squares);
        model_.aux_i = contacts_.aux;
    }

    void change_contacts() {
        while (next_change_ <= now_) {
            stimulus_.apply(contacts_);
            next_change_ = stimulus_.next_change_us();
        }
        set_contacts();
    }

    void clock() {
        // Outputs are registers: what they show before the rising edge is what the edge moves.
        model_.rec_ready_i = usb_.wants_record();
        if ((model_.rec_valid_o & model_.rec_ready_i) != 0) [[unlikely]]
            usb_.push_record(model_.rec_data_o);
        model_.clk_i = 1;
        model_.eval();
        trace_.dump(2 * clocks_);
        model_.clk_i = 0;
        model_.eval();
        trace_.dump(2 * clocks_ + 1);
        ++clocks_;
        pins_.follow(model_);
    }

    VerilatedContext context_;
    Model model_;
    Trace trace_;
    Pins pins_;
    Stimulus& stimulus_;
    UsbBlock& usb_;
    ContactState contacts_;
    BenchUs now_ = 0;
    BenchUs next_change_ = never_us;
    std::uint64_t clocks_ = 0;
    unsigned phase_ = 0;  // clocks of this microsecond that writes have used
    bool powered_ = false;
    bool running_ = false;  // a session has begun
};

}  // namespace

std::unique_ptr<Frontend> make_frontend(SensorStyle style, const Frontend::Parts& parts) {
    const bool traced = !parts.trace_file.empty();
    if (style == SensorStyle::matrix) {
        if (traced) {
            return std::make_unique<
                VerilatedFrontend<Vfrontend_matrix_traced, MatrixPins, FstTrace>>(parts);
        }
        return std::make_unique<VerilatedFrontend<Vfrontend_matrix, MatrixPins, NoTrace>>(parts);
    }
    if (traced) {
        return std::make_unique<VerilatedFrontend<Vfrontend_chain_traced, ChainPins, FstTrace>>(
            parts);
    }
    return std::make_unique<VerilatedFrontend<Vfrontend_chain, ChainPins, NoTrace>>(parts);
}

}  // namespace touchmove::device
