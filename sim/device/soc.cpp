// soc.cpp - the Verilated touchmove_soc: contacts and flash on its pins, D+ and D- open
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/soc.hpp"

#include <verilated.h>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

#include "Vsoc_chain.h"
#include "Vsoc_chain___024root.h"
#include "Vsoc_matrix.h"
#include "Vsoc_matrix___024root.h"
#include "Vsoc_matrix_traced.h"
#include "Vsoc_matrix_traced___024root.h"
#include "fw/regs.h"
#include "sim/device/model_trace.hpp"
#include "sim/device/sensor_pins.hpp"
#include "sim/device/spi_flash.hpp"

namespace touchmove::device {
namespace {

const std::uint32_t firmware[] = {
#include "firmware_image.inc"
};

constexpr unsigned reset_clocks = 16;
constexpr std::int64_t never_clocks = never_us / 2;
constexpr unsigned clocks_per_tick = 24;
// Of 24 MHz, since anything happened on the line, in the core or between frontend and USB: all
// timers of the USB block have run out by then (the longest, for a bus reset, takes 80)
constexpr unsigned quiet_clocks = 100;
// Clocks behind a tick in which the frontend works: the debouncer compares ages; where a record was
// made, the queue writes it and fetches it again. The chain's clock falls in the tick's middle.
constexpr unsigned after_tick = 0, after_record = 8, half_tick = clocks_per_tick / 2 - 1;

// The clock of a tick that must be run next, at or behind `clock`. Registers change in these
// alone, but for the counters; the one before the tick makes the counter's comparison true.
constexpr unsigned next_needed(unsigned clock, bool chain, bool record) {
    constexpr unsigned before_tick = clocks_per_tick - 2;
    if (clock <= (record ? after_record : after_tick) || clock >= before_tick) return clock;
    if (chain && clock <= half_tick) return std::max(clock, half_tick - 1);
    return before_tick;
}

/// One clock of 24 MHz, two of 48, and the frontend's where it is not left out.
template <class Model>
void clock_24mhz(Model& model, bool frontend) {
    for (const bool slow : {true, false}) {
        for (const bool level : {false, true}) {
            model.clk48_i = level;
            if (slow) model.clk_i = level;
            if (slow && frontend) model.clk_frontend_i = level;
            model.eval();
        }
    }
}

template <class Model>
void load_firmware(Model& model) {
    auto& memory = model.rootp->touchmove_soc__DOT__u_control__DOT__u_ram__DOT__mem;
    std::copy(std::begin(firmware), std::end(firmware), &memory[0]);
}

template <class Model, class Pins, class Trace>
class VerilatedSoc final : public Soc {
  public:
    explicit VerilatedSoc(const Parts& parts) : parts_(parts) {}
    ~VerilatedSoc() override { power_off(); }
    VerilatedSoc(const VerilatedSoc&) = delete;
    VerilatedSoc& operator=(const VerilatedSoc&) = delete;

    void power_on() override {
        pass_until((clocks_ + clocks48_per_us - 1) / clocks48_per_us);
        chip_ = std::make_unique<Chip>(parts_, std::exchange(parts_.trace_file, {}));
        chip_->set_contacts(contacts_);
        reset_left_ = reset_clocks;
        second_ = false;
        quiet_ = 0;
        session_zero_.reset();
    }
    void power_off() override { chip_.reset(); }

    void pass_until(BenchUs until) override {
        clocks_ = std::max(clocks_, until * clocks48_per_us);
        look_ahead();
        if (next_change_ <= clocks_) change_contacts();
    }

    void set_vbus(bool on) override {
        if (chip_ == nullptr || (chip_->model.vbus_i != 0) == on) return;
        chip_->model.vbus_i = on;
        quiet_ = 0;
    }

    void look_ahead() override {
        const BenchUs next = parts_.stimulus->next_change_us();
        next_change_ =
            next > never_clocks / clocks48_per_us ? never_clocks : next * clocks48_per_us;
    }

    wire::Pins clock(bool dp, bool dn) override {
        if (next_change_ <= clocks_) [[unlikely]]
            change_contacts();
        Model& model = chip_->model;
        if (reset_left_ > 0) model.rst_i = --reset_left_ > 0;
        if (model.dp_i != dp || model.dn_i != dn) {
            model.dp_i = dp;
            model.dn_i = dn;
            quiet_ = 0;
        }
        second_ = !second_;
        model.clk48_i = 0;
        if (second_) model.clk_i = model.clk_frontend_i = 0;
        chip_->eval(2 * clocks_);
        model.clk48_i = 1;
        if (second_) model.clk_i = model.clk_frontend_i = 1;
        chip_->eval(2 * clocks_ + 1);
        ++clocks_;
        if (second_) {
            chip_->follow();
            if (parts_.rests) quiet_ = busy() ? 0 : quiet_ + 1;
            record_ = true;  // for all that is known here
            if (!session_zero_ && chip_->root().touchmove_soc__DOT__u_frontend__DOT__run != 0) {
                // The first tick ends a whole tick from here; the first frame starts a slot of 8 us
                // later, and time one whole frame before it (docs/registers.md, TIME).
                session_zero_ =
                    (clocks_ - 1) / clocks48_per_us + 1 + 8 -
                    TM_FRAME_US(chip_->root().touchmove_soc__DOT__u_frontend__DOT__settle);
            }
        }
        return {model.dp_o != 0, model.dn_o != 0, model.oe_o != 0, model.pullup_o != 0};
    }

    std::int64_t rest(bool dp, bool dn, std::int64_t clocks) override {
        if (!parts_.rests || quiet_ < quiet_clocks || second_ || clocks < 4) return 0;
        const Model& model = chip_->model;
        if (model.dp_i != dp || model.dn_i != dn) return 0;
        // All but the frontend comes round to where it was in two clocks of 24 MHz.
        const std::int64_t whole = clocks / 4 * 2;
        std::int64_t done = 0;
        while (done < whole && !record_comes()) {
            if (next_change_ <= clocks_) change_contacts();
            const std::int64_t calm = (next_change_ - clocks_ + 1) / 2;
            const std::int64_t ran = run_frontend(std::min(whole - done, calm));
            done += ran;
            clocks_ += 2 * ran;
        }
        if (done % 2 != 0) clock_24mhz(chip_->model, /*frontend=*/false);
        if (record_comes()) quiet_ = 0;
        return 2 * done;
    }

    [[nodiscard]] std::int64_t clocks() const override { return clocks_; }
    [[nodiscard]] const ContactState& contacts() const override { return contacts_; }
    [[nodiscard]] std::optional<BenchUs> session_zero() const override { return session_zero_; }
    [[nodiscard]] unsigned flash_refused() const override {
        return chip_ != nullptr && chip_->flash ? chip_->flash->refused() : 0;
    }
    [[nodiscard]] Handshake bulk_in_state() const override {
        const auto& root = chip_->root();
        if (root.touchmove_soc__DOT__u_usb__DOT__u_endpoints__DOT__enable_q == 0)
            return Handshake::no_reply;
        if (root.touchmove_soc__DOT__u_usb__DOT__u_endpoints__DOT__halt_in_q != 0)
            return Handshake::stall;
        return root.touchmove_soc__DOT__u_usb__DOT__u_endpoints__DOT__ep1_in_ready != 0
                   ? Handshake::ack
                   : Handshake::nak;
    }

  private:
    static constexpr bool is_chain = std::is_same_v<Pins, ChainPins>;

    /// What a power-up makes anew.
    struct Chip {
        Chip(const Parts& parts, const std::string& trace_file)
            : model((context.traceEverOn(!trace_file.empty()), &context)),
              trace(model, trace_file),
              pins(parts.wiring) {
            if (parts.flash != nullptr) flash.emplace(*parts.flash, parts.serial);
            load_firmware(model);
            model.rst_i = 1;
            model.vbus_i = 1;
            model.self_powered_i = parts.self_powered;
        }
        // A model with open scopes leaves them from its context, which must be the thread's.
        ~Chip() {
            Verilated::threadContextp(&context);
            model.final();
        }
        Chip(const Chip&) = delete;
        Chip& operator=(const Chip&) = delete;

        void eval(std::int64_t time) {
            model.eval();
            trace.dump(static_cast<std::uint64_t>(time));
        }
        void set_contacts(const ContactState& contacts) {
            pins.contacts(model, contacts.squares);
            model.aux_i = contacts.aux;
        }
        /// The pins behind a clock of 24 MHz.
        void follow() {
            pins.follow(model);
            const unsigned now = model.flash_cs_n_o | model.flash_sck_o << 1U |
                                 static_cast<unsigned>(model.flash_mosi_o) << 2U;
            if (now == flash_pins || !flash) return;
            flash_pins = now;
            model.flash_miso_i = flash->pins((now & 1U) != 0, (now & 2U) != 0, (now & 4U) != 0);
        }
        auto& root() { return *model.rootp; }
        const auto& root() const { return *model.rootp; }

        VerilatedContext context;
        Model model;
        Trace trace;
        Pins pins;
        std::optional<SpiFlash> flash;
        unsigned flash_pins = 1;
    };

    void change_contacts() {
        while (next_change_ <= clocks_) {
            parts_.stimulus->apply(contacts_);
            look_ahead();
        }
        if (chip_ != nullptr) chip_->set_contacts(contacts_);
    }

    /// Anything goes on but in the frontend.
    [[nodiscard]] bool busy() const {
        const auto& root = chip_->root();
        const bool record_taken =
            root.touchmove_soc__DOT__rec_valid != 0 &&
            root.touchmove_soc__DOT__u_usb__DOT__u_endpoints__DOT__take_o != 0;
        return chip_->model.rst_i != 0 || root.touchmove_soc__DOT__core_sleeps == 0 ||
               chip_->model.oe_o != 0 || record_taken || record_comes();
    }
    /// A record that the USB block will take is about to be written; it is not yet offered.
    [[nodiscard]] bool record_comes() const {
        return record_made() &&
               chip_->root().touchmove_soc__DOT__u_usb__DOT__u_endpoints__DOT__take_o != 0;
    }
    /// The clock of a tick in which a record was made is over.
    [[nodiscard]] bool record_made() const {
        const auto& root = chip_->root();
        return (root.touchmove_soc__DOT__u_frontend__DOT__u_recorder__DOT__push_q |
                root.touchmove_soc__DOT__u_frontend__DOT__u_recorder__DOT__push_watermark_q) != 0;
    }

    /// Up to so many clocks of the frontend alone, those in which it does nothing left out; stops
    /// where a record comes.
    std::int64_t run_frontend(std::int64_t clocks) {
        auto& root = chip_->root();
        if (root.touchmove_soc__DOT__u_frontend__DOT__run == 0) return clocks;
        auto& counter = root.touchmove_soc__DOT__u_frontend__DOT__g_prescaler__DOT__prescale_q;
        Model& model = chip_->model;
        std::int64_t left = clocks;
        while (left > 0) {
            const unsigned now = counter;
            if (const unsigned needed = next_needed(now, is_chain, record_); needed > now) {
                const auto left_out = std::min<std::int64_t>(left, needed - now);
                counter = static_cast<std::uint8_t>(now + static_cast<unsigned>(left_out));
                if constexpr (is_chain) {
                    root.touchmove_soc__DOT__u_frontend__DOT__u_scan__DOT__g_chain__DOT__since_q =
                        counter;
                }
                left -= left_out;
                continue;
            }
            const std::int64_t at = 2 * clocks_ + 4 * (clocks - left);
            model.clk_frontend_i = 0;
            chip_->eval(at);
            model.clk_frontend_i = 1;
            chip_->eval(at + 1);
            --left;
            chip_->pins.follow(model);
            if (now == clocks_per_tick - 1) {
                record_ = record_made();
                if (record_comes()) break;
            }
        }
        return clocks - left;
    }

    Parts parts_;
    std::unique_ptr<Chip> chip_;
    ContactState contacts_;
    std::int64_t clocks_ = 0;
    std::int64_t next_change_ = never_clocks;  // in clocks of 48 MHz
    std::optional<BenchUs> session_zero_;
    unsigned reset_left_ = 0;
    unsigned quiet_ = 0;
    bool second_ = false;
    bool record_ = false;  // made in this tick
};

template <class Model>
class BareSoc {
  public:
    BareSoc() : model_(std::make_unique<Model>(&context_)) {
        load_firmware(*model_);
        model_->rst_i = 1;
        model_->dp_i = model_->vbus_i = 1;
        run(1);
        model_->rst_i = 0;
    }
    ~BareSoc() {
        Verilated::threadContextp(&context_);
        model_.reset();
    }
    BareSoc(const BareSoc&) = delete;
    BareSoc& operator=(const BareSoc&) = delete;

    void run(BenchUs us) {
        for (std::int64_t left = us * clocks_per_tick; left > 0; --left) {
            clock_24mhz(*model_, /*frontend=*/true);
        }
    }

  private:
    VerilatedContext context_;
    std::unique_ptr<Model> model_;
};

template <class Model>
std::function<void(BenchUs)> bare_soc() {
    return [soc = std::make_shared<BareSoc<Model>>()](BenchUs us) { soc->run(us); };
}

}  // namespace

std::function<void(BenchUs)> make_bare_soc(SensorStyle style) {
    return style == SensorStyle::chain ? bare_soc<Vsoc_chain>() : bare_soc<Vsoc_matrix>();
}

std::unique_ptr<Soc> make_soc(SensorStyle style, const Soc::Parts& parts) {
    if (style == SensorStyle::chain)
        return std::make_unique<VerilatedSoc<Vsoc_chain, ChainPins, NoTrace>>(parts);
    if (!parts.trace_file.empty())
        return std::make_unique<VerilatedSoc<Vsoc_matrix_traced, MatrixPins, FstTrace>>(parts);
    return std::make_unique<VerilatedSoc<Vsoc_matrix, MatrixPins, NoTrace>>(parts);
}

}  // namespace touchmove::device
