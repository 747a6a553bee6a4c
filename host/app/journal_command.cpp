// journal_command.cpp - `touchmove journal`: what a journal holds, and what follows from it
// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/app/board_game.hpp"
#include "host/app/commands.hpp"
#include "host/app/move_printer.hpp"
#include "host/chess/pgn.hpp"
#include "host/journal/payload_columns.hpp"
#include "host/journal/reader.hpp"

namespace touchmove::app {
namespace {

struct Options {
    std::string file;
    std::string board;
    bool pgn = false;
    std::optional<std::string> language;
};

std::string subject_text(const journal::PayloadColumns& columns) {
    if (!columns.subject) return "";
    if (columns.kind == "lift" || columns.kind == "place") {
        return chess::Square(static_cast<unsigned>(*columns.subject)).name();
    }
    return fmt::format("{}", *columns.subject);
}

void print_entry(const journal::Entry& entry) {
    const auto columns = journal::to_columns(entry.payload);
    std::string line =
        fmt::format("{:>8} {:>14.6f} {:<11}", entry.row,
                    static_cast<double>(to_us(entry.at)) * 1e-6, columns.kind);
    if (const auto subject = subject_text(columns); !subject.empty()) line += ' ' + subject;
    if (columns.kind == "snapshot") {
        line += fmt::format(" {:016x}", static_cast<std::uint64_t>(*columns.value));
    } else if (columns.value) {
        line += fmt::format(" {}", *columns.value);
    }
    if (columns.text) line += ' ' + *columns.text;
    fmt::print("{}\n", line);
}

void print_decisions(BoardGame& game) {
    if (!game.has_game()) return;
    for (const auto& line : lines_for(game.live(), game.take_shown(), false)) {
        fmt::print("{:>24}{}\n", "", line);
    }
}

int replay_board(journal::Reader& reader, const std::string& board, bool pgn,
                 serve::Language language) {
    const auto entries = reader.read(board);
    if (!entries) return complain(entries.error().message());
    BoardGame game(board, language);
    const auto print_pgn = [](serve::LiveGame& live) {
        if (!live.is_game()) return;
        fmt::print("{}\n", chess::write_pgn(live.pgn()));
    };
    if (pgn) game.on_left(print_pgn);
    else fmt::print("board {}\n", board);
    for (auto next = entries->begin(); next != entries->end();) {
        const journal::Entry& entry = *next++;
        if (auto applied = game.apply(entry); !applied) {
            return complain(fmt::format("row {}: {}", entry.row, applied.error().message()));
        }
        // A frame is judged when it is complete.
        if (next == entries->end() || next->at != entry.at) {
            game.show(game.advance(entry.at + Micros{1}));
        }
        if (pgn) continue;
        print_entry(entry);
        print_decisions(game);
    }
    if (pgn && game.has_game()) print_pgn(game.live());
    return 0;
}

int show(const Options& options) {
    const auto language =
        options.language ? *serve::language_of(*options.language) : serve::Language::en;
    auto reader = journal::Reader::open(options.file);
    if (!reader) return complain(reader.error().message());
    auto boards = reader->boards();
    if (!boards) return complain(boards.error().message());
    if (!options.board.empty()) {
        if (std::find(boards->begin(), boards->end(), options.board) == boards->end()) {
            return complain(fmt::format("journal {}: knows no board \"{}\"", options.file,
                                        options.board));
        }
        *boards = {options.board};
    }
    for (const std::string& board : *boards) {
        const int status = replay_board(*reader, board, options.pgn, language);
        if (status != 0) return status;
    }
    return 0;
}

}  // namespace

void add_journal(CLI::App& app, Chosen& chosen) {
    auto* command = app.add_subcommand(
        "journal", "Print a journal's inputs, and under each what the referee made of it");
    auto options = std::make_shared<Options>();
    command->add_option("FILE", options->file, "The journal; a running daemon may be using it")
        ->required();
    command->add_option("--board", options->board, "Only the board with this serial number");
    command->add_flag("--pgn", options->pgn, "Print only the games, as PGN");
    add_language(*command, options->language);
    command->callback([&chosen, options] { chosen = [options] { return show(*options); }; });
}

}  // namespace touchmove::app
