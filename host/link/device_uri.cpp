// device_uri.cpp - where a board is to be found, as the user writes it
// SPDX-License-Identifier: Apache-2.0
#include "host/link/device_uri.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <charconv>
#include <optional>

namespace touchmove::link {
namespace {

constexpr std::string_view usb_scheme = "usb://";
constexpr std::string_view usbip_scheme = "usbip://";
constexpr std::size_t busid_max = 31;  // 32 bytes with the final zero, in the USB/IP protocol

Error bad(std::string_view text, std::string_view why) {
    return Error(std::errc::invalid_argument, fmt::format("device '{}': {}", text, why));
}

std::optional<std::uint16_t> parse_hex16(std::string_view digits) {
    std::uint16_t value = 0;
    const auto end = digits.data() + digits.size();
    const auto [stop, code] = std::from_chars(digits.data(), end, value, 16);
    if (digits.empty() || code != std::errc{} || stop != end) return std::nullopt;
    return value;
}

bool is_plain(char c) {
    return c > ' ' && c < 0x7F && c != '/';
}

// Not a URL in the strict sense: the "port" is hexadecimal.
Result<DeviceUri> parse_usb(std::string_view text) {
    constexpr std::string_view form =
        "a USB device is written usb://VID:PID or "
        "usb://VID:PID/SERIAL, as in usb://1209:0001";
    std::string_view rest = text.substr(usb_scheme.size());
    UsbAddress address;
    if (const auto slash = rest.find('/'); slash != std::string_view::npos) {
        address.serial = rest.substr(slash + 1);
        rest = rest.substr(0, slash);
        if (address.serial.empty() ||
            !std::all_of(address.serial.begin(), address.serial.end(), is_plain)) {
            return bad(text, "the serial number after the slash must be printable and not empty");
        }
    }
    const auto colon = rest.find(':');
    if (colon == std::string_view::npos) return bad(text, form);
    const auto vendor = parse_hex16(rest.substr(0, colon));
    const auto product = parse_hex16(rest.substr(colon + 1));
    if (!vendor || !product) return bad(text, form);
    address.vendor = *vendor;
    address.product = *product;
    return DeviceUri(std::move(address));
}

Result<DeviceUri> parse_usbip(std::string_view text) {
    constexpr std::string_view form =
        "a USB/IP device is written usbip://HOST:PORT/BUSID, as in "
        "usbip://127.0.0.1:3240/1-1";
    const auto parsed = boost::urls::parse_uri(boost::core::string_view(text.data(), text.size()));
    if (!parsed) return bad(text, form);
    const boost::urls::url_view& url = *parsed;
    if (url.has_userinfo() || url.has_query() || url.has_fragment()) return bad(text, form);
    UsbipAddress address;
    address.host = url.host_address();
    if (address.host.empty()) return bad(text, form);
    if (url.has_port()) {
        address.port = url.port_number();
        // Of what does not fit port_number() is 0, or the low bits (Boost 1.81).
        const std::string_view digits(url.port().data(), url.port().size());
        if (address.port == 0 || digits != fmt::format("{}", address.port)) {
            return bad(text, "the port must be a number from 1 to 65535");
        }
    }
    const std::string path = url.path();
    address.busid = path.empty() ? path : path.substr(1);
    if (address.busid.empty() || address.busid.size() > busid_max ||
        !std::all_of(address.busid.begin(), address.busid.end(), is_plain)) {
        return bad(text, fmt::format("the bus id after the slash, as in /1-1, must have 1 to {} "
                                     "printable characters",
                                     busid_max));
    }
    return DeviceUri(std::move(address));
}

}  // namespace

Result<DeviceUri> parse_device_uri(std::string_view text) {
    if (text.starts_with(usb_scheme)) return parse_usb(text);
    if (text.starts_with(usbip_scheme)) return parse_usbip(text);
    return bad(text, "it must begin with usb:// or usbip://");
}

std::string to_string(const DeviceUri& uri) {
    if (const auto* usb = std::get_if<UsbAddress>(&uri)) {
        return fmt::format("usb://{:04x}:{:04x}{}{}", usb->vendor, usb->product,
                           usb->serial.empty() ? "" : "/", usb->serial);
    }
    const auto& usbip = std::get<UsbipAddress>(uri);
    const bool is_v6 = usbip.host.find(':') != std::string::npos;
    return fmt::format("usbip://{}{}{}:{}/{}", is_v6 ? "[" : "", usbip.host, is_v6 ? "]" : "",
                       usbip.port, usbip.busid);
}

}  // namespace touchmove::link
