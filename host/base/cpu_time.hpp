// cpu_time.hpp - the processor time of a thread, which a busy machine does not stretch
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>

namespace touchmove {

/// What the calling thread has used so far, nanoseconds.
[[nodiscard]] inline std::int64_t thread_cpu_ns() {
    timespec used{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}
[[nodiscard]] inline double thread_cpu_seconds() {
    return 1e-9 * static_cast<double>(thread_cpu_ns());
}

}  // namespace touchmove
