// protocol_test.cpp - USB/IP frames, byte by byte
// SPDX-License-Identifier: Apache-2.0
#include "sim/usbip/protocol.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "tests/sim/usbip/raw_client.hpp"

using namespace touchmove;
using namespace touchmove::usbip_test;
using usbip::Frame;
using usbip::Parser;

namespace {

std::string list(std::span<const std::uint8_t> bytes) {
    std::string text;
    for (const std::uint8_t b : bytes) text.append(1, ' ').append(std::to_string(b));
    return text;
}

std::string print(const Frame& frame) {
    struct Printer {
        std::string operator()(const usbip::DeviceListRequest&) const { return "devlist"; }
        std::string operator()(const usbip::ImportRequest& i) const { return "import " + i.bus_id; }
        std::string operator()(const usbip::Submit& s) const {
            return "submit " + std::to_string(s.seqnum) + (s.in ? " in " : " out ") +
                   std::to_string(s.endpoint) + " " + std::to_string(s.length) + list(s.setup) +
                   " :" + list(s.data);
        }
        std::string operator()(const usbip::Unlink& u) const {
            return "unlink " + std::to_string(u.seqnum) + " " + std::to_string(u.victim);
        }
    };
    return std::visit(Printer{}, frame);
}

/// All frames of a stream that is fed in pieces; ends with the error's text if there is one.
std::vector<std::string> frames(Parser& parser, const Bytes& stream, std::size_t piece) {
    std::vector<std::string> found;
    for (std::size_t at = 0; at < stream.size(); at += piece) {
        parser.feed(std::span(stream).subspan(at, std::min(piece, stream.size() - at)));
        for (;;) {
            const auto frame = parser.next();
            if (!frame) {
                found.push_back("error " + frame.error().message());
                return found;
            }
            if (!*frame) break;
            found.push_back(print(**frame));
        }
    }
    return found;
}

Bytes urb_stream() {
    Bytes stream = submit(1, true, 0, 18, {0x80, 6, 0, 1, 0, 0, 18, 0});
    const auto add = [&](const Bytes& more) {
        stream.insert(stream.end(), more.begin(), more.end());
    };
    add(submit(2, true, 1, 4096));
    add(submit(3, false, 1, 8, {}, {1, 2, 3, 4, 5, 6, 7, 8}));
    add(unlink(4, 2));
    add(submit(5, false, 1, 0));
    return stream;
}

const std::vector<std::string> urb_frames = {
    "submit 1 in 0 18 128 6 0 1 0 0 18 0 :",
    "submit 2 in 1 4096 0 0 0 0 0 0 0 0 :",
    "submit 3 out 1 8 0 0 0 0 0 0 0 0 : 1 2 3 4 5 6 7 8",
    "unlink 4 2",
    "submit 5 out 1 0 0 0 0 0 0 0 0 0 :",
};

std::string error_of(const Bytes& stream, bool urbs) {
    Parser parser;
    if (urbs) parser.expect_urbs(devid_1_1);
    const auto found = frames(parser, stream, stream.size());
    return found.empty() || found.back().rfind("error ", 0) != 0 ? "" : found.back().substr(6);
}

}  // namespace

TEST_CASE("any split of the stream gives the same frames", "[usbip]") {
    for (std::size_t piece = 1; piece <= 300; ++piece) {
        Parser parser;
        parser.expect_urbs(devid_1_1);
        REQUIRE(frames(parser, urb_stream(), piece) == urb_frames);
        Parser operations;
        Bytes stream = devlist_request();
        const Bytes import = import_request("1-12");
        stream.insert(stream.end(), import.begin(), import.end());
        REQUIRE(frames(operations, stream, piece) ==
                std::vector<std::string>{"devlist", "import 1-12"});
    }
}

TEST_CASE("frames stay whole over a long stream", "[usbip]") {
    Parser parser;
    parser.expect_urbs(devid_1_1);
    for (int i = 0; i < 20000; ++i) REQUIRE(frames(parser, urb_stream(), 61) == urb_frames);
}

TEST_CASE("what is malformed is said in one sentence", "[usbip]") {
    CHECK(error_of({1, 6, 0x80, 5, 0, 0, 0, 0}, false) ==
          "the client speaks USB/IP version 0106, not 0111");
    CHECK(error_of({1, 0x11, 0x80, 4, 0, 0, 0, 0}, false) == "unknown operation 8004");
    CHECK(error_of(import_request(std::string(32, 'x')), false) == "a bus id without its end");
    const auto broken = [](std::size_t at, std::uint8_t value) {
        Bytes stream = submit(1, true, 1, 64);
        stream[at] = value;
        return error_of(stream, true);
    };
    CHECK(broken(3, 3) == "unknown command 00000003");
    CHECK(broken(11, 9) == "a URB for device 00010009 on the connection of 00010002");
    CHECK(broken(15, 2) == "direction 2 of a URB");
    CHECK(broken(19, 16) == "endpoint 16 of a URB");
    CHECK(broken(24, 0x7F) == "a URB of 2130706496 bytes");
    CHECK(broken(35, 1) == "an isochronous URB: the board has no such endpoint");
}

TEST_CASE("both ways to say that a URB is not isochronous are taken", "[usbip]") {
    Bytes stream = submit(1, true, 1, 64);
    for (std::size_t i = 32; i < 36; ++i) stream[i] = 0xFF;
    CHECK(error_of(stream, true).empty());
}

TEST_CASE("a wrong header is refused before its data come", "[usbip]") {
    CHECK_FALSE(error_of(submit(1, false, 1, 0x40000000), true).empty());
}

TEST_CASE("an import reply is the device record of the documentation", "[usbip]") {
    usbip::DeviceRecord d;
    d.path = "/sys/x";
    d.bus_id = "1-3";
    d.bus = 1;
    d.device = 4;
    d.vendor = 0x1209;
    d.product = 0x0001;
    d.version = 0x0100;
    d.device_class = 0xFF;
    d.configurations = 1;
    d.interfaces = {{0xFF, 1, 2}};
    const Bytes reply = usbip::import_reply(d);
    REQUIRE(reply.size() == 320);
    CHECK(Bytes(reply.begin(), reply.begin() + 8) == Bytes{1, 0x11, 0, 3, 0, 0, 0, 0});
    CHECK(std::string(reinterpret_cast<const char*>(reply.data()) + 8) == "/sys/x");
    CHECK(std::string(reinterpret_cast<const char*>(reply.data()) + 8 + 256) == "1-3");
    CHECK(Bytes(reply.begin() + 296, reply.end()) ==
          Bytes{0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0x12, 0x09, 0, 1, 1, 0, 0xFF, 0, 0, 1, 1, 1});

    const Bytes both = usbip::device_list_reply(std::vector{d, d});
    REQUIRE(both.size() == 12 + 2 * (312 + 4));
    CHECK(get32(both, 8) == 2);
    CHECK(Bytes(both.end() - 4, both.end()) == Bytes{0xFF, 1, 2, 0});
    CHECK(usbip::device_list_reply({}) == Bytes{1, 0x11, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0});
    CHECK(usbip::import_refusal(usbip::OpStatus::busy) == Bytes{1, 0x11, 0, 3, 0, 0, 0, 2});
}

TEST_CASE("text fields are cut, and end with a zero", "[usbip]") {
    usbip::DeviceRecord d;
    d.path = std::string(300, 'p');
    d.bus_id = std::string(40, 'b');
    const Bytes reply = usbip::import_reply(d);
    REQUIRE(reply.size() == 320);
    CHECK(reply[8 + 254] == 'p');
    CHECK(reply[8 + 255] == 0);
    CHECK(reply[8 + 256 + 30] == 'b');
    CHECK(reply[8 + 256 + 31] == 0);
}

TEST_CASE("replies to URBs have 48 bytes and the data", "[usbip]") {
    Bytes expected(48);
    expected[3] = 3;
    expected[7] = 7;
    expected[20] = expected[21] = expected[22] = 0xFF;
    expected[23] = 0xE0;
    CHECK(usbip::submit_reply(7, -32, 0, {}) == expected);

    const Bytes with_data = usbip::submit_reply(7, 0, 2, Bytes{8, 9});
    REQUIRE(with_data.size() == 50);
    CHECK(get32(with_data, 24) == 2);
    CHECK(with_data[49] == 9);

    const Bytes unlinked = usbip::unlink_reply(9, -104);
    REQUIRE(unlinked.size() == 48);
    CHECK(get32(unlinked, 0) == 4);
    CHECK(get32(unlinked, 4) == 9);
    CHECK(get32(unlinked, 20) == 0xFFFFFF98);
}

TEST_CASE("no bytes make the parser crash or loop", "[usbip]") {
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 20000; ++round) {
        Parser parser;
        Bytes stream = random() % 2 == 0 ? urb_stream() : import_request("1-1");
        if (random() % 2 == 0) parser.expect_urbs(devid_1_1);
        for (int flips = 0; flips < 4; ++flips) {
            stream[random() % stream.size()] = static_cast<std::uint8_t>(random());
        }
        (void)frames(parser, stream, 1 + random() % 80);
    }
}
