// device_uri.hpp - where a board is to be found, as the user writes it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "host/base/result.hpp"

namespace touchmove::link {

/// `usb://VID:PID[/SERIAL]`, VID and PID in hexadecimal. No serial number: any board of that kind.
struct UsbAddress {
    std::uint16_t vendor = 0;
    std::uint16_t product = 0;
    std::string serial = {};
    friend bool operator==(const UsbAddress&, const UsbAddress&) = default;
};

/// `usbip://HOST[:PORT]/BUSID`
struct UsbipAddress {
    static constexpr std::uint16_t default_port = 3240;
    std::string host;
    std::uint16_t port = default_port;
    std::string busid;
    friend bool operator==(const UsbipAddress&, const UsbipAddress&) = default;
};

using DeviceUri = std::variant<UsbAddress, UsbipAddress>;

/// Fails with a sentence that says what is wrong with it and shows the right form.
[[nodiscard]] Result<DeviceUri> parse_device_uri(std::string_view text);

/// The inverse, in the shortest form.
[[nodiscard]] std::string to_string(const DeviceUri& uri);

}  // namespace touchmove::link
