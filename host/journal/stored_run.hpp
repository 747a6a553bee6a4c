// stored_run.hpp - which records of a session the journal holds without a break
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "host/base/time.hpp"

namespace touchmove::journal {

/// Collects the sequence numbers of one session's stored entries, in the order in which they were
/// stored, and tells where the unbroken run ends. Sequence numbers are 16 bits and wrap; neighbours
/// can have changed places (order is by stamp), by far less than half of that range.
class StoredRun {
  public:
    /// The session's first record is stored: the run begins there.
    void begin(std::uint16_t seq);
    /// Records `seq - records + 1` to `seq` are stored; the last of them is stamped `at`.
    void add(std::uint16_t seq, std::uint16_t records, DeviceTime at);

    struct Run {
        std::uint16_t up_to;
        std::vector<std::uint16_t> beyond;  ///< ascending from `up_to`
    };
    /// None before the first record.
    [[nodiscard]] std::optional<Run> run() const;

  private:
    /// Thresholds are at most TM_THRESHOLD_MAX_US (1 s): a record is emitted no later than that
    /// after its stamp. So once a stamp this much above the first one is stored, every record with
    /// a lower sequence number than those stored has been stored too, or never will be.
    static constexpr Micros settled_after{2'000'000};

    [[nodiscard]] std::int64_t unwrapped(std::uint16_t seq, std::uint16_t records) const;
    void absorb();

    bool settled_ = false;  ///< is it known where the run begins?
    std::optional<DeviceTime> first_at_;
    std::int64_t next_ = 0;  ///< once settled: every record from the run's begin to here is stored
    std::optional<std::int64_t> newest_;
    std::set<std::int64_t> beyond_;
};

}  // namespace touchmove::journal
