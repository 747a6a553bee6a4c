// types.cpp - names of squares and moves
// SPDX-License-Identifier: Apache-2.0
#include "host/chess/types.hpp"

namespace touchmove::chess {

std::string Square::name() const {
    return {static_cast<char>('a' + file()), static_cast<char>('1' + rank())};
}

std::optional<Square> Square::parse(std::string_view name) noexcept {
    if (name.size() != 2) return std::nullopt;
    if (name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8') return std::nullopt;
    return Square(static_cast<unsigned>(name[0] - 'a'), static_cast<unsigned>(name[1] - '1'));
}

std::string Move::uci() const {
    std::string text = from().name() + to().name();
    if (const auto kind = promotion()) text += "pnbrqk"[static_cast<std::size_t>(*kind)];
    return text;
}

std::optional<Move> Move::parse_uci(std::string_view text) noexcept {
    if (text.size() != 4 && text.size() != 5) return std::nullopt;
    const auto from = Square::parse(text.substr(0, 2));
    const auto to = Square::parse(text.substr(2, 2));
    if (!from || !to || *from == *to) return std::nullopt;
    if (text.size() == 4) return Move(*from, *to);
    switch (text[4]) {
        case 'n':
            return Move(*from, *to, Kind::knight);
        case 'b':
            return Move(*from, *to, Kind::bishop);
        case 'r':
            return Move(*from, *to, Kind::rook);
        case 'q':
            return Move(*from, *to, Kind::queen);
        default:
            return std::nullopt;
    }
}

}  // namespace touchmove::chess
