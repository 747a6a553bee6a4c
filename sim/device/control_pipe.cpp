// control_pipe.cpp - whole control transfers over the packets of endpoint 0, as a host does them
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/control_pipe.hpp"

#include <algorithm>

namespace touchmove::device {
namespace {

constexpr int patience = 1000;

template <class Transaction>
Handshake retry(const std::function<void()>& poll, Transaction transaction) {
    for (int turn = 0; turn < patience; ++turn) {
        const Handshake answer = transaction();
        poll();
        if (answer != Handshake::nak) return answer;
    }
    return Handshake::nak;
}

TransferStatus failure(Handshake answer) {
    return answer == Handshake::stall ? TransferStatus::stall : TransferStatus::timed_out;
}

}  // namespace

std::array<std::uint8_t, 8> Setup::bytes() const {
    const auto low = [](std::uint16_t v) { return static_cast<std::uint8_t>(v); };
    const auto high = [](std::uint16_t v) { return static_cast<std::uint8_t>(v >> 8); };
    return {request_type, request,     low(value),  high(value),
            low(index),   high(index), low(length), high(length)};
}

Setup Setup::from(std::span<const std::uint8_t, 8> bytes) {
    const auto pair = [&](std::size_t at) {
        return static_cast<std::uint16_t>(bytes[at] | bytes[at + 1] << 8);
    };
    return {bytes[0], bytes[1], pair(2), pair(4), pair(6)};
}

ControlReply control_transfer(UsbBlock& usb, const std::function<void()>& poll, const Setup& setup,
                              std::span<const std::uint8_t> out) {
    ControlReply reply;
    Packet packet;
    usb.setup(setup.bytes());
    poll();
    if (setup.is_in() && setup.length > 0) {
        do {
            const Handshake answer = retry(poll, [&] { return usb.ep0_in(packet); });
            if (answer != Handshake::ack) return {failure(answer), {}};
            const std::size_t room = setup.length - reply.data.size();
            const auto bytes = packet.view().first(std::min(room, packet.size));
            reply.data.insert(reply.data.end(), bytes.begin(), bytes.end());
        } while (packet.size == TM_PACKET_BYTES && reply.data.size() < setup.length);
        const Handshake answer = retry(poll, [&] { return usb.ep0_out({}); });
        if (answer != Handshake::ack) return {failure(answer), {}};
        return reply;
    }
    for (std::size_t at = 0; at < out.size(); at += TM_PACKET_BYTES) {
        const auto part = out.subspan(at, std::min<std::size_t>(TM_PACKET_BYTES, out.size() - at));
        const Handshake answer = retry(poll, [&] { return usb.ep0_out(part); });
        if (answer != Handshake::ack) return {failure(answer), {}};
    }
    const Handshake answer = retry(poll, [&] { return usb.ep0_in(packet); });
    if (answer != Handshake::ack) return {failure(answer), {}};
    return reply;
}

}  // namespace touchmove::device
