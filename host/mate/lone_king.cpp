// lone_king.cpp - how many plies a queen or a rook needs to mate a lone king that helps
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/lone_king.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "host/chess/state.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using namespace chess::detail;

namespace {

constexpr std::size_t rows = 2 * 64 * 64;
struct Placement {
    std::uint8_t lone_king, king, man;
};

}  // namespace

const LoneKingTable& LoneKingTable::of(By by) {
    static const LoneKingTable rook(By::rook);
    static const LoneKingTable queen(By::queen);
    return by == By::rook ? rook : queen;
}

Bitboard LoneKingTable::attacks(unsigned man, Bitboard occupied) const noexcept {
    return attacks_of(by_ == By::queen ? code_queen : code_rook, man, occupied);
}

bool LoneKingTable::possible(unsigned lone_king, unsigned king, unsigned man,
                             bool lone_king_moves) const noexcept {
    if (lone_king == king || lone_king == man || king == man) return false;
    if ((king_steps[king] & bit(lone_king)) != 0) return false;
    return lone_king_moves || (attacks(man, bit(king)) & bit(lone_king)) == 0;
}

bool LoneKingTable::is_mate(unsigned lone_king, unsigned king, unsigned man) const noexcept {
    const Bitboard seen = attacks(man, bit(king));
    return (seen & bit(lone_king)) != 0 && (king_steps[lone_king] & ~seen & ~king_steps[king]) == 0;
}

LoneKingTable::LoneKingTable(By by) : by_(by), rows_(rows) {
    for (Row& row : rows_)
        row.fill(never);
    std::vector<Placement> now, before;
    const auto note = [this](std::vector<Placement>& into, unsigned lone_king, unsigned king,
                             unsigned man, bool lone_king_moves, std::uint8_t plies) {
        Row& row = rows_[(std::size_t{lone_king_moves} * 64 + lone_king) * 64 + king];
        std::uint8_t& known = row[man];
        if (known != never || !possible(lone_king, king, man, lone_king_moves)) return;
        known = plies;
        into.push_back({static_cast<std::uint8_t>(lone_king), static_cast<std::uint8_t>(king),
                        static_cast<std::uint8_t>(man)});
    };
    for (unsigned lone_king = 0; lone_king < 64; ++lone_king) {
        for (unsigned king = 0; king < 64; ++king) {
            for (unsigned man = 0; man < 64; ++man) {
                if (is_mate(lone_king, king, man)) note(now, lone_king, king, man, true, 0);
            }
        }
    }
    // Whoever is to move now, the other side moved before: its steps are taken back.
    bool lone_king_moved = false;
    for (std::uint8_t plies = 1; !now.empty(); ++plies) {
        before.clear();
        for (const auto [lone_king, king, man] : now) {
            if (lone_king_moved) {
                for (const chess::Square from : chess::squares(king_steps[lone_king])) {
                    note(before, from.index(), king, man, true, plies);
                }
                continue;
            }
            for (const chess::Square from : chess::squares(king_steps[king])) {
                note(before, lone_king, from.index(), man, false, plies);
            }
            const Bitboard kings = bit(king) | bit(lone_king);
            for (const chess::Square from : chess::squares(attacks(man, kings) & ~kings)) {
                note(before, lone_king, king, from.index(), false, plies);
            }
        }
        std::swap(now, before);
        lone_king_moved = !lone_king_moved;
    }
    guess();
}

void LoneKingTable::guess() {
    for (std::size_t half = rows / 2, i = 0; i < half; ++i) {
        const auto files = std::abs(static_cast<int>(i / 64 % 8) - static_cast<int>(i % 8));
        const auto ranks = std::abs(static_cast<int>(i / 512) - static_cast<int>(i / 8 % 8));
        const auto far = static_cast<std::uint8_t>(2 * std::max(files, ranks) + 4);
        for (std::size_t man = 0; man < 64; ++man) {
            std::uint8_t &one = rows_[i][man], &other = rows_[half + i][man];
            if (one == never) one = other == never ? far : other;
            if (other == never) other = one;
        }
    }
}

}  // namespace touchmove::mate
