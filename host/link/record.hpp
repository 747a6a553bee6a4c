// record.hpp - the device's records, from bytes to values
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "fw/tm_proto.h"
#include "host/base/result.hpp"

namespace touchmove::link {

/// Kinds of records, enum tm_kind under names that C++ can check.
enum class RecordKind : std::uint8_t {
    lift = TM_KIND_LIFT,
    place = TM_KIND_PLACE,
    input_down = TM_KIND_INPUT_DOWN,
    input_up = TM_KIND_INPUT_UP,
    snapshot = TM_KIND_SNAPSHOT,
    session = TM_KIND_SESSION,
    epoch = TM_KIND_EPOCH,
    fault = TM_KIND_FAULT,
    gap = TM_KIND_GAP,
    watermark = TM_KIND_WATERMARK
};

/// One record as the device sent it; its fields lie within what its kind allows.
struct Record {
    RecordKind kind;
    std::uint8_t count;  ///< bounces, or enum tm_fault
    std::uint8_t index;  ///< square, aux input or part of a snapshot
    bool odd_epoch;      ///< bit 0 of the epoch of the stamp
    std::uint16_t seq;
    std::uint32_t word;  ///< stamp in microseconds, or data, by kind
    friend bool operator==(const Record&, const Record&) = default;
};

using RecordBytes = std::span<const std::uint8_t, TM_RECORD_BYTES>;

/// Decodes one record. Total: any eight bytes give a record or an error that says what is wrong.
[[nodiscard]] Result<Record> decode_record(RecordBytes bytes);

/// Inverse of decode_record, for simulated devices and tests.
[[nodiscard]] std::array<std::uint8_t, TM_RECORD_BYTES> encode_record(const Record& record);

/// Cuts a byte stream into records whatever the sizes of its pieces. A partial record is kept for
/// the next bytes.
class RecordSplitter {
  public:
    /// Calls `take(RecordBytes)` for every record that is complete, until it returns false; the
    /// bytes after that one are dropped.
    template <class Take>
    void feed(std::span<const std::uint8_t> bytes, Take&& take) {
        while (held_ != 0 && !bytes.empty()) {
            partial_[held_++] = bytes.front();
            bytes = bytes.subspan(1);
            if (held_ < TM_RECORD_BYTES) continue;
            held_ = 0;
            const auto whole = partial_;  // `take` may feed a splitter that is reset meanwhile
            if (!take(RecordBytes(whole))) return;
        }
        for (; bytes.size() >= TM_RECORD_BYTES; bytes = bytes.subspan(TM_RECORD_BYTES)) {
            if (!take(bytes.first<TM_RECORD_BYTES>())) return;
        }
        for (const std::uint8_t byte : bytes)
            partial_[held_++] = byte;
    }

  private:
    std::array<std::uint8_t, TM_RECORD_BYTES> partial_{};
    std::size_t held_ = 0;
};

}  // namespace touchmove::link
