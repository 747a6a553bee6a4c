// net.cpp - can the flights of a king all be taken away at once?
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/net.hpp"

#include "host/chess/geometry.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using namespace chess::detail;

void Net::Sets::add(unsigned set) noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        if ((set & ~sets_[i]) == 0) return;  // and nothing was dropped: that would hold it too
        if ((sets_[i] & ~set) != 0) sets_[kept++] = sets_[i];
    }
    sets_[kept++] = static_cast<std::uint8_t>(set);
    count_ = kept;
}

Net::Net(unsigned king, Bitboard taken, bool checked) noexcept {
    for (const chess::Square flight : chess::squares(king_steps[king]))
        flights_[count_++] = flight.index();
    taken_[checked ? 1 : 0].add(set_of(taken));
}

unsigned Net::set_of(Bitboard squares) const noexcept {
    unsigned set = 0;
    for (unsigned i = 0; i < count_; ++i)
        set |= static_cast<unsigned>(squares >> flights_[i] & 1U) << i;
    return set;
}

void Net::add(const Man& man) noexcept {
    std::array<Sets, 2> after = taken_;
    for (const bool check : {false, true}) {
        for (const unsigned way : man.ways_[check ? 1 : 0]) {
            for (const unsigned set : taken_[0])
                after[check ? 1 : 0].add(set | way);
            for (const unsigned set : taken_[1])
                after[1].add(set | way);
        }
    }
    taken_ = after;
}

bool Net::closes(Bitboard winner_kings) const noexcept {
    const unsigned all = (1U << count_) - 1;
    for (const chess::Square king : chess::squares(winner_kings)) {
        const unsigned covered = set_of(king_steps[king.index()]);
        for (const unsigned set : taken_[1]) {
            if ((set | covered) == all) return true;
        }
    }
    return false;
}

}  // namespace touchmove::mate
