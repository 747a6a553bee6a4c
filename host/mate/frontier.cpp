// frontier.cpp - a few moves made, and every position that comes of them closed
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/frontier.hpp"

#include <algorithm>

#include "host/chess/generate.hpp"
#include "host/chess/move_list.hpp"
#include "host/mate/material.hpp"

namespace touchmove::mate {

using chess::Color;
using chess::MoveList;
using namespace chess::detail;

namespace {

constexpr std::size_t most_layers_each = 300;  ///< of the positions after the root

}  // namespace

void Frontier::add(const State& state) {
    const auto [first, last] = known_.equal_range(state.key);
    const bool known = std::any_of(first, last, [&](const auto& entry) {
        return same_position(states_[entry.second], state);
    });
    if (known) return;
    known_.emplace(state.key, states_.size());
    states_.push_back(state);
}

bool Frontier::rule_out(const State& root, Color winner, std::size_t positions,
                        std::size_t layers) {
    states_.clear();
    known_.clear();
    count_ = 0;
    const bool winner_black = winner == Color::black;
    add(root);
    for (std::size_t next = 0; next < states_.size(); ++next) {
        const State state = states_[next];
        MoveList moves;
        generator().list(state, moves);
        const bool loser_moves = state.status.black_to_move() != winner_black;
        const bool attacked = any_king_attacked(state, !winner_black);
        if (moves.empty()) {
            if (loser_moves && attacked) return false;
            continue;
        }
        // On a board that no game reaches even such men may mate (Exploration).
        if (!material_can_mate(state, winner) && !(attacked && !loser_moves)) continue;
        const std::size_t most = next == 0 ? (layers + 1) / 2 : most_layers_each;
        const bool closed = layers_.rule_out(state, winner, std::min(most, layers - count_));
        count_ += layers_.count();
        if (closed) continue;
        for (const chess::Move move : moves) {
            State after = state;
            make_move(after, move);
            add(after);
        }
        if (states_.size() > positions || count_ >= layers) return false;
    }
    return true;
}

}  // namespace touchmove::mate
