// referee_bench.cpp - inputs a second through the referee, against its own move generator
// SPDX-License-Identifier: Apache-2.0
//
// Prints the referee's inputs/s and, in the same run, the perft nodes/s (every move made and
// unmade) of host/chess from the initial array; the ratio does not depend on the machine.
#include <fmt/format.h>

#include <random>
#include <vector>

#include "host/base/cpu_time.hpp"
#include "host/laws/referee.hpp"

namespace {

using namespace touchmove;
using namespace touchmove::laws;

struct Stamped {
    DeviceTime at;
    Input what;
};

/// Random games played quickly and cleanly, as lifts, places and presses.
std::vector<std::vector<Stamped>> make_games(std::size_t count) {
    std::mt19937_64 rng(1);
    std::vector<std::vector<Stamped>> games;
    for (std::size_t g = 0; g < count; ++g) {
        std::vector<Stamped> events;
        auto position = chess::Position::initial();
        DeviceTime now{};
        const auto add = [&](Input what) {
            now += Millis{60 + rng() % 300};
            events.push_back({now, what});
        };
        for (int ply = 0; ply < 100; ++ply) {
            const auto legal = position.legal_moves();
            if (legal.empty()) break;
            const Move move = legal[rng() % legal.size()];
            const auto victim = position.captured_square(move);
            if (victim) add(SquareLifted{*victim});
            add(SquareLifted{move.from()});
            add(SquarePlaced{move.to()});
            if (position.castling(move)) {
                const bool king_side = move.to().file() > move.from().file();
                add(SquareLifted{Square(king_side ? 7 : 0, move.from().rank())});
                add(SquarePlaced{Square(king_side ? 5 : 3, move.from().rank())});
            }
            if (move.promotion()) add(PromotionNamed{position.side_to_move(), *move.promotion()});
            add(LeverPressed{position.side_to_move()});
            position.make(move);
        }
        games.push_back(std::move(events));
    }
    return games;
}

}  // namespace

int main() {
    const auto games = make_games(400);
    std::size_t inputs = 0;
    std::size_t moves = 0;
    const double start = thread_cpu_seconds();
    for (int round = 0; round < 5; ++round) {
        for (const auto& events : games) {
            Referee referee(Rules{}, GameSetup{});
            for (const auto& event : events) {
                referee.input(event.at, event.what);
                referee.advance(event.at);
            }
            inputs += events.size();
            moves += referee.moves().size();
        }
    }
    const double referee_s = thread_cpu_seconds() - start;
    const double perft_start = thread_cpu_seconds();
    const auto nodes = chess::perft(chess::Position::initial(), 5, /*bulk=*/false);
    const double perft_s = thread_cpu_seconds() - perft_start;
    const double inputs_per_s = static_cast<double>(inputs) / referee_s;
    const double nodes_per_s = static_cast<double>(nodes) / perft_s;
    fmt::print("referee: {} inputs, {} moves, {:.0f} inputs/s\n", inputs, moves, inputs_per_s);
    fmt::print("perft 5, every move made: {} nodes, {:.0f} nodes/s\n", nodes, nodes_per_s);
    fmt::print("ratio inputs/nodes: {:.4f}\n", inputs_per_s / nodes_per_s);
}
