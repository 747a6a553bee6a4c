// exploration.cpp - all positions that can follow, the promising ones first
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/exploration.hpp"

#include <algorithm>

#include "host/chess/generate.hpp"
#include "host/chess/move_list.hpp"
#include "host/mate/material.hpp"

namespace touchmove::mate {

using chess::Color;
using chess::Move;
using chess::MoveList;
using namespace chess::detail;

namespace {

constexpr std::size_t first_table = 256;

}  // namespace

void Exploration::start(const State& root) {
    nodes_.clear();
    table_.assign(first_table, none);
    heads_.fill(none);
    lowest_ = 0;
    put(add(root, none, 0), 0);
}

Exploration::Index Exploration::add(const State& state, Index parent, std::uint16_t move) {
    if (2 * nodes_.size() >= table_.size()) widen();
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = state.key & mask;
    for (; table_[slot] != none; slot = (slot + 1) & mask) {
        if (same_position(nodes_[table_[slot]].state, state)) return none;
    }
    const auto index = static_cast<Index>(nodes_.size());
    table_[slot] = index;
    nodes_.push_back({state, parent, none, move, 0});
    return index;
}

void Exploration::widen() {
    table_.assign(4 * table_.size(), none);
    const std::size_t mask = table_.size() - 1;
    for (Index i = 0; i < nodes_.size(); ++i) {
        std::size_t slot = nodes_[i].state.key & mask;
        while (table_[slot] != none)
            slot = (slot + 1) & mask;
        table_[slot] = i;
    }
}

void Exploration::put(Index node, unsigned rank) {
    nodes_[node].next = heads_[rank];
    heads_[rank] = node;
    lowest_ = std::min(lowest_, rank);
}

Exploration::Index Exploration::take() {
    while (lowest_ < ranks && heads_[lowest_] == none)
        ++lowest_;
    if (lowest_ == ranks) return none;
    const Index node = heads_[lowest_];
    heads_[lowest_] = nodes_[node].next;
    return node;
}

Winnable Exploration::line_to(Index node) const {
    Winnable found;
    for (; nodes_[node].parent != none; node = nodes_[node].parent) {
        found.line.push_back(Move::from_bits(nodes_[node].move));
    }
    std::reverse(found.line.begin(), found.line.end());
    return found;
}

Answer Exploration::run(const State& root, Color winner, std::size_t budget, Order order) {
    const Generator& generate = generator();
    const bool winner_black = winner == Color::black;
    start(root);
    for (Index node = take(); node != none; node = take()) {
        const State state = nodes_[node].state;
        const unsigned here = lowest_;
        MoveList moves;
        generate.list(state, moves);
        for (std::size_t i = nodes_[node].tried; i < moves.size(); ++i) {
            State after = state;
            const Move move = order.backwards ? moves[moves.size() - 1 - i] : moves[i];
            make_move(after, move);
            const bool hopeless = !material_can_mate(after, winner);
            // On a board that no game reaches even such men may have mated.
            if (hopeless && !any_king_attacked(after, !winner_black)) continue;
            const Index child = add(after, node, move.bits());
            if (child == none) continue;
            const Promise promise(after, winner_black, order.taste);
            if (promise.may_be_mate && generate.count(after) == 0) return line_to(child);
            if (hopeless) continue;
            if (nodes_.size() >= budget) return Undecided{nodes_.size()};
            put(child, std::min(promise.rank, ranks - 1));
            // What looks better goes on at once; the other moves wait for their turn.
            if (promise.rank < here && i + 1 < moves.size()) {
                nodes_[node].tried = static_cast<std::uint16_t>(i + 1);
                put(node, here);
                break;
            }
        }
    }
    return Unwinnable{Proof::closure, nodes_.size()};
}

}  // namespace touchmove::mate
