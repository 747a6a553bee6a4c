// stimulus.hpp - what the contacts under the board do, microsecond by microsecond
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

namespace touchmove::device {

/// Microseconds since the simulation began. The bench's own time: it runs on through resets and
/// power cuts of the device, whose session time starts anew at each (host/base/time.hpp).
using BenchUs = std::int64_t;

/// A change that never comes.
inline constexpr BenchUs never_us = std::numeric_limits<BenchUs>::max();

constexpr unsigned square_count = 64;
constexpr unsigned aux_count = 8;
constexpr unsigned contact_count = square_count + aux_count;

/// The raw contacts, before any wiring, synchroniser or debouncer.
struct ContactState {
    std::uint64_t squares = 0;  ///< bit 0 = a1 .. bit 63 = h8; 1 = the contact is closed
    std::uint8_t aux = 0;       ///< bit n = level at the pin of aux input n (see aux_invert)

    /// `contact` 0..63 = a1..h8, 64..71 = aux inputs 0..7.
    constexpr void set(unsigned contact, bool level) noexcept {
        if (contact < square_count) {
            const std::uint64_t bit = std::uint64_t{1} << contact;
            squares = level ? squares | bit : squares & ~bit;
        } else {
            const auto bit = static_cast<std::uint8_t>(1U << (contact - square_count));
            aux = static_cast<std::uint8_t>(level ? aux | bit : aux & ~bit);
        }
    }
    friend constexpr bool operator==(const ContactState&, const ContactState&) = default;
};

/// A time-ordered source of contact changes. The device asks for the time of the next one and lets
/// it be applied in the clock cycle of that microsecond, before the cycle's rising edge. Calls come
/// from the one thread that runs the device. Changes may be produced as late as they are asked for,
/// so a stimulus can react to what it is told between two runs of the device.
class Stimulus {
  public:
    virtual ~Stimulus() = default;

    /// When the contacts change next; `never_us` when they rest. Cheap: asked after every change
    /// and at the start of every run. A time already past is applied at once.
    [[nodiscard]] virtual BenchUs next_change_us() = 0;

    /// Carries out every change due at next_change_us(), and moves on to the one after it.
    virtual void apply(ContactState& contacts) = 0;
};

}  // namespace touchmove::device
