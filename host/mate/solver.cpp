// solver.cpp - can this side still mate by any series of legal moves?
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/solver.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "host/chess/generate.hpp"
#include "host/mate/blockade.hpp"
#include "host/mate/material.hpp"

namespace touchmove::mate {

using chess::Color;
using chess::MoveList;
using chess::Position;
using namespace chess::detail;

namespace {

constexpr std::size_t longest_forced = 16;  ///< plies that fast() follows

/// One search, with as many positions as it may keep; most mates are found at once by one of them,
/// and hardly any by waiting for the first. The last one goes as far as the budget.
struct Attempt {
    Order order;
    std::size_t positions;
};
using By = Order::By;
constexpr std::array attempts{Attempt{{Taste::captures, By::promise}, 512},
                              Attempt{{Taste::captures, By::backwards}, 256},
                              Attempt{{Taste::balanced, By::promise}, 256},
                              Attempt{{Taste::hunt, By::backwards}, 256},
                              Attempt{{Taste::balanced, By::novelty}, 1'500},
                              Attempt{{Taste::captures, By::promise}, 2'000},
                              Attempt{{Taste::hunt, By::novelty}, 3'000},
                              Attempt{{Taste::balanced, By::novelty}, 6'000},
                              Attempt{{Taste::hunt, By::promise}, 1'500},
                              Attempt{{Taste::hunt, By::novelty}, 24'000},
                              Attempt{{Taste::captures, By::backwards}, 8'000},
                              Attempt{{Taste::balanced, By::novelty}, 96'000},
                              Attempt{{Taste::hunt, By::novelty}, ~std::size_t{0}}};
/// How many positions and layers a Frontier may look at, before which of the attempts.
struct Reach {
    std::size_t before, positions, layers;
};
constexpr std::array<Reach, 2> locks{{{4, 1, 600}, {7, 200, 4000}}};
constexpr std::size_t project_before = 9, images = 20'000;

/// What can be said of the position as it stands, without looking at a move.
std::optional<Answer> at_a_glance(const State& s, std::uint64_t moves, Color winner) {
    if (moves == 0) {
        const Color to_move = s.status.black_to_move() ? Color::black : Color::white;
        const bool mated = any_king_attacked(s, to_move == Color::black);
        if (mated && to_move != winner) return Winnable{};
        return Unwinnable{Proof::ended};
    }
    // Where the side to move attacks the king already, on a board that no game reaches, one move
    // may add a second check: two bishops of one colour mate so.
    const bool winner_black = winner == Color::black;
    const bool attacks_king =
        s.status.black_to_move() == winner_black && any_king_attacked(s, !winner_black);
    if (!material_can_mate(s, winner) && !attacks_king) return Unwinnable{Proof::material};
    return std::nullopt;
}

/// Only pawns and bishops besides the kings: where men lock each other in, these are left.
bool may_be_locked(const State& s) noexcept {
    return (orthogonal_sliders(s) | knights(s)) == 0 && pawns(s) != 0;
}

}  // namespace

Answer Solver::full(const Position& position, Color winner, std::size_t budget) {
    const State& s = position.state();
    // Mate needs a king to be mated; with several the rules of thumb do not hold.
    if (!one_king_each(s)) return Undecided{0};
    if (auto known = at_a_glance(s, generator().count(s), winner)) return *std::move(known);
    std::size_t spent = 0;
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        if (i == locks.front().before) {
            const Blockade blockade(s);
            if (blockade.rules_out(winner))
                return Unwinnable{Proof::blockade, 0, blockade.invariant()};
        }
        for (const auto& [before, positions, layers] : locks) {
            if (i == before && frontier_.rule_out(s, winner, positions, layers))
                return Unwinnable{Proof::layers, frontier_.count()};
        }
        if (i == project_before && projection_.rule_out(s, winner, std::min(images, budget)))
            return Unwinnable{Proof::projection, projection_.count()};
        const std::size_t most = std::min(budget, attempts[i].positions);
        Answer answer = exploration_.run(s, winner, most, attempts[i].order);
        if (!std::holds_alternative<Undecided>(answer)) return answer;
        spent = std::max(spent, most);
    }
    return Undecided{spent};
}

Answer fast(const Position& position, Color winner) {
    State s = position.state();
    if (!one_king_each(s)) return Undecided{0};
    const Generator& generate = generator();
    std::uint64_t moves = generate.count(s);
    if (auto known = at_a_glance(s, moves, winner)) return *std::move(known);
    std::size_t ply = 0;
    for (; moves == 1 && ply < longest_forced; ++ply) {
        MoveList only;
        generate.list(s, only);
        make_move(s, only[0]);
        moves = generate.count(s);
        const auto known = at_a_glance(s, moves, winner);
        // A mate at the end of a forced line has its moves: full() tells them.
        if (known && is_unwinnable(*known)) return Unwinnable{Proof::closure, ply + 2};
        if (known) return Undecided{ply + 2};
    }
    if (may_be_locked(s) && Blockade(s).rules_out(winner)) return Unwinnable{Proof::blockade};
    return Undecided{ply + 1};
}

bool is_dead(const Position& position) {
    return is_unwinnable(fast(position, Color::white)) &&
           is_unwinnable(fast(position, Color::black));
}

}  // namespace touchmove::mate
