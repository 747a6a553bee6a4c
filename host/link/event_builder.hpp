// event_builder.hpp - records, in the order of their sequence numbers, made into stamped events
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "host/link/device_event.hpp"
#include "host/link/record.hpp"

namespace touchmove::link {

/// Wraps of the 32-bit time that a session can reach: 142 years.
inline constexpr std::uint32_t max_epoch = 1U << 20;

/// Time of a stamped record while the last wrap known is `current`. If its parity differs, it was
/// stamped before that wrap, or (after a gap, whose snapshot comes first) just after one whose
/// record has yet to come. Nothing if it would lie before the session.
[[nodiscard]] std::optional<DeviceTime> stamp_of(const Record& record, std::uint32_t current);

/// Extends the 32-bit stamps by the epoch, joins the four records of a snapshot, and sees to it
/// that every sequence number belongs to the run of some event, so that the journal's unbroken run
/// has no holes: records without an event of their own (parts of a snapshot that a gap cut off, or
/// whose beginning another host took) are counted to the next event.
class EventBuilder {
  public:
    explicit EventBuilder(std::uint32_t session) : session_(session) {}

    [[nodiscard]] bool epoch_known() const noexcept { return epoch_.has_value(); }
    void set_epoch(std::uint32_t wraps) { epoch_ = wraps; }
    [[nodiscard]] std::optional<std::uint32_t> epoch() const noexcept { return epoch_; }
    /// While records are read that were sent before `latest`: none is placed after it.
    void set_latest(std::optional<DeviceTime> latest) { latest_ = latest; }
    /// When the epoch began; the session's begin while it is not known.
    [[nodiscard]] DeviceTime epoch_start() const;
    /// After lost records: one of them may have been that of a wrap.
    void forget_epoch() { epoch_.reset(); }

    /// Takes the next record (no watermark); an event if it completes one. Fails on what no device
    /// may send. The epoch must be known, except for session and epoch records.
    [[nodiscard]] Result<std::optional<StampedEvent>> build(const Record& record);

    /// Takes the next record without an event: the journal has it already.
    void pass(const Record& record);

    /// The event that says that the records from `first_lost` up to before `first_kept` will never
    /// come; `lost` as in Gap.
    [[nodiscard]] StampedEvent lose(std::uint16_t first_lost, std::uint16_t first_kept,
                                    std::uint32_t lost);

  private:
    struct PartialSnapshot {
        std::uint16_t first_seq;
        unsigned parts;
        DeviceTime at;
        std::uint64_t squares;
    };

    [[nodiscard]] StampedEvent event(std::uint16_t seq, DeviceTime at, DeviceEvent what);
    [[nodiscard]] Result<std::optional<StampedEvent>> build_snapshot(const Record& record);
    [[nodiscard]] std::optional<DeviceTime> time_of(const Record& record) const;
    void abandon_snapshot();

    std::uint32_t session_;
    std::optional<std::uint32_t> epoch_;
    std::optional<DeviceTime> latest_;
    std::optional<PartialSnapshot> snapshot_;
    // At a join and after a gap the first parts of a snapshot may be missing.
    bool headless_snapshot_allowed_ = true;
    std::optional<std::uint16_t> unclaimed_since_;
};

}  // namespace touchmove::link
