// in_process_transport.cpp - the daemon's link to a simulated board in the same process
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/in_process_transport.hpp"

#include <algorithm>
#include <utility>

extern "C" {
#include "fw/tm_usb.h"
}

namespace touchmove::device {
namespace {

constexpr std::uint8_t vendor_in = TM_USB_DIR_IN | TM_USB_TYPE_VENDOR;
constexpr std::uint8_t vendor_out = TM_USB_TYPE_VENDOR;

Error failure(TransferStatus status) {
    if (status == TransferStatus::stall) {
        return {std::errc::broken_pipe, "the board refused the request"};
    }
    return {std::errc::timed_out, "the board does not answer"};
}

}  // namespace

void InProcessTransport::start(Handler& handler) {
    handler_ = &handler;
    present_ = device_.enumerate();
}

void InProcessTransport::control_in(link::ControlRequest request, std::uint16_t length,
                                    Reply reply) {
    ControlReply got =
        device_.control({vendor_in, request.request, request.value, request.index, length});
    answers_.emplace_back([got = std::move(got), reply = std::move(reply)]() mutable {
        if (got.status == TransferStatus::ok) {
            reply(std::move(got.data));
        } else {
            reply(failure(got.status));
        }
    });
}

void InProcessTransport::control_out(link::ControlRequest request,
                                     std::span<const std::uint8_t> data, Done done) {
    const auto length = static_cast<std::uint16_t>(data.size());
    const TransferStatus status =
        device_
            .control({vendor_out, request.request, request.value, request.index, length}, data)
            .status;
    answers_.emplace_back([status, done = std::move(done)] {
        if (status == TransferStatus::ok) {
            done({});
        } else {
            done(failure(status));
        }
    });
}

void InProcessTransport::bulk_out(std::span<const std::uint8_t> bytes, Done done) {
    bool taken = present_;
    while (taken && !bytes.empty()) {
        const std::size_t size = std::min<std::size_t>(bytes.size(), TM_PACKET_BYTES);
        taken = device_.bulk_out(bytes.first(size)) == Handshake::ack;
        bytes = bytes.subspan(size);
    }
    answers_.emplace_back([taken, done = std::move(done)] {
        if (taken) {
            done({});
        } else {
            done(failure(TransferStatus::stall));
        }
    });
}

void InProcessTransport::stop() {
    handler_ = nullptr;
    answers_.clear();
}

void InProcessTransport::lose(const char* why) {
    answers_.clear();
    Handler* const handler = std::exchange(handler_, nullptr);
    handler->on_lost(Error(std::errc::no_such_device, why));
}

void InProcessTransport::poll() {
    if (handler_ == nullptr) return;
    if (!present_ || !device_.powered()) {
        lose(device_.powered() ? "the cable was pulled" : "the board has no power");
        return;
    }
    do {
        while (!answers_.empty()) {
            const auto answer = std::move(answers_.front());
            answers_.pop_front();
            answer();
            if (handler_ == nullptr) return;
        }
        // One transfer: up to a short packet, as a host controller collects it.
        transfer_.clear();
        Packet packet;
        while (device_.bulk_in(packet) == Handshake::ack) {
            transfer_.insert(transfer_.end(), packet.bytes.begin(),
                             packet.bytes.begin() + static_cast<std::ptrdiff_t>(packet.size));
        }
        if (!transfer_.empty()) handler_->on_bulk_in(transfer_);
    } while (handler_ != nullptr && !answers_.empty());
}

void InProcessTransport::run_until(BenchUs until) {
    poll();
    while (device_.now() < until) {
        const BenchUs frame_end = (device_.now() / frame_us + 1) * frame_us;
        device_.run_until(std::min(until, frame_end));
        poll();
    }
}

void InProcessTransport::unplug() {
    present_ = false;
    device_.detach();
}

}  // namespace touchmove::device
