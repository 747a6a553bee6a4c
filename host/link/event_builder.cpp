// event_builder.cpp - records, in the order of their sequence numbers, made into stamped events
// SPDX-License-Identifier: Apache-2.0
#include "host/link/event_builder.hpp"

#include <fmt/format.h>

#include <utility>

namespace touchmove::link {
namespace {

constexpr unsigned epoch_bits = 32;

DeviceTime start_of(std::uint32_t epoch) {
    return device_time(static_cast<std::int64_t>(std::uint64_t{epoch} << epoch_bits));
}

Error violation(const Record& record, std::string_view what) {
    return Error(std::errc::protocol_error,
                 fmt::format("the device's record {} {}", record.seq, what));
}

}  // namespace

std::optional<DeviceTime> stamp_of(const Record& record, std::uint32_t current) {
    // Thresholds are a second at most (TM_THRESHOLD_MAX_US): what is sent on the other side of a
    // wrap than it was stamped lies close to it.
    constexpr std::uint32_t half_epoch = 0x8000'0000;
    std::uint32_t epoch = current;
    if (record.odd_epoch != ((epoch & 1U) != 0)) {
        if (record.word < half_epoch) {
            ++epoch;
        } else if (epoch == 0) {
            return std::nullopt;
        } else {
            --epoch;
        }
    }
    return start_of(epoch) + Micros{record.word};
}

std::optional<DeviceTime> EventBuilder::time_of(const Record& record) const {
    if (!epoch_) return std::nullopt;
    auto at = stamp_of(record, *epoch_);
    if (at && latest_ && *at > *latest_) *at -= 2 * (start_of(1) - start_of(0));
    return at && *at >= start_of(0) ? at : std::nullopt;
}

DeviceTime EventBuilder::epoch_start() const {
    return start_of(epoch_.value_or(0));
}

StampedEvent EventBuilder::event(std::uint16_t seq, DeviceTime at, DeviceEvent what) {
    const std::uint16_t first = std::exchange(unclaimed_since_, std::nullopt).value_or(seq);
    return StampedEvent{.at = at,
                        .event = what,
                        .id = {session_, seq},
                        .records = static_cast<std::uint16_t>(seq - first + 1)};
}

void EventBuilder::abandon_snapshot() {
    if (snapshot_ && !unclaimed_since_) unclaimed_since_ = snapshot_->first_seq;
    snapshot_.reset();
    headless_snapshot_allowed_ = true;
}

StampedEvent EventBuilder::lose(std::uint16_t first_lost, std::uint16_t first_kept,
                                std::uint32_t lost) {
    abandon_snapshot();
    if (!unclaimed_since_) unclaimed_since_ = first_lost;
    return event(static_cast<std::uint16_t>(first_kept - 1), device_time(0), Gap{lost});
}

void EventBuilder::pass(const Record& record) {
    if (record.kind == RecordKind::epoch) epoch_ = record.word;
}

Result<std::optional<StampedEvent>> EventBuilder::build(const Record& record) {
    switch (record.kind) {
        case RecordKind::session:
            if (record.word != session_ && record.word != 0) {
                return violation(record, fmt::format("begins session {} in the midst of session {}",
                                                     record.word, session_));
            }
            abandon_snapshot();
            epoch_ = 0;
            return std::optional(event(record.seq, device_time(0), SessionStart{session_}));
        case RecordKind::epoch:
            if (record.word == 0 || record.word > max_epoch) {
                return violation(record,
                                 fmt::format("says that time wrapped {} times", record.word));
            }
            epoch_ = record.word;
            return std::optional(event(record.seq, start_of(record.word), Epoch{record.word}));
        case RecordKind::gap:
            abandon_snapshot();
            return std::optional(event(record.seq, epoch_start(), Gap{record.word}));
        case RecordKind::snapshot:
            return build_snapshot(record);
        default:
            break;
    }
    const auto at = time_of(record);
    if (!at) return violation(record, "is stamped before the session began");
    switch (record.kind) {
        case RecordKind::lift:
            return std::optional(event(record.seq, *at, Lift{record.index, record.count}));
        case RecordKind::place:
            return std::optional(event(record.seq, *at, Place{record.index, record.count}));
        case RecordKind::input_down:
        case RecordKind::input_up:
            return std::optional(event(
                record.seq, *at,
                InputEdge{record.index, record.kind == RecordKind::input_down, record.count}));
        case RecordKind::fault:
            return std::optional(event(record.seq, *at, Fault{record.index, record.count}));
        default:
            return violation(record, "has no place in the sequence");
    }
}

Result<std::optional<StampedEvent>> EventBuilder::build_snapshot(const Record& record) {
    constexpr unsigned squares_per_part = 32;
    constexpr std::optional<StampedEvent> none;
    if (record.index == 0) {
        if (snapshot_) return violation(record, "begins a snapshot within another");
        const auto at = time_of(record);  // the other parts carry no stamp
        if (!at) return violation(record, "is stamped before the session began");
        headless_snapshot_allowed_ = false;
        snapshot_ = {
            .first_seq = std::exchange(unclaimed_since_, std::nullopt).value_or(record.seq),
            .parts = 1,
            .at = *at,
            .squares = 0};
        return none;
    }
    if (!snapshot_) {
        if (!headless_snapshot_allowed_) return violation(record, "continues no snapshot");
        if (!unclaimed_since_) unclaimed_since_ = record.seq;
        return none;
    }
    if (record.index != snapshot_->parts) return violation(record, "skips a part of its snapshot");
    ++snapshot_->parts;
    if (record.index < 3) {
        snapshot_->squares |= std::uint64_t{record.word}
                              << (squares_per_part * (record.index - 1U));
        return none;
    }
    const PartialSnapshot whole = *std::exchange(snapshot_, std::nullopt);
    unclaimed_since_ = whole.first_seq;
    return std::optional(
        event(record.seq, whole.at,
              Snapshot{whole.squares, static_cast<std::uint8_t>(record.word & 0xFF)}));
}

}  // namespace touchmove::link
