// perft_command.cpp - `touchmove perft`: counts the legal move tree
// SPDX-License-Identifier: Apache-2.0
#include "host/chess/perft.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "host/app/commands.hpp"

namespace touchmove::app {
namespace {

struct Options {
    std::string fen;
    unsigned depth = 0;
    bool bulk = false;
};

int perft(const Options& options) {
    const auto line = chess::perft_line(options.fen, options.depth, options.bulk);
    if (!line) return complain(line.error().message());
    fmt::print("{}\n", *line);
    return 0;
}

}  // namespace

void add_perft(CLI::App& app, Chosen& chosen) {
    auto* command = app.add_subcommand(
        "perft", "Count the leaves of the legal move tree; prints NODES and processor SECONDS");
    auto options = std::make_shared<Options>();
    command->add_option("FEN", options->fen, "Position, as one quoted argument")->required();
    command->add_option("DEPTH", options->depth, "Plies")->required();
    command->add_flag("--bulk", options->bulk, "Count the last ply without playing it");
    command->callback([&chosen, options] { chosen = [options] { return perft(*options); }; });
}

}  // namespace touchmove::app
