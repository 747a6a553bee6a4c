// mate_bench.cpp - what an answer costs, beside a move generator that everybody has
// SPDX-License-Identifier: Apache-2.0
//
// bench_mate BUDGET FILE...: each line of a file is "WB FEN" (who can still mate: W-, -B, --).
// Prints what was right, wrong and undecided, and the processor time of an answer; times in
// brackets are in nodes of Stockfish's perft in the same run, so that the machine drops out.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/base/cpu_time.hpp"
#include "host/chess/position.hpp"
#include "host/mate/solver.hpp"
#include "tests/chess/stockfish.hpp"

namespace {

using namespace touchmove;
using chess::Color;

/// Nodes a second of `go perft 6` from the initial array; 0 without Stockfish.
double reference_speed() {
    const auto engine = Stockfish::start();
    if (!engine) return 0;
    const auto perft = engine->perft("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6);
    return static_cast<double>(perft.nodes) / perft.cpu_seconds;
}

class Tally {
  public:
    template <class Ask>
    void time(bool can, Ask ask) {
        const double begun = thread_cpu_seconds();
        const mate::Answer answer = ask();
        seconds_.push_back(thread_cpu_seconds() - begun);
        if (std::holds_alternative<mate::Undecided>(answer))
            ++undecided_;
        else if (mate::is_unwinnable(answer) == can)
            ++wrong_;
        else
            ++right_;
    }
    void print(std::string_view name, double nodes_a_second) {
        if (seconds_.empty()) return;
        std::sort(seconds_.begin(), seconds_.end());
        double sum = 0;
        for (const double each : seconds_)
            sum += each;
        fmt::print("  {}: {} right, {} wrong, {} undecided;", name, right_, wrong_, undecided_);
        const std::pair<const char*, double> figures[] = {
            {"mean", sum / static_cast<double>(seconds_.size())},
            {"p50", seconds_[seconds_.size() / 2]},
            {"p99", seconds_[seconds_.size() * 99 / 100]},
            {"max", seconds_.back()}};
        for (const auto& [what, value] : figures) {
            fmt::print(" {} {:.2f} us", what, 1e6 * value);
            if (nodes_a_second > 0) fmt::print(" ({:.0f})", value * nodes_a_second);
        }
        fmt::print("\n");
    }

  private:
    unsigned right_ = 0, wrong_ = 0, undecided_ = 0;
    std::vector<double> seconds_;
};

}  // namespace

int main(int argc, char** argv) {
    const std::size_t budget = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 0;
    if (argc < 3 || budget == 0) {
        fmt::print(stderr, "usage: bench_mate BUDGET FILE...\n");
        return 2;
    }
    const double speed = reference_speed();
    fmt::print("Stockfish go perft: {:.0f} million nodes a second\n", speed / 1e6);
    mate::Solver solver;
    (void)solver.full(chess::Position::initial(), Color::white);  // builds the tables
    for (int i = 2; i < argc; ++i) {
        std::ifstream file(argv[i]);
        Tally full, fast;
        for (std::string line; std::getline(file, line);) {
            const auto position = chess::Position::parse_fen(std::string_view(line).substr(3));
            if (!position) continue;
            for (const Color side : {Color::white, Color::black}) {
                const bool can = line[chess::index_of(side)] != '-';
                fast.time(can, [&] { return mate::fast(*position, side); });
                full.time(can, [&] { return solver.full(*position, side, budget); });
            }
        }
        fmt::print("{}\n", argv[i]);
        fast.print("fast", speed);
        full.print("full", speed);
    }
    return 0;
}
