// usbip_parser_test.cpp - what a USB/IP server says, read from bytes alone
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "host/link/usbip_wire.hpp"

using namespace touchmove;
using namespace touchmove::link;

namespace {

struct Log : UsbipParser::Handler {
    std::map<std::uint32_t, std::uint32_t> pending;
    std::string text;

    void on_import(Result<UsbipDevice> device) override {
        text += device ? "import " + std::to_string(device->devid) + "\n" : "refused\n";
    }
    std::optional<std::uint32_t> room(std::uint32_t seqnum) const override {
        const auto found = pending.find(seqnum);
        return found == pending.end() ? std::nullopt : std::optional(found->second);
    }
    void on_submit_reply(std::uint32_t seqnum, std::int32_t status, std::uint32_t length,
                         std::span<const std::uint8_t> data) override {
        pending.erase(seqnum);
        text += std::to_string(seqnum) + " status " + std::to_string(status) + " length " +
                std::to_string(length) + " data " + std::string(data.begin(), data.end()) + "\n";
    }
    void on_unlink_reply(std::uint32_t seqnum, std::int32_t status) override {
        text += "unlinked " + std::to_string(seqnum) + " " + std::to_string(status) + "\n";
    }
    bool done() const override { return false; }
};

void put32(std::vector<std::uint8_t>& out, std::uint32_t v) {
    for (int shift = 24; shift >= 0; shift -= 8)
        out.push_back(std::uint8_t(v >> shift));
}

void put_reply(std::vector<std::uint8_t>& out, std::uint32_t command, std::uint32_t seqnum,
               std::int32_t status, std::uint32_t length, std::string_view data) {
    put32(out, command);
    put32(out, seqnum);
    out.insert(out.end(), 12, 0);
    put32(out, std::uint32_t(status));
    put32(out, length);
    out.insert(out.end(), 20, 0);
    out.insert(out.end(), data.begin(), data.end());
}

std::vector<std::uint8_t> conversation() {
    std::vector<std::uint8_t> out{1, 0x11, 0, 3, 0, 0, 0, 0};
    std::vector<std::uint8_t> device(usbip_device_bytes);
    device[291] = 3;
    device[295] = 7;
    out.insert(out.end(), device.begin(), device.end());
    put_reply(out, 3, 2, 0, 5, "hello");
    put_reply(out, 3, 1, -32, 0, "");
    put_reply(out, 3, 3, 0, 8, "");  // OUT: eight bytes taken, none follow
    put_reply(out, 4, 9, -104, 0, "");
    put_reply(out, 3, 4, -104, 2, "hi");
    return out;
}

Log fresh() {
    Log log;
    log.pending = {{1, 64}, {2, 64}, {3, 0}, {4, 64}};
    return log;
}

constexpr const char* understood =
    "import 196615\n"
    "2 status 0 length 5 data hello\n"
    "1 status -32 length 0 data \n"
    "3 status 0 length 8 data \n"
    "unlinked 9 -104\n"
    "4 status -104 length 2 data hi\n";

}  // namespace

TEST_CASE("a conversation is understood wherever it is cut in two", "[link][usbip]") {
    const auto bytes = conversation();
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        CAPTURE(cut);
        Log log = fresh();
        UsbipParser parser(log);
        REQUIRE(parser.feed(std::span(bytes).first(cut)));
        REQUIRE(parser.feed(std::span(bytes).subspan(cut)));
        REQUIRE(log.text == understood);
    }
}

TEST_CASE("a conversation is understood byte by byte", "[link][usbip]") {
    Log log = fresh();
    UsbipParser parser(log);
    for (const std::uint8_t byte : conversation())
        REQUIRE(parser.feed({&byte, 1}));
    CHECK(log.text == understood);
}

TEST_CASE("a request to import is written as the protocol has it", "[link][usbip]") {
    std::vector<std::uint8_t> out;
    put_import(out, "1-1");
    REQUIRE(out.size() == 40);
    CHECK(std::vector<std::uint8_t>(out.begin(), out.begin() + 12) ==
          std::vector<std::uint8_t>{1, 0x11, 0x80, 3, 0, 0, 0, 0, '1', '-', '1', 0});
}

TEST_CASE("a control request is written with its setup stage little endian", "[link][usbip]") {
    std::vector<std::uint8_t> out;
    put_submit(out,
               {.seqnum = 0x01020304,
                .devid = 0x00010002,
                .is_in = true,
                .endpoint = 0,
                .length = 18,
                .setup = {0x80, 6, 0x0100, 0x0409, 18}},
               {});
    CHECK(out == std::vector<std::uint8_t>{0, 0, 0, 1, 1, 2, 3, 4, 0,    1, 0, 2,  0, 0, 0,  1,
                                           0, 0, 0, 0, 0, 0, 2, 0, 0,    0, 0, 18, 0, 0, 0,  0,
                                           0, 0, 0, 0, 0, 0, 0, 0, 0x80, 6, 0, 1,  9, 4, 18, 0});
}

TEST_CASE("data to the device follows its request", "[link][usbip]") {
    std::vector<std::uint8_t> out;
    const std::vector<std::uint8_t> data{0xAA, 0xBB};
    put_submit(out, {.seqnum = 1, .devid = 2, .is_in = false, .endpoint = 1, .length = 2}, data);
    REQUIRE(out.size() == 50);
    CHECK(out[15] == 0);
    CHECK(out[19] == 1);
    CHECK(out[27] == 2);
    CHECK(out[48] == 0xAA);
    CHECK(out[49] == 0xBB);
}
