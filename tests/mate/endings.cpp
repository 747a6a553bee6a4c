// endings.cpp - who can still mate, for every place that a few men can have
// SPDX-License-Identifier: Apache-2.0
#include "tests/mate/endings.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace touchmove::mate_test {

using chess::Color;
using chess::Kind;
using chess::Man;
using chess::Position;
using chess::Square;

namespace {

// Also in the order in which a name lists the men.
constexpr std::string_view letters = "KQRBNkqrbn";

/// The squares of the white king that stand for all others: a1-d1-d4.
constexpr std::array<unsigned, 10> corner{0, 1, 2, 3, 9, 10, 11, 18, 19, 27};

Man man_of(char letter) {
    const auto kind = chess::kind_letters.find(
        static_cast<char>(std::toupper(static_cast<unsigned char>(letter))));
    const bool white = std::isupper(static_cast<unsigned char>(letter)) != 0;
    return {white ? Color::white : Color::black, static_cast<Kind>(kind)};
}

/// Brings `king` into the corner, and other squares along.
unsigned turned(Square square, Square king) {
    const bool mirror = king.file() > 3, flip = king.rank() > 3;
    const unsigned file = mirror ? 7 - square.file() : square.file();
    const unsigned rank = flip ? 7 - square.rank() : square.rank();
    const unsigned king_file = mirror ? 7 - king.file() : king.file();
    const unsigned king_rank = flip ? 7 - king.rank() : king.rank();
    return king_rank > king_file ? file * 8 + rank : rank * 8 + file;
}

}  // namespace

std::string Endings::name_of(const Position& position) {
    std::string name;
    for (const char letter : letters) {
        const Man man = man_of(letter);
        name.append(chess::size(position.men(man.color, man.kind)), letter);
    }
    return name;
}

std::size_t Endings::size(const std::string& name) {
    std::size_t count = 2 * corner.size();
    for (std::size_t i = 1; i < name.size(); ++i)
        count *= chess::square_count;
    return count;
}

std::optional<Position> Endings::position(const std::string& name, std::size_t number) {
    Position position;
    position.set_side_to_move(number % 2 == 0 ? Color::white : Color::black);
    number /= 2;
    for (std::size_t i = name.size() - 1; i > 0; --i, number /= chess::square_count) {
        const Square square(static_cast<unsigned>(number % chess::square_count));
        if (position.man_at(square)) return std::nullopt;
        position.put(square, man_of(name[i]));
    }
    const Square king(corner[number]);
    if (position.man_at(king)) return std::nullopt;
    position.put(king, man_of(name[0]));
    const Color waiting = ~position.side_to_move();
    if (position.attacked(*position.king(waiting), ~waiting)) return std::nullopt;
    return position;
}

std::size_t Endings::number_of(const std::string& name, const Position& position) {
    const Square king = *position.king(Color::white);
    const auto* place = std::find(corner.begin(), corner.end(), turned(king, king));
    auto number = static_cast<std::size_t>(place - corner.begin());
    for (std::size_t i = 1; i < name.size();) {
        const Man man = man_of(name[i]);
        for (const Square s : chess::squares(position.men(man.color, man.kind))) {
            number = number * chess::square_count + turned(s, king);
            ++i;
        }
    }
    return 2 * number + chess::index_of(position.side_to_move());
}

Mates Endings::mates(const Position& position) const {
    const std::string name = name_of(position);
    return tables_.at(name)[number_of(name, position)];
}

bool Endings::pass(const std::string& name, bool backwards, Mates all) {
    auto& table = tables_[name];
    bool news = false;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const std::size_t number = backwards ? table.size() - 1 - i : i;
        if (table[number] == all) continue;
        const auto here = position(name, number);
        if (!here) continue;
        const auto moves = here->legal_moves();
        Mates found = table[number];
        if (moves.empty() && here->in_check()) {
            found = here->side_to_move() == Color::white ? 2 : 1;
        }
        for (const chess::Move move : moves) {
            if (found == all) break;
            const bool captures = here->captured_square(move).has_value();
            const Position after = here->after(move);
            found |= captures ? mates(after) : table[number_of(name, after)];
        }
        news |= found != table[number];
        table[number] = found;
    }
    return news;
}

void Endings::solve(const std::string& name) {
    if (tables_.count(name) != 0) return;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name[i] == 'K' || name[i] == 'k') continue;
        std::string captured = name;
        solve(captured.erase(i, 1));
    }
    tables_[name].assign(size(name), 0);
    // What no mate and no capture shows in the first pass, no other will.
    bool news = pass(name, false, 3);
    Mates all = 0;
    for (const Mates each : tables_[name])
        all |= each;
    for (bool backwards = true; news; backwards = !backwards)
        news = pass(name, backwards, all);
}

}  // namespace touchmove::mate_test
