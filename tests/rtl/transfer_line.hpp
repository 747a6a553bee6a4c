// transfer_line.hpp - how a program that writes a trace says what was meant by it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>

namespace touchmove::rtl_test {

/// "bulk 0A 0B", a line a transfer: what usb_sigrok.sh compares with the wires.
inline void print_transfer(const char* what, std::span<const std::uint8_t> bytes) {
    std::printf("%s", what);
    for (const std::uint8_t byte : bytes)
        std::printf(" %02X", byte);
    std::printf("\n");
}

}  // namespace touchmove::rtl_test
