// generate.cpp - which generator this processor runs
// SPDX-License-Identifier: Apache-2.0
#include "host/chess/generate.hpp"

#include "host/chess/position.hpp"

namespace touchmove::chess {

namespace detail {

namespace {

const Generator& choose() noexcept {
#if defined(__x86_64__)
    __builtin_cpu_init();
    // What has BMI2 has LZCNT, which clang 14 cannot ask for.
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vpopcntdq")) {
        return avx512_generator;
    }
    if (v3) return avx2_generator;
#endif
    return portable_generator;
}

}  // namespace

const Generator& generator() noexcept {
    static const Generator& chosen = choose();
    return chosen;
}

}  // namespace detail

std::uint64_t perft(const Position& p, unsigned depth, bool bulk) noexcept {
    return detail::generator().perft(p.state_, depth, bulk);
}

}  // namespace touchmove::chess
