// soft_board.hpp - the real firmware image on the Verilated core, beside frontend, USB and flash
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Vtm_control.h>
#include <Vtm_control___024root.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "fw/core/soc_regs.h"
#include "fw/regs.h"
#include "fw/usb_regs.h"
#include "sim/device/control_pipe.hpp"
#include "sim/device/frontend.hpp"
#include "sim/device/spi_flash.hpp"

namespace touchmove::cpu_test {

/// Eight 74HC595 in a row: they shift at the rising edge of one clock, show at that of the other,
/// outputs only while enabled.
class LampChain {
  public:
    void pins(std::uint32_t value) {
        const auto rises = [&](std::uint32_t pin) { return (value & ~before_ & pin) != 0; };
        if (rises(TM_SOC_CHAIN_LATCH)) held_ = shift_;
        if (rises(TM_SOC_CHAIN_CLOCK)) {
            shift_ = shift_ << 1 | ((value & TM_SOC_CHAIN_DATA) != 0 ? 1 : 0);
        }
        before_ = value;
        if (lit() != 0) ever_lit = true;
    }
    /// Bit n: output n, counted from the chip next to the FPGA.
    [[nodiscard]] std::uint64_t lit() const {
        return (before_ & TM_SOC_CHAIN_OFF) != 0 ? 0 : held_;
    }
    bool ever_lit = false;

  private:
    // Whatever, at power-up
    std::uint64_t shift_ = 0x123456789ABCDEF0, held_ = 0xFEDCBA9876543210;
    std::uint32_t before_ = TM_SOC_CHAIN_OFF;  // as touchmove_soc resets it
};

class SoftBoard {
  public:
    static constexpr int clocks_per_us = 24;

    SoftBoard(device::NorFlash& nor, device::Stimulus& stimulus, const std::string& serial)
        : flash(nor, serial) {
        device::Frontend::Parts parts;
        parts.stimulus = &stimulus;
        parts.wiring = &wiring_;
        parts.usb = &usb;
        frontend = device::make_frontend(device::SensorStyle::matrix, parts);
        frontend->power_on();
        context_.randReset(2);
        model_ = std::make_unique<Vtm_control>(&context_);
        model_->rst_i = 1;
        model_->spi_miso_i = 0;
        model_->bus_ready_i = 0;
        clock();
        // Beyond the image the memory is unset: a pattern, to see how far the stack comes down
        for (unsigned word = image_words_end; word < ram_words; ++word)
            ram(word) = pattern;
        clock();
        model_->rst_i = 0;
    }

    // The scopes of an open model leave the context of whichever model ran last: it must be ours.
    ~SoftBoard() { Verilated::threadContextp(&context_); }
    SoftBoard(const SoftBoard&) = delete;
    SoftBoard& operator=(const SoftBoard&) = delete;

    void run(std::uint64_t clocks) {
        for (std::uint64_t i = 0; i < clocks; ++i)
            clock();
    }
    device::ControlReply control(const device::Setup& setup,
                                 const std::vector<std::uint8_t>& out = {}) {
        device::ControlReply reply = device::control_transfer(
            usb, [this] { run(500); }, setup, out);
        run(clocks_per_us * 2000);  // a host waits so long after SET_ADDRESS (USB 2.0, 9.2.6.3)
        return reply;
    }
    [[nodiscard]] bool halted() const { return model_->halt_o != 0; }
    [[nodiscard]] bool running() const {
        return (frontend->read(TM_REG_CONTROL) & TM_CONTROL_RUN) != 0;
    }
    [[nodiscard]] std::uint64_t clocks() const { return clocks_; }
    /// Bytes of the stack ever written.
    [[nodiscard]] unsigned stack_bytes() {
        unsigned word = image_words_end;
        while (word < ram_words && ram(word) == pattern)
            ++word;
        return 4 * (ram_words - word);
    }

    device::UsbBlock usb;
    device::SpiFlash flash;
    std::optional<bool> undriven;  ///< no flash: how its line then reads
    std::unique_ptr<device::Frontend> frontend;
    LampChain chain;
    std::uint32_t lamp_pins = 0;
    std::uint32_t lamps_kind = 0;  // TM_SOC_LAMPS_*

  private:
    static constexpr unsigned ram_words = TM_SOC_RAM_BYTES / 4;
    static constexpr unsigned image_words_end = 0x1E00 / 4;  // below the stack: image.ld
    static constexpr std::uint32_t pattern = 0xDEADBEEF;

    std::uint32_t& ram(unsigned word) {
        return model_->rootp->tm_control__DOT__u_ram__DOT__mem[word];
    }

    void clock() {
        model_->clk_i = 0;
        model_->eval();
        model_->bus_ready_i = 0;
        model_->bus_rdata_i = 0;
        if (model_->bus_valid_o != 0 && !sleeps()) {
            model_->bus_ready_i = 1;
            access();
        }
        const bool answer =
            flash.pins(model_->spi_cs_n_o != 0, model_->spi_sck_o != 0, model_->spi_mosi_o != 0);
        model_->spi_miso_i = undriven.value_or(answer);
        model_->eval();
        model_->clk_i = 1;
        model_->eval();
        if (++clocks_ % clocks_per_us == 0) frontend->run_until(frontend->now() + 1);
    }
    [[nodiscard]] bool sleeps() const {
        constexpr std::uint32_t no_reason = TM_USB_EVENT_ALIVE | TM_USB_SETUP_HALF;
        return 4 * model_->bus_addr_o == TM_SOC_WAIT && (usb.read(TM_USB_EVENTS) & ~no_reason) == 0;
    }
    void access() {
        const std::uint32_t offset = 4 * model_->bus_addr_o;
        if (model_->bus_we_o == 0) {
            model_->bus_rdata_i = offset >= TM_SOC_BASE   ? TM_SOC_SELF_POWERED | lamps_kind
                                  : offset >= TM_USB_BASE ? usb.read(offset)
                                                          : frontend->read(offset / 4);
        } else if (offset >= TM_SOC_BASE) {
            lamp_pins = model_->bus_wdata_o;
            chain.pins(lamp_pins);
        } else if (offset >= TM_USB_BASE) {
            usb.write(offset, model_->bus_wdata_o);
        } else {
            frontend->write(offset / 4, model_->bus_wdata_o);
        }
    }

    device::DiodeWiring wiring_;
    VerilatedContext context_;
    std::unique_ptr<Vtm_control> model_;
    std::uint64_t clocks_ = 0;
};

}  // namespace touchmove::cpu_test
