// packet.cpp - USB packets as bytes, and their bits on the line
// SPDX-License-Identifier: Apache-2.0
#include "sim/wire/packet.hpp"

namespace touchmove::wire {
namespace {

// USB 2.0, 8.3.5, bit by bit: `poly` without its highest term; `value` from its lowest bit on.
unsigned crc_step(unsigned crc, unsigned poly, unsigned width, unsigned value, unsigned bits) {
    const unsigned top = 1U << (width - 1);
    for (unsigned i = 0; i < bits; ++i) {
        const bool feedback = ((crc & top) != 0) != ((value >> i & 1U) != 0);
        crc = (crc << 1) & (2 * top - 1);
        if (feedback) crc ^= poly;
    }
    return crc;
}

// Sent highest term first, inverted: so bit 0 of the field is the highest term.
unsigned field_of(unsigned crc, unsigned width) {
    unsigned field = 0;
    for (unsigned i = 0; i < width; ++i)
        field |= (~crc >> (width - 1 - i) & 1U) << i;
    return field;
}

Bytes with_crc5(Pid pid, unsigned eleven_bits) {
    const unsigned crc = field_of(crc_step(0x1F, 0x05, 5, eleven_bits, 11), 5);
    const unsigned both = eleven_bits | crc << 11;
    return {static_cast<std::uint8_t>(pid), static_cast<std::uint8_t>(both),
            static_cast<std::uint8_t>(both >> 8)};
}

}  // namespace

Bytes token_packet(Pid pid, unsigned address, unsigned endpoint) {
    return with_crc5(pid, (address & 0x7FU) | (endpoint & 0xFU) << 7);
}

Bytes sof_packet(unsigned frame) {
    return with_crc5(Pid::sof, frame & 0x7FFU);
}

Bytes data_packet(bool data1, std::span<const std::uint8_t> data) {
    Bytes packet{static_cast<std::uint8_t>(data1 ? Pid::data1 : Pid::data0)};
    unsigned crc = 0xFFFF;
    for (const std::uint8_t byte : data) {
        packet.push_back(byte);
        crc = crc_step(crc, 0x8005, 16, byte, 8);
    }
    const unsigned field = field_of(crc, 16);
    packet.push_back(static_cast<std::uint8_t>(field));
    packet.push_back(static_cast<std::uint8_t>(field >> 8));
    return packet;
}

std::vector<Line> line_bits(std::span<const std::uint8_t> packet) {
    std::vector<Line> bits;
    bool j = true;
    unsigned ones = 0;
    const auto put = [&](bool one) {
        if (!one) j = !j;
        bits.push_back(j ? Line::j : Line::k);
        ones = one ? ones + 1 : 0;
    };
    const auto put_byte = [&](unsigned byte) {
        for (unsigned i = 0; i < 8; ++i) {
            put((byte >> i & 1U) != 0);
            if (ones == 6) put(false);
        }
    };
    put_byte(0x80);  // SYNC
    for (const std::uint8_t byte : packet)
        put_byte(byte);
    return bits;
}

}  // namespace touchmove::wire
