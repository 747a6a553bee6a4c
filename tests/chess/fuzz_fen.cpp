// fuzz_fen.cpp - any text as a FEN, and every generator on what comes of it
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/chess/generate.hpp"
#include "host/chess/position.hpp"

using namespace touchmove::chess;

namespace {

void require(bool claim) {
    if (!claim) std::abort();
}

void check_reading_back(const Position& p) {
    const auto again = Position::parse_fen(p.fen());
    require(again.has_value());
    require(again->same_as(p) && again->key() == p.key() && again->fen() == p.fen());
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto p = Position::parse_fen({reinterpret_cast<const char*>(data), size});
    if (!p) {
        require(!p.error().message().empty());
        return 0;
    }
    check_reading_back(*p);
    MoveList expected;
    detail::list_by_trial(p->state(), expected);
    std::sort(expected.begin(), expected.end());
    for (const detail::Generator* generator : detail::generators()) {
        MoveList moves;
        generator->list(p->state(), moves);
        std::sort(moves.begin(), moves.end());
        require(std::equal(moves.begin(), moves.end(), expected.begin(), expected.end()));
        require(generator->count(p->state()) == expected.size());
    }
    for (const Move m : expected) {
        const Position after = p->after(m);
        if (after.fullmove_number() <= detail::counter_limit &&
            after.halfmove_clock() <= detail::counter_limit) {
            check_reading_back(after);
        }
    }
    return 0;
}
