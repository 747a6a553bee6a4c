// urb_pump.cpp - carries out what an importer submits on a simulated device
// SPDX-License-Identifier: Apache-2.0
#include "sim/usbip/urb_pump.hpp"

#include <algorithm>
#include <span>

#include "fw/tm_descriptors.h"
extern "C" {
#include "fw/tm_usb.h"
}

namespace touchmove::usbip {
namespace {

using device::Handshake;
using device::Packet;
using device::Setup;
using device::TransferStatus;

constexpr std::int32_t status_overflow = -75;  // EOVERFLOW: a packet larger than the room left

std::int32_t status_of(TransferStatus status) {
    switch (status) {
        case TransferStatus::ok: return 0;
        case TransferStatus::stall: return status_stall;
        case TransferStatus::timed_out: break;
    }
    return status_timed_out;
}

std::int32_t status_of(Handshake answer) {
    return answer == Handshake::stall ? status_stall : status_protocol;
}

/// Linux asks this first after a reset of the port, and at no other time with this length.
bool follows_a_reset(const Setup& setup) {
    return setup.request_type == TM_USB_DIR_IN && setup.request == TM_USB_GET_DESCRIPTOR &&
           setup.value == TM_DESC_DEVICE << 8 && setup.length == 64;
}

}  // namespace

void UrbPump::give_address() {
    constexpr std::uint16_t address = 1;
    device_.bus_reset();
    (void)device_.control({0, TM_USB_SET_ADDRESS, address, 0, 0});
}

void UrbPump::attach() {
    give_address();
    queues_.open();
}

void UrbPump::detach() { device_.detach(); }

void UrbPump::serve() {
    while (const auto urb = queues_.take_control()) {
        urb->client->on_complete(control(urb->submit));
    }
    while (const auto urb = queues_.take_bulk_out()) {
        urb->client->on_complete(bulk_out(urb->submit));
    }
    while (device_.bulk_in_state() != Handshake::nak) {
        const auto urb = queues_.take_bulk_in();
        if (!urb) break;
        urb->client->on_complete(bulk_in(urb->submit));
    }
    while (const auto urb = queues_.take_stray()) {
        urb->client->on_complete({urb->submit.seqnum, status_protocol, 0, {}});
    }
}

Completion UrbPump::control(const Submit& submit) {
    const Setup setup = Setup::from(submit.setup);
    const bool configured = device_.bulk_in_state() != Handshake::no_reply;
    if (configured && follows_a_reset(setup)) give_address();
    if (!setup.is_in() && submit.data.size() < setup.length) {
        return {submit.seqnum, status_protocol, 0, {}};
    }
    const std::span<const std::uint8_t> out =
        setup.is_in() ? std::span<const std::uint8_t>{}
                      : std::span(submit.data).first(setup.length);
    device::ControlReply reply = device_.control(setup, out);
    Completion done{submit.seqnum, status_of(reply.status), 0, {}};
    if (done.status != 0) return done;
    if (submit.in) {
        if (reply.data.size() > submit.length) reply.data.resize(submit.length);
        done.data = std::move(reply.data);
        done.actual_length = static_cast<std::uint32_t>(done.data.size());
    } else {
        done.actual_length = static_cast<std::uint32_t>(out.size());
    }
    return done;
}

Completion UrbPump::bulk_out(const Submit& submit) {
    Completion done{submit.seqnum, 0, 0, {}};
    std::span<const std::uint8_t> left = submit.data;
    do {
        const auto packet = left.first(std::min<std::size_t>(left.size(), TM_PACKET_BYTES));
        const Handshake answer = device_.bulk_out(packet);
        if (answer != Handshake::ack) {
            done.status = status_of(answer);
            break;
        }
        done.actual_length += static_cast<std::uint32_t>(packet.size());
        left = left.subspan(packet.size());
    } while (!left.empty());
    return done;
}

Completion UrbPump::bulk_in(const Submit& submit) {
    Completion done{submit.seqnum, 0, 0, {}};
    if (submit.length < TM_PACKET_BYTES) {
        done.status = status_overflow;
        return done;
    }
    Packet packet;
    do {
        const Handshake answer = device_.bulk_in(packet);
        if (answer != Handshake::ack) {
            if (answer != Handshake::nak) done.status = status_of(answer);
            break;
        }
        done.data.insert(done.data.end(), packet.view().begin(), packet.view().end());
    } while (packet.size == TM_PACKET_BYTES &&
             done.data.size() + TM_PACKET_BYTES <= submit.length);
    done.actual_length = static_cast<std::uint32_t>(done.data.size());
    return done;
}

}  // namespace touchmove::usbip
