// frontend_device.cpp - a simulated board of frontend RTL, native firmware and a USB model
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/frontend_device.hpp"

#include "fw/regs.h"
#include "fw/usb_regs.h"

namespace touchmove::device {

FrontendDevice::FrontendDevice(const DeviceOptions& options, Stimulus& stimulus)
    : options_(options) {
    const Wiring* const wiring = options_.wiring != nullptr ? options_.wiring : &diodes_;
    frontend_ = make_frontend(options_.style, {&stimulus, wiring, &usb_, options_.trace_file});
    hw_.context = this;
    hw_.read = [](void* context, std::uint32_t offset) {
        return static_cast<FrontendDevice*>(context)->read_register(offset);
    };
    hw_.write = [](void* context, std::uint32_t offset, std::uint32_t value) {
        static_cast<FrontendDevice*>(context)->write_register(offset, value);
    };
    if (options_.flash != nullptr) flash_ = options_.flash->interface();
    firmware_options_ = {
        .name = options_.name.c_str(),
        .serial = options_.serial.c_str(),
        .self_powered = options_.self_powered,
        .milliamperes = options_.milliamperes,
        .lamps = static_cast<std::uint8_t>(options_.lamps),
        .show_lamps = [](void* context, const std::uint32_t* lit) {
            static_cast<FrontendDevice*>(context)->lamps_ = std::uint64_t{lit[1]} << 32 | lit[0];
        },
        .lamps_context = this,
    };
}

void FrontendDevice::run_until(BenchUs until) {
    // Only a self-test gives the firmware something to do while nobody asks. A prime number, so
    // that it meets every moment of a scan.
    constexpr BenchUs round_us = 47;
    while (powered_ && board_.sensors.watching && frontend_->now() + round_us < until) {
        frontend_->run_until(frontend_->now() + round_us);
        poll();
    }
    frontend_->run_until(until);
}

std::uint32_t FrontendDevice::read_register(std::uint32_t offset) {
    return offset >= TM_USB_BASE ? usb_.read(offset) : frontend_->read(offset / 4);
}

void FrontendDevice::write_register(std::uint32_t offset, std::uint32_t value) {
    if (offset >= TM_USB_BASE) {
        usb_.write(offset, value);
        return;
    }
    if (offset / 4 == TM_REG_CONTROL && board_.phase == TM_BOARD_COUNTING) {
        // The first frame starts one slot of 8 us from now, and time one whole frame before it.
        session_zero_ = frontend_->now() + 8 - tm_board_frame_us(&board_);
    }
    frontend_->write(offset / 4, value);
}

void FrontendDevice::poll() {
    // As often as it has something to do, as a core that runs it for ever would.
    do {
        tm_board_poll(&board_);
    } while (board_.store.step != TM_STORE_IDLE);
}

void FrontendDevice::power_on() {
    if (powered_) return;
    powered_ = true;
    usb_ = UsbBlock{};
    frontend_->power_on();
    tm_board_init(&board_, &hw_, options_.flash != nullptr ? &flash_ : nullptr,
                  &firmware_options_);
    do {
        poll();
    } while (board_.phase != TM_BOARD_RUNNING);
}

void FrontendDevice::power_cut() {
    if (!powered_) return;
    powered_ = false;
    usb_ = UsbBlock{};
    lamps_ = 0;
    frontend_->power_off();
}

void FrontendDevice::bus_reset() {
    if (!powered_) return;
    usb_.bus_reset();
    poll();
}

ControlReply FrontendDevice::control(const Setup& setup, std::span<const std::uint8_t> out) {
    if (!powered_) return {TransferStatus::timed_out, {}};
    return control_transfer(usb_, [this] { poll(); }, setup, out);
}

Handshake FrontendDevice::bulk_in(Packet& packet) {
    return powered_ ? usb_.ep1_in(packet) : Handshake::no_reply;
}

Handshake FrontendDevice::bulk_out(std::span<const std::uint8_t> data) {
    if (!powered_) return Handshake::no_reply;
    const Handshake answer = usb_.ep1_out(data);
    poll();
    return answer;
}

}  // namespace touchmove::device
