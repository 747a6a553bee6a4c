// random.hpp - seeded random numbers that are the same on every machine
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "sim/device/stimulus.hpp"

namespace touchmove::bench {

using device::BenchUs;

/// A closed interval of microseconds.
struct Range {
    BenchUs from;
    BenchUs to;
};

/// SplitMix64. The distributions of <random> differ between standard libraries, and a timeline must
/// be the same byte for byte everywhere, so the few that are needed stand here.
class Rng {
  public:
    explicit constexpr Rng(std::uint64_t seed) noexcept : state_(seed) {}

    /// A stream of its own for `index` of `seed` (a game, a ply): what one stream consumes never
    /// shifts another.
    [[nodiscard]] static constexpr Rng derived(std::uint64_t seed, std::uint64_t index) noexcept {
        Rng mixer(seed ^ (index * 0xD1342543DE82EF95ULL + 0x632BE59BD9B4E019ULL));
        return Rng(mixer.next());
    }

    constexpr std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31U);
    }

    /// 0 .. bound-1. The bias of the multiplication is below 2^-32 for the bounds used here.
    constexpr std::uint32_t below(std::uint32_t bound) noexcept {
        assert(bound > 0);
        return static_cast<std::uint32_t>(((next() >> 32U) * bound) >> 32U);
    }

    /// Any value of the range, both ends included.
    constexpr BenchUs in(Range range) noexcept {
        assert(range.from <= range.to);
        return range.from +
               static_cast<BenchUs>(below(static_cast<std::uint32_t>(range.to - range.from + 1)));
    }

    /// True `per_mille` times out of a thousand.
    constexpr bool chance(unsigned per_mille) noexcept { return below(1000) < per_mille; }

    /// An index drawn with the given weights, not all of them zero.
    template <std::size_t N>
    constexpr std::size_t weighted(const std::array<unsigned, N>& weights) noexcept {
        unsigned sum = 0;
        for (const unsigned weight : weights) sum += weight;
        std::uint32_t left = below(sum);
        std::size_t index = 0;
        while (left >= weights[index]) left -= weights[index++];
        return index;
    }

    /// Normal with mean 0 and deviation `sigma` in the unit of `sigma`, as the sum of twelve
    /// uniform numbers: integers only, never beyond six deviations.
    constexpr std::int64_t normal(std::int64_t sigma) noexcept {
        std::int64_t sum = 0;
        for (int i = 0; i < 12; ++i) sum += static_cast<std::int64_t>(next() >> 48U);
        return (sum - 6 * 65536) * sigma / 65536;
    }

  private:
    std::uint64_t state_;
};

}  // namespace touchmove::bench
