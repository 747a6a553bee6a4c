// perft_command.cpp - `touchmove perft`: counts the legal move tree
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <memory>
#include <string>

#include "host/app/commands.hpp"
#include "host/chess/position.hpp"

namespace touchmove::app {
namespace {

constexpr unsigned max_depth = 20;

struct Options {
    std::string fen;
    unsigned depth = 0;
    bool bulk = false;
};

/// Processor time of this process, which a busy machine does not stretch.
double cpu_seconds() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

int perft(const Options& options) {
    const auto position = chess::Position::parse_fen(options.fen);
    if (!position) return complain(position.error().message());
    const double begun = cpu_seconds();
    const auto nodes = chess::perft(*position, options.depth, options.bulk);
    fmt::print("{} {:.6f}\n", nodes, cpu_seconds() - begun);
    return 0;
}

}  // namespace

void add_perft(CLI::App& app, Chosen& chosen) {
    auto* command = app.add_subcommand(
        "perft", "Count the leaves of the legal move tree; prints NODES and processor SECONDS");
    auto options = std::make_shared<Options>();
    command->add_option("FEN", options->fen, "Position, as one quoted argument")->required();
    command->add_option("DEPTH", options->depth, "Plies")
        ->required()
        ->check(CLI::Range(0U, max_depth));
    command->add_flag("--bulk", options->bulk, "Count the last ply without playing it");
    command->callback([&chosen, options] { chosen = [options] { return perft(*options); }; });
}

}  // namespace touchmove::app
