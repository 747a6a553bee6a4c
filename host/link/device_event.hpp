// device_event.hpp - what a board reports, in the order in which the referee must see it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "host/base/time.hpp"

namespace touchmove::link {

// What a device reports, decoded (docs/protocol.md). Squares 0..63 = a1..h8.
struct Lift { std::uint8_t square; std::uint8_t bounces; };
struct Place { std::uint8_t square; std::uint8_t bounces; };
struct InputEdge { std::uint8_t input; bool active; std::uint8_t bounces; };
/// Occupancy of all squares (bit 0 = a1) and state of the aux inputs.
struct Snapshot { std::uint64_t squares; std::uint8_t inputs; };
/// A new session: power-up or reset of the chip. A snapshot follows.
struct SessionStart { std::uint32_t session; };
/// Records were lost here: the device's queue was full, or the device no longer held what the host
/// had yet to read. A snapshot follows. `lost` 0: nobody can say how many.
struct Gap { std::uint32_t lost; };
/// The 32-bit device time wrapped for the `wraps`th time. Stored like any other record, so that a
/// restarted host knows in which epoch it goes on.
struct Epoch { std::uint32_t wraps; };
struct Fault { std::uint8_t input; std::uint8_t what; };  ///< `what`: enum tm_fault

using DeviceEvent = std::variant<Lift, Place, InputEdge, Snapshot, SessionStart, Gap, Epoch, Fault>;

/// Where a record stands in a session.
struct RecordId {
    std::uint32_t session = 0;
    std::uint16_t seq = 0;
    friend bool operator==(RecordId, RecordId) = default;
};

/// One event in the order in which the referee must see it.
struct StampedEvent {
    DeviceTime at;        ///< when the contact really changed; never below an earlier one's
    DeviceEvent event;
    RecordId id;          ///< the last record that it was made of
    /// Length of the run of records, ending with `id`, that this event settles: 1 as a rule, 4 for
    /// a snapshot (more where edges stand between its records: these come first, as events of
    /// their own), and for a gap also the records that are known to be missing.
    std::uint16_t records = 1;
};

/// What the journal holds of a device's newest session: where the device must go on. Events are
/// stored in the order of their stamps, which is not quite that of their sequence numbers, so a few
/// beyond the unbroken run may be stored already.
struct Stored {
    RecordId up_to;                      ///< every record up to this one is stored
    std::vector<std::uint16_t> beyond;   ///< and these sequence numbers after it
    DeviceTime last_at;                  ///< stamp of the newest event or watermark stored
};

}  // namespace touchmove::link
