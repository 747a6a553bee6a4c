// move_printer.cpp - the games as lines on a terminal
// SPDX-License-Identifier: Apache-2.0
#include "host/app/move_printer.hpp"

#include <fmt/format.h>

#include <optional>
#include <variant>

#include "host/chess/san.hpp"
#include "host/serve/report_text.hpp"

namespace touchmove::app {
namespace {

/// "1:29:58", "4:05".
std::string clock_text(Millis left) {
    const auto seconds = left.count() / 1000;
    if (seconds >= 3600) {
        return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
    return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

std::string move_number(const serve::LiveGame& live, std::size_t ply) {
    // The position after all moves tells both the number and the side of any of them.
    const auto& now = live.position();
    const std::size_t plies_now = (now.fullmove_number() - 1) * 2 +
                                  chess::index_of(now.side_to_move());
    const std::size_t plies = plies_now - live.moves().size() + ply;
    return fmt::format("{}{}", plies / 2 + 1, plies % 2 == 0 ? "." : "...");
}

std::optional<std::string> move_line(const serve::LiveGame& live, std::size_t ply,
                                     std::string_view note) {
    if (ply >= live.moves().size()) return std::nullopt;  // taken back meanwhile
    const auto& move = live.moves()[ply];
    std::string line = fmt::format("{:>5} {:<8}", move_number(live, ply), move.san);
    if (move.recorded.clock_left && move.recorded.completed)  // else it still runs
        line += fmt::format(" {:>8}", clock_text(*move.recorded.clock_left));
    if (!note.empty()) line += fmt::format("  {}", note);
    while (!line.empty() && line.back() == ' ') line.pop_back();
    return line;
}

/// How the referee knows a move that it did not simply see, in parentheses.
std::string evidence(const laws::RecordedMove& move, serve::Language language) {
    if (!serve::is_worth_telling(move)) return {};
    return fmt::format("({})", serve::evidence_note(move, language));
}

std::optional<std::string> line_for(const serve::LiveGame& live, const laws::Decision& decision) {
    const laws::What& what = decision.what;
    const auto language = live.language();
    if (const auto* published = std::get_if<laws::MovePublished>(&what)) {
        return move_line(live, published->ply, evidence(published->move, language));
    }
    if (const auto* known = std::get_if<laws::PromotionKnown>(&what)) {
        return move_line(live, known->ply, serve::piece_known_note(language));
    }
    if (const auto* corrected = std::get_if<laws::MoveCorrected>(&what)) {
        return move_line(live, corrected->ply, serve::corrected_note(language));
    }
    if (const auto* shortened = std::get_if<laws::RecordShortened>(&what)) {
        return fmt::format("      {}", serve::shortened_note(shortened->ply, language));
    }
    if (const auto* reported = std::get_if<laws::Reported>(&what)) {
        const auto name = [&live](laws::Move move) {
            return live.position().is_legal(move) ? chess::to_san(live.position(), move)
                                                  : move.uci();
        };
        return fmt::format("      ! {} {} ({})", serve::game_time_text(decision.at),
                           serve::sentence(reported->report, name, language),
                           reported->report.article);
    }
    if (const auto* ended = std::get_if<laws::GameEnded>(&what)) {
        return fmt::format("      {} {}", serve::game_time_text(decision.at),
                           serve::sentence(ended->result, language));
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::string> lines_for(const serve::LiveGame& live,
                                   const std::vector<laws::Decision>& decisions, bool several) {
    std::vector<std::string> lines;
    for (const laws::Decision& decision : decisions) {
        auto line = line_for(live, decision);
        if (!line) continue;
        lines.push_back(several ? live.info().board + ' ' + *line : *line);
    }
    return lines;
}

}  // namespace touchmove::app
