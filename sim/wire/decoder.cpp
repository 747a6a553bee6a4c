// decoder.cpp - judges what a device sends, from the pins alone
// SPDX-License-Identifier: Apache-2.0
#include "sim/wire/decoder.hpp"

#include <cstdlib>

namespace touchmove::wire {
namespace {

constexpr std::size_t sync_bits = 8, end_bits = 3;
// A driver's own jitter may be 3.5 ns (USB 2.0, table 7-9, TDJ1); a simulated one has none but the
// rounding of the clock.
constexpr Fs tolerance = fs_per_ns / 10;

// The pins as one letter a bit time, "" where an edge lies off the grid of bit times.
std::string letters(std::span<const PinChange> changes, std::string& problem) {
    std::string line;
    for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
        const Fs length = changes[i + 1].at - changes[i].at;
        const Fs bits = (length + bit_fs / 2) / bit_fs;
        if (bits == 0 || std::abs(length - bits * bit_fs) > tolerance * bits) {
            problem = "an edge lies off the bit times";
            return {};
        }
        const Pins& pins = changes[i].pins;
        const char letter = pins.dp ? (pins.dn ? '1' : 'J') : (pins.dn ? 'K' : '0');
        line.append(static_cast<std::size_t>(bits), letter);
    }
    return line;
}

// CRCs in reflected form, a byte at a time by shifting right.
unsigned reflected(unsigned crc, unsigned poly, unsigned byte) {
    crc ^= byte;
    for (int i = 0; i < 8; ++i)
        crc = (crc & 1U) != 0 ? crc >> 1 ^ poly : crc >> 1;
    return crc;
}

bool data_crc_holds(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < 3) return false;
    unsigned crc = 0xFFFF;
    for (const std::uint8_t byte : bytes.subspan(1, bytes.size() - 3)) {
        crc = reflected(crc, 0xA001, byte);
    }
    crc ^= 0xFFFF;
    return bytes[bytes.size() - 2] == (crc & 0xFFU) && bytes[bytes.size() - 1] == crc >> 8;
}

}  // namespace

Decoded decode(std::span<const PinChange> changes) {
    Decoded result;
    const std::string line = letters(changes, result.problem);
    if (!result.problem.empty()) return result;
    const auto say = [&](const char* problem) {
        if (result.problem.empty()) result.problem = problem;
    };
    if (line.size() < sync_bits + end_bits) return {"too short to be a packet", {}};
    if (line.substr(line.size() - end_bits) != "00J") say("does not end in SE0, SE0, J");
    const std::string body = line.substr(0, line.size() - end_bits);
    if (body.find_first_not_of("JK") != std::string::npos) say("SE0 or SE1 within the packet");
    if (body.substr(0, sync_bits) != "KJKJKJKK") say("no SYNC");

    std::string bits;
    std::size_t run = 1;  // equal letters in a row: seven of them are six ones
    for (std::size_t i = sync_bits; i < body.size(); ++i) {
        const bool one = body[i] == body[i - 1];
        if (run == 7) {
            if (one) say("a stuffed bit is missing");
        } else {
            bits.push_back(one ? '1' : '0');
        }
        // The last bit of SYNC is a one: the run of letters began before it.
        run = one ? run + 1 : 1;
        if (i == sync_bits) run = one ? 3 : 1;
    }
    if (run == 7) say("the last stuffed bit is missing");
    if (bits.size() % 8 != 0) say("not whole bytes");
    for (std::size_t i = 0; i + 8 <= bits.size(); i += 8) {
        unsigned byte = 0;
        for (std::size_t k = 8; k-- > 0;)
            byte = byte << 1 | (bits[i + k] == '1' ? 1U : 0U);
        result.bytes.push_back(static_cast<std::uint8_t>(byte));
    }
    if (result.bytes.empty()) {
        say("no PID");
        return result;
    }
    const unsigned pid = result.bytes[0];
    if ((pid & 0xFU) != (~pid >> 4 & 0xFU)) say("PID and check bits differ");
    switch (pid & 3U) {
        case 3:  // data
            if (!data_crc_holds(result.bytes)) say("CRC16 is wrong");
            break;
        case 2:  // handshake
            if (result.bytes.size() != 1) say("a handshake with something behind it");
            break;
        default:
            say("a device sends no such packet");
    }
    return result;
}

}  // namespace touchmove::wire
