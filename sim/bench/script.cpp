// script.cpp - what is to be played on the board: the moves of a game, their times, its end
// SPDX-License-Identifier: Apache-2.0
#include "sim/bench/script.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "host/chess/san.hpp"
#include "host/mate/solver.hpp"

namespace touchmove::bench {
namespace {

using chess::Color;
using chess::PgnGame;
using chess::PgnMove;
using chess::Position;

BenchUs to_bench(Millis t) { return std::chrono::duration_cast<Micros>(t).count(); }

/// The increment that most moves with both comments agree on; rounding to whole seconds blurs it by
/// one either way, so the most frequent value is taken.
Millis shown_increment(const PgnGame& game) {
    std::map<Millis::rep, unsigned> votes;
    for (std::size_t i = 2; i < game.moves.size(); ++i) {
        const PgnMove& now = game.moves[i];
        const PgnMove& before = game.moves[i - 2];
        if (!now.clk || !before.clk || !now.emt) continue;
        const Millis gained = *now.clk - *before.clk + *now.emt;
        // More than three minutes is the next period's time, not an increment.
        if (gained >= Millis{0} && gained < Millis{180'000}) ++votes[gained.count()];
    }
    const auto most =
        std::max_element(votes.begin(), votes.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == votes.end() ? Millis{0} : Millis{most->first};
}

std::optional<LawsEnd> end_in(const Position& position, unsigned occurrences) {
    if (!position.has_legal_move()) {
        return position.in_check() ? LawsEnd::checkmate : LawsEnd::stalemate;
    }
    if (mate::is_dead(position)) return LawsEnd::dead_position;
    if (occurrences >= 5) return LawsEnd::fivefold;
    if (position.halfmove_clock() >= 150) return LawsEnd::seventy_five;
    return std::nullopt;
}

/// "57. Kd5" or "57... Kd5".
std::string numbered(const Position& before, std::string_view san) {
    return fmt::format("{}{} {}", before.fullmove_number(),
                       before.side_to_move() == Color::white ? "." : "...", san);
}

/// Does the text name a king move to d4, e4, d5 or e5?
bool names_centre_king_move(std::string_view text) {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        if (text[i] != 'K') continue;
        const std::size_t file = text[i + 1] == 'x' ? i + 2 : i + 1;
        if (file + 1 >= text.size()) continue;
        const bool on_file = text[file] == 'd' || text[file] == 'e';
        const bool on_rank = text[file + 1] == '4' || text[file + 1] == '5';
        if (on_file && on_rank) return true;
    }
    return false;
}

}  // namespace

std::string_view name_of(LawsEnd end) noexcept {
    switch (end) {
        case LawsEnd::checkmate: return "checkmate";
        case LawsEnd::stalemate: return "stalemate";
        case LawsEnd::dead_position: return "dead position";
        case LawsEnd::fivefold: return "fivefold repetition";
        case LawsEnd::seventy_five: return "seventy-five moves";
    }
    return "";
}

std::vector<BenchUs> times_spent(const PgnGame& game) {
    const Millis increment = shown_increment(game);
    std::vector<std::optional<BenchUs>> known(game.moves.size());
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const PgnMove& now = game.moves[i];
        if (now.emt) {
            known[i] = to_bench(*now.emt);
        } else if (now.clk && i >= 2 && game.moves[i - 2].clk) {
            const Millis used = *game.moves[i - 2].clk - *now.clk + increment;
            // A clock that gained more than the increment went into its next period.
            known[i] = to_bench(std::max(used, Millis{0}));
        }
    }
    // Between two known times of one player a missing one lies on the line between them; before
    // the first and after the last it is the nearest; with none at all, ten seconds.
    std::vector<BenchUs> spent(game.moves.size(), 10'000'000);
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i]) {
            spent[i] = *known[i];
            continue;
        }
        std::optional<std::size_t> left;
        std::optional<std::size_t> right;
        for (std::size_t j = i; j >= 2 && !left; j -= 2) {
            if (known[j - 2]) left = j - 2;
        }
        for (std::size_t j = i + 2; j < known.size() && !right; j += 2) {
            if (known[j]) right = j;
        }
        if (left && right) {
            const auto part = static_cast<BenchUs>(i - *left);
            const auto whole = static_cast<BenchUs>(*right - *left);
            spent[i] = *known[*left] + (*known[*right] - *known[*left]) * part / whole;
        } else if (left || right) {
            spent[i] = *known[left ? *left : *right];
        }
    }
    return spent;
}

Script make_script(const PgnGame& game) {
    Script script;
    script.start = game.start;
    script.result = game.result;
    script.spent = times_spent(game);

    Position position = game.start;
    std::unordered_map<std::uint64_t, unsigned> seen;
    script.ends_by = end_in(position, ++seen[position.key()]);
    for (const PgnMove& next : game.moves) {
        if (script.ends_by) {
            script.cut = fmt::format("{} follows the end of the game by {}",
                                     numbered(position, chess::to_san(position, next.move)),
                                     name_of(*script.ends_by));
            break;
        }
        script.moves.push_back(next.move);
        position.make(next.move);
        script.ends_by = end_in(position, ++seen[position.key()]);
    }
    if (script.cut.empty() && game.broken_off) {
        script.kings_to_centre = names_centre_king_move(*game.broken_off);
        script.cut = *game.broken_off;
        if (script.cut.ends_with('.')) script.cut.pop_back();
    }
    script.spent.resize(script.moves.size());
    return script;
}

}  // namespace touchmove::bench
