// sequencer.cpp - which record comes next, and what to make of any other
// SPDX-License-Identifier: Apache-2.0
#include "host/link/sequencer.hpp"

#include <algorithm>
#include <utility>

namespace touchmove::link {

void Sequencer::go_on_at(std::uint16_t seq, std::vector<std::uint16_t> known) {
    expected_ = seq;
    known_ = std::move(known);
    std::erase_if(known_, [seq](std::uint16_t k) { return seq_distance(seq, k) < 0; });
}

unsigned Sequencer::skip_to(std::uint16_t seq) {
    const auto skipped = static_cast<std::uint16_t>(seq - expected_);
    const auto passed = std::erase_if(known_, [this, skipped](std::uint16_t k) {
        return static_cast<std::uint16_t>(k - expected_) < skipped;
    });
    expected_ = seq;
    return static_cast<unsigned>(passed);
}

Sequencer::Verdict Sequencer::judge(std::uint16_t seq) {
    const int ahead = seq_distance(expected_, seq);
    if (ahead < 0) return Verdict::duplicate;
    if (ahead > 0) return Verdict::jump;
    ++expected_;
    if (known_.empty()) return Verdict::fresh;
    return std::erase(known_, seq) != 0 ? Verdict::known : Verdict::fresh;
}

}  // namespace touchmove::link
