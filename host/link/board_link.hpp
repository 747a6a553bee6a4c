// board_link.hpp - records in order, exactly once, whatever was unplugged or killed
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "host/base/result.hpp"
#include "host/base/time.hpp"
#include "host/link/transport.hpp"

namespace touchmove::link {

// What a device reports, decoded (docs/protocol.md). Squares 0..63 = a1..h8.
struct Lift { std::uint8_t square; std::uint8_t bounces; };
struct Place { std::uint8_t square; std::uint8_t bounces; };
struct InputEdge { std::uint8_t input; bool active; std::uint8_t bounces; };
/// Occupancy of all squares (bit 0 = a1) and state of the aux inputs.
struct Snapshot { std::uint64_t squares; std::uint8_t inputs; };
/// A new session: power-up or reset of the chip. A snapshot follows.
struct SessionStart { std::uint32_t session; };
/// Records were lost here because the queue was full. A snapshot follows.
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
    std::uint16_t records = 1;  ///< how many, ending with `id` (a snapshot is made of four)
};

/// What the journal holds of a device's newest session: where the device must go on. Events are
/// stored in the order of their stamps, which is not quite that of their sequence numbers, so a few
/// beyond the unbroken run may be stored already.
struct Stored {
    RecordId up_to;                      ///< every record up to this one is stored
    std::vector<std::uint16_t> beyond;   ///< and these sequence numbers after it
    DeviceTime last_at;                  ///< stamp of the newest event or watermark stored
};

/// The protocol engine over one Transport: session and resume, duplicates dropped, gaps in the
/// sequence asked for again, order by stamp up to the watermark. No threads, no clock, no I/O of
/// its own.
class BoardLink final : public Transport::Handler {
  public:
    class Sink {
      public:
        virtual ~Sink() = default;
        /// Events in their final order. The receiver stores them, then calls acknowledge().
        virtual void on_events(std::span<const StampedEvent> events) = 0;
        /// No event below `t` will come any more. Never goes back within a session.
        virtual void on_watermark(DeviceTime t) = 0;
        /// The device answered and its session is known; the records from `stored` on follow.
        virtual void on_attached(std::uint32_t session) = 0;
        /// The link is dead; make a new Transport and a new BoardLink.
        virtual void on_detached(const Error& why) = 0;
    };

    /// `stored`: what the journal holds of this device, if anything. `name_if_unnamed`: session
    /// number to give to a board without flash. Transport and sink must outlive the link.
    BoardLink(Transport& transport, Sink& sink, std::optional<Stored> stored,
              std::uint32_t name_if_unnamed);

    void start();
    /// These events are on disk. The device is told to forget the longest unbroken run of them.
    void acknowledge(std::span<const StampedEvent> events);
    void request_snapshot();
    void stop();

    void on_bulk_in(std::span<const std::uint8_t> bytes) override;
    void on_lost(const Error& why) override;
};

}  // namespace touchmove::link
