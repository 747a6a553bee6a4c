// generate.cpp - which generator this processor runs
// SPDX-License-Identifier: Apache-2.0
#include "host/chess/generate.hpp"

#include <vector>

namespace touchmove::chess::detail {

namespace {

std::vector<const Generator*> runnable() {
    std::vector<const Generator*> found{&portable_generator};
#if defined(__x86_64__)
    __builtin_cpu_init();
    // What has BMI2 has LZCNT, which clang 14 cannot ask for.
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (v3) found.push_back(&avx2_generator);
    if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vpopcntdq")) {
        found.push_back(&avx512_generator);
    }
#endif
    return found;
}

}  // namespace

const std::vector<const Generator*>& generators() noexcept {
    static const std::vector<const Generator*> found = runnable();
    return found;
}

const Generator& generator() noexcept {
    static const Generator& fastest = *generators().back();
    return fastest;
}

}  // namespace touchmove::chess::detail
