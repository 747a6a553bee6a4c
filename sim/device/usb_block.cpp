// usb_block.cpp - stands in for the USB block: registers on one side, packets on the other
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/usb_block.hpp"

#include <algorithm>
#include <cassert>

#include "fw/usb_regs.h"

namespace touchmove::device {
namespace {

/// Where `offset` lies in the `size` bytes that start at `base`, a byte every four, if it does.
bool within(std::uint32_t offset, std::uint32_t base, std::size_t size, std::size_t& at) {
    if (offset < base || offset >= base + 4 * size || offset % 4 != 0) return false;
    at = (offset - base) / 4;
    return true;
}

void fill(Packet& packet, std::span<const std::uint8_t> data) {
    std::copy(data.begin(), data.end(), packet.bytes.begin());
    packet.size = data.size();
}

}  // namespace

std::uint32_t UsbBlock::read(std::uint32_t offset) const {
    std::size_t at = 0;
    if (within(offset, TM_USB_EP0_OUT_DATA, TM_USB_BUFFER_BYTES, at)) return ep0_out_.bytes[at];
    if (within(offset, TM_USB_EP1_OUT_DATA, TM_USB_BUFFER_BYTES, at)) return ep1_out_.bytes[at];
    for (const bool half : {false, true}) {
        if (within(offset, TM_USB_SETUP(half), setups_[0].size(), at)) return setups_[half][at];
    }
    switch (offset) {
        case TM_USB_EVENTS:
            // A bus that was reset is never suspended here.
            return events_ | (setup_half_ ? TM_USB_SETUP_HALF : 0) |
                   (was_reset_ ? TM_USB_EVENT_ALIVE : 0);
        case TM_USB_EP0_OUT_COUNT:
            return static_cast<std::uint32_t>(ep0_out_.size + TM_USB_CRC_BYTES);
        case TM_USB_EP1_OUT_COUNT:
            return static_cast<std::uint32_t>(ep1_out_.size + TM_USB_CRC_BYTES);
        default: return 0;
    }
}

void UsbBlock::write(std::uint32_t offset, std::uint32_t value) {
    std::size_t at = 0;
    if (within(offset, TM_USB_EP0_IN_DATA, TM_USB_BUFFER_BYTES, at)) {
        ep0_in_.bytes[at] = static_cast<std::uint8_t>(value);
        return;
    }
    switch (offset) {
        case TM_USB_EVENTS: events_ &= ~value; break;
        case TM_USB_ADDRESS:
            address_ = static_cast<std::uint8_t>(value & 0x7FU);
            connected_ = (value & TM_USB_CONNECT) != 0;
            break;
        case TM_USB_EP0_CTRL: write_ep0(value); break;
        case TM_USB_EP1_CTRL: write_ep1(value); break;
        default: break;
    }
}

void UsbBlock::write_ep0(std::uint32_t value) {
    if ((events_ & TM_USB_EVENT_SETUP) != 0) return;
    if ((value & TM_USB_EP0_STALL) != 0) {
        ep0_stalled_ = true;
        return;
    }
    if ((value & TM_USB_EP0_ARM_IN) != 0) {
        ep0_in_.size = std::min<std::size_t>(value & TM_USB_EP0_LENGTH_MASK, TM_PACKET_BYTES);
        ep0_in_armed_ = true;
    }
    if ((value & TM_USB_EP0_ARM_OUT) != 0) ep0_out_armed_ = true;
}

void UsbBlock::write_ep1(std::uint32_t value) {
    ep1_levels_ = value & (TM_USB_EP1_ENABLE | TM_USB_EP1_HALT_IN | TM_USB_EP1_HALT_OUT |
                           TM_USB_EP1_HOLD_IN);
    if ((value & TM_USB_EP1_DATA0_IN) != 0) toggle_in_ = false;
    if ((value & TM_USB_EP1_DATA0_OUT) != 0) toggle_out_ = false;
    if ((value & TM_USB_EP1_FLUSH_IN) != 0) flush_in();
    if ((value & TM_USB_EP1_ARM_OUT) != 0) ep1_out_armed_ = true;
    update_wants();
}

void UsbBlock::flush_in() {
    waiting_ = 0;
    owes_empty_ = false;
}

void UsbBlock::update_wants() {
    const std::uint32_t taking = ep1_levels_ & (TM_USB_EP1_ENABLE | TM_USB_EP1_HOLD_IN);
    wants_record_ = taking == TM_USB_EP1_ENABLE && waiting_ < capacity_;
}

void UsbBlock::push_record(std::uint64_t record) {
    assert(wants_record_);
    records_[(first_ + waiting_) % capacity_] = record;
    ++waiting_;
    owes_empty_ = false;
    update_wants();
}

void UsbBlock::bus_reset() {
    events_ = TM_USB_EVENT_RESET;
    was_reset_ = true;
    address_ = 0;
    ep0_in_armed_ = ep0_out_armed_ = ep0_stalled_ = false;
    ep1_levels_ = 0;
    ep1_out_armed_ = false;
    toggle_in_ = toggle_out_ = false;
    flush_in();
    update_wants();
}

void UsbBlock::setup(std::span<const std::uint8_t, 8> packet) {
    setup_half_ = !setup_half_;
    std::copy(packet.begin(), packet.end(), setups_[setup_half_].begin());
    ep0_in_armed_ = ep0_out_armed_ = ep0_stalled_ = false;
    events_ &= ~(TM_USB_EVENT_EP0_IN | TM_USB_EVENT_EP0_OUT);
    events_ |= TM_USB_EVENT_SETUP;
}

Handshake UsbBlock::ep0_in(Packet& packet) {
    if (ep0_stalled_) return Handshake::stall;
    if (!ep0_in_armed_) return Handshake::nak;
    packet = ep0_in_;
    ep0_in_armed_ = false;
    events_ |= TM_USB_EVENT_EP0_IN;
    return Handshake::ack;
}

Handshake UsbBlock::ep0_out(std::span<const std::uint8_t> data) {
    assert(data.size() <= TM_PACKET_BYTES);
    if (ep0_stalled_) return Handshake::stall;
    if (!ep0_out_armed_) return Handshake::nak;
    fill(ep0_out_, data);
    ep0_out_armed_ = false;
    events_ |= TM_USB_EVENT_EP0_OUT;
    return Handshake::ack;
}

Handshake UsbBlock::ep1_in_state() const noexcept {
    if ((ep1_levels_ & TM_USB_EP1_ENABLE) == 0) return Handshake::no_reply;
    if ((ep1_levels_ & TM_USB_EP1_HALT_IN) != 0) return Handshake::stall;
    return waiting_ > 0 || owes_empty_ ? Handshake::ack : Handshake::nak;
}

Handshake UsbBlock::ep1_in(Packet& packet) {
    if (const Handshake state = ep1_in_state(); state != Handshake::ack) return state;
    const std::size_t count = std::min<std::size_t>(waiting_, TM_RECORDS_PER_PACKET);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t record = records_[(first_ + i) % capacity_];
        for (std::size_t byte = 0; byte < TM_RECORD_BYTES; ++byte) {
            packet.bytes[TM_RECORD_BYTES * i + byte] =
                static_cast<std::uint8_t>(record >> (8 * byte));
        }
    }
    packet.size = TM_RECORD_BYTES * count;
    first_ = (first_ + count) % capacity_;
    waiting_ -= count;
    owes_empty_ = count == TM_RECORDS_PER_PACKET && waiting_ == 0;
    toggle_in_ = !toggle_in_;
    update_wants();
    return Handshake::ack;
}

Handshake UsbBlock::ep1_out(std::span<const std::uint8_t> data) {
    assert(data.size() <= TM_PACKET_BYTES);
    if ((ep1_levels_ & TM_USB_EP1_ENABLE) == 0) return Handshake::no_reply;
    if ((ep1_levels_ & TM_USB_EP1_HALT_OUT) != 0) return Handshake::stall;
    if (!ep1_out_armed_) return Handshake::nak;
    fill(ep1_out_, data);
    ep1_out_armed_ = false;
    toggle_out_ = !toggle_out_;
    events_ |= TM_USB_EVENT_EP1_OUT;
    return Handshake::ack;
}

}  // namespace touchmove::device
