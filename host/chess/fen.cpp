// fen.cpp - positions as Forsyth-Edwards Notation
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "host/chess/position.hpp"

namespace touchmove::chess {

namespace {

Error malformed(std::string sentence) {
    return {std::errc::invalid_argument, std::move(sentence)};
}

/// The text as it can be shown in a sentence: printable, and not too long.
std::string shown(std::string_view text) {
    constexpr std::size_t limit = 40;
    std::string out;
    for (const char c : text.substr(0, limit))
        out += c >= ' ' && c <= '~' ? c : '?';
    if (text.size() > limit) out += "...";
    return out;
}

std::vector<std::string_view> split(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    std::vector<std::string_view> fields;
    while (true) {
        const std::size_t begin = text.find_first_not_of(blanks);
        if (begin == std::string_view::npos) return fields;
        text.remove_prefix(begin);
        const std::size_t end = std::min(text.find_first_of(blanks), text.size());
        fields.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

Result<void> parse_men(std::string_view field, Position& p) {
    unsigned rank = 7;
    unsigned file = 0;
    for (const char c : field) {
        if (c == '/') {
            if (file != 8) {
                return malformed(fmt::format(
                    "FEN field 1 (men): rank {} has {} squares instead of 8", rank + 1, file));
            }
            if (rank == 0) return malformed("FEN field 1 (men): there are more than 8 ranks");
            --rank;
            file = 0;
            continue;
        }
        const bool lower = c >= 'a' && c <= 'z';
        const std::size_t kind = kind_letters.find(lower ? static_cast<char>(c - 'a' + 'A') : c);
        const unsigned width = c >= '1' && c <= '8' ? static_cast<unsigned>(c - '0') : 1;
        if (width == 1 && c != '1' && kind == std::string_view::npos) {
            return malformed(
                fmt::format("FEN field 1 (men): '{}' is neither a man nor a digit from "
                            "1 to 8",
                            shown({&c, 1})));
        }
        if (file + width > 8) {
            return malformed(
                fmt::format("FEN field 1 (men): rank {} has more than 8 squares", rank + 1));
        }
        if (kind != std::string_view::npos) {
            p.put(Square(file, rank),
                  {lower ? Color::black : Color::white, static_cast<Kind>(kind)});
        }
        file += width;
    }
    if (file != 8) {
        return malformed(
            fmt::format("FEN field 1 (men): rank {} has {} squares instead of 8", rank + 1, file));
    }
    if (rank != 0) {
        return malformed(
            fmt::format("FEN field 1 (men): there are {} ranks instead of 8", 8 - rank));
    }
    return {};
}

Result<void> parse_castling(std::string_view field, Position& p) {
    if (field == "-") return {};
    std::string_view seen = "";
    for (std::size_t i = 0; i < field.size(); ++i) {
        seen = field.substr(0, i);
        const char c = field[i];
        if (std::string_view("KQkq").find(c) == std::string_view::npos ||
            seen.find(c) != std::string_view::npos) {
            return malformed(
                fmt::format("FEN field 3 (castling): '{}' is neither '-' nor letters of KQkq, each "
                            "at most once",
                            shown(field)));
        }
        p.set_castling(c == 'K' || c == 'Q' ? Color::white : Color::black,
                       c == 'K' || c == 'k' ? CastlingSide::king_side : CastlingSide::queen_side,
                       true);
    }
    return {};
}

Result<unsigned> parse_counter(std::string_view field, std::string_view what) {
    unsigned number = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    if (error != std::errc{} || end != field.data() + field.size() ||
        number > detail::counter_limit) {
        return malformed(fmt::format("FEN {}: '{}' is not a number from 0 to {}", what,
                                     shown(field), detail::counter_limit));
    }
    return number;
}

}  // namespace

Result<Position> Position::parse_fen(std::string_view fen) {
    const std::vector<std::string_view> fields = split(fen);
    if (fields.size() != 4 && fields.size() != 6) {
        return malformed(fmt::format("FEN has {} field{}; it must have 4 or 6", fields.size(),
                                     fields.size() == 1 ? "" : "s"));
    }
    Position p;
    if (auto ok = parse_men(fields[0], p); !ok) return ok.error();
    if (fields[1] != "w" && fields[1] != "b") {
        return malformed(fmt::format("FEN field 2 (side to move): '{}' is neither 'w' nor 'b'",
                                     shown(fields[1])));
    }
    p.set_side_to_move(fields[1] == "w" ? Color::white : Color::black);
    if (auto ok = parse_castling(fields[2], p); !ok) return ok.error();
    if (fields[3] != "-") {
        const unsigned rank = p.side_to_move() == Color::white ? 5 : 2;
        const auto target = Square::parse(fields[3]);
        if (!target || target->rank() != rank) {
            return malformed(
                fmt::format("FEN field 4 (en passant): '{}' is neither '-' nor a square on rank "
                            "{}, where {} to "
                            "move could capture",
                            shown(fields[3]), rank + 1, rank == 5 ? "White" : "Black"));
        }
        p.allow_en_passant(*target);
    }
    if (fields.size() == 6) {
        const auto halfmoves = parse_counter(fields[4], "field 5 (half-move clock)");
        if (!halfmoves) return halfmoves.error();
        const auto number = parse_counter(fields[5], "field 6 (move number)");
        if (!number) return number.error();
        p.state_.status.set_halfmove_clock(*halfmoves);
        p.state_.status.set_fullmove_number(*number);
    }
    return p;
}

std::string Position::board_fen() const {
    std::string text;
    for (unsigned rank = 8; rank-- > 0;) {
        unsigned empty = 0;
        const auto write_empty = [&] {
            if (empty != 0) text += static_cast<char>('0' + empty);
            empty = 0;
        };
        for (unsigned file = 0; file < 8; ++file) {
            const auto man = man_at(Square(file, rank));
            if (!man) {
                ++empty;
                continue;
            }
            write_empty();
            const char letter = kind_letters[static_cast<std::size_t>(man->kind)];
            text += man->color == Color::white ? letter : static_cast<char>(letter - 'A' + 'a');
        }
        write_empty();
        if (rank != 0) text += '/';
    }
    return text;
}

std::string Position::fen() const {
    std::string rights;
    for (unsigned i = 0; i < 4; ++i) {
        if ((state_.status.rights() >> i & 1U) != 0) rights += "KQkq"[i];
    }
    const auto target = en_passant();
    return fmt::format("{} {} {} {} {} {}", board_fen(), side_to_move() == Color::white ? 'w' : 'b',
                       rights.empty() ? "-" : rights, target ? target->name() : "-",
                       halfmove_clock(), fullmove_number());
}

}  // namespace touchmove::chess
