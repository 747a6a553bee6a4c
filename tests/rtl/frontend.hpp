// frontend.hpp - a Verilated frontend with contacts, registers and record stream for the tests
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fw/regs.h"
#include "fw/tm_proto.h"

namespace touchmove::rtl_test {

/// A record as the stream gives it out, taken apart.
struct Record {
    std::uint8_t kind = 0;
    std::uint8_t count = 0;
    bool parity = false;
    std::uint8_t index = 0;
    std::uint16_t seq = 0;
    std::uint32_t word = 0;
    friend bool operator==(const Record&, const Record&) = default;
};

inline Record unpack(std::uint64_t bits) {
    Record r;
    r.count = static_cast<std::uint8_t>(bits & 0xFu);
    r.kind = static_cast<std::uint8_t>((bits >> 4) & 0xFu);
    r.index = static_cast<std::uint8_t>((bits >> 8) & 0x7Fu);
    r.parity = ((bits >> 15) & 1u) != 0;
    r.seq = static_cast<std::uint16_t>(bits >> 16);
    r.word = static_cast<std::uint32_t>(bits >> 32);
    return r;
}

struct Settings {
    std::uint8_t settle_us = TM_DEFAULT_SETTLE_US;
    bool eager = false;
    std::uint8_t aux_invert = 0;
    std::uint32_t lift_us = TM_DEFAULT_LIFT_US;
    std::uint32_t place_us = TM_DEFAULT_PLACE_US;
};

/// `Model`: a Verilated touchmove_frontend; `clocks_per_us`: its ClkPerTick.
template <class Model, int clocks_per_us>
class Frontend {
  public:
    Frontend() : model_{std::make_unique<Model>()} { reset(); }

    /// Squares that are occupied (bit 0 = a1) and aux lines that are high, from now on.
    std::uint64_t squares = 0;
    std::uint8_t aux = 0;
    /// Take every record as soon as it is offered.
    bool take = true;
    /// What was taken: records, and apart from them watermarks.
    std::vector<Record> records;
    std::vector<Record> watermarks;
    /// Both in the order in which they came.
    std::vector<Record> stream;

    void reset() {
        model_->rst_i = 1;
        model_->clk_i = 0;
        for (int i = 0; i < 4; ++i) clock();
        model_->rst_i = 0;
        clock();
    }

    void write(std::uint32_t reg, std::uint32_t value) {
        model_->reg_addr_i = static_cast<std::uint8_t>(reg);
        model_->reg_wdata_i = value;
        model_->reg_we_i = 1;
        clock();
        model_->reg_we_i = 0;
    }

    /// Without a clock, as read data do not wait for one.
    [[nodiscard]] std::uint32_t read(std::uint32_t reg) {
        model_->reg_addr_i = static_cast<std::uint8_t>(reg);
        model_->eval();
        return model_->reg_rdata_o;
    }

    /// As a microcontroller does it: reading the word takes the record.
    [[nodiscard]] std::optional<Record> read_record() {
        const std::uint32_t head = read(TM_REG_RECORD_HEAD);
        if ((head & 0xF0u) == 0) return std::nullopt;
        const std::uint64_t word = read(TM_REG_RECORD_WORD);
        model_->reg_re_i = 1;
        clock();
        model_->reg_re_i = 0;
        return unpack((word << 32) | head);
    }

    void apply(const Settings& s) {
        write(TM_REG_SCAN,
              s.settle_us | (s.eager ? TM_SCAN_EAGER : 0u) |
                  (static_cast<std::uint32_t>(s.aux_invert) << TM_SCAN_AUX_INVERT_SHIFT));
        write(TM_REG_LIFT_US, s.lift_us);
        write(TM_REG_PLACE_US, s.place_us);
    }

    /// Starts a session; the next us() is its first microsecond.
    void start(const Settings& s, std::uint32_t session = 7) {
        apply(s);
        write(TM_REG_SESSION, session);
        write(TM_REG_CONTROL, TM_CONTROL_RUN);
    }

    [[nodiscard]] bool ready() { return (read(TM_REG_CONTROL) & TM_CONTROL_READY) != 0; }
    [[nodiscard]] std::uint16_t next_seq() {
        return static_cast<std::uint16_t>(read(TM_REG_QUEUE));
    }
    [[nodiscard]] std::uint16_t acked_seq() {
        return static_cast<std::uint16_t>(read(TM_REG_QUEUE) >> 16);
    }
    [[nodiscard]] std::uint64_t time_us() {
        return (static_cast<std::uint64_t>(read(TM_REG_TIME_HIGH)) << 32) | read(TM_REG_TIME_LOW);
    }

    void us(std::int64_t n = 1) {
        for (std::int64_t i = 0; i < n * clocks_per_us; ++i) clock();
    }

    /// One clock, contacts and stream included.
    void clock() {
        contacts();
        model_->rec_ready_i = take;
        model_->clk_i = 0;
        model_->eval();
        if (take && model_->rec_valid_o) {
            const Record r = unpack(model_->rec_data_o);
            (r.kind == TM_KIND_WATERMARK ? watermarks : records).push_back(r);
            stream.push_back(r);
        }
        model_->clk_i = 1;
        model_->eval();
    }

    [[nodiscard]] Model& model() { return *model_; }

  private:
    void contacts() {
        Model& m = *model_;
        m.aux_i = aux;
        std::uint8_t columns = 0;
        for (std::uint8_t rows = m.row_o; rows != 0;
             rows = static_cast<std::uint8_t>(rows & (rows - 1)))
            columns |= static_cast<std::uint8_t>(squares >> (8 * __builtin_ctz(rows)));
        m.col_i = columns;
        // Eight 74HC165: transparent while load is low, shifting on the rising edge of the clock
        if (m.sr_load_n_o == 0) shifted_ = squares;
        else if (m.sr_clk_o != 0 && !sr_clk_was_) shifted_ >>= 1;
        sr_clk_was_ = m.sr_clk_o != 0;
        m.sr_data_i = shifted_ & 1u;
    }

    std::unique_ptr<Model> model_;
    std::uint64_t shifted_ = 0;
    bool sr_clk_was_ = false;
};

}  // namespace touchmove::rtl_test
