// device_fixture.hpp - a board on the bench: a scripted stimulus, and a host that reads records
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "fw/tm_bytes.h"
#include "fw/tm_proto.h"
#include "sim/device/frontend_device.hpp"

namespace touchmove::device_test {

using namespace touchmove::device;
using Bytes = std::vector<std::uint8_t>;

struct Change {
    BenchUs at;
    unsigned contact;
    bool level;
};

/// Changes from a list, in order of time. More may be added between runs.
class Script final : public Stimulus {
  public:
    Script() = default;
    explicit Script(std::uint64_t squares) {
        for (unsigned i = 0; i < square_count; ++i) {
            if ((squares >> i & 1U) != 0) add({0, i, true});
        }
    }
    void add(Change change) {
        REQUIRE((changes_.empty() || changes_.back().at <= change.at));
        changes_.push_back(change);
    }
    BenchUs next_change_us() override {
        return next_ < changes_.size() ? changes_[next_].at : never_us;
    }
    void apply(ContactState& contacts) override {
        const BenchUs now = changes_[next_].at;
        for (; next_ < changes_.size() && changes_[next_].at == now; ++next_) {
            contacts.set(changes_[next_].contact, changes_[next_].level);
        }
    }

  private:
    std::vector<Change> changes_;
    std::size_t next_ = 0;
};

constexpr std::uint64_t start_squares = 0xFFFF'0000'0000'FFFFULL;

struct Record {
    unsigned kind = 0, count = 0, index = 0;
    std::uint16_t seq = 0;
    std::uint32_t word = 0;

    static Record from(const std::uint8_t* b) {
        return {unsigned{b[0]} >> 4, b[0] & 0xFU, b[1] & TM_INDEX_MASK, tm_get16(b + 2),
                tm_get32(b + 4)};
    }
};

inline std::vector<Record> records_in(const Bytes& bytes) {
    REQUIRE(bytes.size() % TM_RECORD_BYTES == 0);
    std::vector<Record> records;
    for (std::size_t at = 0; at < bytes.size(); at += TM_RECORD_BYTES) {
        records.push_back(Record::from(bytes.data() + at));
    }
    return records;
}

inline Bytes le16(std::uint16_t v) {
    return {static_cast<std::uint8_t>(v), static_cast<std::uint8_t>(v >> 8)};
}
inline Bytes le32(std::uint32_t v) {
    Bytes bytes(4);
    tm_put32(bytes.data(), v);
    return bytes;
}
inline Bytes operator+(Bytes a, const Bytes& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

struct Info {
    std::uint16_t proto, gateware;
    std::uint32_t session;
    std::uint16_t oldest, next, queue, frame_us;
    std::uint8_t style, flags;
};

inline std::optional<Info> ask_info(UsbDevice& device) {
    const ControlReply reply = device.control({0xC0, TM_REQ_INFO, 0, 0, 64});
    if (reply.status != TransferStatus::ok) return std::nullopt;
    REQUIRE(reply.data.size() == TM_INFO_BYTES);
    const std::uint8_t* b = reply.data.data();
    return Info{tm_get16(b),      tm_get16(b + 2),  tm_get32(b + 4),  tm_get16(b + 8),
                tm_get16(b + 10), tm_get16(b + 12), tm_get16(b + 14), b[16],
                b[17]};
}

inline bool accepts(UsbDevice& device, std::uint8_t request, const Bytes& data) {
    const auto length = static_cast<std::uint16_t>(data.size());
    return device.control({0x40, request, 0, 0, length}, data).status == TransferStatus::ok;
}

inline bool resume(UsbDevice& device, std::uint32_t session, std::uint16_t seq) {
    return accepts(device, TM_REQ_RESUME, le32(session) + le16(seq));
}

inline void acknowledge(UsbDevice& device, std::uint32_t session, std::uint16_t seq) {
    REQUIRE(device.bulk_out(Bytes{TM_OUT_ACK, 0} + le16(seq) + le32(session)) == Handshake::ack);
}

/// Runs to `until`, reading every millisecond.
inline Bytes read_until(UsbDevice& device, BenchUs until) {
    Bytes got;
    Packet packet;
    while (device.now() < until) {
        device.run_until(std::min(until, device.now() + 1000));
        while (device.bulk_in(packet) == Handshake::ack) {
            got.insert(got.end(), packet.view().begin(), packet.view().end());
        }
    }
    return got;
}

/// Without watermarks, which are not kept.
inline std::vector<Record> kept(std::vector<Record> records) {
    std::erase_if(records, [](const Record& r) { return r.kind == TM_KIND_WATERMARK; });
    return records;
}

}  // namespace touchmove::device_test
