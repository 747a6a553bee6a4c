// in_order_test.cpp - results come out in order, whatever the threads do
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/in_order.hpp"

#include <atomic>
#include <stdexcept>

#include <catch2/catch.hpp>

using touchmove::verify::in_order;

TEST_CASE("every result comes once and in order for any number of threads", "[verify]") {
    for (const unsigned jobs : {1U, 2U, 3U, 16U}) {
        for (const std::size_t count : {0U, 1U, 7U, 200U}) {
            CAPTURE(jobs, count);
            std::vector<std::size_t> seen;
            std::atomic<unsigned> played{0};
            in_order(
                count, jobs,
                [&](std::size_t i) {
                    ++played;
                    // The earlier ones take longer, so that later ones have to wait.
                    volatile std::size_t work = (count - i) * 500;
                    while (work > 0) work = work - 1;
                    return i * i;
                },
                [&](std::size_t i, std::size_t result) {
                    REQUIRE(result == i * i);
                    seen.push_back(i);
                });
            REQUIRE(played == count);
            REQUIRE(seen.size() == count);
            for (std::size_t i = 0; i < count; ++i) REQUIRE(seen[i] == i);
        }
    }
}

TEST_CASE("an exception in a job comes out and ends the work", "[verify]") {
    std::atomic<unsigned> played{0};
    const auto run = [&](unsigned jobs) {
        in_order(
            1000, jobs,
            [&](std::size_t i) {
                ++played;
                if (i == 5) throw std::runtime_error("five");
                return i;
            },
            [](std::size_t i, std::size_t) { REQUIRE(i < 5); });
    };
    CHECK_THROWS_WITH(run(4), "five");
    // With one thread it is known how far it gets.
    played = 0;
    CHECK_THROWS_WITH(run(1), "five");
    CHECK(played == 6);
}
