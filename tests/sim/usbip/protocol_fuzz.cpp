// protocol_fuzz.cpp - whatever a client sends, the USB/IP parser answers with frames or an error
// SPDX-License-Identifier: Apache-2.0
// Input: byte 0 chooses the stage (operations or URBs) and the size of the pieces; the rest is the
// stream. The same stream in one piece must give the same number of frames and the same end.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "sim/usbip/protocol.hpp"

using namespace touchmove::usbip;

namespace {

struct Outcome {
    std::size_t frames = 0, bytes = 0;
    bool failed = false;
    friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome run(std::span<const std::uint8_t> stream, bool urbs, std::size_t piece) {
    Outcome outcome;
    Parser parser;
    if (urbs) parser.expect_urbs(0x00010002);
    while (!stream.empty() && !outcome.failed) {
        const auto part = stream.first(std::min(piece, stream.size()));
        stream = stream.subspan(part.size());
        parser.feed(part);
        for (;;) {
            const auto frame = parser.next();
            if (!frame) {
                if (frame.error().message().empty()) std::abort();
                outcome.failed = true;
                break;
            }
            if (!*frame) break;
            ++outcome.frames;
            if (const auto* submit = std::get_if<Submit>(&**frame)) {
                if (!submit->in && submit->data.size() != submit->length) std::abort();
                outcome.bytes += submit->data.size();
            }
        }
    }
    return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::span stream(data + 1, size - 1);
    const bool urbs = (data[0] & 0x80U) != 0;
    const std::size_t piece = (data[0] & 0x7FU) + 1U;
    if (!(run(stream, urbs, piece) == run(stream, urbs, stream.size() + 1))) std::abort();
    return 0;
}
