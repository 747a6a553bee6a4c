// soc_device.cpp - a simulated board of the whole chip, and a USB host on its D+ and D-
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/soc_device.hpp"

#include <algorithm>

extern "C" {
#include "fw/tm_usb.h"
}

namespace touchmove::device {
namespace {

using wire::Answer;
using wire::Fs;

constexpr Fs us_fs = 1000 * wire::fs_per_ns;
// USB 2.0, 7.1.7.3 and 7.1.7.5: contacts settle (TATTDB), reset of a hub's port (TDRST), recovery
// (TRSTRCY); 9.2.6.3: recovery after SET_ADDRESS
constexpr BenchUs settle_us = 100'000, reset_us = 10'000, recovery_us = 10'000, address_us = 2'000;
// Nothing a board does takes so long; a kernel waits 5 s for a control transfer
constexpr BenchUs pull_up_limit_us = 1'000'000;
constexpr int naks_taken = 50'000;
constexpr int tries = 3;  // of a transaction that failed (4.5.2)

Soc::Parts parts_of(const DeviceOptions& options, const Wiring& diodes, Stimulus& stimulus) {
    Soc::Parts parts;
    parts.stimulus = &stimulus;
    parts.wiring = options.wiring != nullptr ? options.wiring : &diodes;
    parts.flash = options.flash;
    parts.self_powered = options.self_powered;
    parts.serial = options.serial;
    parts.trace_file = options.trace_file;
    parts.rests = options.rests;
    return parts;
}

}  // namespace

SocDevice::SocDevice(const DeviceOptions& options, Stimulus& stimulus)
    : options_(options),
      soc_(make_soc(options_.style, parts_of(options_, diodes_, stimulus))),
      bus_(*soc_),
      host_(bus_, options_.usb_seed) {
    host_.signal.rate_error = options_.usb_rate_error;
    host_.signal.jitter_ns = options_.usb_jitter_ns;
}

void SocDevice::power_on() {
    if (powered_) return;
    powered_ = true;
    attached_ = false;
    host_.frames(false);
    host_.address = 0;
    soc_->power_on();
}

void SocDevice::power_cut() {
    if (!powered_) return;
    powered_ = attached_ = false;
    soc_->power_off();
}

void SocDevice::run_until(BenchUs until) {
    if (!powered_) {
        soc_->pass_until(until);
        return;
    }
    soc_->look_ahead();
    const std::int64_t left = until * clocks48_per_us - soc_->clocks();
    if (left > 0) host_.run_until(bus_.now() + left * wire::clock48_fs);
}

void SocDevice::run_for_us(BenchUs length) {
    host_.run_until(bus_.now() + length * us_fs);
}

BenchUs SocDevice::session_zero() const noexcept {
    return soc_->session_zero().value_or(0);
}

void SocDevice::bus_reset() {
    if (!powered_) return;
    soc_->look_ahead();
    soc_->set_vbus(true);
    if (!attached_) {
        for (BenchUs waited = 0; !bus_.pins().pullup && waited < pull_up_limit_us; waited += 1000)
            run_for_us(1000);
        if (!bus_.pins().pullup) return;
        run_for_us(settle_us);
        attached_ = true;
    }
    host_.frames(false);
    host_.bus_reset(reset_us * us_fs);
    host_.frames(true);
    run_for_us(recovery_us);
}

void SocDevice::detach() {
    if (!powered_ || !attached_) return;
    attached_ = false;
    host_.frames(false);
    // Without VBUS a board of its own supply lets go of D+, and both lines are low: a reset.
    if (options_.self_powered) {
        soc_->set_vbus(false);
        run_for_us(100);
    } else {
        host_.bus_reset(reset_us * us_fs);
    }
}

ControlReply SocDevice::control(const Setup& setup, std::span<const std::uint8_t> out) {
    if (!powered_ || !attached_) return {TransferStatus::timed_out, {}};
    soc_->look_ahead();
    wire::ControlResult result = host_.control(setup.bytes(), out, naks_taken);
    if (result.answer == Answer::stall) return {TransferStatus::stall, {}};
    if (result.answer != Answer::ack) return {TransferStatus::timed_out, {}};
    note(setup);
    result.data.resize(std::min<std::size_t>(result.data.size(), setup.length));
    return {TransferStatus::ok, std::move(result.data)};
}

// What a host does when such a request has succeeded (USB 2.0, 9.1.1.5, 9.2.6.3, 9.4.5).
void SocDevice::note(const Setup& setup) {
    constexpr std::uint8_t to_device = 0, to_interface = 1, to_endpoint = 2;
    const auto is = [&](std::uint8_t type, std::uint8_t request) {
        return setup.request_type == type && setup.request == request;
    };
    if (is(to_device, TM_USB_SET_ADDRESS)) {
        host_.address = setup.value;
        run_for_us(address_us);
    } else if (is(to_device, TM_USB_SET_CONFIGURATION) || is(to_interface, TM_USB_SET_INTERFACE)) {
        host_.toggle_in[1] = host_.toggle_out[1] = false;
    } else if (is(to_endpoint, TM_USB_CLEAR_FEATURE)) {
        const std::size_t endpoint = setup.index & 0xFU;
        ((setup.index & 0x80U) != 0 ? host_.toggle_in : host_.toggle_out)[endpoint] = false;
    }
}

Handshake SocDevice::bulk_in(Packet& packet) {
    if (!powered_ || !attached_) return Handshake::no_reply;
    soc_->look_ahead();
    for (int failed = 0; failed < tries;) {
        const wire::Reply reply = host_.in(1);
        switch (reply.answer) {
            case Answer::data:
                if (reply.repeated) break;
                packet.size = reply.data.size();
                std::copy(reply.data.begin(), reply.data.end(), packet.bytes.begin());
                return Handshake::ack;
            case Answer::nak:
                return Handshake::nak;
            case Answer::stall:
                return Handshake::stall;
            default:
                ++failed;
        }
    }
    return Handshake::no_reply;
}

Handshake SocDevice::bulk_out(std::span<const std::uint8_t> data) {
    if (!powered_ || !attached_) return Handshake::no_reply;
    soc_->look_ahead();
    int failed = 0;
    for (int naks = 0; naks < naks_taken && failed < tries;) {
        switch (host_.out(1, data).answer) {
            case Answer::ack:
                return Handshake::ack;
            case Answer::stall:
                return Handshake::stall;
            case Answer::nak:
                ++naks;
                failed = 0;
                break;
            default:
                ++failed;
        }
    }
    return failed < tries ? Handshake::nak : Handshake::no_reply;
}

Handshake SocDevice::bulk_in_state() const noexcept {
    return powered_ && attached_ ? soc_->bulk_in_state() : Handshake::no_reply;
}

}  // namespace touchmove::device
