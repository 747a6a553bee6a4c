// result_test.cpp - a Result holds a value or says why not
// SPDX-License-Identifier: Apache-2.0
#include "host/base/result.hpp"

#include <catch2/catch.hpp>
#include <type_traits>

#include "host/base/time.hpp"

using touchmove::Error;
using touchmove::Result;

namespace {
Result<int> half_of(int n) {
    if (n % 2 != 0) return Error(std::errc::invalid_argument, "3 is odd");
    return n / 2;
}
}  // namespace

TEST_CASE("a result holds the value of what succeeded", "[base]") {
    const auto half = half_of(4);
    REQUIRE(half);
    CHECK(*half == 2);
}

TEST_CASE("a failed result says what it was about, else the code's own text", "[base]") {
    const auto half = half_of(3);
    REQUIRE_FALSE(half);
    CHECK(half.error().code == std::errc::invalid_argument);
    CHECK(half.error().message() == "3 is odd");
    CHECK(Error(std::errc::io_error).message() ==
          std::make_error_code(std::errc::io_error).message());
}

TEST_CASE("success without a value is told from failure", "[base]") {
    CHECK(Result<void>{});
    CHECK_FALSE(Result<void>{Error(std::errc::io_error)});
}

TEST_CASE("device time cannot be mixed with the system's clocks", "[base]") {
    STATIC_REQUIRE_FALSE(
        std::is_convertible_v<std::chrono::steady_clock::time_point, touchmove::DeviceTime>);
    CHECK(touchmove::to_us(touchmove::device_time(7) + touchmove::Millis{1}) == 1007);
}
