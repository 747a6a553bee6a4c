// record.cpp - the device's records, from bytes to values
// SPDX-License-Identifier: Apache-2.0
#include "host/link/record.hpp"

#include <fmt/format.h>

#include <optional>

#include "host/link/little_endian.hpp"

namespace touchmove::link {
namespace {

constexpr unsigned squares = 64;
constexpr unsigned aux_inputs = 8;
constexpr unsigned snapshot_parts = 4;

/// How many values `index` may take for that kind; nothing for a kind that does not exist.
std::optional<unsigned> index_limit(unsigned kind) {
    switch (kind) {
        case TM_KIND_LIFT:
        case TM_KIND_PLACE:
            return squares;
        case TM_KIND_INPUT_DOWN:
        case TM_KIND_INPUT_UP:
            return aux_inputs;
        case TM_KIND_SNAPSHOT:
            return snapshot_parts;
        case TM_KIND_FAULT:
            return squares + aux_inputs;
        case TM_KIND_SESSION:
        case TM_KIND_EPOCH:
        case TM_KIND_GAP:
        case TM_KIND_WATERMARK:
            return TM_INDEX_MASK + 1;  // means nothing there
        default:
            return std::nullopt;
    }
}

}  // namespace

Result<Record> decode_record(RecordBytes bytes) {
    const unsigned kind = bytes[0] >> 4;
    const unsigned index = bytes[1] & TM_INDEX_MASK;
    const auto limit = index_limit(kind);
    if (!limit) {
        return Error(std::errc::protocol_error,
                     fmt::format("the device sent a record of unknown kind {}", kind));
    }
    if (index >= *limit) {
        return Error(std::errc::protocol_error,
                     fmt::format("the device sent a record of kind {} with index {}, the highest "
                                 "allowed is {}",
                                 kind, index, *limit - 1));
    }
    return Record{.kind = static_cast<RecordKind>(kind),
                  .count = static_cast<std::uint8_t>(bytes[0] & 0x0F),
                  .index = static_cast<std::uint8_t>(index),
                  .odd_epoch = (bytes[1] & TM_EPOCH_PARITY) != 0,
                  .seq = read_u16(bytes.subspan<2, 2>()),
                  .word = read_u32(bytes.subspan<4, 4>())};
}

std::array<std::uint8_t, TM_RECORD_BYTES> encode_record(const Record& record) {
    std::array<std::uint8_t, TM_RECORD_BYTES> bytes{};
    const auto kind = static_cast<unsigned>(record.kind);
    bytes[0] = static_cast<std::uint8_t>((kind << 4) | (record.count & 0x0FU));
    bytes[1] = static_cast<std::uint8_t>((record.odd_epoch ? TM_EPOCH_PARITY : 0U) |
                                         (record.index & TM_INDEX_MASK));
    write_u16(std::span(bytes).subspan<2, 2>(), record.seq);
    write_u32(std::span(bytes).subspan<4, 4>(), record.word);
    return bytes;
}

}  // namespace touchmove::link
