// torture_test.cpp - whatever is unplugged, killed, lost or doubled: every record exactly once
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <random>

#include "model_device.hpp"
#include "test_sink.hpp"

using namespace touchmove;
using namespace touchmove::link;
using namespace touchmove::link::test;

namespace {

constexpr std::uint64_t wrap = std::uint64_t{1} << 32;

/// Which accidents may befall a run.
struct Chaos {
    bool pull_cable = false;
    bool kill_host = false;
    bool lose_packets = false;
    bool double_packets = false;
    bool halts = false;
    bool slow_disk = false;  ///< the device's queue fills up
};

/// A device, a host with a journal, and a seeded fate that decides every step.
class World {
  public:
    World(std::uint64_t seed, Chaos chaos, ModelDevice& device)
        : random_(seed), chaos_(chaos), device_(device) {
        plug_in();
    }

    void live(unsigned steps) {
        for (unsigned i = 0; i < steps; ++i)
            step();
        // A calm end: all that is left arrives and is stored.
        for (unsigned i = 0; i < 4; ++i) {
            if (cable_->stopped()) replug();
            device_.run(10'000'000);
            cable_->settle();
            commit(sink_->events.size());
            cable_->settle();
        }
    }

    [[nodiscard]] const std::vector<StampedEvent>& journal() const { return journal_; }
    [[nodiscard]] unsigned attachments() const { return attachments_; }
    [[nodiscard]] const std::vector<std::string>& complaints() const { return complaints_; }

  private:
    bool one_in(unsigned n) { return random_() % n == 0; }

    void step() {
        switch (random_() % 8) {
            case 0:
                contact();
                break;
            case 1:
                device_.run(random_() % 3000);
                break;
            case 2:
                cable_->execute();
                break;
            case 3:
                cable_->answer();
                break;
            case 4:
                cable_->send_packet();
                if (chaos_.lose_packets && one_in(20)) {
                    cable_->lose_packet();
                } else if (chaos_.double_packets && one_in(10)) {
                    cable_->double_packet();
                }
                break;
            case 5:
            case 6:
                cable_->deliver(one_in(4) ? 1 + random_() % TM_PACKET_BYTES : TM_PACKET_BYTES);
                break;
            case 7:
                if (!chaos_.slow_disk || one_in(12)) commit(random_() % 8);
                break;
        }
        if (chaos_.halts && one_in(200)) cable_->clear_halt();
        // A queue that is full for several wraps (71 minutes each) leaves epochs in doubt.
        const unsigned rarely = chaos_.slow_disk ? 60 : 1;
        if (one_in(500 * rarely)) device_.run(random_() % 0x6000'0000);  // a long think
        if (one_in(400 *
                   rarely)) {  // a contact that changes before a wrap and is accepted after it
            device_.run(wrap - device_.now() % wrap - 200);
            contact();
        }
        if (one_in(300)) link_->request_snapshot();
        if (chaos_.pull_cable && one_in(100)) cable_->pull();
        if (chaos_.kill_host && one_in(150)) {
            link_.reset();
            sink_->events.clear();  // what was not on disk is gone
            committed_ = 0;
            if (one_in(2 * rarely)) device_.run(random_() % (0x2'0000'0000 / rarely));
            replug();
        }
        if (cable_->stopped()) replug();
    }

    void contact() {
        const auto square = static_cast<std::uint8_t>(random_() % 64);
        switch (random_() % 3) {
            case 0:
                return device_.change(RecordKind::lift, square, 3000);
            case 1:
                return device_.change(RecordKind::place, square, 500);
            default:
                return device_.change(one_in(2) ? RecordKind::input_down : RecordKind::input_up,
                                      square % 8, 1500);
        }
    }

    void commit(std::size_t count) {
        if (!sink_) return;
        count = std::min(count, sink_->events.size() - committed_);
        const std::span<const StampedEvent> batch(sink_->events.data() + committed_, count);
        journal_.insert(journal_.end(), batch.begin(), batch.end());
        committed_ += count;
        link_->acknowledge(batch);
    }

    void replug() {
        if (link_) {
            // The writer thread outlives the link; its queue is on disk before anybody asks.
            for (const auto& why : sink_->detached)
                complaints_.push_back(why);
            journal_.insert(journal_.end(), sink_->events.begin() + std::ptrdiff_t(committed_),
                            sink_->events.end());
        }
        plug_in();
    }

    void plug_in() {
        link_.reset();
        cable_ = std::make_unique<ModelCable>(device_);
        sink_ = std::make_unique<TestSink>();
        committed_ = 0;
        link_ = std::make_unique<BoardLink>(*cable_, *sink_, stored_of(journal_), 77);
        link_->start();
        ++attachments_;
    }

    std::mt19937_64 random_;
    Chaos chaos_;
    ModelDevice& device_;
    std::unique_ptr<ModelCable> cable_;
    std::unique_ptr<TestSink> sink_;
    std::unique_ptr<BoardLink> link_;
    std::vector<StampedEvent> journal_;
    std::size_t committed_ = 0;
    unsigned attachments_ = 0;
    std::vector<std::string> complaints_;
};

bool is_barrier(const StampedEvent& e) {
    return std::holds_alternative<Snapshot>(e.event) ||
           std::holds_alternative<SessionStart>(e.event) || std::holds_alternative<Gap>(e.event);
}

bool same(const DeviceEvent& event, const Record& r) {
    switch (r.kind) {
        case RecordKind::lift: {
            const auto* lift = std::get_if<Lift>(&event);
            return lift != nullptr && lift->square == r.index && lift->bounces == r.count;
        }
        case RecordKind::place: {
            const auto* place = std::get_if<Place>(&event);
            return place != nullptr && place->square == r.index && place->bounces == r.count;
        }
        case RecordKind::input_down:
        case RecordKind::input_up: {
            const auto* edge = std::get_if<InputEdge>(&event);
            return edge != nullptr && edge->input == r.index &&
                   edge->active == (r.kind == RecordKind::input_down);
        }
        case RecordKind::epoch: {
            const auto* epoch = std::get_if<Epoch>(&event);
            return epoch != nullptr && epoch->wraps == r.word;
        }
        case RecordKind::gap: {
            const auto* gap = std::get_if<Gap>(&event);
            return gap != nullptr && gap->lost == r.word;
        }
        case RecordKind::session:
            return std::holds_alternative<SessionStart>(event);
        default:
            return false;
    }
}

/// `late_epoch`: exact up to pairs of wraps, whose records a full queue lost.
enum class Stamps : std::uint8_t { exact, at_least, late_epoch };

/// What the journal holds against what the device really wrote.
void check_complete(const World& world, const ModelDevice& device, Stamps stamps) {
    std::map<std::uint16_t, ModelDevice::Written> truth;  // fewer than 65,536 in a run
    for (const auto& w : device.written()) {
        if (!w.lost) REQUIRE(truth.emplace(w.record.seq, w).second);
    }
    std::map<std::uint16_t, unsigned> settled;
    DeviceTime last = device_time(0);
    DeviceTime last_barrier = device_time(0);
    const StampedEvent* before = nullptr;
    for (const StampedEvent& e : world.journal()) {
        CAPTURE(e.id.seq, to_us(e.at), truth[e.id.seq].at, to_us(last_barrier), e.event.index());
        REQUIRE(e.id.session == device.session());
        REQUIRE(truth.count(e.id.seq) == 1);
        const auto& t = truth.at(e.id.seq);
        for (unsigned back = 0; back < e.records; ++back) {
            ++settled[static_cast<std::uint16_t>(e.id.seq - back)];
        }
        REQUIRE(e.at >= last);
        if (is_barrier(e)) {
            last_barrier = e.at;
        } else if (stamps == Stamps::exact) {
            REQUIRE(e.at == std::max(device_time(std::int64_t(t.at)), last_barrier));
            const bool tie = before != nullptr && !is_barrier(*before) && before->at == e.at;
            if (tie) REQUIRE(seq_distance(before->id.seq, e.id.seq) > 0);
        } else if (stamps == Stamps::late_epoch) {
            const auto late = to_us(e.at) - std::int64_t(t.at);
            REQUIRE(late >= 0);
            REQUIRE((e.at == last_barrier || late % std::int64_t(2 * wrap) == 0));
        } else {
            REQUIRE(e.at >= device_time(std::int64_t(t.at)));
        }
        if (const auto* picture = std::get_if<Snapshot>(&e.event)) {
            const auto part = [&](unsigned back) {
                return truth.at(static_cast<std::uint16_t>(e.id.seq - back)).record;
            };
            REQUIRE((part(0).kind == RecordKind::snapshot && part(0).index == 3));
            REQUIRE(e.records == 4);
            REQUIRE(picture->squares == (std::uint64_t{part(1).word} << 32 | part(2).word));
        } else {
            REQUIRE(same(e.event, t.record));
        }
        last = e.at;
        before = &e;
    }
    for (const auto& [seq, w] : truth) {
        CAPTURE(seq);
        REQUIRE(settled[seq] == 1);
    }
    CHECK(device.kept() == 0);  // all of it acknowledged
}

}  // namespace

TEST_CASE("undisturbed, every record comes once, with its stamp and in its order", "[link]") {
    const auto seed = GENERATE(range(1, 5));
    CAPTURE(seed);
    ModelDevice device(5, 0, 0);
    World world(std::uint64_t(seed), {}, device);
    world.live(20'000);
    CHECK(world.attachments() == 1);
    check_complete(world, device, Stamps::exact);
}

TEST_CASE("pulled cables and killed hosts lose and double nothing", "[link]") {
    const auto seed = GENERATE(range(100, 116));
    CAPTURE(seed);
    // Sequence numbers and stamps both wrap on the way.
    const bool from_the_start = seed % 2 == 0;
    ModelDevice device(5, from_the_start ? 0 : wrap - 500'000, 65'000);
    World world(std::uint64_t(seed), {.pull_cable = true, .kill_host = true}, device);
    world.live(30'000);
    CHECK(world.attachments() > 100);
    for (const auto& why : world.complaints())
        CHECK(why == "pulled");
    check_complete(world, device, Stamps::exact);
}

TEST_CASE("lost and doubled packets are made good within the link", "[link]") {
    const auto seed = GENERATE(range(200, 212));
    CAPTURE(seed);
    ModelDevice device(5, 3 * wrap - 500'000, 65'500);
    World world(std::uint64_t(seed), {.lose_packets = true, .double_packets = true, .halts = true},
                device);
    world.live(30'000);
    CHECK(device.resumes > 20);
    for (const auto& why : world.complaints())
        CHECK(why == "");
    // A watermark that follows a lost record has promised too much: order holds, stamps are raised.
    check_complete(world, device, Stamps::at_least);
}

TEST_CASE("all accidents together lose and double nothing", "[link]") {
    const auto seed = GENERATE(range(300, 312));
    CAPTURE(seed);
    ModelDevice device(9, seed % 2 == 0 ? 0 : wrap / 2, 40'000);
    World world(std::uint64_t(seed), {true, true, true, true, true}, device);
    world.live(30'000);
    check_complete(world, device, Stamps::at_least);
}

TEST_CASE("a full queue loses only what its gap records say, whatever else happens", "[link]") {
    const auto seed = GENERATE(range(400, 412));
    CAPTURE(seed);
    ModelDevice device(9, 0, 40'000, 48);
    World world(std::uint64_t(seed), {.pull_cable = true, .kill_host = true, .slow_disk = true},
                device);
    world.live(30'000);
    check_complete(world, device, Stamps::late_epoch);
    std::size_t lost = 0;
    std::size_t said = 0;
    for (const auto& w : device.written())
        lost += w.lost ? 1 : 0;
    for (const auto& e : world.journal()) {
        if (const auto* gap = std::get_if<Gap>(&e.event)) said += gap->lost;
    }
    CHECK(lost > 50);
    CHECK(said + device.overflowed() == lost);
}
