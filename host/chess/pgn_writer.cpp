// pgn_writer.cpp - games as PGN text
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "host/chess/pgn.hpp"
#include "host/chess/san.hpp"

namespace touchmove::chess {

namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> roster{{
    {"Event", "?"},
    {"Site", "?"},
    {"Date", "????.??.??"},
    {"Round", "?"},
    {"White", "?"},
    {"Black", "?"},
    {"Result", "*"},
}};

bool in_roster(std::string_view name) {
    return std::any_of(roster.begin(), roster.end(),
                       [&](const auto& entry) { return entry.first == name; });
}

std::string tag_line(std::string_view name, std::string_view value) {
    std::string text = fmt::format("[{} \"", name);
    for (const char c : value) {
        if (c == '"' || c == '\\') text += '\\';
        text += c == '\n' || c == '\r' ? ' ' : c;
    }
    return text + "\"]\n";
}

/// "1:02:03", with the fraction of a second only where there is one.
std::string clock_text(Millis time) {
    const auto ms = std::max<Millis::rep>(time.count(), 0);
    std::string text =
        fmt::format("{}:{:02}:{:02}", ms / 3'600'000, ms / 60'000 % 60, ms / 1000 % 60);
    if (ms % 1000 != 0) {
        std::string fraction = fmt::format(".{:03}", ms % 1000);
        while (fraction.back() == '0')
            fraction.pop_back();
        text += fraction;
    }
    return text;
}

/// Words put into lines of at most 80 columns; a longer word has a line to itself.
class Lines {
  public:
    void add(std::string_view word) {
        constexpr std::size_t width = 80;
        if (column_ != 0 && column_ + 1 + word.size() > width) {
            text_ += '\n';
            column_ = 0;
        }
        if (column_ != 0) {
            text_ += ' ';
            ++column_;
        }
        text_ += word;
        column_ += word.size();
    }
    [[nodiscard]] std::string take() { return std::move(text_) + '\n'; }

  private:
    std::string text_;
    std::size_t column_ = 0;
};

/// A comment's words, so that a long one may be broken between them, but not before a '[': a line
/// that begins with one looks like a tag.
void add_comment(Lines& lines, std::string_view comment) {
    std::string held = "{";
    bool first = true;
    for (std::size_t i = 0; i < comment.size();) {
        const std::size_t begin = comment.find_first_not_of(blanks, i);
        if (begin == std::string_view::npos) break;
        i = std::min(comment.find_first_of(blanks, begin), comment.size());
        std::string word(comment.substr(begin, i - begin));
        std::replace(word.begin(), word.end(), '}', ')');  // a comment cannot hold its own end
        if (!first && word.front() != '[') {
            lines.add(held);
            held.clear();
        } else if (!first) {
            held += ' ';
        }
        held += word;
        first = false;
    }
    lines.add(held + "}");
}

}  // namespace

std::string write_pgn(const PgnGame& game) {
    std::string text;
    for (const auto& [name, otherwise] : roster) {
        text += tag_line(name, game.tag(name, name == "Result" ? game.result : otherwise));
    }
    const bool set_up = !game.start.same_as(Position::initial()) ||
                        game.start.halfmove_clock() != 0 || game.start.fullmove_number() != 1;
    if (set_up && game.tag("FEN").empty()) {
        text += tag_line("SetUp", "1") + tag_line("FEN", game.start.fen());
    }
    for (const auto& [name, value] : game.tags) {
        if (!in_roster(name)) text += tag_line(name, value);
    }
    text += '\n';

    Lines lines;
    Position p = game.start;
    for (std::size_t i = 0; i < game.moves.size(); ++i) {
        const PgnMove& move = game.moves[i];
        if (p.side_to_move() == Color::white) {
            lines.add(fmt::format("{}.", p.fullmove_number()));
        } else if (i == 0) {
            lines.add(fmt::format("{}...", p.fullmove_number()));
        }
        lines.add(to_san(p, move.move));
        if (move.clk) lines.add(fmt::format("{{[%clk {}]}}", clock_text(*move.clk)));
        if (move.emt) lines.add(fmt::format("{{[%emt {}]}}", clock_text(*move.emt)));
        if (!move.comment.empty()) add_comment(lines, move.comment);
        p.make(move.move);
    }
    lines.add(game.result);
    return text + lines.take();
}

}  // namespace touchmove::chess
