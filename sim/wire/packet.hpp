// packet.hpp - USB packets as bytes, and their bits on the line
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/wire/line.hpp"

namespace touchmove::wire {

using Bytes = std::vector<std::uint8_t>;

/// Packet identifiers with their check bits (USB 2.0, 8.3.1).
enum class Pid : std::uint8_t {
    out = 0xE1,
    in = 0x69,
    sof = 0xA5,
    setup = 0x2D,
    data0 = 0xC3,
    data1 = 0x4B,
    ack = 0xD2,
    nak = 0x5A,
    stall = 0x1E,
    pre = 0x3C
};

/// Packets: PID, fields, CRC.
[[nodiscard]] Bytes token_packet(Pid pid, unsigned address, unsigned endpoint);
[[nodiscard]] Bytes sof_packet(unsigned frame);
[[nodiscard]] Bytes data_packet(bool data1, std::span<const std::uint8_t> data);
[[nodiscard]] inline Bytes handshake_packet(Pid pid) {
    return {static_cast<std::uint8_t>(pid)};
}

/// What goes wrong on the way.
struct Fault {
    static constexpr int none = -1;
    int invert_bit = none;  ///< this bit of the line, SYNC's first being 0, is driven the other way
    int cut_at_bit = none;  ///< the end of the packet comes here
    bool no_end = false;    ///< no SE0: the line just goes idle
    int dribble_bits = 0;   ///< the last bit lasts so many bits longer (7.1.9.1)
};

/// SYNC, the packet's bytes, stuffed and NRZI coded, one line state a bit; without its end.
[[nodiscard]] std::vector<Line> line_bits(std::span<const std::uint8_t> packet);

}  // namespace touchmove::wire
