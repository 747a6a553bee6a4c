// usbip_parser_fuzz.cpp - any bytes from a USB/IP server, in any pieces
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>

#include "host/link/descriptors.hpp"
#include "host/link/usbip_wire.hpp"

using namespace touchmove;
using namespace touchmove::link;

namespace {

/// A client with a read of 64 bytes pending under each odd number, a write under each even one.
struct Client : UsbipParser::Handler {
    static constexpr std::uint32_t read_room = 64;
    void on_import(Result<UsbipDevice> device) override { refused = !device; }
    std::optional<std::uint32_t> room(std::uint32_t seqnum) const override {
        if (seqnum == 0 || seqnum > 1000) return std::nullopt;
        return seqnum % 2 == 1 ? read_room : 0;
    }
    void on_submit_reply(std::uint32_t, std::int32_t status, std::uint32_t,
                         std::span<const std::uint8_t> data) override {
        if (data.size() > read_room) std::abort();
        (void)usbip_outcome(status, "a request");
        (void)serial_number_index(data);
        (void)first_language(data);
        (void)string_of(data);
    }
    void on_unlink_reply(std::uint32_t, std::int32_t) override {}
    bool done() const override { return refused; }
    bool refused = false;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::size_t piece = data[0] % 61U + 1;  // the first byte says how the rest is cut
    Client client;
    UsbipParser parser(client);
    for (std::size_t at = 1; at < size; at += piece) {
        if (!parser.feed({data + at, std::min(piece, size - at)})) break;
    }
    return 0;
}
