// stored_run.cpp - which records of a session the journal holds without a break
// SPDX-License-Identifier: Apache-2.0
#include "host/journal/stored_run.hpp"

#include <algorithm>

namespace touchmove::journal {

/// The number that is `seq` in its low 16 bits and nearest to the newest one so far, or ahead of
/// it where the run of records (a gap's can be long) reaches back to that.
std::int64_t StoredRun::unwrapped(std::uint16_t seq, std::uint16_t records) const {
    if (!newest_) return seq;
    const auto ahead = static_cast<std::uint16_t>(seq - static_cast<std::uint16_t>(*newest_));
    if (ahead <= records) return *newest_ + ahead;
    return *newest_ + static_cast<std::int16_t>(ahead);
}

void StoredRun::begin(std::uint16_t seq) {
    settled_ = true;
    newest_ = seq;
    next_ = std::int64_t{seq} + 1;
}

void StoredRun::add(std::uint16_t seq, std::uint16_t records, DeviceTime at) {
    const std::int64_t last = unwrapped(seq, records);
    newest_ = std::max(newest_.value_or(last), last);
    for (std::int64_t n = last - records + 1; n <= last; ++n) {
        if (!settled_ || n >= next_) beyond_.insert(n);
    }
    if (!settled_) {
        if (!first_at_) first_at_ = at;
        if (at - *first_at_ < settled_after) return;
        settled_ = true;
        next_ = *beyond_.begin();
    }
    absorb();
}

void StoredRun::absorb() {
    while (!beyond_.empty() && *beyond_.begin() == next_) {
        beyond_.erase(beyond_.begin());
        ++next_;
    }
}

std::optional<StoredRun::Run> StoredRun::run() const {
    if (!newest_) return std::nullopt;
    // Joined a session under way and not settled: only what lies before all that is stored is
    // known to be done with.
    const std::int64_t next = settled_ ? next_ : *beyond_.begin();
    Run run{static_cast<std::uint16_t>(next - 1), {}};
    for (const std::int64_t n : beyond_)
        run.beyond.push_back(static_cast<std::uint16_t>(n));
    return run;
}

}  // namespace touchmove::journal
