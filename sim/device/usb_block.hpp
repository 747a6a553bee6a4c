// usb_block.hpp - stands in for the USB block: registers on one side, packets on the other
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "fw/tm_proto.h"

namespace touchmove::device {

/// How the device answers a transaction (USB 2.0, 8.4.6).
enum class Handshake {
    ack,      ///< taken, or data returned
    nak,      ///< not now: try again
    stall,    ///< halted, or the control request is refused
    no_reply  ///< the endpoint does not exist in this state
};

/// One 64-byte packet.
struct Packet {
    std::array<std::uint8_t, TM_PACKET_BYTES> bytes{};
    std::size_t size = 0;

    [[nodiscard]] std::span<const std::uint8_t> view() const { return {bytes.data(), size}; }
};

/// The USB block of fw/usb_regs.h, transaction by transaction, without wires. Three sides: the
/// firmware's registers, the record stream, and the host's tokens. One thread.
class UsbBlock {
  public:
    // The firmware's side.
    [[nodiscard]] std::uint32_t read(std::uint32_t offset) const;
    void write(std::uint32_t offset, std::uint32_t value);

    // The record stream. A record is taken only while the endpoint runs and has room, so that
    // what no host reads stays in the queue.
    [[nodiscard]] bool wants_record() const noexcept { return wants_record_; }
    void push_record(std::uint64_t record);

    // The host's side.
    void bus_reset();
    void setup(std::span<const std::uint8_t, 8> packet);
    [[nodiscard]] Handshake ep0_in(Packet& packet);
    [[nodiscard]] Handshake ep0_out(std::span<const std::uint8_t> data);
    /// A packet of up to eight records; an empty one after a full one with nothing behind it.
    [[nodiscard]] Handshake ep1_in(Packet& packet);
    [[nodiscard]] Handshake ep1_out(std::span<const std::uint8_t> data);

    /// What ep1_in() would answer, without moving anything.
    [[nodiscard]] Handshake ep1_in_state() const noexcept;
    [[nodiscard]] std::uint8_t address() const noexcept { return address_; }
    /// The firmware has pulled D+ up.
    [[nodiscard]] bool connected() const noexcept { return connected_; }
    /// The data toggle of the next bulk packet in each direction (8.6).
    [[nodiscard]] bool next_in_is_data1() const noexcept { return toggle_in_; }
    [[nodiscard]] bool next_out_is_data1() const noexcept { return toggle_out_; }

  private:
    void write_ep0(std::uint32_t value);
    void write_ep1(std::uint32_t value);
    void flush_in();
    void update_wants();

    std::uint32_t events_ = 0;
    bool was_reset_ = false;
    // Two places, taken in turn (rtl/usb/tm_usb_buffers.sv).
    std::array<std::array<std::uint8_t, 8>, 2> setups_{};
    bool setup_half_ = false;
    std::uint8_t address_ = 0;
    bool connected_ = false;
    Packet ep0_in_, ep0_out_, ep1_out_;
    bool ep0_in_armed_ = false, ep0_out_armed_ = false, ep0_stalled_ = false;
    std::uint32_t ep1_levels_ = 0;
    bool ep1_out_armed_ = false;
    bool toggle_in_ = false, toggle_out_ = false;
    // Two packets deep, like the block RAM that it stands for.
    static constexpr std::size_t capacity_ = 2 * TM_RECORDS_PER_PACKET;
    std::array<std::uint64_t, capacity_> records_{};
    std::size_t first_ = 0, waiting_ = 0;
    bool owes_empty_ = false;
    bool wants_record_ = false;
};

}  // namespace touchmove::device
