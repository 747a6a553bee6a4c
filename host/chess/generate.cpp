// generate.cpp - which generator this processor runs
// SPDX-License-Identifier: Apache-2.0
#include "host/chess/generate.hpp"

#include "host/chess/position.hpp"

namespace touchmove::chess {

namespace detail {

namespace {

std::uint64_t perft_by_trial(const State& s, unsigned depth, bool bulk) noexcept {
    if (depth == 0) return 1;
    MoveList moves;
    list_by_trial(s, moves);
    if (bulk && depth == 1) return moves.size();
    std::uint64_t nodes = 0;
    for (const Move m : moves) {
        State after = s;
        make(after, m);
        nodes += perft_by_trial(after, depth - 1, bulk);
    }
    return nodes;
}

constexpr Generator by_trial{list_by_trial, perft_by_trial};

}  // namespace

const Generator& generator() noexcept {
    return by_trial;
}

}  // namespace detail

std::uint64_t perft(const Position& p, unsigned depth, bool bulk) noexcept {
    return detail::generator().perft(p.state_, depth, bulk);
}

}  // namespace touchmove::chess
