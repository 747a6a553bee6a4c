// perft_test.cpp - the move generator against the published counts
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <cstdint>

#include "host/chess/position.hpp"
#include "tests/chess/standard_positions.hpp"

using namespace touchmove::chess;

TEST_CASE("perft equals the published counts", "[chess]") {
    for (const StandardPosition& p : standard_positions) {
        const auto position = Position::parse_fen(p.fen);
        REQUIRE(position);
        for (unsigned depth = 1; depth <= 4; ++depth) {
            CAPTURE(p.fen, depth);
            CHECK(perft(*position, depth, true) == p.counts[depth - 1]);
            CHECK(perft(*position, depth, false) == p.counts[depth - 1]);
        }
    }
}
