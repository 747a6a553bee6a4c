// test_sink.hpp - a receiver of events that keeps them, and a journal that remembers across links
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/link/board_link.hpp"
#include "host/link/sequencer.hpp"

namespace touchmove::link::test {

struct TestSink : BoardLink::Sink {
    std::vector<StampedEvent> events;
    std::vector<DeviceTime> watermarks;
    std::vector<std::uint32_t> attached;
    std::vector<std::string> detached;

    void on_events(std::span<const StampedEvent> more) override {
        events.insert(events.end(), more.begin(), more.end());
    }
    void on_watermark(DeviceTime t) override { watermarks.push_back(t); }
    void on_attached(std::uint32_t session) override { attached.push_back(session); }
    void on_detached(const Error& why) override { detached.push_back(why.message()); }
};

/// What a journal would say of the events it holds, worked out the slow and obvious way.
inline std::optional<Stored> stored_of(const std::vector<StampedEvent>& events) {
    if (events.empty()) return std::nullopt;
    const std::uint32_t session = events.back().id.session;
    Stored stored{{session, 0}, {}, device_time(0)};
    std::set<std::uint16_t> seqs;
    std::optional<std::uint16_t> first;
    for (const StampedEvent& e : events) {
        if (e.id.session != session) continue;
        for (unsigned back = 0; back < e.records; ++back) {
            const auto seq = static_cast<std::uint16_t>(e.id.seq - back);
            seqs.insert(seq);
            if (!first || seq_distance(*first, seq) < 0) first = seq;
        }
        stored.last_at = std::max(stored.last_at, e.at);
    }
    std::uint16_t up_to = *first;
    while (seqs.count(static_cast<std::uint16_t>(up_to + 1)) != 0 && seqs.size() < 65536)
        ++up_to;
    stored.up_to.seq = up_to;
    for (const std::uint16_t seq : seqs) {
        if (seq_distance(up_to, seq) > 0) stored.beyond.push_back(seq);
    }
    return stored;
}

}  // namespace touchmove::link::test
