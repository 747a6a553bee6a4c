// control_pipe.hpp - whole control transfers over the packets of endpoint 0, as a host does them
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sim/device/usb_block.hpp"

namespace touchmove::device {

/// The eight bytes of a SETUP packet (USB 2.0, table 9-2).
struct Setup {
    std::uint8_t request_type = 0;
    std::uint8_t request = 0;
    std::uint16_t value = 0;
    std::uint16_t index = 0;
    std::uint16_t length = 0;

    [[nodiscard]] bool is_in() const noexcept { return (request_type & 0x80U) != 0; }
    [[nodiscard]] std::array<std::uint8_t, 8> bytes() const;
    [[nodiscard]] static Setup from(std::span<const std::uint8_t, 8> bytes);
};

enum class TransferStatus { ok, stall, timed_out };

struct ControlReply {
    TransferStatus status = TransferStatus::ok;
    std::vector<std::uint8_t> data;  ///< of an IN transfer, never more than setup.length
};

/// Setup, data and status stage. `poll` gives the firmware a turn; a device that answers NAK for
/// a thousand turns in a row is timed out. `out` holds the data stage of an OUT transfer, at most
/// setup.length bytes.
[[nodiscard]] ControlReply control_transfer(UsbBlock& usb, const std::function<void()>& poll,
                                            const Setup& setup, std::span<const std::uint8_t> out);

}  // namespace touchmove::device
