// game_run.hpp - one game through the simulated device, the daemon's link and the referee
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/laws/decision.hpp"
#include "host/laws/input.hpp"
#include "sim/bench/timeline.hpp"
#include "sim/verify/board.hpp"
#include "sim/verify/comparison.hpp"

namespace touchmove::verify {

/// What plays the chessboard (sim/verify/board.hpp).
enum class Fidelity : std::uint8_t { frontend, soc, ideal };

struct GameOptions {
    Fidelity fidelity = Fidelity::frontend;
    bench::TimelineSetup timeline;
    device::DeviceOptions device;  ///< of a board of RTL; its own fidelity is set by the above
    bool keep_inputs = false;     ///< GameReport::inputs is wanted
    /// The power is cut there, in ideal fidelity alone; the device's own is cut in tests/e2e.
    std::optional<PowerCut> power_cut;
};

/// What the referee was told, and when.
struct TimedInput {
    DeviceTime at;
    laws::Input what;
};

struct GameReport {
    std::optional<Difference> difference;
    std::string error;            ///< the link or the device failed; empty: they did not
    std::string cut;              ///< Script::cut
    bool kings_shown = false;
    bool has_levers = true;
    bench::SensorKind sensor = bench::SensorKind::reed;
    std::string_view style;       ///< of the ply of the difference

    std::size_t plies = 0;        ///< played on the board
    bench::BenchUs simulated_us = 0;
    std::int64_t cpu_ns = 0;      ///< of the thread that ran it
    std::uint64_t records = 0;
    std::uint64_t gaps = 0;
    std::map<laws::ReportKind, unsigned> reports;
    std::vector<TimedInput> inputs;

    [[nodiscard]] bool ok() const noexcept { return !difference && error.empty(); }
};

/// Plays the game. Same script and options, same report (but for `cpu_ns`).
[[nodiscard]] GameReport run_game(const bench::Script& script, const GameOptions& options);

}  // namespace touchmove::verify
