// sequencer.hpp - which record comes next, and what to make of any other
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace touchmove::link {

/// How far `to` lies ahead of `from` in the circle of 16-bit sequence numbers; negative: behind.
[[nodiscard]] constexpr int seq_distance(std::uint16_t from, std::uint16_t to) noexcept {
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(to - from));
}

/// Lets each sequence number pass exactly once, in order.
class Sequencer {
  public:
    enum class Verdict : std::uint8_t {
        fresh,      ///< the expected one; the next is expected now
        known,      ///< the expected one too, but the journal has it already
        duplicate,  ///< an older one that was sent again
        jump        ///< one ahead of the expected: something in between is missing
    };

    /// Expects `seq` next; of those after it, `known` need not be delivered again.
    void go_on_at(std::uint16_t seq, std::vector<std::uint16_t> known = {});

    /// Expects `seq` next, although what lies before it never came; says how many of the skipped
    /// ones were known.
    unsigned skip_to(std::uint16_t seq);

    [[nodiscard]] Verdict judge(std::uint16_t seq);
    [[nodiscard]] std::uint16_t expected() const noexcept { return expected_; }
    [[nodiscard]] std::span<const std::uint16_t> known() const noexcept { return known_; }

  private:
    std::uint16_t expected_ = 0;
    std::vector<std::uint16_t> known_;  // a handful: edges that overtook others by their stamps
};

}  // namespace touchmove::link
