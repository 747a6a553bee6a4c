// figures.hpp - what a run over many games comes to, as text
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "sim/verify/game_run.hpp"

namespace touchmove::verify {

struct Figures {
    std::size_t games = 0;
    std::size_t failed = 0;
    std::size_t plies = 0;
    bench::BenchUs simulated_us = 0;
    std::int64_t cpu_ns = 0;
    bench::BenchUs empty_simulated_us = 0;  ///< of the empty loop
    std::int64_t empty_cpu_ns = 0;
    std::uint64_t records = 0;
    std::uint64_t gaps = 0;
    std::map<laws::ReportKind, unsigned> reports;

    void add(const GameReport& report);
    [[nodiscard]] std::size_t passed() const noexcept { return games - failed; }
    [[nodiscard]] unsigned unfounded_reports() const;
    /// Simulated seconds for each second of a core.
    [[nodiscard]] double speed() const;
    [[nodiscard]] double empty_speed() const;
};

/// Turns a report without cause into a difference of its own.
void accuse_unfounded(GameReport& report);

/// "game 7: ok", or the first difference and how to see it again.
[[nodiscard]] std::string describe(std::size_t number, const GameReport& report,
                                   const std::string& reproduce);

/// The lines after the games, without the last one ("N passed, N failed").
[[nodiscard]] std::string describe(const Figures& figures, double wall_seconds, unsigned jobs);

}  // namespace touchmove::verify
