// stored_run_test.cpp - the device is asked to go on exactly after what is stored
// SPDX-License-Identifier: Apache-2.0
#include "host/journal/stored_run.hpp"

#include <rapidcheck.h>
#include <rapidcheck/catch.h>

#include <algorithm>
#include <numeric>

#include "tests/journal/fixture.hpp"

using namespace touchmove;
using namespace touchmove::journal;
using namespace touchmove::journal::testing;

namespace {
using Beyond = std::vector<std::uint16_t>;
}

TEST_CASE("a run begins with the session and ends before the first record missing", "[journal]") {
    StoredRun run;
    CHECK_FALSE(run.run());
    run.begin(0);
    CHECK(run.run()->up_to == 0);
    run.add(4, 4, device_time(10));  // the snapshot
    CHECK(run.run()->up_to == 4);
    run.add(6, 1, device_time(20));
    CHECK(run.run()->up_to == 4);
    CHECK(run.run()->beyond == Beyond{6});
    run.add(5, 1, device_time(30));
    CHECK(run.run()->up_to == 6);
    CHECK(run.run()->beyond.empty());
}

TEST_CASE("sequence numbers wrap without a break", "[journal]") {
    StoredRun run;
    run.begin(0);
    for (std::uint32_t n = 1; n < 200'000; ++n) {
        run.add(static_cast<std::uint16_t>(n), 1, device_time(n));
    }
    CHECK(run.run()->up_to == static_cast<std::uint16_t>(199'999));
    CHECK(run.run()->beyond.empty());
}

TEST_CASE("a gap longer than half the range of numbers leads forward", "[journal]") {
    StoredRun run;
    run.begin(0);
    run.add(50'000, 50'000, device_time(10));
    CHECK(run.run()->up_to == 50'000);
    run.add(50'001, 1, device_time(20));
    CHECK(run.run()->up_to == 50'001);
    CHECK(run.run()->beyond.empty());
}

TEST_CASE("joined a session under way, nothing before the first records is taken for stored",
          "[journal]") {
    StoredRun run;
    run.add(105, 1, device_time(50'000'000));
    CHECK(run.run()->up_to == 104);
    CHECK(run.run()->beyond == Beyond{105});
    run.add(104, 1, device_time(50'000'100));  // 104 was stamped later than 105
    CHECK(run.run()->up_to == 103);
    CHECK(run.run()->beyond == Beyond{104, 105});
    run.add(107, 1, device_time(53'000'000));
    CHECK(run.run()->up_to == 105);
    CHECK(run.run()->beyond == Beyond{107});
}

TEST_CASE("any order that stamps can give leads to the same run as a set of numbers", "[journal]") {
    rc::prop("against a set that does not wrap", [] {
        const auto begin = *rc::gen::arbitrary<std::uint16_t>();
        const auto count = *rc::gen::inRange<std::size_t>(1, 300);
        std::vector<std::size_t> order(count);
        std::iota(order.begin(), order.end(), 1);
        // Neighbours change places, as two thresholds make them.
        for (std::size_t i = 0; i + 1 < count; ++i) {
            const auto other = std::min(count - 1, i + *rc::gen::inRange<std::size_t>(0, 8));
            std::swap(order[i], order[other]);
        }
        const auto stored = *rc::gen::inRange<std::size_t>(0, count + 1);
        StoredRun run;
        run.begin(begin);
        std::vector<bool> have(count + 2, false);
        for (std::size_t i = 0; i < stored; ++i) {
            have[order[i]] = true;
            run.add(static_cast<std::uint16_t>(begin + order[i]), 1,
                    device_time(static_cast<std::int64_t>(i)));
        }
        std::size_t up_to = 0;
        while (have[up_to + 1])
            ++up_to;
        Beyond beyond;
        for (std::size_t n = up_to + 1; n <= count; ++n) {
            if (have[n]) beyond.push_back(static_cast<std::uint16_t>(begin + n));
        }
        RC_ASSERT(run.run()->up_to == static_cast<std::uint16_t>(begin + up_to));
        RC_ASSERT(run.run()->beyond == beyond);
    });
}

TEST_CASE("stored() speaks of the newest session only", "[journal]") {
    const TempDir dir;
    const auto journal = open_or_fail(dir / "j.db");
    CHECK_FALSE(journal->stored("TM-1").value());

    REQUIRE(append_now(*journal, {session_of(3), lift_of(3, 1, 900), lift_of(3, 2, 1000)}));
    auto stored = journal->stored("TM-1").value();
    REQUIRE(stored);
    CHECK(stored->up_to == link::RecordId{3, 2});
    CHECK(to_us(stored->last_at) == 1000);

    REQUIRE(append_now(*journal, {session_of(4), lift_of(4, 2, 70)}));
    stored = journal->stored("TM-1").value();
    CHECK(stored->up_to == link::RecordId{4, 0});
    CHECK(stored->beyond == Beyond{2});
    CHECK(to_us(stored->last_at) == 70);
    CHECK_FALSE(journal->stored("TM-2").value());
}

TEST_CASE("a time already decided counts as stored, so nothing comes below it", "[journal]") {
    const TempDir dir;
    const auto journal = open_or_fail(dir / "j.db");
    Entry passed;
    passed.board = "TM-1";
    passed.at = device_time(5'000'000);
    passed.payload = TimePassed{};
    REQUIRE(append_now(*journal, {session_of(1), lift_of(1, 1, 10), passed}));
    const auto stored = journal->stored("TM-1").value();
    CHECK(stored->up_to == link::RecordId{1, 1});
    CHECK(to_us(stored->last_at) == 5'000'000);
}
