// report_text.cpp - what a report or a result says, in one English sentence
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/report_text.hpp"

#include <fmt/core.h>

#include <string_view>
#include <utility>
#include <vector>

namespace touchmove::serve {
namespace {

using laws::Color;
using laws::Report;
using laws::ReportKind;

std::string_view side_name(std::optional<Color> side) {
    if (!side) return "A player";
    return *side == Color::white ? "White" : "Black";
}

std::string_view other_name(std::optional<Color> side) {
    if (!side) return "the opponent";
    return *side == Color::white ? "Black" : "White";
}

// "a", "a and b", "a, b and c"; more than `most` are counted, not named.
std::string list(const std::vector<std::string>& names, std::string_view last_word,
                 std::size_t most = 8) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i == most) return text + fmt::format(" {} {} more", last_word, names.size() - most);
        if (i > 0) text += i + 1 == names.size() ? fmt::format(" {} ", last_word) : ", ";
        text += names[i];
    }
    return text;
}

std::string moves(const std::vector<laws::Move>& found, const MoveName& name) {
    std::vector<std::string> names;
    for (const auto move : found)
        names.push_back(name(move));
    return list(names, "or");
}

std::string squares(const Report& report) {
    std::vector<std::string> names;
    for (const auto square : report.squares)
        names.push_back(square.name());
    return list(names, "and", 16);
}

// " on e4", or nothing.
std::string on_squares(const Report& report) {
    return report.squares.empty() ? "" : fmt::format(" on {}", squares(report));
}

std::string minutes(Millis time) {
    const auto seconds = time.count() / 1000;
    if (seconds % 60 != 0) return fmt::format("{} seconds", seconds);
    return seconds == 60 ? "one minute" : fmt::format("{} minutes", seconds / 60);
}

std::string penalty(const Report& report) {
    if (!report.penalty) return {};
    const auto& due = *report.penalty;
    using Outcome = laws::Penalty::Outcome;
    if (due.outcome == Outcome::loss) return " Penalty: loss of the game.";
    if (due.outcome == Outcome::draw) return " Penalty: a draw, since the opponent cannot mate.";
    if (!due.opponent_extra) return {};
    return fmt::format(" Penalty: {} more for {}.", minutes(*due.opponent_extra),
                       other_name(report.side));
}

std::string due_moves(const Report& report, const MoveName& name) {
    return report.duty.empty() ? "" : fmt::format(" Due: {}.", moves(report.duty, name));
}

std::string choice(const Report& report, const MoveName& name) {
    return report.candidates.empty() ? "" : fmt::format(": {}", moves(report.candidates, name));
}

std::string refusal(const Report& report) {
    const auto side = side_name(report.side);
    if (report.article == "9.4") {
        return fmt::format("{} touched a man and has lost the claim for this move.", side);
    }
    if (report.article == "5.2.3") return "A draw cannot be agreed so early in the game.";
    if (report.article == "9.1") return "There is no draw offer that could be accepted.";
    return fmt::format("{} has not the move and cannot claim a draw now.", side);
}

std::string open_question(const Report& report) {
    const auto side = side_name(report.side);
    if (report.article == "6.9") {
        return "The flag fell while it was open what stood on the board; win or draw is to be "
               "decided.";
    }
    if (report.article == "9.5") {
        return fmt::format("{} claimed with one move and then made another.", side);
    }
    if (report.article == "7.5.1") {
        return fmt::format(
            "{} made an illegal move, and the opponent replied before it was completed.", side);
    }
    if (report.article == "4.4.3") {
        return fmt::format("{} touched king and rook where castling is illegal.", side);
    }
    return "The Laws leave this to the arbiter.";
}

std::string body(const Report& report, const MoveName& name) {
    const auto side = side_name(report.side);
    switch (report.kind) {
        case ReportKind::touch_move:
            return fmt::format("{} touched the man{} and then moved otherwise; {} may claim.", side,
                               on_squares(report), other_name(report.side));
        case ReportKind::released:
            return fmt::format("{} had released a move and then changed it; {} may claim.", side,
                               other_name(report.side));
        case ReportKind::illegal_move:
            return fmt::format("{} completed an illegal move; the position before it is due.",
                               side);
        case ReportKind::pawn_not_exchanged:
            return fmt::format("{} left a pawn on the last rank{} and pressed the clock.", side,
                               on_squares(report));
        case ReportKind::press_without_move:
            return fmt::format("{} pressed the clock without having made a move.", side);
        case ReportKind::adjust_not_permitted:
            return fmt::format("{} may not adjust men now.", side);
        case ReportKind::two_hands:
            return fmt::format("{} may have used both hands for one move.", side);
        case ReportKind::accidental:
            return fmt::format("Men{} were knocked and stand again.", on_squares(report));
        case ReportKind::displaced:
            return fmt::format("The men{} do not stand as they should.", on_squares(report));
        case ReportKind::out_of_turn:
            return fmt::format("{} moved a man{} without having the move.", side,
                               on_squares(report));
        case ReportKind::ambiguous:
            return fmt::format("More than one move fits what was seen{}.", choice(report, name));
        case ReportKind::promotion_choice:
            return fmt::format("Which piece did {} put on{} for the pawn?",
                               report.side ? side : "the player",
                               report.squares.empty() ? std::string(" the board")
                                                      : fmt::format(" {}", squares(report)));
        case ReportKind::setup_suspect:
            return fmt::format("The men{} may have stood wrongly from the start.",
                               on_squares(report));
        case ReportKind::claim_correct:
            return fmt::format("{}'s claim of a draw is correct.", side);
        case ReportKind::claim_wrong:
            return fmt::format("{}'s claim of a draw is not correct.", side);
        case ReportKind::claim_refused:
            return refusal(report);
        case ReportKind::result_signal:
            return "The kings were put on the centre squares: has the game ended?";
        case ReportKind::flag:
            return fmt::format("{}'s flag has fallen.", side);
        case ReportKind::arbiter:
            return open_question(report);
    }
    return {};
}

std::string_view reason_text(std::string_view reason) {
    constexpr std::pair<std::string_view, std::string_view> texts[] = {
        {"checkmate", "checkmate"},          {"resignation", "resignation"},
        {"stalemate", "stalemate"},          {"dead_position", "dead position"},
        {"agreement", "agreement"},          {"time", "time"},
        {"illegal_moves", "illegal moves"},  {"threefold", "threefold repetition"},
        {"fifty", "the 50-move rule"},       {"fivefold", "fivefold repetition"},
        {"seventyfive", "the 75-move rule"},
    };
    for (const auto& [word, text] : texts) {
        if (word == reason) return text;
    }
    return reason;
}

}  // namespace

std::string sentence(const Report& report, const MoveName& name) {
    return body(report, name) + due_moves(report, name) + penalty(report);
}

std::string sentence(const laws::GameResult& result) {
    std::string_view who;
    switch (result.score) {
        case laws::Score::white_wins:
            who = "White wins by";
            break;
        case laws::Score::black_wins:
            who = "Black wins by";
            break;
        case laws::Score::draw:
            who = "Draw by";
            break;
        case laws::Score::open_to_arbiter:
            who = "For the arbiter to decide:";
            break;
    }
    return fmt::format("{} {} (Article {})", who, reason_text(result.reason), result.article);
}

}  // namespace touchmove::serve
