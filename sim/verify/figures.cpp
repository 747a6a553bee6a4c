// figures.cpp - what a run over many games comes to, as text
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/figures.hpp"

#include <fmt/format.h>

namespace touchmove::verify {
namespace {

/// Device time as people read it: "0:01:23.456789".
std::string clock_text(DeviceTime at) {
    const std::int64_t us = to_us(at);
    const std::int64_t seconds = us / 1'000'000;
    return fmt::format("{}:{:02}:{:02}.{:06}", seconds / 3600, seconds / 60 % 60, seconds % 60,
                       us % 1'000'000);
}

double per_second(bench::BenchUs simulated_us, std::int64_t cpu_ns) {
    if (cpu_ns == 0) return 0;
    return static_cast<double>(simulated_us) * 1e3 / static_cast<double>(cpu_ns);
}

}  // namespace

void Figures::add(const GameReport& report) {
    ++games;
    if (!report.ok()) ++failed;
    plies += report.plies;
    simulated_us += report.simulated_us;
    cpu_ns += report.cpu_ns;
    records += report.records;
    gaps += report.gaps;
    for (const auto& [kind, count] : report.reports) reports[kind] += count;
}

unsigned Figures::unfounded_reports() const {
    unsigned sum = 0;
    for (const auto& [kind, count] : reports) {
        if (is_unfounded(kind)) sum += count;
    }
    return sum;
}

double Figures::speed() const { return per_second(simulated_us, cpu_ns); }

double Figures::empty_speed() const { return per_second(empty_simulated_us, empty_cpu_ns); }

void accuse_unfounded(GameReport& report) {
    for (const auto& [kind, count] : report.reports) {
        if (!is_unfounded(kind) || report.difference) continue;
        report.difference =
            Difference{report.plies, std::nullopt,
                       fmt::format("the referee reported {} {} without cause", laws::name_of(kind),
                                   count == 1 ? "once" : fmt::format("{} times", count))};
        report.style = "some";
    }
}

std::string describe(std::size_t number, const GameReport& report, const std::string& reproduce) {
    std::string text = fmt::format("game {}: ", number);
    if (report.ok()) {
        text += "ok";
    } else if (!report.error.empty()) {
        text += fmt::format("FAIL: {}", report.error);
    } else {
        const Difference& difference = *report.difference;
        text += fmt::format("FAIL: {} (ply {}{}; {} hands, {} sensors, {})", difference.what,
                            difference.ply + 1,
                            difference.at ? ", device time " + clock_text(*difference.at) : "",
                            report.style, bench::name_of(report.sensor),
                            report.has_levers ? "levers" : "no levers");
    }
    if (!report.cut.empty()) text += fmt::format("; played {} plies: {}", report.plies, report.cut);
    if (!report.cut.empty() && report.kings_shown) text += "; kings put in the centre";
    if (!report.ok()) text += fmt::format("\n  again: {}", reproduce);
    return text;
}

std::string describe(const Figures& figures, double wall_seconds, unsigned jobs) {
    const double simulated = static_cast<double>(figures.simulated_us) / 1e6;
    std::string text = fmt::format(
        "{} games, {} plies, {:.1f} s simulated in {:.1f} s on {} {}\n", figures.games,
        figures.plies, simulated, wall_seconds, jobs, jobs == 1 ? "thread" : "threads");
    text += fmt::format("{:.1f} simulated s a wall second; {:.1f} a core second\n",
                        wall_seconds > 0 ? simulated / wall_seconds : 0.0, figures.speed());
    if (figures.empty_speed() > 0) {
        text += fmt::format(
            "an empty loop around the model: {:.1f} a core second; the whole loop runs at {:.0f} % "
            "of it\n",
            figures.empty_speed(), 100 * figures.speed() / figures.empty_speed());
    }
    text += fmt::format("{} records, {} gaps\n", figures.records, figures.gaps);
    std::string reports;
    for (const auto& [kind, count] : figures.reports) {
        reports += fmt::format("{}{} {}", reports.empty() ? "" : ", ", laws::name_of(kind), count);
    }
    text += fmt::format("reports of the referee: {}; without cause: {}\n",
                        reports.empty() ? "none" : reports, figures.unfounded_reports());
    return text;
}

}  // namespace touchmove::verify
