// little_endian.hpp - integers in the byte order of USB
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace touchmove::link {

[[nodiscard]] constexpr std::uint16_t read_u16(std::span<const std::uint8_t, 2> b) noexcept {
    return static_cast<std::uint16_t>(b[0] | (b[1] << 8));
}

[[nodiscard]] constexpr std::uint32_t read_u32(std::span<const std::uint8_t, 4> b) noexcept {
    return std::uint32_t{read_u16(b.first<2>())} | (std::uint32_t{read_u16(b.last<2>())} << 16);
}

[[nodiscard]] constexpr std::uint64_t read_u64(std::span<const std::uint8_t, 8> b) noexcept {
    return std::uint64_t{read_u32(b.first<4>())} | (std::uint64_t{read_u32(b.last<4>())} << 32);
}

constexpr void write_u16(std::span<std::uint8_t, 2> b, std::uint16_t v) noexcept {
    b[0] = static_cast<std::uint8_t>(v & 0xFF);
    b[1] = static_cast<std::uint8_t>(v >> 8);
}

constexpr void write_u32(std::span<std::uint8_t, 4> b, std::uint32_t v) noexcept {
    write_u16(b.first<2>(), static_cast<std::uint16_t>(v & 0xFFFF));
    write_u16(b.last<2>(), static_cast<std::uint16_t>(v >> 16));
}

}  // namespace touchmove::link
