// mailbox.cpp - legal moves the slow and obvious way, to check the fast one
// SPDX-License-Identifier: Apache-2.0
#include "tests/chess/mailbox.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace {

struct At {
    int file, rank;
    [[nodiscard]] bool on_board() const { return file >= 0 && file < 8 && rank >= 0 && rank < 8; }
    friend bool operator==(At, At) = default;
};

std::string name(At s) {
    return {static_cast<char>('a' + s.file), static_cast<char>('1' + s.rank)};
}

struct Board {
    std::array<std::array<char, 8>, 8> men{};  // [rank][file]; '.' = empty
    bool white_to_move = true;
    std::string rights;
    std::string target;

    [[nodiscard]] char at(At s) const {
        return men[static_cast<std::size_t>(s.rank)][static_cast<std::size_t>(s.file)];
    }
    void set(At s, char man) {
        men[static_cast<std::size_t>(s.rank)][static_cast<std::size_t>(s.file)] = man;
    }
    [[nodiscard]] bool empty(At s) const { return at(s) == '.'; }
    [[nodiscard]] bool is(At s, bool white) const {
        return !empty(s) && (std::isupper(static_cast<unsigned char>(at(s))) != 0) == white;
    }
};

template <class F>
void each_square(F f) {
    for (int rank = 0; rank < 8; ++rank) {
        for (int file = 0; file < 8; ++file)
            f(At{file, rank});
    }
}

Board read(const std::string& fen) {
    Board b;
    std::istringstream in(fen);
    std::string men;
    std::string side;
    in >> men >> side >> b.rights >> b.target;
    b.white_to_move = side == "w";
    At s{0, 7};
    for (const char c : men) {
        if (c == '/') {
            s = {0, s.rank - 1};
        } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
            for (int n = c - '0'; n > 0; --n, ++s.file)
                b.set(s, '.');
        } else {
            b.set(s, c);
            ++s.file;
        }
    }
    return b;
}

char kind(char man) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(man)));
}

bool free_between(const Board& b, At from, At to) {
    const int df = (to.file > from.file) - (to.file < from.file);
    const int dr = (to.rank > from.rank) - (to.rank < from.rank);
    for (At s{from.file + df, from.rank + dr}; !(s == to); s = {s.file + df, s.rank + dr}) {
        if (!b.empty(s)) return false;
    }
    return true;
}

/// Could the man on `from` take something on `to`?
bool attacks(const Board& b, At from, At to) {
    const int df = std::abs(to.file - from.file);
    const int dr = std::abs(to.rank - from.rank);
    if (df == 0 && dr == 0) return false;
    const bool straight = df == 0 || dr == 0;
    const bool diagonal = df == dr;
    switch (kind(b.at(from))) {
        case 'p':
            return df == 1 && to.rank - from.rank == (b.is(from, true) ? 1 : -1);
        case 'n':
            return (df == 1 && dr == 2) || (df == 2 && dr == 1);
        case 'b':
            return diagonal && free_between(b, from, to);
        case 'r':
            return straight && free_between(b, from, to);
        case 'q':
            return (straight || diagonal) && free_between(b, from, to);
        case 'k':
            return df <= 1 && dr <= 1;
        default:
            return false;
    }
}

bool attacked(const Board& b, At s, bool by_white) {
    bool found = false;
    each_square([&](At from) { found = found || (b.is(from, by_white) && attacks(b, from, s)); });
    return found;
}

bool king_attacked(const Board& b, bool white) {
    bool found = false;
    each_square(
        [&](At s) { found = found || (b.at(s) == (white ? 'K' : 'k') && attacked(b, s, !white)); });
    return found;
}

/// The pawn that a pawn going from-to would take in passing, if it may.
bool in_passing(const Board& b, At from, At to) {
    return kind(b.at(from)) == 'p' && attacks(b, from, to) && name(to) == b.target;
}

bool pseudo_legal(const Board& b, At from, At to) {
    if (!b.is(from, b.white_to_move) || b.is(to, b.white_to_move)) return false;
    if (kind(b.at(to)) == 'k') return false;
    if (kind(b.at(from)) != 'p') return attacks(b, from, to);
    const int up = b.white_to_move ? 1 : -1;
    if (attacks(b, from, to)) return !b.empty(to) || in_passing(b, from, to);
    if (from.file != to.file || !b.empty(to)) return false;
    if (to.rank == from.rank + up) return true;
    return from.rank == (b.white_to_move ? 1 : 6) && to.rank == from.rank + 2 * up &&
           b.empty({from.file, from.rank + up});
}

bool safe_after(Board b, At from, At to) {
    if (in_passing(b, from, to)) b.set({to.file, from.rank}, '.');
    b.set(to, b.at(from));
    b.set(from, '.');
    return !king_attacked(b, b.white_to_move);
}

bool may_castle(const Board& b, char right) {
    const bool white = std::isupper(static_cast<unsigned char>(right)) != 0;
    if (white != b.white_to_move || b.rights.find(right) == std::string::npos) return false;
    const int rank = white ? 0 : 7;
    const bool short_side = kind(right) == 'k';
    const At king{4, rank};
    const At rook{short_side ? 7 : 0, rank};
    if (!free_between(b, king, rook)) return false;
    for (int file = short_side ? 4 : 2; file <= (short_side ? 6 : 4); ++file) {
        if (attacked(b, {file, rank}, !white)) return false;
    }
    Board after = b;
    after.set(king, '.');
    after.set(rook, '.');
    after.set({short_side ? 6 : 2, rank}, white ? 'K' : 'k');
    after.set({short_side ? 5 : 3, rank}, white ? 'R' : 'r');
    return !king_attacked(after, white);
}

}  // namespace

std::vector<std::string> mailbox_moves(const std::string& fen) {
    const Board b = read(fen);
    std::vector<std::string> moves;
    each_square([&](At from) {
        each_square([&](At to) {
            if (!pseudo_legal(b, from, to) || !safe_after(b, from, to)) return;
            const std::string move = name(from) + name(to);
            if (kind(b.at(from)) == 'p' && (to.rank == 0 || to.rank == 7)) {
                for (const char* piece : {"q", "r", "b", "n"})
                    moves.push_back(move + piece);
            } else {
                moves.push_back(move);
            }
        });
    });
    for (const char right : std::string("KQkq")) {
        if (!may_castle(b, right)) continue;
        const int rank = b.white_to_move ? 0 : 7;
        moves.push_back(name({4, rank}) + name({kind(right) == 'k' ? 6 : 2, rank}));
    }
    std::sort(moves.begin(), moves.end());
    return moves;
}
