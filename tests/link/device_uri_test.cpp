// device_uri_test.cpp - device addresses as users write them
// SPDX-License-Identifier: Apache-2.0
#include "host/link/device_uri.hpp"

#include <catch2/catch.hpp>

using namespace touchmove;
using namespace touchmove::link;

namespace {

template <class T>
T parsed(std::string_view text) {
    const auto uri = parse_device_uri(text);
    INFO(text);
    REQUIRE(uri);
    REQUIRE(std::holds_alternative<T>(*uri));
    return std::get<T>(*uri);
}

std::string refused(std::string_view text) {
    const auto uri = parse_device_uri(text);
    INFO(text);
    REQUIRE_FALSE(uri);
    return uri.error().message();
}

}  // namespace

TEST_CASE("USB and USB/IP addresses are read", "[link]") {
    CHECK(parsed<UsbAddress>("usb://1209:0001") == UsbAddress{0x1209, 1, ""});
    CHECK(parsed<UsbAddress>("usb://abcd:EF01/TM-0042") == UsbAddress{0xABCD, 0xEF01, "TM-0042"});
    CHECK(parsed<UsbipAddress>("usbip://127.0.0.1:3241/1-1") ==
          UsbipAddress{"127.0.0.1", 3241, "1-1"});
    CHECK(parsed<UsbipAddress>("usbip://hall-pc/1-2.3") == UsbipAddress{"hall-pc", 3240, "1-2.3"});
    CHECK(parsed<UsbipAddress>("usbip://[::1]:3240/1-1") == UsbipAddress{"::1", 3240, "1-1"});
}

TEST_CASE("an address is written as it is read", "[link]") {
    for (const std::string text : {"usb://1209:0001", "usb://1209:0001/TM-0042",
                                   "usbip://127.0.0.1:3240/1-1", "usbip://[::1]:3240/1-1"}) {
        CHECK(to_string(*parse_device_uri(text)) == text);
    }
}

TEST_CASE("what is no address is refused with the right form", "[link]") {
    CHECK(refused("/dev/ttyUSB0") ==
          "device '/dev/ttyUSB0': it must begin with usb:// or usbip://");
    for (const char* text : {"usb://", "usb://1209", "usb://12090:1", "usb://1209:", "usb://:1",
                             "usb://0x12:1", "usb://1209:0001:2"}) {
        CHECK(refused(text) == "device '" + std::string(text) +
                                   "': a USB device is written usb://VID:PID or "
                                   "usb://VID:PID/SERIAL, as in usb://1209:0001");
    }
    for (const char* text : {"usbip://", "usbip:///1-1", "usbip://a b/1-1", "usbip://me@host/1-1",
                             "usbip://host/1-1?x", "usbip://host/1-1#x"}) {
        CHECK(refused(text) == "device '" + std::string(text) +
                                   "': a USB/IP device is written usbip://HOST:PORT/BUSID, as in "
                                   "usbip://127.0.0.1:3240/1-1");
    }
    for (const char* text :
         {"usbip://host:0/1-1", "usbip://host:65536/1-1", "usbip://host:99999/1-1",
          "usbip://host:x/1-1"}) {
        CHECK(refused(text) ==
              "device '" + std::string(text) + "': the port must be a number from 1 to 65535");
    }
    CHECK(refused("usb://1209:1/") ==
          "device 'usb://1209:1/': the serial number after the slash "
          "must be printable and not empty");
    for (const std::string text : {"usbip://host", "usbip://host/", "usbip://host/1/1",
                                   "usbip://host/0123456789012345678901234567890123"}) {
        CHECK(refused(text) == "device '" + text +
                                   "': the bus id after the slash, as in /1-1, "
                                   "must have 1 to 31 printable characters");
    }
}
