// record_test.cpp - bytes to records and back
// SPDX-License-Identifier: Apache-2.0
#include "host/link/record.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace touchmove::link;

namespace {

Record decoded(std::array<std::uint8_t, 8> bytes) {
    const auto record = decode_record(bytes);
    REQUIRE(record);
    return *record;
}

std::string refused(std::array<std::uint8_t, 8> bytes) {
    const auto record = decode_record(bytes);
    REQUIRE_FALSE(record);
    return record.error().message();
}

}  // namespace

TEST_CASE("a lift is read field by field, little endian", "[link]") {
    // e2 lifted, 3 bounces, odd epoch, record 0x1234, 0x89ABCDEF us.
    CHECK(decoded({0x13, 0x8C, 0x34, 0x12, 0xEF, 0xCD, 0xAB, 0x89}) ==
          Record{RecordKind::lift, 3, 12, true, 0x1234, 0x89ABCDEF});
}

TEST_CASE("an index beyond what its kind allows is refused in one sentence", "[link]") {
    CHECK(decoded({0x20, 63}).index == 63);
    CHECK(refused({0x20, 64}) ==
          "the device sent a record of kind 2 with index 64, the highest allowed is 63");
    CHECK(decoded({0x30, 7}).index == 7);
    CHECK(refused({0x40, 8}) ==
          "the device sent a record of kind 4 with index 8, the highest allowed is 7");
    CHECK(refused({0x50, 4}) ==
          "the device sent a record of kind 5 with index 4, the highest allowed is 3");
    CHECK(decoded({0x81, 71}).kind == RecordKind::fault);
    CHECK(refused({0x81, 72}) ==
          "the device sent a record of kind 8 with index 72, the highest allowed is 71");
}

TEST_CASE("a kind that does not exist is refused", "[link]") {
    for (const unsigned kind : {0U, 10U, 11U, 12U, 13U, 14U}) {
        CHECK(refused({static_cast<std::uint8_t>(kind << 4)}) ==
              "the device sent a record of unknown kind " + std::to_string(kind));
    }
}

TEST_CASE("what is decoded encodes to the same bytes", "[link]") {
    CHECK(rc::check([](std::array<std::uint8_t, 8> bytes) {
        const auto record = decode_record(bytes);
        RC_CLASSIFY(record.has_value());
        if (record) RC_ASSERT(encode_record(*record) == bytes);
    }));
}

TEST_CASE("a stream cut at any places gives the same records", "[link]") {
    CHECK(rc::check([](const std::vector<std::uint8_t>& stream, std::uint32_t seed) {
        std::mt19937 random(seed);
        std::vector<std::uint8_t> seen;
        const auto keep = [&](RecordBytes b) {
            seen.insert(seen.end(), b.begin(), b.end());
            return true;
        };
        RecordSplitter splitter;
        for (std::size_t at = 0; at < stream.size();) {
            const std::size_t piece = std::min<std::size_t>(random() % 20, stream.size() - at);
            splitter.feed(std::span(stream).subspan(at, piece), keep);
            at += piece;
        }
        const std::size_t whole = stream.size() / 8 * 8;
        RC_ASSERT(seen == std::vector(stream.begin(), stream.begin() + std::ptrdiff_t(whole)));
    }));
}
