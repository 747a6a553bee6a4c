// usb_bench.hpp - the Verilated USB device on wires, its registers, its record stream, a host
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <verilated.h>

#include <Vusb_device.h>

#include <array>
#include <cassert>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

extern "C" {
#include "fw/tm_descriptors.h"
#include "fw/tm_usb.h"
}
#include "fw/usb_regs.h"
#include "sim/wire/host.hpp"
#include "tests/fw/vendor_echo.hpp"
#include "tests/rtl/fiber.hpp"

namespace touchmove::rtl_test {

using wire::Answer;
using wire::Bytes;
using wire::Fault;
using wire::Pid;
using wire::Reply;

/// tm_usb_device on two clocks in phase, 48 and 24 MHz.
class UsbDevice final : public wire::LineDevice {
  public:
    UsbDevice() {
        model_->rst_i = 1;
        for (int i = 0; i < 8; ++i)
            clock(false, false);
        model_->rst_i = 0;
    }

    wire::Pins clock(bool dp, bool dn) override {
        model_->dp_i = dp;
        model_->dn_i = dn;
        model_->clk48_i = 0;
        second_ = !second_;
        if (second_) model_->clk_i = 0;
        if (before_clock) before_clock(*model_);
        model_->rec_valid_i = !records.empty();
        model_->rec_data_i = records.empty() ? 0 : records.front();
        model_->eval();
        const bool took = second_ && model_->rec_ready_o != 0;
        const bool done = second_ && model_->reg_ready_o != 0;
        if (done) data_ = model_->reg_rdata_o;
        model_->clk48_i = 1;
        if (second_) model_->clk_i = 1;
        model_->eval();
        if (took) records.pop_front();
        if (done) model_->reg_we_i = model_->reg_re_i = 0;
        return {model_->dp_o != 0, model_->dn_o != 0, model_->oe_o != 0, model_->pullup_o != 0};
    }

    // One access at a time. Begun, it ends after some clocks of the bus.
    void begin_read(std::uint32_t offset) { begin(offset, 0, false); }
    void begin_write(std::uint32_t offset, std::uint32_t value) { begin(offset, value, true); }
    [[nodiscard]] bool busy() const { return model_->reg_we_i != 0 || model_->reg_re_i != 0; }
    [[nodiscard]] std::uint32_t read_data() const { return data_; }

    // The same, whole.
    std::uint32_t read(wire::Bus& bus, std::uint32_t offset) {
        access(bus, offset, 0, false);
        return data_;
    }
    void write(wire::Bus& bus, std::uint32_t offset, std::uint32_t value) {
        access(bus, offset, value, true);
    }

    /// Offered to the device, first first.
    std::deque<std::uint64_t> records;
    std::function<void(Vusb_device&)> before_clock;

  private:
    void begin(std::uint32_t offset, std::uint32_t value, bool write) {
        assert(!busy());
        model_->reg_addr_i = static_cast<std::uint16_t>((offset - TM_USB_BASE) / 4);
        model_->reg_wdata_i = static_cast<std::uint16_t>(value & 0x3FFU);
        (write ? model_->reg_we_i : model_->reg_re_i) = 1;
    }
    void access(wire::Bus& bus, std::uint32_t offset, std::uint32_t value, bool write) {
        begin(offset, value, write);
        unsigned clocks = 0;
        while (busy()) {
            bus.step();
            if (++clocks > 48 * 100) throw std::runtime_error("the register bus hangs");
        }
    }

    std::unique_ptr<Vusb_device> model_ = std::make_unique<Vusb_device>();
    bool second_ = false;
    std::uint32_t data_ = 0;
};

/// Device, wires, host; the test itself is the firmware.
class UsbBench {
  public:
    explicit UsbBench(std::uint64_t seed = 1) : host(bus, seed) {
        write(TM_USB_ADDRESS, TM_USB_CONNECT);
        host.idle(20);
    }
    UsbBench(const UsbBench&) = delete;
    UsbBench& operator=(const UsbBench&) = delete;

    std::uint32_t read(std::uint32_t offset) { return device.read(bus, offset); }
    void write(std::uint32_t offset, std::uint32_t value) { device.write(bus, offset, value); }
    std::uint32_t events() {
        return read(TM_USB_EVENTS) & ~(TM_USB_SETUP_HALF | TM_USB_EVENT_ALIVE);
    }
    /// Reads and clears.
    std::uint32_t take_events() {
        const std::uint32_t found = events();
        write(TM_USB_EVENTS, found);
        return found;
    }
    Bytes buffer(std::uint32_t data, std::uint32_t bytes) {
        Bytes found;
        for (std::uint32_t i = 0; i < bytes; ++i) {
            found.push_back(static_cast<std::uint8_t>(read(data + 4 * i)));
        }
        return found;
    }
    Bytes out_packet(unsigned endpoint) {
        const bool ep0 = endpoint == 0;
        const std::uint32_t count = read(ep0 ? TM_USB_EP0_OUT_COUNT : TM_USB_EP1_OUT_COUNT);
        assert(count >= TM_USB_CRC_BYTES);
        return buffer(ep0 ? TM_USB_EP0_OUT_DATA : TM_USB_EP1_OUT_DATA, count - TM_USB_CRC_BYTES);
    }
    Bytes setup_packet() {
        return buffer(TM_USB_SETUP((read(TM_USB_EVENTS) & TM_USB_SETUP_HALF) != 0), 8);
    }
    void fill_ep0(const Bytes& data) {
        for (std::uint32_t i = 0; i < data.size(); ++i) {
            write(TM_USB_EP0_IN_DATA + 4 * i, data[i]);
        }
    }
    void arm_ep0_in(const Bytes& data) {
        fill_ep0(data);
        write(TM_USB_EP0_CTRL, TM_USB_EP0_ARM_IN | static_cast<std::uint32_t>(data.size()));
    }
    /// Endpoint 1 as after SET_CONFIGURATION.
    void start_ep1() {
        write(TM_USB_EP1_CTRL,
              TM_USB_EP1_ENABLE | TM_USB_EP1_DATA0_IN | TM_USB_EP1_DATA0_OUT | TM_USB_EP1_ARM_OUT);
    }

    UsbDevice device;
    wire::Bus bus{device};
    wire::Host host;
};

inline std::uint64_t record(std::uint64_t number) {
    return number * 0x9E37'79B9'7F4A'7C15ULL + 0x0123'4567'89AB'CDEFULL;
}

inline Bytes record_bytes(std::uint64_t first, std::size_t count) {
    Bytes bytes;
    for (std::size_t i = 0; i < count; ++i) {
        for (unsigned k = 0; k < 64; k += 8) {
            bytes.push_back(static_cast<std::uint8_t>(record(first + i) >> k));
        }
    }
    return bytes;
}

constexpr std::array<std::uint8_t, 8> get_device = {0x80, 6, 0, 1, 0, 0, 18, 0};

/// The same with the control endpoint of the firmware behind it, which runs beside the bus and
/// takes time for every register. Its vendor side is a VendorEcho.
class UsbFirmwareBench : public UsbBench, public fw_test::VendorEcho {
  public:
    explicit UsbFirmwareBench(std::uint64_t seed = 1) : UsbBench(seed) {
        const tm_usb_vendor vendor = callbacks();
        tm_usb_init(&usb, &hw_, &vendor, "TM-0001", true, 2);
        bus.on_clock([this] {
            if (sleep_ > 0) {
                --sleep_;
            } else if (!device.busy()) {
                firmware_.resume();
            }
        });
    }
    /// Reset, address, configuration.
    void enumerate(unsigned address = 5) {
        host.bus_reset(wire::fs_per_ms / 20);
        ask({0, 5, static_cast<std::uint8_t>(address), 0, 0, 0, 0, 0});
        host.address = address;
        ask({0, 9, 1, 0, 0, 0, 0, 0});
    }

    /// A request without data that must succeed; then the firmware's turn.
    void ask(const std::array<std::uint8_t, 8>& setup) {
        if (host.control(setup).answer != Answer::ack) throw std::runtime_error("not accepted");
        host.idle(200);
    }

    tm_usb usb{};

  private:
    // A poll each 4 us or less often, and ten core clocks to an access beside its own.
    static constexpr unsigned poll_clocks = 200, access_clocks = 20;
    static UsbFirmwareBench& self(void* context) {
        return *static_cast<UsbFirmwareBench*>(context);
    }
    void wait(unsigned clocks) {
        sleep_ = clocks;
        firmware_.give_way();
    }
    void run() {
        for (;;) {
            tm_usb_poll(&usb);
            wait(poll_clocks);
        }
    }
    static std::uint32_t read_hw(void* context, std::uint32_t offset) {
        UsbFirmwareBench& bench = self(context);
        bench.wait(access_clocks);
        bench.device.begin_read(offset);
        bench.firmware_.give_way();
        return bench.device.read_data();
    }
    static void write_hw(void* context, std::uint32_t offset, std::uint32_t value) {
        UsbFirmwareBench& bench = self(context);
        bench.wait(access_clocks);
        bench.device.begin_write(offset, value);
        bench.firmware_.give_way();
    }

    tm_hw hw_{&read_hw, &write_hw, this};
    unsigned sleep_ = 0;
    Fiber firmware_{[this] { run(); }};
};

}  // namespace touchmove::rtl_test
