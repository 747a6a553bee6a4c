// ack_tracker.hpp - the unbroken run of records that are stored
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <span>

namespace touchmove::link {

/// Records are stored in the order of their stamps and acknowledged in that of their sequence
/// numbers. Knows which are stored and up to where without a hole. Allocates nothing.
class AckTracker {
  public:
    /// Everything up to `up_to` is stored, and `beyond`.
    void begin(std::uint16_t up_to, std::span<const std::uint16_t> beyond);

    /// The run of `records` sequence numbers that ends with `last` is stored.
    void store(std::uint16_t last, std::uint16_t records);

    /// Last sequence number of the unbroken run.
    [[nodiscard]] std::uint16_t up_to() const noexcept { return up_to_; }

  private:
    void mark(std::uint16_t seq);
    void advance();

    std::uint16_t up_to_ = 0;
    std::bitset<65536> stored_;  // only ahead of up_to_
};

}  // namespace touchmove::link
