// board_link.hpp - records in order, exactly once, whatever was unplugged or killed
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "fw/tm_proto.h"
#include "host/base/result.hpp"
#include "host/base/time.hpp"
#include "host/link/ack_tracker.hpp"
#include "host/link/device_event.hpp"
#include "host/link/event_builder.hpp"
#include "host/link/orderer.hpp"
#include "host/link/record.hpp"
#include "host/link/sequencer.hpp"
#include "host/link/transport.hpp"

namespace touchmove::link {

/// The protocol engine over one Transport: session and resume, duplicates dropped, gaps in the
/// sequence asked for again, order by stamp up to the watermark. No threads, no clock, no I/O of
/// its own. One BoardLink serves one attachment of a device.
///
/// Where the device no longer holds the record after the last one stored, a Gap is reported before
/// what it still holds, and a snapshot is requested. Its `lost` is the distance in the sequence
/// less what is stored of it; 0 (unknown) if the device's sequence went back instead.
///
/// Records whose epoch nothing tells (a join in mid-session, or after a gap) are placed as late as
/// their parity and the device's time allow. That is wrong by pairs of wraps only for a device
/// whose queue stayed full for longer than one wrap (71 minutes) before it was read.
class BoardLink final : public Transport::Handler {
  public:
    /// Functions of a sink may call any function of the link, but not destroy it.
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

    /// `stored`: what the journal holds of this device, if anything; it must cover all events that
    /// an earlier link delivered and that are still to be stored, or these come twice.
    /// `name_if_unnamed`: session number to give to a board without flash. Transport and sink must
    /// outlive the link.
    BoardLink(Transport& transport, Sink& sink, std::optional<Stored> stored,
              std::uint32_t name_if_unnamed);
    ~BoardLink() override;
    BoardLink(const BoardLink&) = delete;
    BoardLink& operator=(const BoardLink&) = delete;

    void start();
    /// These events are on disk. The device is told to forget the longest unbroken run of them.
    /// Events of another session, and ones acknowledged already, do no harm.
    void acknowledge(std::span<const StampedEvent> events);
    void request_snapshot();
    /// Lights the lamps of these squares (bit 0 = a1) and no others, on a board that has one for
    /// each square. They are dark when a link begins.
    void light(std::uint64_t squares);
    /// Ends the link and its transport; no function of the sink is called any more.
    void stop();

    void on_bulk_in(std::span<const std::uint8_t> bytes) override;
    void on_halt_cleared() override;
    void on_lost(const Error& why) override;

  private:
    enum class Phase : std::uint8_t { idle, attaching, attached, ended };

    void ask_info(std::function<void(const tm_info&)> then);
    void meet(const tm_info& info);
    void name_session();
    void settle(const tm_info& info);
    void go_on_at_oldest(const tm_info& info);

    void resync();
    void resume();
    void on_refused(const tm_info& info);
    void survey();
    void survey_state(std::uint32_t survey);
    void ask_watermark_epoch();
    void audit();

    [[nodiscard]] bool take_bytes(RecordBytes bytes);
    void take_watermark(const Record& record);
    void take(const Record& record, bool known);
    void deliver_record(const Record& record);
    void catch_up();
    void resolve_epoch(std::uint32_t epoch);
    void emit(const StampedEvent& event);
    void deliver();

    void send_ack();
    void fail(const Error& why);
    [[nodiscard]] bool over() const noexcept { return phase_ == Phase::ended; }

    Transport& transport_;
    Sink& sink_;
    std::optional<Stored> stored_;
    std::uint32_t name_if_unnamed_;
    Phase phase_ = Phase::idle;
    std::uint32_t session_ = 0;
    bool lamp_a_square_ = false;

    RecordSplitter splitter_;
    Sequencer sequencer_;
    EventBuilder builder_{0};
    Orderer orderer_;
    std::vector<StampedEvent> delivery_;  // what the sink is looking at
    bool delivering_ = false;
    std::optional<DeviceTime> watermark_;  // to be told after the events

    // Resuming: while the request is under way, old bulk data may still come.
    bool resuming_ = false;
    unsigned fruitless_resumes_ = 0;
    Error last_trouble_{std::errc::protocol_error};

    // After each resume and each gap the device is asked for its time and its next record: only
    // from there on do watermarks count, and 32-bit stamps have an epoch.
    std::uint32_t survey_ = 0;  // answers to earlier ones are void
    std::optional<std::uint64_t> now_us_;
    std::optional<std::uint16_t> catch_up_to_;
    bool in_step_ = false;
    struct Held {
        Record record;
        bool known;
    };
    std::vector<Held> held_;                    // records whose epoch is not known yet
    std::optional<StampedEvent> deferred_gap_;  // of our own making, waits for its epoch
    bool joining_ = false;  // the next record is the oldest one of an unknown stream

    std::uint32_t watermark_epoch_ = 0;  // the device's own, where its last wrap was not recorded
    unsigned late_watermarks_ = 0;
    unsigned idle_watermarks_ = 0;
    std::optional<std::uint16_t> audited_next_;

    AckTracker acks_;
    std::uint16_t told_up_to_ = 0;
    bool ack_in_flight_ = false;
};

}  // namespace touchmove::link
