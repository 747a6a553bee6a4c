// board_link.cpp - records in order, exactly once, whatever was unplugged or killed
// SPDX-License-Identifier: Apache-2.0
#include "host/link/board_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "host/link/messages.hpp"

namespace touchmove::link {
namespace {

constexpr unsigned squares_of_board = 64;

constexpr unsigned epoch_bits = 32;
/// Requests to send again without a single new record in between. A packet or two of old data can
/// be in the way of each; more means that the device does not do as it is told.
constexpr unsigned max_fruitless_resumes = 8;
/// Watermarks in a row, at least one each 10 ms, after which the device is asked whether it
/// believes to have sent more than has arrived.
constexpr unsigned watermarks_per_audit = 128;
/// Watermarks in a row that seem to lie behind, after which the device is asked for its time.
constexpr unsigned watermarks_per_time = 4;

bool is_barrier(const DeviceEvent& event) {
    return std::holds_alternative<Snapshot>(event) || std::holds_alternative<SessionStart>(event) ||
           std::holds_alternative<Gap>(event);
}

bool holds(const tm_info& info, std::uint16_t seq) {
    return static_cast<std::uint16_t>(seq - info.oldest_seq) <=
           static_cast<std::uint16_t>(info.next_seq - info.oldest_seq);
}

}  // namespace

BoardLink::BoardLink(Transport& transport, Sink& sink, std::optional<Stored> stored,
                     std::uint32_t name_if_unnamed)
    : transport_(transport),
      sink_(sink),
      stored_(std::move(stored)),
      name_if_unnamed_(name_if_unnamed) {
    assert(name_if_unnamed_ != 0);
}

BoardLink::~BoardLink() {
    stop();
}

void BoardLink::start() {
    assert(phase_ == Phase::idle);
    phase_ = Phase::attaching;
    transport_.start(*this);
    ask_info([this](const tm_info& info) { meet(info); });
}

void BoardLink::stop() {
    if (over()) return;
    const bool was_started = phase_ != Phase::idle;
    phase_ = Phase::ended;
    if (was_started) transport_.stop();
}

void BoardLink::fail(const Error& why) {
    if (over()) return;
    stop();
    sink_.on_detached(why);
}

void BoardLink::on_lost(const Error& why) {
    fail(why);
}

// --- Attaching ---------------------------------------------------------------------------------

void BoardLink::ask_info(std::function<void(const tm_info&)> then) {
    transport_.control_in({TM_REQ_INFO}, TM_INFO_BYTES,
                          [this, then = std::move(then)](const auto& reply) {
                              if (over()) return;
                              if (!reply) return fail(reply.error());
                              const auto info = decode_info(*reply);
                              if (!info) return fail(info.error());
                              then(*info);
                          });
}

void BoardLink::meet(const tm_info& info) {
    if (info.session == 0) {
        name_session();
    } else {
        settle(info);
    }
}

void BoardLink::name_session() {
    transport_.control_out({TM_REQ_NAME_SESSION}, encode_name(name_if_unnamed_),
                           [this](const Result<void>& done) {
                               if (over()) return;
                               if (!done) return fail(done.error());
                               ask_info([this](const tm_info& info) {
                                   if (info.session != 0) return settle(info);
                                   fail(Error(std::errc::protocol_error,
                                              "the device took a name for its session and still "
                                              "has none"));
                               });
                           });
}

void BoardLink::settle(const tm_info& info) {
    session_ = info.session;
    lamp_a_square_ = info.lamps == squares_of_board;
    builder_ = EventBuilder(session_);
    phase_ = Phase::attached;
    const bool same_session = stored_ && stored_->up_to.session == session_;
    if (!same_session) {
        sequencer_.go_on_at(info.oldest_seq);
        acks_.begin(static_cast<std::uint16_t>(info.oldest_seq - 1), {});
        told_up_to_ = acks_.up_to();
        joining_ = true;
        sink_.on_attached(session_);
        if (over()) return;
        if (info.oldest_seq == info.next_seq) {
            joining_ = false;  // the session's start was taken by another host
            request_snapshot();
        }
        resync();
        return;
    }
    const auto wanted = static_cast<std::uint16_t>(stored_->up_to.seq + 1);
    sequencer_.go_on_at(wanted, stored_->beyond);
    acks_.begin(stored_->up_to.seq, stored_->beyond);
    told_up_to_ = static_cast<std::uint16_t>(info.oldest_seq - 1);
    builder_.set_epoch(static_cast<std::uint32_t>(to_us(stored_->last_at) >> epoch_bits));
    orderer_ = Orderer(stored_->last_at);
    sink_.on_attached(session_);
    if (over()) return;
    if (holds(info, wanted)) {
        resync();
    } else {
        go_on_at_oldest(info);
    }
}

void BoardLink::go_on_at_oldest(const tm_info& info) {
    const std::uint16_t wanted = sequencer_.expected();
    const auto missing = static_cast<std::uint16_t>(info.oldest_seq - wanted);
    const unsigned stored = sequencer_.skip_to(info.oldest_seq);
    acks_.begin(static_cast<std::uint16_t>(info.oldest_seq - 1), sequencer_.known());
    told_up_to_ = acks_.up_to();
    // A journal that is not sure where its run begins counts what it holds to `beyond`.
    if (missing != stored) {
        const std::uint32_t lost = missing <= TM_QUEUE_MAX ? missing - stored : 0;
        builder_.forget_epoch();
        if (deferred_gap_) emit(*deferred_gap_);
        deferred_gap_ = builder_.lose(wanted, info.oldest_seq, lost);
        request_snapshot();
    }
    resync();
}

// --- Keeping in step ---------------------------------------------------------------------------

void BoardLink::resync() {
    if (over() || resuming_) return;
    if (++fruitless_resumes_ > max_fruitless_resumes) {
        fail(
            Error(last_trouble_.code,
                  fmt::format("the device does not send record {} although it was asked {} times{}",
                              sequencer_.expected(), max_fruitless_resumes,
                              last_trouble_.detail.empty() ? "" : ": " + last_trouble_.detail)));
        return;
    }
    resume();
}

void BoardLink::resume() {
    resuming_ = true;
    in_step_ = false;
    ++survey_;
    transport_.control_out({TM_REQ_RESUME}, encode_resume({session_, sequencer_.expected()}),
                           [this](const Result<void>& done) {
                               if (over()) return;
                               resuming_ = false;
                               if (done) {
                                   send_ack();  // the last one may have been lost with a link
                                   survey();
                                   return;
                               }
                               if (done.error().code != std::errc::broken_pipe) {
                                   return fail(done.error());
                               }
                               ask_info([this](const tm_info& info) { on_refused(info); });
                           });
}

void BoardLink::on_refused(const tm_info& info) {
    if (info.session != session_) {
        fail(Error(std::errc::connection_reset,
                   fmt::format("the device began session {} in the midst of session {}",
                               info.session, session_)));
    } else if (holds(info, sequencer_.expected())) {
        last_trouble_ = Error(std::errc::protocol_error, "it refuses to resume there");
        resync();
    } else {
        go_on_at_oldest(info);
    }
}

void BoardLink::survey() {
    const std::uint32_t survey = ++survey_;
    in_step_ = false;
    catch_up_to_.reset();
    now_us_.reset();
    audited_next_.reset();
    if (builder_.epoch_known()) return survey_state(survey);
    // The time is asked for before the next record: a wrap in between leaves its record among
    // those that are still to come, and is found there.
    transport_.control_in({TM_REQ_TIME}, 8, [this, survey](const auto& reply) {
        if (over() || survey != survey_) return;
        if (!reply) return fail(reply.error());
        const auto now = decode_time(*reply);
        if (!now) return fail(now.error());
        now_us_ = *now;
        survey_state(survey);
    });
}

void BoardLink::survey_state(std::uint32_t survey) {
    ask_info([this, survey](const tm_info& info) {
        if (survey != survey_) return;
        if (info.session != session_) return on_refused(info);
        catch_up_to_ = info.next_seq;
        catch_up();
        deliver();
    });
}

void BoardLink::catch_up() {
    if (!catch_up_to_ || seq_distance(*catch_up_to_, sequencer_.expected()) < 0) return;
    if (!builder_.epoch_known()) {
        if (!now_us_) return survey();
        constexpr Micros answer_slack{60'000'000};  // records may be younger than the answer
        builder_.set_latest(device_time(static_cast<std::int64_t>(*now_us_)) + answer_slack);
        resolve_epoch(static_cast<std::uint32_t>(*now_us_ >> epoch_bits));
        builder_.set_latest(std::nullopt);
        if (over()) return;
    }
    catch_up_to_.reset();
    in_step_ = true;
    fruitless_resumes_ = 0;
}

void BoardLink::resolve_epoch(std::uint32_t epoch) {
    builder_.set_epoch(epoch);
    if (deferred_gap_) {
        deferred_gap_->at = builder_.epoch_start();
        emit(*std::exchange(deferred_gap_, std::nullopt));
    }
    for (const Held& held : std::exchange(held_, {})) {
        if (over()) return;
        if (held.known) {
            builder_.pass(held.record);
        } else {
            deliver_record(held.record);
        }
    }
}

// While its queue is full a device loses the record of a wrap, too, and cannot say so before it has
// room; and it has none before it is understood again.
void BoardLink::ask_watermark_epoch() {
    transport_.control_in({TM_REQ_TIME}, 8, [this, survey = survey_](const auto& reply) {
        if (over() || survey != survey_) return;
        if (!reply) return fail(reply.error());
        const auto now = decode_time(*reply);
        if (!now) return fail(now.error());
        watermark_epoch_ = static_cast<std::uint32_t>(*now >> epoch_bits);
    });
}

void BoardLink::audit() {
    ask_info([this, survey = survey_](const tm_info& info) {
        if (survey != survey_) return;
        audited_next_ = info.next_seq;
    });
}

void BoardLink::on_halt_cleared() {
    if (phase_ != Phase::attached) return;
    last_trouble_ = Error(std::errc::io_error, "its endpoint was halted");
    resync();
}

// --- Records -----------------------------------------------------------------------------------

void BoardLink::on_bulk_in(std::span<const std::uint8_t> bytes) {
    if (over()) return;
    splitter_.feed(bytes, [this](RecordBytes record) { return take_bytes(record); });
    deliver();
}

bool BoardLink::take_bytes(RecordBytes bytes) {
    // Before the first request to resume nothing is expected yet; what the device still had under
    // way for an earlier host comes again.
    if (phase_ != Phase::attached) return !over();
    const auto record = decode_record(bytes);
    if (!record) {
        last_trouble_ = record.error();
        resync();
        return !over();
    }
    if (record->kind == RecordKind::watermark) {
        take_watermark(*record);
        return !over();
    }
    switch (sequencer_.judge(record->seq)) {
        case Sequencer::Verdict::fresh:
            take(*record, false);
            break;
        case Sequencer::Verdict::known:
            take(*record, true);
            break;
        case Sequencer::Verdict::duplicate:
            break;
        case Sequencer::Verdict::jump:
            last_trouble_ = Error(std::errc::protocol_error,
                                  fmt::format("record {} came instead", record->seq));
            resync();
            break;
    }
    return !over();
}

void BoardLink::take_watermark(const Record& record) {
    // One that was sent before the device went back to an earlier record says nothing about the
    // records in between.
    if (!in_step_) return;
    const auto t = stamp_of(record, std::max(watermark_epoch_, builder_.epoch().value_or(0)));
    if (t && *t >= orderer_.floor()) {
        orderer_.release(*t);
        watermark_ = *t;
        late_watermarks_ = 0;
    } else if (++late_watermarks_ == watermarks_per_time) {
        late_watermarks_ = 0;
        ask_watermark_epoch();
    }
    if (++idle_watermarks_ < watermarks_per_audit) return;
    idle_watermarks_ = 0;
    if (audited_next_ && seq_distance(sequencer_.expected(), *audited_next_) > 0) {
        last_trouble_ = Error(std::errc::protocol_error, "it believes to have sent it");
        resync();
    } else {
        audit();
    }
}

void BoardLink::take(const Record& record, bool known) {
    fruitless_resumes_ = 0;
    idle_watermarks_ = 0;
    audited_next_.reset();
    if (std::exchange(joining_, false) && record.kind != RecordKind::session) request_snapshot();
    // The record of a wrap may be among the lost ones. The gap itself waits, too: a host that is
    // killed after it goes on with the epoch of its stamp.
    if (record.kind == RecordKind::gap) builder_.forget_epoch();
    if (!builder_.epoch_known()) {
        if (record.kind == RecordKind::session) resolve_epoch(0);
        if (record.kind == RecordKind::epoch && record.word != 0) resolve_epoch(record.word - 1U);
        if (over()) return;
    }
    if (!builder_.epoch_known()) {
        held_.push_back({record, known});
        if (held_.size() > TM_QUEUE_MAX) {
            return fail(Error(std::errc::protocol_error,
                              "the device sends records without end and does not tell its time"));
        }
    } else if (known) {
        builder_.pass(record);
    } else {
        deliver_record(record);
    }
    if (over()) return;
    if (record.kind == RecordKind::gap) return survey();
    if (!in_step_) catch_up();
}

void BoardLink::deliver_record(const Record& record) {
    const auto event = builder_.build(record);
    if (!event) return fail(event.error());
    if (*event) emit(**event);
}

void BoardLink::emit(const StampedEvent& event) {
    if (is_barrier(event.event)) {
        orderer_.add_barrier(event);
    } else {
        orderer_.add(event);
    }
}

void BoardLink::deliver() {
    if (delivering_) return;  // the outer call goes on with it
    delivering_ = true;
    while (!over() && (orderer_.has_ready() || watermark_)) {
        orderer_.take_ready(delivery_);
        const auto watermark = std::exchange(watermark_, std::nullopt);
        if (!delivery_.empty()) sink_.on_events(delivery_);
        if (watermark && !over()) sink_.on_watermark(*watermark);
    }
    delivering_ = false;
}

// --- What goes up ------------------------------------------------------------------------------

void BoardLink::acknowledge(std::span<const StampedEvent> events) {
    if (phase_ != Phase::attached) return;
    for (const StampedEvent& event : events) {
        if (event.id.session == session_) acks_.store(event.id.seq, event.records);
    }
    send_ack();
}

void BoardLink::send_ack() {
    // One message covers everything before it, so that one in flight is enough.
    if (over() || resuming_ || ack_in_flight_ || told_up_to_ == acks_.up_to()) return;
    ack_in_flight_ = true;
    told_up_to_ = acks_.up_to();
    transport_.bulk_out(encode_ack({session_, told_up_to_}), [this](const Result<void>& done) {
        if (over()) return;
        ack_in_flight_ = false;
        if (!done) return fail(done.error());
        send_ack();
    });
}

void BoardLink::request_snapshot() {
    if (phase_ != Phase::attached) return;
    transport_.control_out({TM_REQ_SNAPSHOT}, {}, [this](const Result<void>& done) {
        if (!over() && !done) fail(done.error());
    });
}

void BoardLink::light(std::uint64_t squares) {
    if (phase_ != Phase::attached || !lamp_a_square_) return;
    transport_.control_out({TM_REQ_LAMPS}, encode_lamps(squares), [this](const Result<void>& done) {
        if (!over() && !done) fail(done.error());
    });
}

}  // namespace touchmove::link
