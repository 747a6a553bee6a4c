// perft_test.cpp - the move generators against the published counts
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "host/chess/generate.hpp"
#include "host/chess/perft.hpp"
#include "host/chess/position.hpp"
#include "tests/chess/standard_positions.hpp"

using namespace touchmove::chess;

namespace {

// With optimisation the fastest generator counts all six as deep as they stand here: 761 million
// nodes.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
constexpr std::uint64_t most_counted = 200'000'000;
constexpr std::uint64_t most_played = 5'000'000;
#else
constexpr std::uint64_t most_counted = 5'000'000;
constexpr std::uint64_t most_played = 200'000;
#endif

}  // namespace

TEST_CASE("perft equals the published counts, on every kind of processor", "[chess]") {
    for (const detail::Generator* generator : detail::generators()) {
        const bool fastest = generator == &detail::generator();
        for (const StandardPosition& standard : standard_positions) {
            const auto p = Position::parse_fen(standard.fen);
            REQUIRE(p);
            for (unsigned depth = 1; depth <= standard.counts.size(); ++depth) {
                const std::uint64_t count = standard.counts[depth - 1];
                CAPTURE(generator->name, standard.fen, depth);
                if (count <= (fastest ? most_counted : most_counted / 10))
                    CHECK(generator->perft(p->state(), depth, true) == count);
                if (count <= most_played)
                    CHECK(generator->perft(p->state(), depth, false) == count);
            }
        }
    }
}

TEST_CASE("perft of depth 0 is one node, of a finished game none", "[chess]") {
    for (const bool bulk : {true, false}) {
        CHECK(perft(Position::initial(), 0, bulk) == 1);
        const auto mated =
            Position::parse_fen("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
        REQUIRE(mated);
        CHECK(perft(*mated, 1, bulk) == 0);
        CHECK(perft(*mated, 3, bulk) == 0);
    }
}

TEST_CASE("the command line's perft says nodes and seconds, or what is wrong", "[chess]") {
    const auto line = perft_line(standard_positions[0].fen, 3, true);
    REQUIRE(line);
    CHECK(line->substr(0, 5) == "8902 ");
    CHECK(std::stod(line->substr(5)) >= 0);
    CHECK(perft_line("rubbish", 3, true).error().message() ==
          "FEN has 1 field; it must have 4 or 6");
    CHECK(perft_line(standard_positions[0].fen, 21, false).error().message() ==
          "The depth 21 is over 20.");
}
