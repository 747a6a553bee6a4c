// frontend_device_test.cpp - RTL and firmware together: sessions, queue, settings, power
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <random>
#include <tuple>

#include "fw/regs.h"
#include "tests/sim/device/device_fixture.hpp"

using namespace touchmove::device_test;

namespace {

constexpr unsigned e2 = 12, e4 = 28, lever = 64;

struct Bench {
    explicit Bench(SensorStyle style = SensorStyle::matrix, bool with_flash = true)
        : device(options(style, with_flash), script) {}
    DeviceOptions options(SensorStyle style, bool with_flash) {
        DeviceOptions o;
        o.style = style;
        o.flash = with_flash ? &flash : nullptr;
        return o;
    }
    Script script{start_squares};
    NorFlash flash;
    FrontendDevice device;
};

}  // namespace

TEST_CASE("a session starts with its number and a snapshot of the board", "[sim][device]") {
    const auto style = GENERATE(SensorStyle::matrix, SensorStyle::chain);
    Bench bench(style);
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    const auto records = kept(records_in(read_until(bench.device, 50'000)));
    REQUIRE(records.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) CHECK(records[i].seq == i);
    CHECK(records[0].kind == TM_KIND_SESSION);
    CHECK(records[0].word == 1);
    for (unsigned i = 0; i < 4; ++i) {
        CHECK(records[i + 1].kind == TM_KIND_SNAPSHOT);
        CHECK(records[i + 1].index == i);
    }
    CHECK(records[2].word == 0x0000FFFF);
    CHECK(records[3].word == 0xFFFF0000);
    CHECK(records[4].word == 0);
}

TEST_CASE("info tells what the board is", "[sim][device]") {
    const auto style = GENERATE(SensorStyle::matrix, SensorStyle::chain);
    Bench bench(style);
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    bench.device.run_until(50'000);
    const auto info = ask_info(bench.device);
    REQUIRE(info);
    CHECK(info->proto == TM_PROTO_VERSION);
    CHECK(info->gateware == 0x0100);
    CHECK(info->session == 1);
    CHECK(info->oldest == 0);
    CHECK(info->next == 5);
    CHECK(info->queue == queue_records);
    CHECK(info->frame_us == TM_FRAME_US(TM_DEFAULT_SETTLE_US));
    CHECK(info->style == (style == SensorStyle::chain ? TM_SENSOR_SHIFT_CHAIN : TM_SENSOR_MATRIX));
    CHECK(info->flags == 0);
}

TEST_CASE("a move and a press come with the microseconds of their contacts", "[sim][device]") {
    const auto style = GENERATE(SensorStyle::matrix, SensorStyle::chain);
    Bench bench(style);
    bench.script.add({100'000, e2, false});
    bench.script.add({400'000, e4, true});
    bench.script.add({700'000, lever, true});
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    auto records = kept(records_in(read_until(bench.device, 800'000)));
    REQUIRE(records.size() == 8);
    const BenchUs zero = bench.device.session_zero();
    const std::vector<std::tuple<unsigned, unsigned, BenchUs>> expected = {
        {TM_KIND_LIFT, e2, 100'000},
        {TM_KIND_PLACE, e4, 400'000},
        {TM_KIND_INPUT_DOWN, 0, 700'000}};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const Record& r = records[5 + i];
        const auto& [kind, index, at] = expected[i];
        INFO("record " << i);
        CHECK(r.kind == kind);
        CHECK(r.index == index);
        // A stamp is the start of the scan frame: within a frame and the synchroniser.
        CHECK(std::abs(zero + BenchUs{r.word} - at) <=
              BenchUs{TM_FRAME_US(TM_DEFAULT_SETTLE_US)} + 4);
    }
}

TEST_CASE("nothing is lost or doubled when the host comes back", "[sim][device]") {
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Bench bench;
    for (int i = 0; i < 60; ++i) bench.script.add({100'000 + i * 20'000, e2, i % 2 != 0});
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    std::vector<Record> journal;
    while (bench.device.now() < 1'400'000) {
        const BenchUs stay = 1000 + static_cast<BenchUs>(random() % 100'000);
        for (const Record& r :
             kept(records_in(read_until(bench.device, bench.device.now() + stay)))) {
            REQUIRE(r.seq == journal.size());
            journal.push_back(r);
        }
        if (random() % 2 == 0 && !journal.empty()) {
            acknowledge(bench.device, 1, static_cast<std::uint16_t>(journal.size() - 1));
        }
        // The cable is out for a while; what waits in the endpoint is lost with it.
        bench.device.bus_reset();
        bench.device.run_until(bench.device.now() + static_cast<BenchUs>(random() % 50'000));
        REQUIRE(bench.device.enumerate());
        REQUIRE(resume(bench.device, 1, static_cast<std::uint16_t>(journal.size())));
    }
    for (const Record& r : kept(records_in(read_until(bench.device, 1'500'000))))
        journal.push_back(r);
    REQUIRE(journal.size() == 65);
    for (std::size_t i = 5; i < journal.size(); ++i) {
        CHECK(journal[i].seq == i);
        CHECK(journal[i].kind == (i % 2 == 1 ? TM_KIND_LIFT : TM_KIND_PLACE));
    }
}

TEST_CASE("records that no host reads stay in the queue", "[sim][device]") {
    Bench bench;
    bench.script.add({100'000, e2, false});
    bench.device.power_on();
    bench.device.run_until(300'000);
    CHECK(bench.device.bulk_in_state() == Handshake::no_reply);
    REQUIRE(bench.device.enumerate());
    const auto records = kept(records_in(read_until(bench.device, 310'000)));
    REQUIRE(records.size() == 6);
    CHECK(records[5].kind == TM_KIND_LIFT);
}

TEST_CASE("a full queue loses new records, says how many, and shows the board again",
          "[sim][device]") {
    Bench bench;
    constexpr int changes = queue_records + 200;
    for (int i = 0; i < changes; ++i) bench.script.add({100'000 + i * 9'000, e2, i % 2 != 0});
    bench.device.power_on();
    const BenchUs end = 100'000 + BenchUs{changes} * 9'000;
    bench.device.run_until(end);
    REQUIRE(bench.device.enumerate());
    auto records = kept(records_in(read_until(bench.device, end + 1'000'000)));
    REQUIRE(records.size() == queue_records);
    acknowledge(bench.device, 1, records.back().seq);
    const auto after = kept(records_in(read_until(bench.device, end + 1'100'000)));
    REQUIRE(after.size() == 5);
    CHECK(after[0].seq == queue_records);
    CHECK(after[0].kind == TM_KIND_GAP);
    CHECK(after[0].word == changes + 5 - queue_records);
    CHECK(after[1].kind == TM_KIND_SNAPSHOT);
}

TEST_CASE("an acknowledgement counts only for its session and for what was sent",
          "[sim][device]") {
    Bench bench;
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    (void)read_until(bench.device, 50'000);
    const auto oldest = [&] { return ask_info(bench.device)->oldest; };
    acknowledge(bench.device, 2, 3);
    CHECK(oldest() == 0);
    acknowledge(bench.device, 1, 5);
    CHECK(oldest() == 0);
    acknowledge(bench.device, 0, 3);
    CHECK(oldest() == 0);
    CHECK(bench.device.bulk_out(Bytes{2, 0, 3, 0, 1, 0, 0, 0}) == Handshake::ack);
    CHECK(bench.device.bulk_out(Bytes{1, 1, 3, 0, 1, 0, 0, 0}) == Handshake::ack);
    CHECK(bench.device.bulk_out(Bytes{1, 0, 3, 0, 1, 0, 0}) == Handshake::ack);
    CHECK(oldest() == 0);
    CHECK(ask_info(bench.device)->flags == 0);
    // Several messages, and odd bytes, in one packet.
    CHECK(bench.device.bulk_out(Bytes{1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 1, 0}) ==
          Handshake::ack);
    CHECK(oldest() == 4);
    CHECK(ask_info(bench.device)->flags == TM_INFO_ACKED);
    acknowledge(bench.device, 1, 2);
    CHECK(oldest() == 4);
}

TEST_CASE("resume takes what is kept, and nothing else", "[sim][device]") {
    Bench bench;
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    (void)read_until(bench.device, 50'000);
    acknowledge(bench.device, 1, 1);
    CHECK_FALSE(resume(bench.device, 1, 1));
    CHECK_FALSE(resume(bench.device, 2, 3));
    CHECK_FALSE(resume(bench.device, 1, 6));
    CHECK_FALSE(accepts(bench.device, TM_REQ_RESUME, le32(1) + Bytes{3}));
    CHECK(resume(bench.device, 1, 5));
    CHECK(kept(records_in(read_until(bench.device, 60'000))).empty());
    REQUIRE(resume(bench.device, 1, 2));
    const auto again = kept(records_in(read_until(bench.device, 70'000)));
    REQUIRE(again.size() == 3);
    CHECK(again[0].seq == 2);
}

TEST_CASE("each power-up is a session of its own; a bus reset is none", "[sim][device]") {
    Bench bench;
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    bench.device.run_until(50'000);
    bench.device.bus_reset();
    REQUIRE(bench.device.enumerate());
    CHECK(ask_info(bench.device)->session == 1);
    bench.device.power_cut();
    CHECK_FALSE(ask_info(bench.device));
    CHECK_FALSE(bench.device.enumerate());
    Packet packet;
    CHECK(bench.device.bulk_in(packet) == Handshake::no_reply);
    bench.device.run_until(90'000);
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    CHECK(ask_info(bench.device)->session == 2);
    const auto records = kept(records_in(read_until(bench.device, 150'000)));
    REQUIRE(records.size() == 5);
    CHECK(records[0].word == 2);
    CHECK(records[1].word < 50'000);  // device time starts anew
}

TEST_CASE("what moved while the power was off is in the snapshot", "[sim][device]") {
    Bench bench;
    bench.script.add({60'000, e2, false});
    bench.script.add({70'000, e4, true});
    bench.device.power_on();
    bench.device.run_until(50'000);
    bench.device.power_cut();
    bench.device.run_until(80'000);
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    const auto records = kept(records_in(read_until(bench.device, 150'000)));
    REQUIRE(records.size() == 5);
    CHECK(records[2].word == (0x0000EFFFU | 1U << e4));
}

TEST_CASE("a board without flash is named by its host, once, before any acknowledgement",
          "[sim][device]") {
    Bench bench(SensorStyle::matrix, false);
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    const auto records = kept(records_in(read_until(bench.device, 50'000)));
    REQUIRE(records.size() == 5);
    CHECK(records[0].word == 0);
    CHECK(ask_info(bench.device)->session == 0);
    acknowledge(bench.device, 0, 4);
    CHECK(ask_info(bench.device)->oldest == 0);
    CHECK_FALSE(accepts(bench.device, TM_REQ_NAME_SESSION, le32(0)));
    CHECK_FALSE(accepts(bench.device, TM_REQ_NAME_SESSION, Bytes{1, 2, 3}));
    REQUIRE(accepts(bench.device, TM_REQ_NAME_SESSION, le32(77)));
    CHECK(ask_info(bench.device)->session == 77);
    CHECK_FALSE(accepts(bench.device, TM_REQ_NAME_SESSION, le32(78)));
    acknowledge(bench.device, 77, 4);
    CHECK(ask_info(bench.device)->oldest == 5);
    bench.device.power_cut();
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    CHECK(ask_info(bench.device)->session == 0);
}

TEST_CASE("a board with flash cannot be named", "[sim][device]") {
    Bench bench;
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    CHECK_FALSE(accepts(bench.device, TM_REQ_NAME_SESSION, le32(5)));
    CHECK(ask_info(bench.device)->session == 1);
}

TEST_CASE("settings rule the debouncer at once, and outlive a power cut", "[sim][device]") {
    Bench bench;
    // 12 ms off: a lift for 8 ms (default), not for 20 ms.
    for (const BenchUs at : {100'000, 300'000, 500'000}) {
        bench.script.add({at, e2, false});
        bench.script.add({at + 12'000, e2, true});
    }
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    const auto changes_until = [&](BenchUs t) {
        return kept(records_in(read_until(bench.device, t))).size();
    };
    CHECK(changes_until(200'000) == 5 + 2);
    const Bytes longer = Bytes{20, 0, 0, 0} + le32(20'000) + le32(5'000);
    REQUIRE(accepts(bench.device, TM_REQ_SET_SETTINGS, longer));
    CHECK(bench.device.control({0xC0, TM_REQ_GET_SETTINGS, 0, 0, 64}).data == longer);
    CHECK(ask_info(bench.device)->frame_us == TM_FRAME_US(20));
    CHECK(changes_until(400'000) == 0);

    bench.device.power_cut();
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    CHECK(bench.device.control({0xC0, TM_REQ_GET_SETTINGS, 0, 0, 64}).data == longer);
    CHECK(changes_until(600'000) == 5);
}

TEST_CASE("settings are refused whole", "[sim][device]") {
    Bench bench;
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    const Setup get{0xC0, TM_REQ_GET_SETTINGS, 0, 0, 64};
    const Bytes before = bench.device.control(get).data;
    CHECK_FALSE(accepts(bench.device, TM_REQ_SET_SETTINGS,
                        Bytes{20, 0, 0, 0} + le32(20'000) + le32(0)));
    CHECK_FALSE(accepts(bench.device, TM_REQ_SET_SETTINGS, Bytes{20, 0, 0, 0} + le32(20'000)));
    CHECK(bench.device.control(get).data == before);
}

TEST_CASE("ill-formed vendor requests are stalled", "[sim][device]") {
    Bench bench;
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    const Setup bad[] = {
        {0xC0, TM_REQ_INFO, 1, 0, 20},       {0xC0, TM_REQ_INFO, 0, 1, 20},
        {0xC0, TM_REQ_RESUME, 0, 0, 6},      {0xC0, 0x1F, 0, 0, 20},
        {0xC0, TM_REQ_MS_OS_20, 0, 8, 162},  {0xC0, TM_REQ_MS_OS_20, 1, 7, 162},
        {0x40, TM_REQ_INFO, 0, 0, 0},        {0x40, TM_REQ_SNAPSHOT, 1, 0, 0},
        {0x40, TM_REQ_SNAPSHOT, 0, 1, 0},    {0x40, TM_REQ_NAME_SESSION, 0, 0, 0},
    };
    for (const Setup& setup : bad) {
        INFO("request " << int{setup.request} << " of type " << int{setup.request_type});
        CHECK(bench.device.control(setup).status == TransferStatus::stall);
    }
    CHECK(bench.device.control({0xC0, TM_REQ_MS_OS_20, 0, 7, 512}).data.size() == 162);
}

TEST_CASE("a snapshot comes when asked for", "[sim][device]") {
    Bench bench;
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    (void)read_until(bench.device, 50'000);
    REQUIRE(accepts(bench.device, TM_REQ_SNAPSHOT, {}));
    const auto records = kept(records_in(read_until(bench.device, 60'000)));
    REQUIRE(records.size() == 4);
    CHECK(records[0].kind == TM_KIND_SNAPSHOT);
    CHECK(records[1].word == 0x0000FFFF);
}

TEST_CASE("device time is the bench's, from the start of the session", "[sim][device]") {
    Bench bench;
    bench.device.run_until(25'000);
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    bench.device.run_until(1'000'000);
    const Bytes data = bench.device.control({0xC0, TM_REQ_TIME, 0, 0, 8}).data;
    REQUIRE(data.size() == 8);
    CHECK(tm_get32(data.data() + 4) == 0);
    const BenchUs device_us = tm_get32(data.data());
    CHECK(std::abs(bench.device.session_zero() + device_us - 1'000'000) <= 100);
}

TEST_CASE("watermarks come while the host reads, and never go back", "[sim][device]") {
    Bench bench;
    bench.script.add({200'000, e2, false});
    bench.device.power_on();
    REQUIRE(bench.device.enumerate());
    std::uint32_t last = 0;
    std::uint32_t widest = 0;
    for (const Record& r : records_in(read_until(bench.device, 1'000'000))) {
        if (r.kind != TM_KIND_WATERMARK) continue;
        REQUIRE(r.word >= last);
        if (last != 0) widest = std::max(widest, r.word - last);
        last = r.word;
    }
    CHECK(last > 980'000);
    CHECK(widest <= 20'000);  // 10 ms, and the debounce time of the lift that held it back
}

TEST_CASE("matrix and chain give the same records for what changes between two scans",
          "[sim][device]") {
    // Within a scan they differ by design: the chain is loaded at its start, a row read at its
    // turn.
    constexpr BenchUs frame = TM_FRAME_US(TM_DEFAULT_SETTLE_US);
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    const auto run = [&](SensorStyle style) {
        std::mt19937 random(seed);
        Bench bench(style);
        BenchUs at = 1000 * frame + 2;  // in the slot between two scans
        for (int i = 0; i < 300; ++i) {
            at += static_cast<BenchUs>(random() % 90) * frame;
            bench.script.add(
                {at, static_cast<unsigned>(random() % contact_count), random() % 2 == 0});
        }
        bench.device.power_on();
        REQUIRE(bench.device.enumerate());
        return kept(records_in(read_until(bench.device, at + 100'000)));
    };
    const auto matrix = run(SensorStyle::matrix);
    const auto chain = run(SensorStyle::chain);
    REQUIRE(matrix.size() == chain.size());
    REQUIRE(matrix.size() > 50);
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        INFO("record " << i);
        CHECK(matrix[i].kind == chain[i].kind);
        CHECK(matrix[i].index == chain[i].index);
        CHECK(matrix[i].count == chain[i].count);
        CHECK(matrix[i].word == chain[i].word);
    }
}

TEST_CASE("a trace can be had without a change in the records", "[sim][device]") {
    const auto style = GENERATE(SensorStyle::matrix, SensorStyle::chain);
    const auto file = std::filesystem::temp_directory_path() / "touchmove_device_test.fst";
    const auto run = [&](const std::string& trace) {
        Script script(start_squares);
        script.add({20'000, e2, false});
        DeviceOptions options;
        options.style = style;
        options.trace_file = trace;
        FrontendDevice device(options, script);
        device.power_on();
        REQUIRE(device.enumerate());
        return read_until(device, 40'000);
    };
    CHECK(run({}) == run(file.string()));
    CHECK(std::filesystem::file_size(file) > 1000);
    std::filesystem::remove(file);
}

TEST_CASE("a matrix without diodes shows a ghost", "[sim][device]") {
    Script script;
    for (const unsigned square : {0U, 2U, 8U}) script.add({0, square, true});
    BareWiring bare;
    DeviceOptions options;
    options.wiring = &bare;
    FrontendDevice device(options, script);
    device.power_on();
    REQUIRE(device.enumerate());
    const auto records = kept(records_in(read_until(device, 50'000)));
    REQUIRE(records.size() == 5);
    CHECK(records[2].word == 0x505);
}
