// perft_bench.cpp - how fast moves are generated and made, next to Stockfish in the same run
// SPDX-License-Identifier: Apache-2.0
//
// bench_chess_perft [rounds]. CPU time, not wall time; of each position the best of the rounds,
// which take turns, so that a busy machine slows all alike.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "host/base/cpu_time.hpp"
#include "host/chess/generate.hpp"
#include "host/chess/position.hpp"
#include "tests/chess/standard_positions.hpp"
#include "tests/chess/stockfish.hpp"

namespace {

using namespace touchmove::chess;

struct Best {
    double seconds = std::numeric_limits<double>::max();
    void take(double s) { seconds = std::min(seconds, s); }
};

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
    const auto engine = Stockfish::start();
    fmt::print("generator: {}{}\n", detail::generator().name,
               engine ? "" : "; Stockfish is not installed");
    fmt::print("{:>4} {:>5} {:>12} {:>12} {:>12} {:>12}\n", "", "depth", "nodes", "bulk Mn/s",
               "each Mn/s", "Stockfish");

    double nodes = 0;
    std::array<double, 3> total{};
    for (std::size_t i = 0; i < standard_positions.size(); ++i) {
        const StandardPosition& standard = standard_positions[i];
        const auto depth = static_cast<unsigned>(standard.counts.size());
        const auto position = Position::parse_fen(standard.fen);
        std::array<Best, 3> best;
        for (int round = 0; round < rounds; ++round) {
            for (const bool bulk : {true, false}) {
                const double before = touchmove::thread_cpu_seconds();
                const std::uint64_t found = perft(*position, depth, bulk);
                best[bulk ? 0 : 1].take(touchmove::thread_cpu_seconds() - before);
                if (found != standard.counts.back()) {
                    fmt::print("position {}: {} nodes are wrong\n", i + 1, found);
                    return 1;
                }
            }
            if (engine) best[2].take(engine->perft(std::string(standard.fen), depth).cpu_seconds);
        }
        const auto count = static_cast<double>(standard.counts.back());
        nodes += count;
        fmt::print("{:>4} {:>5} {:>12.0f}", i + 1, depth, count);
        for (std::size_t j = 0; j < (engine ? 3U : 2U); ++j) {
            total[j] += best[j].seconds;
            fmt::print(" {:>12.1f}", count / best[j].seconds / 1e6);
        }
        fmt::print("\n");
    }
    fmt::print("{:>4} {:>5} {:>12.0f}", "all", "", nodes);
    for (std::size_t j = 0; j < (engine ? 3U : 2U); ++j) {
        fmt::print(" {:>12.1f}", nodes / total[j] / 1e6);
    }
    if (engine) {
        fmt::print(
            "\nratio to Stockfish's go perft: {:.2f} with bulk counting, {:.2f} making every "
            "move",
            total[2] / total[0], total[2] / total[1]);
    }
    fmt::print("\n");
    return 0;
}
