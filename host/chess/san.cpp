// san.cpp - moves as Standard Algebraic Notation, written exactly and read tolerantly
// SPDX-License-Identifier: Apache-2.0
#include "host/chess/san.hpp"

#include <fmt/format.h>

#include <optional>

namespace touchmove::chess {

namespace {

char letter_of(Kind k) {
    return kind_letters[static_cast<std::size_t>(k)];
}

std::optional<Kind> kind_of(char letter) {
    const std::size_t i = kind_letters.find(letter);
    if (i == std::string_view::npos) return std::nullopt;
    return static_cast<Kind>(i);
}

bool is_file(char c) {
    return c >= 'a' && c <= 'h';
}
bool is_rank(char c) {
    return c >= '1' && c <= '8';
}

/// The move without its check mark; `legal` are the legal moves of `p`.
std::string bare_san(const Position& p, Move m, const MoveList& legal) {
    if (const auto side = p.castling(m)) {
        return *side == CastlingSide::king_side ? "O-O" : "O-O-O";
    }
    const Kind kind = p.man_at(m.from())->kind;
    const bool capture = p.captured_square(m).has_value();
    std::string text;
    if (kind == Kind::pawn) {
        if (capture) text += m.from().name()[0];
    } else {
        text += letter_of(kind);
        bool others = false;
        bool same_file = false;
        bool same_rank = false;
        for (const Move other : legal) {
            if (other.to() != m.to() || other.from() == m.from()) continue;
            if (p.man_at(other.from())->kind != kind) continue;
            others = true;
            same_file = same_file || other.from().file() == m.from().file();
            same_rank = same_rank || other.from().rank() == m.from().rank();
        }
        const std::string from = m.from().name();
        if (others && (!same_file || same_rank)) text += from[0];
        if (same_file) text += from[1];
    }
    if (capture) text += 'x';
    text += m.to().name();
    if (const auto promotion = m.promotion()) {
        text += '=';
        text += letter_of(*promotion);
    }
    return text;
}

/// A move that no legal one can be taken for: both squares in full.
std::string illegal_san(const Position& p, Move m) {
    const Kind kind = p.man_at(m.from())->kind;
    std::string text;
    if (kind != Kind::pawn) text += letter_of(kind);
    text += m.from().name() + (p.captured_square(m) ? "x" : "-") + m.to().name();
    if (const auto promotion = m.promotion()) {
        text += '=';
        text += letter_of(*promotion);
    }
    return text;
}

/// What a move's text says: what it leaves open is empty.
struct Wanted {
    Kind kind = Kind::pawn;
    std::optional<unsigned> from_file, from_rank;
    Square to{0U};
    std::optional<Kind> promotion;
    std::optional<CastlingSide> castling;
};

std::string_view without_marks(std::string_view text) {
    const auto ends_with = [&](std::string_view tail) {
        return text.size() > tail.size() && text.substr(text.size() - tail.size()) == tail;
    };
    while (true) {
        if (ends_with("e.p.")) {
            text.remove_suffix(4);
        } else if (!text.empty() &&
                   std::string_view("+#!? ").find(text.back()) != std::string_view::npos) {
            text.remove_suffix(1);
        } else {
            return text;
        }
    }
}

/// Reads the grammar alone; nothing if `text` is not a move.
std::optional<Wanted> read(std::string_view text) {
    text = without_marks(text);
    Wanted wanted;
    std::string castle;
    for (const char c : text)
        castle += c == '0' || c == 'o' ? 'O' : c;
    if (castle == "O-O" || castle == "O-O-O") {
        wanted.castling = castle.size() == 3 ? CastlingSide::king_side : CastlingSide::queen_side;
        return wanted;
    }

    // Promotion, from the end: "=Q", "(Q)", "/Q", "Q"; small letters as in UCI.
    if (!text.empty() && text.back() == ')') text.remove_suffix(1);
    if (text.size() >= 3 && !is_rank(text.back())) {
        const char c = text.back();
        const auto kind = kind_of(c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
        if (!kind || *kind == Kind::pawn) return std::nullopt;
        wanted.promotion = kind;
        text.remove_suffix(1);
        while (text.size() > 2 &&
               std::string_view("=(/").find(text.back()) != std::string_view::npos) {
            text.remove_suffix(1);
        }
    }
    if (text.size() < 2 || !is_rank(text.back()) || !is_file(text[text.size() - 2])) {
        return std::nullopt;
    }
    wanted.to = *Square::parse(text.substr(text.size() - 2));
    text.remove_suffix(2);

    if (!text.empty() && kind_of(text.front())) {
        wanted.kind = *kind_of(text.front());
        text.remove_prefix(1);
    }
    if (!text.empty() && std::string_view("x:-").find(text.back()) != std::string_view::npos) {
        text.remove_suffix(1);
    }
    if (!text.empty() && is_rank(text.back())) {
        wanted.from_rank = static_cast<unsigned>(text.back() - '1');
        text.remove_suffix(1);
    }
    if (!text.empty() && is_file(text.back())) {
        wanted.from_file = static_cast<unsigned>(text.back() - 'a');
        text.remove_suffix(1);
    }
    if (!text.empty()) return std::nullopt;
    return wanted;
}

bool fits(const Position& p, Move m, const Wanted& wanted, bool any_kind) {
    if (wanted.castling) return p.castling(m) == wanted.castling;
    if (m.to() != wanted.to) return false;
    if (!any_kind && p.man_at(m.from())->kind != wanted.kind) return false;
    if (wanted.from_file && *wanted.from_file != m.from().file()) return false;
    if (wanted.from_rank && *wanted.from_rank != m.from().rank()) return false;
    return !wanted.promotion || m.promotion() == wanted.promotion;
}

std::string shown(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 20))
        out += c > ' ' && c <= '~' ? c : '?';
    if (text.size() > 20) out += "...";
    return out;
}

}  // namespace

std::string to_san(const Position& p, Move m) {
    const MoveList legal = p.legal_moves();
    std::string text = legal.contains(m) ? bare_san(p, m, legal) : illegal_san(p, m);
    const Position after = p.after(m);
    if (after.in_check()) text += after.has_legal_move() ? '+' : '#';
    return text;
}

Result<Move> parse_san(const Position& p, std::string_view text) {
    const auto wanted = read(text);
    if (!wanted) {
        return Error(std::errc::invalid_argument, fmt::format("'{}' is not a move", shown(text)));
    }
    const MoveList legal = p.legal_moves();
    // "e1g1" names the king by its square alone, as UCI does.
    const bool named_by_square = wanted->from_file && wanted->from_rank &&
                                 wanted->kind == Kind::pawn &&
                                 !without_marks(text).starts_with('P');
    std::optional<Move> found;
    std::string candidates;
    bool same_squares = true;
    for (const Move m : legal) {
        if (!fits(p, m, *wanted, named_by_square)) continue;
        if (found && (found->from() != m.from() || found->to() != m.to())) same_squares = false;
        found = found.value_or(m);
        candidates += (candidates.empty() ? "" : " or ") + bare_san(p, m, legal);
    }
    if (!found) {
        return Error(std::errc::invalid_argument,
                     fmt::format("'{}' is not legal here", shown(text)));
    }
    if (candidates != bare_san(p, *found, legal)) {
        return Error(std::errc::invalid_argument,
                     same_squares
                         ? fmt::format("'{}' does not say what the pawn becomes", shown(text))
                         : fmt::format("'{}' can be {}", shown(text), candidates));
    }
    return *found;
}

}  // namespace touchmove::chess
