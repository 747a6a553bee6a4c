// ack_tracker.cpp - the unbroken run of records that are stored
// SPDX-License-Identifier: Apache-2.0
#include "host/link/ack_tracker.hpp"

#include <algorithm>

#include "fw/tm_proto.h"
#include "host/link/sequencer.hpp"

namespace touchmove::link {

void AckTracker::begin(std::uint16_t up_to, std::span<const std::uint16_t> beyond) {
    stored_.reset();
    up_to_ = up_to;
    for (const std::uint16_t seq : beyond)
        mark(seq);
    advance();
}

void AckTracker::store(std::uint16_t last, std::uint16_t records) {
    // A gap may span more than half of the circle; what lies that far back is behind us anyway.
    const unsigned span = std::min<unsigned>(records, TM_QUEUE_MAX);
    for (unsigned back = 0; back < span; ++back) {
        mark(static_cast<std::uint16_t>(last - back));
    }
    advance();
}

void AckTracker::mark(std::uint16_t seq) {
    if (seq_distance(up_to_, seq) > 0) stored_.set(seq);
}

void AckTracker::advance() {
    for (;;) {
        const auto next = static_cast<std::uint16_t>(up_to_ + 1);
        if (!stored_.test(next)) return;
        stored_.reset(next);
        up_to_ = next;
    }
}

}  // namespace touchmove::link
