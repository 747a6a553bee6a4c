// descriptors_test.cpp - every byte that the device says of itself
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "tests/fw/usb_fixture.hpp"

using namespace touchmove::fw_test;

namespace {

Bytes descriptor(UsbFixture& f, std::uint8_t type, std::uint8_t number = 0,
                 std::uint16_t language = 0) {
    return f.get({0x80, TM_USB_GET_DESCRIPTOR, static_cast<std::uint16_t>(type << 8 | number),
                  language, 255});
}

std::string text_of(const Bytes& string) {
    REQUIRE(string.size() >= 2);
    REQUIRE(string[0] == string.size());
    REQUIRE(string[1] == TM_DESC_STRING);
    std::string text;
    for (std::size_t i = 2; i + 1 < string.size(); i += 2) {
        REQUIRE(string[i + 1] == 0);
        text += static_cast<char>(string[i]);
    }
    return text;
}

Bytes utf16(const std::string& text) {
    Bytes bytes;
    for (const char c : text) {
        bytes.push_back(static_cast<std::uint8_t>(c));
        bytes.push_back(0);
    }
    return bytes;
}

void append(Bytes& to, const Bytes& more) { to.insert(to.end(), more.begin(), more.end()); }

}  // namespace

TEST_CASE("the device descriptor names 1209:0001, vendor class, USB 2.1", "[fw][descriptors]") {
    UsbFixture f;
    CHECK(descriptor(f, TM_DESC_DEVICE) == Bytes{18, 1, 0x10, 0x02, 0xFF, 0, 0, 64, 0x09, 0x12,
                                                 0x01, 0x00, 0x00, 0x01, 1, 2, 3, 1});
}

TEST_CASE("the configuration has one interface with bulk IN and OUT", "[fw][descriptors]") {
    UsbFixture f;
    CHECK(descriptor(f, TM_DESC_CONFIGURATION) ==
          Bytes{9, 2, 32, 0, 1, 1, 0, 0xC0, 1,           // configuration
                9, 4, 0, 0, 2, 0xFF, 0, 0, 2,            // interface
                7, 5, 0x81, 2, 64, 0, 0,                 // bulk IN
                7, 5, 0x01, 2, 64, 0, 0});               // bulk OUT
    CHECK(f.get({0x80, TM_USB_GET_DESCRIPTOR, 0x0200, 0, 9}).size() == 9);
}

TEST_CASE("the configuration says what feeds the board, and how much it takes (9.6.3)",
          "[fw][descriptors]") {
    const auto feed = [](bool self_powered, std::uint16_t milliamperes) {
        UsbFixture f("TM-0001", self_powered, milliamperes);
        const Bytes whole = descriptor(f, TM_DESC_CONFIGURATION);
        REQUIRE(whole.size() == 32);
        return Bytes{whole[7], whole[8]};
    };
    CHECK(feed(true, 2) == Bytes{0xC0, 1});
    CHECK(feed(true, 0) == Bytes{0xC0, 0});
    CHECK(feed(false, 100) == Bytes{0x80, 50});
    CHECK(feed(false, 199) == Bytes{0x80, 100});  // never less than it takes
    CHECK(feed(false, 500) == Bytes{0x80, 250});
}

TEST_CASE("the BOS leads Windows to the Microsoft OS 2.0 set", "[fw][descriptors]") {
    UsbFixture f;
    CHECK(descriptor(f, TM_DESC_BOS) ==
          Bytes{5,    0x0F, 33,   0,    1,                                    // BOS
                28,   0x10, 5,    0,    0xDF, 0x60, 0xDD, 0xD8, 0x89, 0x45,   // platform
                0xC7, 0x4C, 0x9C, 0xD2, 0x65, 0x9D, 0x9E, 0x64, 0x8A, 0x9F,   // UUID
                0x00, 0x00, 0x03, 0x06, 162,  0,    TM_REQ_MS_OS_20, 0});
}

TEST_CASE("the Microsoft OS 2.0 set binds WinUSB", "[fw][descriptors]") {
    const auto* const raw = reinterpret_cast<const std::uint8_t*>(&tm_descriptors.ms_os_20);
    const Bytes set(raw, raw + sizeof(tm_descriptors.ms_os_20));
    Bytes expected{10, 0, 0, 0, 0x00, 0x00, 0x03, 0x06, 162, 0,            // header
                   20, 0, 3, 0, 'W', 'I', 'N', 'U', 'S', 'B', 0, 0,        // compatible id
                   0, 0, 0, 0, 0, 0, 0, 0,                                 //
                   0x84, 0, 4, 0, 7, 0, 0x2A, 0};                          // registry property
    append(expected, utf16(std::string("DeviceInterfaceGUIDs") + '\0'));
    append(expected, {0x50, 0});
    append(expected, utf16(std::string("{4F3B0E52-6C1D-4B7A-9E85-2D0A5C9B7E14}") + '\0' + '\0'));
    CHECK(set == expected);
}

TEST_CASE("strings: language, maker, product, and the serial number of this board",
          "[fw][descriptors]") {
    UsbFixture f("HALL-2/17");
    CHECK(descriptor(f, TM_DESC_STRING, 0) == Bytes{4, 3, 0x09, 0x04});
    CHECK(text_of(descriptor(f, TM_DESC_STRING, 1, 0x0409)) == "Touchmove");
    CHECK(text_of(descriptor(f, TM_DESC_STRING, 2, 0x0409)) == "Touchmove board");
    CHECK(text_of(descriptor(f, TM_DESC_STRING, 3, 0x0409)) == "HALL-2/17");
}

TEST_CASE("a serial number is cut at 31 characters", "[fw][descriptors]") {
    UsbFixture f("0123456789012345678901234567890123456789");
    CHECK(text_of(descriptor(f, TM_DESC_STRING, 3, 0x0409)) == "0123456789012345678901234567890");
    UsbFixture empty("");
    CHECK(text_of(descriptor(empty, TM_DESC_STRING, 3, 0x0409)).empty());
}
