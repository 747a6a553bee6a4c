// pgn_reader.cpp - games from PGN text as programs and people write it
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "host/chess/pgn.hpp"
#include "host/chess/san.hpp"

namespace touchmove::chess {

namespace {

constexpr std::string_view blanks = " \t\r\n\v\f";

bool is_blank(char c) {
    return blanks.find(c) != std::string_view::npos;
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// "1:02:03.5", "02:03": nothing if it is not a time.
std::optional<Millis> parse_time(std::string_view text) {
    Millis::rep total = 0;
    Millis::rep part = 0;
    unsigned digits = 0;
    unsigned colons = 0;
    std::size_t i = 0;
    for (; i < text.size() && text[i] != '.' && text[i] != ','; ++i) {
        if (text[i] == ':') {
            if (digits == 0 || ++colons > 2) return std::nullopt;
            total = (total + part) * 60;
            part = 0;
            digits = 0;
        } else if (is_digit(text[i]) && ++digits <= 6) {
            part = part * 10 + (text[i] - '0');
        } else {
            return std::nullopt;
        }
    }
    if (digits == 0 || colons == 0) return std::nullopt;
    total = (total + part) * 1000;
    Millis::rep unit = 100;
    for (++i; i < text.size(); ++i) {
        if (!is_digit(text[i])) return std::nullopt;
        total += unit * (text[i] - '0');
        unit /= 10;
    }
    return Millis{total};
}

class Reader {
  public:
    explicit Reader(std::string_view text) : text_(text) {
        if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    }

    std::vector<PgnGame> run() {
        while (skip_blanks()) {
            if (at_tag()) {
                read_tag();
            } else {
                read_movetext();
            }
        }
        finish_game();
        return std::move(games_);
    }

  private:
    /// The game in hand; begins one if there is none.
    PgnGame& game() {
        if (!open_) {
            game_ = PgnGame{};
            game_.start = Position::initial();
            game_.line = line_at(at_);
            position_ = game_.start;
            open_ = true;
            in_moves_ = false;
            number_seen_ = false;
        }
        return game_;
    }

    void finish_game() {
        if (!open_) return;
        open_ = false;
        // Words between games that nothing marks as a game are none.
        if (game_.tags.empty() && game_.moves.empty() && !number_seen_) return;
        games_.push_back(std::move(game_));
    }

    void break_off(std::string sentence) {
        if (!game().broken_off) game().broken_off = std::move(sentence);
    }

    std::size_t line_at(std::size_t at) {
        line_ += static_cast<std::size_t>(
            std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                       text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        counted_ = at;
        return line_;
    }

    [[nodiscard]] bool at_line_start() const { return at_ == 0 || text_[at_ - 1] == '\n'; }

    void skip_line() {
        const std::size_t end = text_.find('\n', at_);
        at_ = end == std::string_view::npos ? text_.size() : end + 1;
    }

    /// Skips blanks and escape lines; false at the end of the text.
    bool skip_blanks() {
        while (at_ < text_.size()) {
            if (text_[at_] == '%' && at_line_start()) {
                skip_line();
            } else if (is_blank(text_[at_])) {
                ++at_;
            } else {
                return true;
            }
        }
        return false;
    }

    /// Does a tag begin at `from`: '[', a name, blanks, '"'? So a stray '[' in movetext is none.
    [[nodiscard]] bool tag_begins(std::size_t from) const {
        if (from >= text_.size() || text_[from] != '[') return false;
        std::size_t i = text_.find_first_not_of(blanks, from + 1);
        if (i == std::string_view::npos || !is_letter(text_[i])) return false;
        while (i < text_.size() && (is_letter(text_[i]) || is_digit(text_[i]) || text_[i] == '_'))
            ++i;
        i = text_.find_first_not_of(blanks, i);
        return i != std::string_view::npos && text_[i] == '"';
    }
    [[nodiscard]] bool at_tag() const { return tag_begins(at_); }

    void read_tag() {
        if (in_moves_) finish_game();
        PgnGame& g = game();
        ++at_;
        skip_blanks();
        const std::size_t name_begin = at_;
        while (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '_')
            ++at_;
        const std::string name(text_.substr(name_begin, at_ - name_begin));
        at_ = text_.find('"', at_) + 1;
        std::string value;
        while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') {
            if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') ++at_;
            value += text_[at_++];
        }
        while (at_ < text_.size() && text_[at_] != ']' && text_[at_] != '\n')
            ++at_;
        if (at_ < text_.size()) ++at_;
        if (!value.empty() && value.back() == '\r') value.pop_back();
        if (name == "FEN") set_start(value);
        g.tags.emplace_back(name, std::move(value));
    }

    void set_start(const std::string& fen) {
        auto start = Position::parse_fen(fen);
        if (!start) {
            break_off(fmt::format("The FEN tag cannot be read: {}.", start.error().message()));
            return;
        }
        game_.start = *start;
        position_ = *start;
    }

    /// One token of movetext.
    void read_movetext() {
        PgnGame& g = game();
        in_moves_ = true;
        const char c = text_[at_];
        if (c == '{') {
            read_comment();
        } else if (c == ';') {
            skip_line();
        } else if (c == '(') {
            skip_variation();
        } else if (c == '*') {
            ++at_;
            end_with("*");
        } else if (std::string_view(")[]<>}").find(c) != std::string_view::npos) {
            ++at_;
        } else {
            const std::size_t begin = at_;
            while (at_ < text_.size() && !is_blank(text_[at_]) &&
                   std::string_view("{;([)]<>}*").find(text_[at_]) == std::string_view::npos) {
                ++at_;
            }
            // "a8(Q)" and "e8=(Q)" keep their bracket.
            if (at_ + 2 < text_.size() && text_[at_] == '(' && at_ > begin &&
                text_[at_ + 2] == ')' && is_letter(text_[at_ + 1])) {
                at_ += 3;
            }
            read_word(g, text_.substr(begin, at_ - begin));
        }
    }

    void end_with(std::string_view result) {
        game().result = result;
        number_seen_ = true;
        finish_game();
    }

    void read_word(PgnGame& g, std::string_view word) {
        if (word == "1-0" || word == "0-1" || word == "1/2-1/2") return end_with(word);
        if (word == "1/2" || word == "\xc2\xbd-\xc2\xbd" || word == "\xc2\xbd") {
            return end_with("1/2-1/2");
        }
        if (word[0] == '$' || word == "e.p." || word == "ep") return;
        // "12.", "12...", "12.e4", "...": the number says nothing that the moves do not.
        std::size_t i = 0;
        while (i < word.size() && is_digit(word[i]))
            ++i;
        if (i == word.size() || word[i] == '.') {
            number_seen_ = number_seen_ || i > 0;
            while (i < word.size() && word[i] == '.')
                ++i;
            word.remove_prefix(i);
        }
        if (word.empty() || g.broken_off) return;
        if (word.find_first_not_of("!?+#=") == std::string_view::npos) return;  // "!?" by itself
        const auto move = parse_san(position_, word);
        if (!move) {
            break_off(fmt::format("Move {} of {}: {}.", position_.fullmove_number(),
                                  position_.side_to_move() == Color::white ? "White" : "Black",
                                  move.error().message()));
            return;
        }
        g.moves.push_back({*move, std::nullopt, std::nullopt, {}});
        position_.make(*move);
    }

    /// The end of the comment that opens at `open`, or npos: where a tag section begins first, the
    /// comment was never closed.
    [[nodiscard]] std::size_t comment_end(std::size_t open) const {
        std::size_t at = open;
        while (true) {
            const std::size_t line_end = std::min(text_.find('\n', at), text_.size());
            const std::size_t end = text_.substr(at, line_end - at).find('}');
            if (end != std::string_view::npos) return at + end;
            if (line_end == text_.size()) return std::string_view::npos;
            at = line_end + 1;
            if (text_.substr(at).starts_with("[Event \"")) return std::string_view::npos;
        }
    }

    /// The first line from `from` on that begins a tag, or the end of the text.
    [[nodiscard]] std::size_t next_tag_section(std::size_t from) const {
        std::size_t line = text_.find('\n', from);
        while (line != std::string_view::npos) {
            if (tag_begins(line + 1)) return line + 1;
            line = text_.find('\n', line + 1);
        }
        return text_.size();
    }

    void read_comment() {
        const std::size_t end = comment_end(at_);
        if (end == std::string_view::npos) {
            break_off(
                fmt::format("The comment that opens on line {} is never closed.", line_at(at_)));
            at_ = next_tag_section(at_);
            return;
        }
        const std::string_view comment = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        if (game_.moves.empty() || game_.broken_off) return;
        add_comment(game_.moves.back(), comment);
    }

    /// Takes the commands out of a comment; the rest is text, its blanks made single spaces.
    static void add_comment(PgnMove& move, std::string_view comment) {
        while (!comment.empty()) {
            if (is_blank(comment.front())) {
                comment.remove_prefix(1);
                continue;
            }
            if (comment.starts_with("[%")) {
                const std::size_t end = comment.find(']');
                if (end == std::string_view::npos)
                    return;  // a command that never ends says nothing
                obey(move, comment.substr(2, end - 2));
                comment.remove_prefix(end + 1);
                continue;
            }
            std::size_t end = std::min(comment.find_first_of(blanks), comment.size());
            end = std::min(end, std::max<std::size_t>(comment.find("[%", 1), 1));
            if (!move.comment.empty()) move.comment += ' ';
            move.comment += comment.substr(0, end);
            comment.remove_prefix(end);
        }
    }

    /// "clk 1:02:03", "emt 0:00:05"; other commands are not for us.
    static void obey(PgnMove& move, std::string_view command) {
        const std::size_t name_end = std::min(command.find_first_of(blanks), command.size());
        const std::string_view name = command.substr(0, name_end);
        command.remove_prefix(name_end);
        const std::size_t begin = std::min(command.find_first_not_of(blanks), command.size());
        command.remove_prefix(begin);
        const std::size_t end = command.find_last_not_of(blanks);
        const auto time =
            parse_time(command.substr(0, end == std::string_view::npos ? 0 : end + 1));
        if (name == "clk" && time) move.clk = time;
        if (name == "emt" && time) move.emt = time;
    }

    /// Steps over "( ... )" with all that is nested in it.
    void skip_variation() {
        const std::size_t open = at_;
        std::size_t depth = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '{') {
                const std::size_t end = comment_end(at_);
                if (end == std::string_view::npos) break;
                at_ = end + 1;
                continue;
            }
            if (c == ';' || (c == '%' && at_line_start())) {
                skip_line();
                continue;
            }
            if (c == '[' && at_line_start() && at_tag()) break;
            ++at_;
            if (c == '(') ++depth;
            if (c == ')' && --depth == 0) return;
        }
        break_off(
            fmt::format("The variation that opens on line {} is never closed.", line_at(open)));
        if (!at_line_start() || !at_tag()) at_ = next_tag_section(open);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t counted_ = 0;  ///< text before it is counted in line_
    std::size_t line_ = 1;

    std::vector<PgnGame> games_;
    PgnGame game_;
    Position position_;         ///< after the last move of game_
    bool open_ = false;         ///< is there a game in hand?
    bool in_moves_ = false;     ///< has its movetext begun?
    bool number_seen_ = false;  ///< did it hold a move number or a result?
};

}  // namespace

std::string PgnGame::tag(std::string_view name, std::string_view otherwise) const {
    for (const auto& [key, value] : tags) {
        if (key == name) return value;
    }
    return std::string(otherwise);
}

std::vector<PgnGame> parse_pgn(std::string_view text) {
    return Reader(text).run();
}

Result<std::vector<PgnGame>> read_pgn_file(const std::string& path) {
    const auto refused = [&path](std::string_view what) {
        const std::error_code reason(errno, std::generic_category());
        return Error(reason, fmt::format("{} cannot be {}: {}.", path, what, reason.message()));
    };
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                               std::fclose);
    if (!file) return refused("opened");
    std::string text;
    std::array<char, 65536> block{};
    while (const std::size_t n = std::fread(block.data(), 1, block.size(), file.get())) {
        text.append(block.data(), n);
    }
    if (std::ferror(file.get()) != 0) return refused("read");
    auto games = parse_pgn(text);
    // Words that are neither tags nor moves make up a game as well: one that stops at once.
    const bool any = std::any_of(games.begin(), games.end(), [](const PgnGame& game) {
        return !game.tags.empty() || !game.moves.empty();
    });
    if (!any) {
        return Error(std::errc::invalid_argument, fmt::format("{} holds no game.", path));
    }
    return games;
}

}  // namespace touchmove::chess
