// net.cpp - can the flights of a king all be taken away at once?
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/net.hpp"

#include "host/chess/geometry.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using namespace chess::detail;

Net::Net(unsigned king, Bitboard taken, bool checked) noexcept {
    for (const chess::Square flight : chess::squares(king_steps[king]))
        flights_[count_++] = flight.index();
    taken_[checked ? 1 : 0].set(mask_of(taken));
}

unsigned Net::mask_of(Bitboard squares) const noexcept {
    unsigned mask = 0;
    for (unsigned i = 0; i < count_; ++i)
        mask |= static_cast<unsigned>(squares >> flights_[i] & 1U) << i;
    return mask;
}

void Net::add(const Man& man) noexcept {
    const unsigned full = (1U << count_) - 1;
    std::array<std::bitset<256>, 2> after = taken_;
    for (unsigned way = 0; way <= full; ++way) {
        for (unsigned check = 0; check < 2; ++check) {
            if (!man.ways_[check][way]) continue;
            for (unsigned mask = 0; mask <= full; ++mask) {
                if (taken_[0][mask]) after[check].set(mask | way);
                if (taken_[1][mask]) after[1].set(mask | way);
            }
        }
    }
    taken_ = after;
}

bool Net::closes(Bitboard winner_kings) const noexcept {
    const unsigned full = (1U << count_) - 1;
    std::bitset<256> kings;
    for (const chess::Square king : chess::squares(winner_kings))
        kings.set(mask_of(king_steps[king.index()]));
    for (unsigned mask = 0; mask <= full; ++mask) {
        if (!taken_[1][mask]) continue;
        for (unsigned king = 0; king <= full; ++king) {
            if (kings[king] && (mask | king) == full) return true;
        }
    }
    return false;
}

}  // namespace touchmove::mate
