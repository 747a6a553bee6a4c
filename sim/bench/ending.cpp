// ending.cpp - what happens on the board when the game is over
// SPDX-License-Identifier: Apache-2.0
#include "sim/bench/ending.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace touchmove::bench {
namespace {

using chess::Bitboard;
using chess::Color;
using chess::Square;

constexpr BenchUs ms = 1000;

constexpr Square d4(3, 3);
constexpr Square e4(4, 3);
constexpr Square d5(3, 4);
constexpr Square e5(4, 4);

/// A man goes from square to square, or comes from beside the board.
void move_man(Plan& plan, BenchUs& now, std::optional<Square> from, Square to, Rng& rng) {
    if (from) plan.magnets.push_back({now, 0, *from, Motion::lift_off});
    now += rng.in({90 * ms, 220 * ms});
    plan.magnets.push_back({now, 0, to, Motion::set_down});
    now += rng.in({60 * ms, 150 * ms});
    plan.placed = now;
    plan.released = now;
}

}  // namespace

std::optional<Plan> plan_kings_to_centre(const chess::Position& position, std::string_view result,
                                         Rng& rng) {
    const auto white = position.king(Color::white);
    const auto black = position.king(Color::black);
    if (!white || !black) return std::nullopt;

    std::vector<std::pair<Square, Square>> pairs;
    if (result == "1-0") {
        pairs = {{d5, e4}};
    } else if (result == "0-1") {
        pairs = {{d4, e5}};
    } else {
        pairs = {{d4, e4}, {d5, e5}};
    }
    const Bitboard taken = position.occupied();
    std::erase_if(pairs, [&](const auto& pair) {
        return chess::contains(taken, pair.first) || chess::contains(taken, pair.second);
    });
    if (pairs.empty()) {
        // Men stand in the way: any two free centre squares will do.
        std::vector<Square> free;
        for (const Square s : {d4, e4, d5, e5}) {
            if (!chess::contains(taken, s)) free.push_back(s);
        }
        if (free.size() < 2) return std::nullopt;
        pairs = {{free.front(), free.back()}};
    }
    auto [first, second] = pairs[rng.below(static_cast<std::uint32_t>(pairs.size()))];
    if (rng.chance(500)) std::swap(first, second);

    std::pair<Square, Square> kings{*white, *black};
    if (rng.chance(500)) std::swap(kings.first, kings.second);
    Plan plan;
    BenchUs now = 0;
    move_man(plan, now, kings.first, first, rng);
    now += rng.in({50 * ms, 300 * ms});
    move_man(plan, now, kings.second, second, rng);
    return plan;
}

Plan plan_men_back(Bitboard occupied, Rng& rng) {
    const Bitboard home = chess::Position::initial().occupied();
    std::vector<Square> astray;
    for (const Square s : chess::squares(occupied & ~home)) astray.push_back(s);
    std::vector<Square> vacant;
    for (const Square s : chess::squares(home & ~occupied)) vacant.push_back(s);
    // Nobody sets up in order of squares.
    for (std::size_t i = vacant.size(); i > 1; --i) {
        std::swap(vacant[i - 1], vacant[rng.below(static_cast<std::uint32_t>(i))]);
    }
    Plan plan;
    BenchUs now = 0;
    for (const Square to : vacant) {
        std::optional<Square> from;
        if (!astray.empty()) {
            from = astray.back();
            astray.pop_back();
        }
        move_man(plan, now, from, to, rng);
    }
    for (const Square s : astray) {
        plan.magnets.push_back({now, 0, s, Motion::lift_off});
        now += rng.in({60 * ms, 150 * ms});
        plan.released = now;
    }
    return plan;
}

Plan plan_agreement(std::string_view result, Color to_move) {
    Plan plan;
    if (result == "1-0" || result == "0-1") {
        const Color loser = result == "1-0" ? Color::black : Color::white;
        plan.said.push_back({0, Said::What::resigns, loser});
    } else if (result == "1/2-1/2") {
        // The player who has just moved offers (9.1.2.1).
        plan.said.push_back({0, Said::What::offers_draw, ~to_move});
        plan.said.push_back({300 * ms, Said::What::accepts_draw, to_move});
        plan.released = 300 * ms;
    }
    return plan;
}

Bitboard occupied_after(const Plan& plan, Bitboard occupied) {
    for (const MagnetAct& act : plan.magnets) {
        switch (act.motion) {
            case Motion::set_down:
            case Motion::slide_in: occupied |= act.square.bit(); break;
            case Motion::lift_off:
            case Motion::slide_out: occupied &= ~act.square.bit(); break;
            case Motion::pass_over:
            case Motion::tremble: break;
        }
    }
    return occupied;
}

}  // namespace touchmove::bench
