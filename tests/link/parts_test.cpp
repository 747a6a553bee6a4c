// parts_test.cpp - sequencer, orderer, event builder and acknowledgements, each alone
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "host/link/ack_tracker.hpp"
#include "host/link/event_builder.hpp"
#include "host/link/orderer.hpp"
#include "host/link/sequencer.hpp"

using namespace touchmove;
using namespace touchmove::link;

namespace {

constexpr std::uint32_t session = 7;

StampedEvent lift(std::int64_t at, std::uint16_t seq) {
    return {device_time(at), Lift{0, 0}, {session, seq}};
}

std::vector<std::uint16_t> ready_seqs(Orderer& orderer) {
    std::vector<StampedEvent> ready;
    orderer.take_ready(ready);
    std::vector<std::uint16_t> seqs;
    for (const auto& e : ready)
        seqs.push_back(e.id.seq);
    return seqs;
}

Record record(RecordKind kind, std::uint8_t index, std::uint16_t seq, std::uint32_t word,
              bool odd_epoch = false) {
    return {kind, 0, index, odd_epoch, seq, word};
}

std::optional<StampedEvent> built(EventBuilder& builder, const Record& r) {
    auto event = builder.build(r);
    REQUIRE(event);
    return *event;
}

using Seqs = std::vector<std::uint16_t>;

}  // namespace

TEST_CASE("each number passes once, also over the wrap of the sequence", "[link]") {
    using Verdict = Sequencer::Verdict;
    Sequencer sequencer;
    sequencer.go_on_at(65535, {1});
    CHECK(sequencer.judge(0) == Verdict::jump);
    CHECK(sequencer.judge(65535) == Verdict::fresh);
    CHECK(sequencer.judge(65535) == Verdict::duplicate);
    CHECK(sequencer.judge(0) == Verdict::fresh);
    CHECK(sequencer.judge(1) == Verdict::known);
    CHECK(sequencer.judge(1) == Verdict::duplicate);
    CHECK(sequencer.expected() == 2);
}

TEST_CASE("skipping says how many of the skipped records were known", "[link]") {
    Sequencer sequencer;
    sequencer.go_on_at(10, {11, 13, 20});
    CHECK(sequencer.skip_to(15) == 2);
    CHECK(sequencer.expected() == 15);
    CHECK(Seqs(sequencer.known().begin(), sequencer.known().end()) == Seqs{20});
}

TEST_CASE("events leave in the order of their stamps, up to the watermark", "[link]") {
    Orderer orderer;
    orderer.add(lift(300, 1));
    orderer.add(lift(100, 2));
    orderer.add(lift(200, 3));
    CHECK_FALSE(orderer.has_ready());
    orderer.release(device_time(200));
    CHECK(ready_seqs(orderer) == Seqs{2, 3});
    orderer.release(device_time(1000));
    CHECK(ready_seqs(orderer) == Seqs{1});
}

TEST_CASE("equal stamps keep their order of arrival", "[link]") {
    Orderer orderer;
    orderer.add(lift(50, 9));
    orderer.add(lift(100, 1));
    orderer.add(lift(100, 2));
    orderer.add(lift(50, 3));
    orderer.release(device_time(100));
    orderer.add(lift(100, 4));
    orderer.release(device_time(100));
    CHECK(ready_seqs(orderer) == Seqs{9, 3, 1, 2, 4});
}

TEST_CASE("nothing overtakes a barrier, and time does not go back after it", "[link]") {
    Orderer orderer;
    orderer.add(lift(500, 1));
    orderer.add(lift(400, 2));
    orderer.add_barrier({device_time(450), Snapshot{}, {session, 6}, 4});
    orderer.add(lift(420, 7));
    orderer.release(device_time(600));
    std::vector<StampedEvent> ready;
    orderer.take_ready(ready);
    REQUIRE(ready.size() == 4);
    CHECK(ready[0].id.seq == 2);
    CHECK(ready[1].id.seq == 1);
    CHECK(ready[2].at == device_time(500));
    CHECK(ready[3].at == device_time(500));
}

TEST_CASE("a broken promise of the device raises the stamp and loses nothing", "[link]") {
    Orderer orderer;
    orderer.release(device_time(1000));
    orderer.add(lift(900, 1));
    orderer.release(device_time(1000));
    std::vector<StampedEvent> ready;
    orderer.take_ready(ready);
    REQUIRE(ready.size() == 1);
    CHECK(ready[0].at == device_time(1000));
}

TEST_CASE("a stamp with the other parity lies before the wrap", "[link]") {
    constexpr std::int64_t wrap = std::int64_t{1} << 32;
    EventBuilder builder(session);
    builder.set_epoch(0);
    CHECK(built(builder, record(RecordKind::lift, 1, 0, 0xFFFFFFF0))->at ==
          device_time(0xFFFFFFF0));
    const auto epoch = built(builder, record(RecordKind::epoch, 0, 1, 1));
    CHECK(epoch->at == device_time(wrap));
    CHECK(built(builder, record(RecordKind::lift, 1, 2, 0xFFFFFFFF, false))->at ==
          device_time(0xFFFFFFFF));
    CHECK(built(builder, record(RecordKind::lift, 1, 3, 5, true))->at == device_time(wrap + 5));
    CHECK(built(builder, record(RecordKind::epoch, 0, 4, 2))->at == device_time(2 * wrap));
    CHECK(built(builder, record(RecordKind::lift, 1, 5, 0xFFFF'FF00, true))->at ==
          device_time(wrap + 0xFFFF'FF00));
    // Just after the third wrap, whose record comes behind it.
    CHECK(built(builder, record(RecordKind::lift, 1, 6, 9, true))->at == device_time(3 * wrap + 9));
}

TEST_CASE("no stamp lies before the session", "[link]") {
    EventBuilder builder(session);
    builder.set_epoch(0);
    const auto event = builder.build(record(RecordKind::lift, 1, 3, 0x8000'0005, true));
    REQUIRE_FALSE(event);
    CHECK(event.error().message() == "the device's record 3 is stamped before the session began");
}

TEST_CASE("four records make a snapshot", "[link]") {
    EventBuilder builder(session);
    builder.set_epoch(0);
    CHECK_FALSE(built(builder, record(RecordKind::snapshot, 0, 10, 1234)));
    CHECK_FALSE(built(builder, record(RecordKind::snapshot, 1, 11, 0x0000FFFF)));
    CHECK_FALSE(built(builder, record(RecordKind::snapshot, 2, 12, 0xFFFF0000)));
    const auto event = built(builder, record(RecordKind::snapshot, 3, 13, 0x81));
    REQUIRE(event);
    CHECK(event->at == device_time(1234));
    CHECK(event->id.seq == 13);
    CHECK(event->records == 4);
    CHECK(std::get<Snapshot>(event->event).squares == 0xFFFF00000000FFFF);
    CHECK(std::get<Snapshot>(event->event).inputs == 0x81);
}

TEST_CASE("an edge between the records of a snapshot is an event of its own", "[link]") {
    EventBuilder builder(session);
    builder.set_epoch(0);
    CHECK_FALSE(built(builder, record(RecordKind::snapshot, 0, 10, 1234)));
    const auto edge = built(builder, record(RecordKind::place, 5, 11, 1200));
    REQUIRE(edge);
    CHECK(edge->records == 1);
    CHECK_FALSE(built(builder, record(RecordKind::snapshot, 1, 12, 0)));
    CHECK_FALSE(built(builder, record(RecordKind::snapshot, 2, 13, 0)));
    const auto picture = built(builder, record(RecordKind::snapshot, 3, 14, 0));
    REQUIRE(picture);
    CHECK(picture->records == 5);  // 10 to 14
}

TEST_CASE("a gap takes over the records of the snapshot that it cut off", "[link]") {
    EventBuilder builder(session);
    builder.set_epoch(0);
    CHECK_FALSE(built(builder, record(RecordKind::snapshot, 0, 10, 1234)));
    CHECK_FALSE(built(builder, record(RecordKind::snapshot, 1, 11, 0)));
    const auto gap = built(builder, record(RecordKind::gap, 0, 12, 300));
    REQUIRE(gap);
    CHECK(std::get<Gap>(gap->event).lost == 300);
    CHECK(gap->records == 3);
    // The rest of it may follow the gap; then the whole one.
    CHECK_FALSE(built(builder, record(RecordKind::snapshot, 3, 13, 0)));
    for (std::uint8_t part = 0; part < 3; ++part) {
        CHECK_FALSE(
            built(builder, record(RecordKind::snapshot, part, std::uint16_t(14 + part), 0)));
    }
    const auto picture = built(builder, record(RecordKind::snapshot, 3, 17, 0));
    REQUIRE(picture);
    CHECK(picture->records == 5);  // 13 to 17
}

TEST_CASE("a snapshot out of order is refused", "[link]") {
    EventBuilder builder(session);
    builder.set_epoch(0);
    CHECK(builder.build(record(RecordKind::snapshot, 2, 9, 0)));  // its head was another host's
    CHECK(builder.build(record(RecordKind::snapshot, 0, 10, 1)));
    CHECK(builder.build(record(RecordKind::snapshot, 2, 11, 0)).error().message() ==
          "the device's record 11 skips a part of its snapshot");
    CHECK(builder.build(record(RecordKind::snapshot, 0, 12, 0)).error().message() ==
          "the device's record 12 begins a snapshot within another");
}

TEST_CASE("the session record must name the session", "[link]") {
    EventBuilder builder(session);
    CHECK(builder.build(record(RecordKind::session, 0, 0, session)));
    CHECK(builder.build(record(RecordKind::session, 0, 0, 0)));  // written before it was named
    CHECK(builder.build(record(RecordKind::session, 0, 0, 8)).error().message() ==
          "the device's record 0 begins session 8 in the midst of session 7");
}

TEST_CASE("the acknowledged run ends before the first hole", "[link]") {
    AckTracker acks;
    acks.begin(65533, Seqs{65535});
    CHECK(acks.up_to() == 65533);
    acks.store(1, 1);
    CHECK(acks.up_to() == 65533);
    acks.store(65534, 1);
    CHECK(acks.up_to() == 65535);
    acks.store(0, 1);
    CHECK(acks.up_to() == 1);
    acks.store(5, 4);
    CHECK(acks.up_to() == 5);
}

TEST_CASE("what was acknowledged long ago marks nothing ahead", "[link]") {
    AckTracker acks;
    acks.begin(100, {});
    acks.store(100, 65535);  // a gap over nearly the whole circle
    acks.store(99, 1);
    acks.store(101, 1);
    CHECK(acks.up_to() == 101);
}
