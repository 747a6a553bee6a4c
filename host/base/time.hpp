// time.hpp - the device's clock, which is the only clock that the referee knows
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace touchmove {

using Micros = std::chrono::microseconds;
using Millis = std::chrono::milliseconds;

/// Microseconds since the session of the device began (power-up or reset of the chip).
/// Not a system clock: it has no now(), and cannot be mixed with one by accident.
struct DeviceClock {
    using rep = std::int64_t;
    using period = std::micro;
    using duration = std::chrono::duration<rep, period>;
    using time_point = std::chrono::time_point<DeviceClock, duration>;
    static constexpr bool is_steady = true;
};

using DeviceTime = DeviceClock::time_point;

/// The device time `us` microseconds after the session began.
[[nodiscard]] constexpr DeviceTime device_time(std::int64_t us) noexcept {
    return DeviceTime{Micros{us}};
}

/// The whole microseconds of a device time.
[[nodiscard]] constexpr std::int64_t to_us(DeviceTime t) noexcept {
    return t.time_since_epoch().count();
}

}  // namespace touchmove
