// solver.cpp - can this side still mate by any series of legal moves?
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/solver.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

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

// Stages: most mates are found at once by one of the searches, and hardly any by waiting for the
// first; proofs that cost more wait until mates that are easy to find would have been found.
struct Explore {
    Order order;
    std::size_t positions;  ///< that it may keep
};
struct LookForBlockade {};
struct LookForLayers {
    std::size_t positions, layers;  ///< that a Frontier may look at
};
struct Project {
    std::size_t images;
};
using Stage = std::variant<Explore, LookForBlockade, LookForLayers, Project>;
using By = Order::By;
constexpr std::size_t all_of_budget = ~std::size_t{0};
constexpr std::array<Stage, 17> plan{
    {Explore{{Taste::captures, By::promise}, 1'024}, Explore{{Taste::captures, By::backwards}, 512},
     Explore{{Taste::balanced, By::promise}, 256}, Explore{{Taste::hunt, By::backwards}, 256},
     LookForBlockade{}, LookForLayers{1, 600}, Explore{{Taste::balanced, By::novelty}, 1'500},
     Explore{{Taste::captures, By::promise}, 4'000},
     Explore{{Taste::captures, By::backwards}, 4'000}, Explore{{Taste::hunt, By::novelty}, 3'000},
     LookForLayers{200, 4'000}, Explore{{Taste::balanced, By::novelty}, 6'000},
     Explore{{Taste::hunt, By::promise}, 1'500}, Project{20'000},
     Explore{{Taste::hunt, By::novelty}, 24'000}, Explore{{Taste::balanced, By::novelty}, 96'000},
     Explore{{Taste::hunt, By::novelty}, all_of_budget}}};

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

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
    const auto ask = Overloaded{
        [&](const Explore& stage) -> Answer {
            return exploration_.run(s, winner, std::min(budget, stage.positions), stage.order);
        },
        [&](const LookForBlockade&) -> Answer {
            const Blockade blockade(s);
            if (!blockade.rules_out(winner)) return Undecided{0};
            return Unwinnable{Proof::blockade, 0, blockade.invariant()};
        },
        [&](const LookForLayers& stage) -> Answer {
            if (!frontier_.rule_out(s, winner, stage.positions, stage.layers)) return Undecided{0};
            return Unwinnable{Proof::layers, frontier_.count()};
        },
        [&](const Project& stage) -> Answer {
            if (!projection_.rule_out(s, winner, std::min(budget, stage.images)))
                return Undecided{0};
            return Unwinnable{Proof::projection, projection_.count()};
        },
    };
    std::size_t spent = 0;
    for (const Stage& stage : plan) {
        Answer answer = std::visit(ask, stage);
        const auto* const open = std::get_if<Undecided>(&answer);
        if (open == nullptr) return answer;
        spent += open->positions;
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
        if (known && is_unwinnable(*known)) return Unwinnable{Proof::forced, ply + 2};
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
