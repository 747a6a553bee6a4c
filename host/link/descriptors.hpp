// descriptors.hpp - the few standard descriptors that a host of boards reads
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "host/base/result.hpp"

namespace touchmove::link {

/// A standard request for a descriptor (USB 2.0, 9.4.3).
struct DescriptorRequest {
    std::uint16_t value;     ///< type in the high byte, number in the low one
    std::uint16_t language;  ///< wIndex
    std::uint16_t length;    ///< wLength
};

// bRequest (USB 2.0, 9.4).
inline constexpr std::uint8_t get_status = 0x00;
inline constexpr std::uint8_t clear_feature = 0x01;
inline constexpr std::uint8_t get_descriptor = 0x06;
inline constexpr std::uint8_t set_configuration = 0x09;
// bmRequestType (USB 2.0, 9.3.1).
inline constexpr std::uint8_t standard_device_out = 0x00;
inline constexpr std::uint8_t standard_endpoint_out = 0x02;
inline constexpr std::uint8_t standard_device_in = 0x80;
inline constexpr std::uint8_t vendor_device_out = 0x40;
inline constexpr std::uint8_t vendor_device_in = 0xC0;

inline constexpr std::uint16_t endpoint_halt = 0;  ///< feature selector (USB 2.0, table 9-6)

inline constexpr DescriptorRequest device_descriptor_request{0x0100, 0, 18};
inline constexpr DescriptorRequest language_request{0x0300, 0, 255};

[[nodiscard]] constexpr DescriptorRequest string_request(std::uint8_t number,
                                                         std::uint16_t language) {
    return {static_cast<std::uint16_t>(0x0300 | number), language, 255};
}

/// iSerialNumber of a device descriptor (USB 2.0, 9.6.1). Fails if there is none.
[[nodiscard]] Result<std::uint8_t> serial_number_index(std::span<const std::uint8_t> descriptor);

/// First language of string descriptor zero (USB 2.0, 9.6.7).
[[nodiscard]] Result<std::uint16_t> first_language(std::span<const std::uint8_t> descriptor);

/// Text of a string descriptor; characters outside ASCII become '?'. Fails if it is empty.
[[nodiscard]] Result<std::string> string_of(std::span<const std::uint8_t> descriptor);

}  // namespace touchmove::link
