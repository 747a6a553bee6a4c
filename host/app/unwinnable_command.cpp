// unwinnable_command.cpp - `touchmove unwinnable`: who can still mate?
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "host/app/commands.hpp"
#include "host/chess/position.hpp"
#include "host/mate/solver.hpp"

namespace touchmove::app {
namespace {

using chess::Color;

constexpr unsigned lines_a_report = 100;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

struct Options {
    bool fast = false;
    bool proof = false;
    std::size_t budget = mate::Solver::default_budget;  // positions
};

char letter_of(const mate::Answer& answer, Color side) {
    if (std::holds_alternative<mate::Undecided>(answer)) return '?';
    if (mate::is_unwinnable(answer)) return '-';
    return side == Color::white ? 'W' : 'B';
}

/// The line that answers `fen`.
Result<std::string> answer_line(mate::Solver& solver, std::string_view fen,
                                const Options& options) try {
    const auto position = chess::Position::parse_fen(fen);
    if (!position) return position.error();
    const auto ask = [&](Color side) {
        return options.fast ? mate::fast(*position, side)
                            : solver.full(*position, side, options.budget);
    };
    const mate::Answer white = ask(Color::white), black = ask(Color::black);
    std::string line =
        fmt::format("{}{} {}", letter_of(white, Color::white), letter_of(black, Color::black), fen);
    if (options.proof) {
        line += fmt::format(" | W: {} | B: {}", mate::describe(white), mate::describe(black));
    }
    return line;
} catch (const std::bad_alloc&) {
    return Error{std::errc::not_enough_memory, "memory ran out; a smaller --budget needs less"};
}

int unwinnable(const Options& options) {
    mate::Solver solver;
    const bool tell = ::isatty(STDERR_FILENO) != 0 && ::isatty(STDIN_FILENO) == 0;
    int status = 0;
    unsigned count = 0;
    for (std::string fen; std::getline(std::cin, fen);) {
        if (!fen.empty() && fen.back() == '\r') fen.pop_back();
        if (count == 0 && fen.starts_with(byte_order_mark)) fen.erase(0, byte_order_mark.size());
        const Result<std::string> line = answer_line(solver, fen, options);
        fmt::print("{}\n", line ? *line : fmt::format("!! {}: {}", fen, line.error().message()));
        if (!line) status = 1;
        ++count;
        std::fflush(stdout);
        if (tell && count % lines_a_report == 0) fmt::print(stderr, "\r{} positions", count);
    }
    if (std::ferror(stdin) != 0) return complain("standard input cannot be read");
    if (tell && count >= lines_a_report) fmt::print(stderr, "\r{} positions\n", count);
    return status;
}

}  // namespace

void add_unwinnable(CLI::App& app, Chosen& chosen) {
    auto* command = app.add_subcommand(
        "unwinnable", "Say of each FEN on standard input who can still mate by any legal moves");
    command->footer(
        "A line out for each line in: WB, W-, -B or -- (nobody: a dead position, 5.2.2), with ?\n"
        "in the place of a side of which nothing is proved, and the FEN. \"!! FEN: reason\" for\n"
        "a bad one, and status 1 at the end.\n"
        "  echo '4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 w - -' | touchmove unwinnable --proof");
    auto options = std::make_shared<Options>();
    command->add_flag("--fast", options->fast, "What can be told in microseconds; else ?");
    command->add_flag("--proof", options->proof, "Add the mating line, or why there is none");
    command
        ->add_option(
            "--budget", options->budget,
            "Positions that a search for one side may keep (shorter ones come before it); a "
            "million take up to 180 MB")
        ->type_name("NODES")
        ->check(CLI::Range(std::size_t{1}, std::size_t{20'000'000}))
        ->capture_default_str();
    command->callback([&chosen, options] { chosen = [options] { return unwinnable(*options); }; });
}

}  // namespace touchmove::app
