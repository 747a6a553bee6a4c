// oracle.cpp - checks what the solver says, as plainly as can be
// SPDX-License-Identifier: Apache-2.0
#include "tests/mate/oracle.hpp"

#include <deque>
#include <set>
#include <string>

namespace touchmove::mate_test {

using chess::Color;
using chess::Move;
using chess::Position;

namespace {

bool is_mated(const Position& position) {
    return !position.has_legal_move() && position.in_check();
}

/// Without the counters, which the Laws about dead positions do not look at.
std::string name_of(const Position& position) {
    const std::string fen = position.fen();
    return fen.substr(0, fen.rfind(' ', fen.rfind(' ') - 1));
}

}  // namespace

bool line_mates(Position position, Color winner, const std::vector<Move>& line) {
    for (const Move move : line) {
        if (!position.is_legal(move)) return false;
        position = position.after(move);
    }
    return is_mated(position) && position.side_to_move() != winner;
}

std::optional<bool> can_mate(const Position& start, Color winner, std::size_t limit) {
    std::set<std::string> seen{name_of(start)};
    std::deque<Position> waiting{start};
    while (!waiting.empty()) {
        const Position position = waiting.front();
        waiting.pop_front();
        if (is_mated(position) && position.side_to_move() != winner) return true;
        for (const Move move : position.legal_moves()) {
            const Position after = position.after(move);
            if (!seen.insert(name_of(after)).second) continue;
            if (seen.size() > limit) return std::nullopt;
            waiting.push_back(after);
        }
    }
    return false;
}

}  // namespace touchmove::mate_test
