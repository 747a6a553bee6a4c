// board_link_test.cpp - attaching, going on, and what happens when the device cannot
// SPDX-License-Identifier: Apache-2.0
#include "host/link/board_link.hpp"

#include <catch2/catch.hpp>

#include "model_device.hpp"
#include "test_sink.hpp"

using namespace touchmove;
using namespace touchmove::link;
using namespace touchmove::link::test;

namespace {

constexpr std::uint64_t wrap = std::uint64_t{1} << 32;
constexpr std::uint32_t fallback_name = 77;

/// One attachment of a device.
struct Attached {
    explicit Attached(ModelDevice& device, std::optional<Stored> stored = std::nullopt)
        : cable(device), link(cable, sink, std::move(stored), fallback_name) {
        link.start();
        cable.settle();
    }
    ModelCable cable;
    TestSink sink;
    BoardLink link;
};

template <class T>
std::vector<StampedEvent> of_kind(const TestSink& sink) {
    std::vector<StampedEvent> found;
    for (const auto& e : sink.events) {
        if (std::holds_alternative<T>(e.event)) found.push_back(e);
    }
    return found;
}

void lift_and_wait(ModelDevice& device, std::uint8_t square) {
    device.change(RecordKind::lift, square, 100);
    device.run(1000);
}

}  // namespace

TEST_CASE("a fresh board gives its session, its snapshot, then its edges", "[link]") {
    ModelDevice device(5, 0, 0);
    lift_and_wait(device, 12);
    Attached host(device);
    CHECK(host.sink.attached == std::vector<std::uint32_t>{5});
    REQUIRE(host.sink.events.size() == 3);
    CHECK(std::get<SessionStart>(host.sink.events[0].event).session == 5);
    CHECK(std::get<Snapshot>(host.sink.events[1].event).squares == 0xFFFF00000000FFFF);
    CHECK(std::get<Lift>(host.sink.events[2].event).square == 12);
    CHECK(device.snapshots == 0);
    REQUIRE_FALSE(host.sink.watermarks.empty());
    CHECK(host.sink.watermarks.back() == device_time(1000));
}

TEST_CASE("edges wait for the watermark", "[link]") {
    ModelDevice device(5, 0, 0);
    Attached host(device);
    host.sink.events.clear();
    device.change(RecordKind::lift, 12, 3000);  // held open: the watermark stands before it
    device.run(10);
    device.change(RecordKind::place, 20, 500);
    device.run(1000);
    host.cable.settle();
    CHECK(host.sink.events.empty());
    device.run(3000);
    host.cable.settle();
    REQUIRE(host.sink.events.size() == 2);
    CHECK(std::holds_alternative<Lift>(host.sink.events[0].event));
    CHECK(std::holds_alternative<Place>(host.sink.events[1].event));
}

TEST_CASE("a board without flash is named before anything else", "[link]") {
    ModelDevice device(0, 0, 0);
    Attached host(device);
    CHECK(device.session() == fallback_name);
    CHECK(host.sink.attached == std::vector<std::uint32_t>{fallback_name});
    CHECK(of_kind<SessionStart>(host.sink).at(0).id.session == fallback_name);
}

TEST_CASE("a device of another protocol version is refused", "[link]") {
    ModelDevice device(5, 0, 0);
    device.version = 9;
    Attached host(device);
    CHECK(host.sink.attached.empty());
    CHECK(host.sink.detached ==
          std::vector<std::string>{
              "the device speaks version 9 of the protocol, this program version 1"});
    CHECK(host.cable.stopped());
}

TEST_CASE("only what is stored is acknowledged, and in one message", "[link]") {
    ModelDevice device(5, 0, 0);
    for (std::uint8_t square = 0; square < 60; ++square)
        lift_and_wait(device, square);
    Attached host(device);
    CHECK(device.kept() == 65);
    CHECK(device.acks == 0);
    host.link.acknowledge(host.sink.events);
    host.cable.settle();
    CHECK(device.kept() == 0);
    CHECK(device.acks == 1);
}

TEST_CASE("acknowledgements made while one is under way are joined", "[link]") {
    ModelDevice device(5, 0, 0);
    for (std::uint8_t square = 0; square < 60; ++square)
        lift_and_wait(device, square);
    Attached host(device);
    for (const auto& event : host.sink.events)
        host.link.acknowledge({&event, 1});
    host.cable.settle();
    CHECK(device.kept() == 0);
    CHECK(device.acks == 2);
}

TEST_CASE("a hole in what is stored holds the acknowledgement back", "[link]") {
    ModelDevice device(5, 0, 0);
    lift_and_wait(device, 1);
    lift_and_wait(device, 2);
    lift_and_wait(device, 3);
    Attached host(device);
    auto events = host.sink.events;
    const auto hole = events[2];
    events.erase(events.begin() + 2);
    host.link.acknowledge(events);
    host.cable.settle();
    CHECK(device.oldest() == hole.id.seq);
    host.link.acknowledge({&hole, 1});
    host.cable.settle();
    CHECK(device.kept() == 0);
}

TEST_CASE("a host that starts again goes on after the last record stored", "[link]") {
    ModelDevice device(5, 0, 0);
    lift_and_wait(device, 1);
    std::vector<StampedEvent> journal;
    {
        Attached host(device);
        journal = host.sink.events;  // stored, but killed before it could say so
    }
    lift_and_wait(device, 2);
    Attached host(device, stored_of(journal));
    REQUIRE(host.sink.events.size() == 1);
    CHECK(std::get<Lift>(host.sink.events[0].event).square == 2);
    CHECK(device.kept() == 1);  // the lost acknowledgement was made good
    CHECK(device.snapshots == 0);
}

TEST_CASE("records stored out of turn are not delivered again", "[link]") {
    ModelDevice device(5, 0, 0);
    device.change(RecordKind::lift, 1, 3000);
    device.run(100);
    device.change(RecordKind::place, 2, 100);  // written first, stamped later
    device.run(5000);
    std::vector<StampedEvent> journal;
    {
        Attached host(device);
        journal = host.sink.events;
        REQUIRE(journal.size() == 4);
    }
    journal.pop_back();  // the place (record 5) never got to the disk, the lift (record 6) did
    const auto stored = stored_of(journal);
    CHECK(stored->up_to.seq == 4);
    CHECK(stored->beyond == std::vector<std::uint16_t>{6});
    Attached host(device, stored);
    REQUIRE(host.sink.events.size() == 1);
    CHECK(std::holds_alternative<Place>(host.sink.events[0].event));
    host.link.acknowledge(host.sink.events);
    host.cable.settle();
    CHECK(device.kept() == 0);
}

TEST_CASE("a new session is read from its start", "[link]") {
    ModelDevice device(6, 0, 0);
    Stored of_old_session{{5, 4000}, {4002}, device_time(99'000'000)};
    Attached host(device, of_old_session);
    REQUIRE(host.sink.events.size() == 2);
    CHECK(std::get<SessionStart>(host.sink.events[0].event).session == 6);
    CHECK(host.sink.events[0].at == device_time(0));
    CHECK(device.snapshots == 0);
}

TEST_CASE("a join in mid-session asks for a snapshot and for the time", "[link]") {
    ModelDevice device(5, 7 * wrap + 1000, 300);
    lift_and_wait(device, 12);
    Attached host(device);
    CHECK(device.snapshots == 1);
    REQUIRE(host.sink.events.size() == 2);
    CHECK(host.sink.events[0].at == device_time(7 * wrap + 1000));
    CHECK(std::holds_alternative<Snapshot>(host.sink.events[1].event));
}

TEST_CASE("a join in mid-session with nothing kept asks for a snapshot too", "[link]") {
    ModelDevice device(5, 7 * wrap + 1000, 300);
    Attached host(device);
    CHECK(device.snapshots == 1);
    REQUIRE(host.sink.events.size() == 1);
    CHECK(host.sink.events[0].at == device_time(7 * wrap + 1000));
}

TEST_CASE("in a join over several wraps each record gets its own epoch", "[link]") {
    ModelDevice device(5, 2 * wrap - 500, 300);
    lift_and_wait(device, 1);  // before the wrap, written after it
    device.run(3 * wrap);      // two more wraps in the queue
    lift_and_wait(device, 2);
    Attached host(device);
    const auto lifts = of_kind<Lift>(host.sink);
    REQUIRE(lifts.size() == 2);
    CHECK(lifts[0].at == device_time(2 * wrap - 500));
    CHECK(lifts[1].at == device_time(5 * wrap + 500));
    CHECK(of_kind<Epoch>(host.sink).size() == 4);
}

TEST_CASE("what the device no longer holds is reported as a gap with its size", "[link]") {
    ModelDevice device(5, 0, 0);
    for (std::uint8_t square = 0; square < 20; ++square)
        lift_and_wait(device, square);
    // Stored up to 9, and 12; the device has forgotten all before 15.
    const Stored stored{{5, 9}, {12}, device_time(5500)};
    device.forget_up_to(15);
    Attached host(device, stored);
    REQUIRE_FALSE(host.sink.events.empty());
    const auto& gap = host.sink.events[0];
    CHECK(std::get<Gap>(gap.event).lost == 4);  // 10, 11, 13, 14
    CHECK(gap.id == RecordId{5, 14});
    CHECK(gap.records == 5);
    CHECK(gap.at >= stored.last_at);
    CHECK(device.snapshots == 1);
    CHECK(of_kind<Lift>(host.sink).front().id.seq == 15);
    CHECK(of_kind<Snapshot>(host.sink).size() == 1);
    host.link.acknowledge(host.sink.events);
    host.cable.settle();
    CHECK(device.kept() == 0);
}

TEST_CASE("no gap is reported where everything missing is stored", "[link]") {
    ModelDevice device(5, 0, 0);
    for (std::uint8_t square = 0; square < 20; ++square)
        lift_and_wait(device, square);
    // A journal that joined late is not sure where its run begins; the link acknowledged it.
    const Stored stored{{5, 9}, {10, 11, 12, 13, 14, 16}, device_time(11'000)};
    device.forget_up_to(15);
    Attached host(device, stored);
    CHECK(of_kind<Gap>(host.sink).empty());
    CHECK(device.snapshots == 0);
    REQUIRE(host.sink.events.size() == 9);  // 15, 17 to 24
    CHECK(host.sink.events[0].id.seq == 15);
    CHECK(host.sink.events[1].id.seq == 17);
}

TEST_CASE("a sequence that went back is a gap of unknown size", "[link]") {
    ModelDevice device(5, 0, 0);
    lift_and_wait(device, 3);
    const Stored stored{{5, 5000}, {}, device_time(5'000'000)};
    Attached host(device, stored);
    const auto gaps = of_kind<Gap>(host.sink);
    REQUIRE(gaps.size() == 1);
    CHECK(std::get<Gap>(gaps[0].event).lost == 0);
    CHECK(device.snapshots == 1);
    CHECK(host.sink.detached.empty());
}

TEST_CASE("a full queue's own gap record passes, with the snapshot after it", "[link]") {
    ModelDevice device(5, wrap - 50'000, 0, 40);
    for (std::uint8_t square = 0; square < 60; ++square)
        lift_and_wait(device, square);
    // The record of the wrap was among the lost ones.
    Attached host(device);
    REQUIRE(host.sink.events.size() == 40);
    CHECK(of_kind<Epoch>(host.sink).empty());
    host.link.acknowledge(host.sink.events);
    host.cable.settle();
    host.sink.events.clear();
    lift_and_wait(device, 62);
    lift_and_wait(device, 63);
    host.cable.settle();
    REQUIRE(of_kind<Gap>(host.sink).size() == 1);
    CHECK(std::get<Gap>(of_kind<Gap>(host.sink)[0].event).lost == 60 + 1 - 40 + 4);
    CHECK(of_kind<Snapshot>(host.sink).size() == 1);
    REQUIRE(of_kind<Lift>(host.sink).size() == 2);
    CHECK(to_us(of_kind<Lift>(host.sink)[1].at) == std::int64_t(device.now()) - 1000);
}

TEST_CASE("a host killed after a gap that swallowed a wrap knows the new epoch", "[link]") {
    ModelDevice device(5, wrap - 50'000, 0, 40);
    std::vector<StampedEvent> journal;
    {
        Attached host(device);
        for (std::uint8_t square = 0; square < 60; ++square)
            lift_and_wait(device, square);
        // Full, and the wrap unrecorded: watermarks must be understood all the same, or nothing
        // would ever be stored, and no room be made.
        for (unsigned i = 0; i < 8; ++i)
            host.cable.settle();
        journal = host.sink.events;
        REQUIRE(journal.size() == 37);
        CHECK(of_kind<Epoch>(host.sink).empty());
        host.link.acknowledge(journal);
        host.cable.settle();
        lift_and_wait(device, 62);  // there is room again: the gap, a snapshot, the lift
        host.cable.settle();
        for (const auto& e : host.sink.events) {
            if (std::holds_alternative<Gap>(e.event)) journal.push_back(e);
        }
    }
    REQUIRE(std::holds_alternative<Gap>(journal.back().event));
    Attached host(device, stored_of(journal));
    lift_and_wait(device, 63);
    host.cable.settle();
    CHECK(host.sink.detached.empty());
    CHECK(of_kind<Gap>(host.sink).empty());
    REQUIRE(of_kind<Lift>(host.sink).size() == 2);
    CHECK(to_us(of_kind<Lift>(host.sink)[1].at) == std::int64_t(device.now()) - 1000);
}

TEST_CASE("a device that withholds a record is given up with a clear error", "[link]") {
    ModelDevice device(5, 0, 0);
    lift_and_wait(device, 1);
    lift_and_wait(device, 2);
    device.withhold = 5;
    Attached host(device);
    CHECK(host.sink.detached ==
          std::vector<std::string>{"the device does not send record 5 although it was asked 8 "
                                   "times: record 6 came instead"});
    CHECK(of_kind<Lift>(host.sink).empty());
    CHECK(host.cable.stopped());
}

TEST_CASE("a device that refuses to resume is given up with a clear error", "[link]") {
    ModelDevice device(5, 0, 0);
    device.refuse_resume = true;
    Attached host(device);
    CHECK(host.sink.detached ==
          std::vector<std::string>{"the device does not send record 0 although it was asked 8 "
                                   "times: it refuses to resume there"});
}

TEST_CASE("the loss of the last record is found out in silence", "[link]") {
    ModelDevice device(5, 0, 0);
    Attached host(device);
    host.sink.events.clear();
    device.change(RecordKind::lift, 9, 0);
    device.run(10);
    host.cable.send_packet();
    host.cable.lose_packet();
    for (unsigned i = 0; i < 400 && host.sink.events.empty(); ++i) {
        device.run(10'000);
        host.cable.settle();
    }
    REQUIRE(host.sink.events.size() == 1);
    CHECK(std::get<Lift>(host.sink.events[0].event).square == 9);
}

TEST_CASE("watermarks from before a resume are not believed", "[link]") {
    ModelDevice device(5, 0, 0);
    std::vector<StampedEvent> journal;
    {
        Attached host(device);
        journal = host.sink.events;
    }
    lift_and_wait(device, 1);
    // The device has sent the lift to nobody; its watermark, 70 seconds later, is on its way when
    // it is told to go back.
    ModelCable cable(device);
    TestSink sink;
    BoardLink link(cable, sink, stored_of(journal), fallback_name);
    link.start();
    device.run(70'000'000);
    while (device.has_unsent()) {
        cable.send_packet();
        cable.lose_packet();
    }
    cable.send_packet();
    while (device.resumes == 0)
        REQUIRE((cable.execute() || cable.answer()));
    while (cable.answer()) {
    }
    cable.deliver(TM_PACKET_BYTES);
    CHECK(sink.watermarks.empty());
    cable.settle();
    REQUIRE(of_kind<Lift>(sink).size() == 1);
    CHECK(of_kind<Lift>(sink)[0].at == device_time(0));
    CHECK(sink.watermarks.back() == device_time(70'001'000));
}

TEST_CASE("after stop no function of the sink is called", "[link]") {
    ModelDevice device(5, 0, 0);
    Attached host(device);
    const auto before = host.sink.events.size();
    lift_and_wait(device, 1);
    host.link.stop();
    host.link.on_bulk_in(device.next_packet());
    host.link.on_lost(Error(std::errc::no_such_device));
    CHECK(host.sink.events.size() == before);
    CHECK(host.sink.detached.empty());
}

TEST_CASE("a lost device is reported once, with the transport's reason", "[link]") {
    ModelDevice device(5, 0, 0);
    Attached host(device);
    host.cable.pull(Error(std::errc::no_such_device, "the cable was pulled"));
    host.link.on_lost(Error(std::errc::no_such_device, "again"));
    CHECK(host.sink.detached == std::vector<std::string>{"the cable was pulled"});
}

TEST_CASE("a sink may stop the link from within", "[link]") {
    struct Stopper : TestSink {
        BoardLink* link = nullptr;
        void on_events(std::span<const StampedEvent> more) override {
            TestSink::on_events(more);
            link->stop();
        }
    };
    ModelDevice device(5, 0, 0);
    lift_and_wait(device, 1);
    ModelCable cable(device);
    Stopper sink;
    BoardLink link(cable, sink, std::nullopt, fallback_name);
    sink.link = &link;
    link.start();
    cable.settle();
    CHECK_FALSE(sink.events.empty());
    CHECK(sink.watermarks.empty());
    CHECK(cable.stopped());
}
