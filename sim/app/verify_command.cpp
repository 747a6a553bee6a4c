// verify_command.cpp - `touchmove-sim verify`: whole games through device, link and referee
// SPDX-License-Identifier: Apache-2.0
#include "sim/app/verify_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "host/chess/pgn.hpp"
#include "sim/app/wires_options.hpp"
#include "sim/bench/script.hpp"
#include "sim/bench/styles.hpp"
#include "sim/device/empty_loop.hpp"
#include "sim/verify/figures.hpp"
#include "sim/verify/game_run.hpp"
#include "sim/verify/in_order.hpp"
#include "sim/verify/scenario.hpp"

namespace touchmove::app {
namespace {

using verify::GameReport;

constexpr int games_failed = 1;
constexpr int run_impossible = 2;

/// After each game the empty loop runs for this part of the game's simulated time, so that both see
/// the same machine and the comparison costs a twentieth. That of the whole chip makes every clock
/// and is ten times as slow as the game.
constexpr bench::BenchUs empty_loop_part = 20, empty_soc_loop_part = 200;

struct Options {
    std::string pgn;
    std::string fidelity = "frontend";
    Wires wires;
    std::string hands = "dealt";
    std::string tempo = "fast";
    std::string sensors = "dealt";
    std::uint64_t seed = 1;
    unsigned jobs = 0;
    std::string games;
    std::string trace;
    std::string scenario;
    bool strict = false;
};

int refuse(std::string sentence) {
    if (!sentence.ends_with('.')) sentence += '.';
    fmt::print(stderr, "touchmove-sim verify: {}\n", sentence);
    return run_impossible;
}

/// "7" or "1-40", both ends counted from 1.
struct Interval {
    std::size_t first;
    std::size_t last;
};
std::optional<Interval> parse_interval(std::string_view text) {
    const auto number = [](std::string_view digits) -> std::optional<std::size_t> {
        std::size_t value = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size() || value == 0) {
            return std::nullopt;
        }
        return value;
    };
    const std::size_t dash = text.find('-');
    const auto first = number(text.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number(text.substr(dash + 1));
    if (!first || !last || *first > *last) return std::nullopt;
    return Interval{*first, *last};
}

/// A line that is rewritten as the work goes on, where somebody is looking.
class Progress {
  public:
    explicit Progress(std::size_t total)
        : total_(total), shown_(isatty(STDERR_FILENO) != 0 && isatty(STDOUT_FILENO) == 0) {}
    void step(std::size_t failed) {
        ++done_;
        if (!shown_) return;
        fmt::print(stderr, "\r{} of {} games, {} failed ", done_, total_, failed);
        if (done_ == total_) fmt::print(stderr, "\n");
    }

  private:
    std::size_t total_;
    std::size_t done_ = 0;
    bool shown_;
};

/// What one job brings back.
struct Outcome {
    GameReport report;
    std::int64_t empty_cpu_ns = 0;
    bench::BenchUs empty_us = 0;
};

int verify_games(const Options& options) {
    const auto hands = bench::parse_hands(options.hands);
    if (!hands) {
        return refuse(fmt::format("there are no hands '{}'; known are {}", options.hands,
                                  bench::hands_names()));
    }
    if (const auto wrong = wires_refused(options.fidelity, options.wires)) return refuse(*wrong);
    const auto sensor = bench::parse_sensor_kind(options.sensors);
    const auto games = chess::read_pgn_file(options.pgn);
    if (!games) return refuse(games.error().message());
    Interval interval{1, games->size()};
    if (!options.games.empty()) {
        const auto asked = parse_interval(options.games);
        if (!asked || asked->last > games->size()) {
            return refuse(fmt::format("--games takes a number or a range such as 3-7, up to {}; "
                                      "not '{}'",
                                      games->size(), options.games));
        }
        interval = *asked;
    }
    const std::size_t count = interval.last - interval.first + 1;
    if (!options.trace.empty() && count != 1) {
        return refuse(fmt::format("--trace takes one game and this would play {}; choose one with "
                                  "--games N",
                                  count));
    }
    if (!options.trace.empty() && options.fidelity == "ideal") {
        return refuse("--trace takes the RTL, and --fidelity ideal has none");
    }
    if (!options.trace.empty() && !std::ofstream(options.trace)) {
        return refuse(fmt::format("cannot write {}", options.trace));
    }
    const unsigned jobs = options.jobs != 0 ? options.jobs
                                            : std::max(1U, std::thread::hardware_concurrency());

    const auto fidelity = options.fidelity == "ideal" ? verify::Fidelity::ideal
                          : options.fidelity == "soc" ? verify::Fidelity::soc
                                                      : verify::Fidelity::frontend;
    const auto play = [&](std::size_t i) {
        const std::size_t index = interval.first - 1 + i;
        verify::GameOptions game;
        game.fidelity = fidelity;
        game.timeline.hands = *hands;
        game.timeline.tempo = options.tempo == "real" ? bench::Tempo::real : bench::Tempo::fast;
        game.timeline.sensor = sensor;
        game.timeline.seed = bench::Rng::derived(options.seed, index).next();
        game.device.trace_file = options.trace;
        set_wires(game.device, options.wires, game.timeline.seed);
        game.keep_inputs = !options.scenario.empty();
        Outcome outcome;
        outcome.report = verify::run_game(bench::make_script((*games)[index]), game);
        if (fidelity != verify::Fidelity::ideal) {
            const bool soc = fidelity == verify::Fidelity::soc;
            outcome.empty_us =
                outcome.report.simulated_us / (soc ? empty_soc_loop_part : empty_loop_part);
            outcome.empty_cpu_ns = device::run_empty_loop(
                soc ? device::Fidelity::soc : device::Fidelity::frontend,
                device::SensorStyle::matrix, outcome.empty_us);
        }
        return outcome;
    };

    const auto reproduce = [&](std::size_t number) {
        std::string command =
            fmt::format("touchmove-sim verify {} --games {} --hands {} --seed {}", options.pgn,
                        number, options.hands, options.seed);
        if (options.tempo != "fast") command += " --tempo " + options.tempo;
        if (sensor) command += " --sensors " + options.sensors;
        if (options.fidelity != "frontend") command += " --fidelity " + options.fidelity;
        command += wires_text(options.wires);
        return command;
    };

    verify::Figures figures;
    Progress progress(count);
    bool scenario_written = options.scenario.empty();
    std::string trouble;
    const auto began = std::chrono::steady_clock::now();
    const auto done = [&](std::size_t i, Outcome outcome) {
        const std::size_t number = interval.first + i;
        GameReport& report = outcome.report;
        if (options.strict && report.ok()) verify::accuse_unfounded(report);
        fmt::print("{}\n", verify::describe(number, report, reproduce(number)));
        std::fflush(stdout);
        figures.add(report);
        figures.empty_simulated_us += outcome.empty_us;
        figures.empty_cpu_ns += outcome.empty_cpu_ns;
        if (!scenario_written && (!report.ok() || count == 1)) {
            scenario_written = true;
            std::ofstream file(options.scenario);
            file << verify::scenario_text(fmt::format("game-{}", number),
                                          bench::make_script((*games)[number - 1]), report.inputs);
            if (!file.flush()) trouble = fmt::format("cannot write {}", options.scenario);
        }
        progress.step(figures.failed);
    };
    verify::in_order(count, jobs, play, done);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - began;

    fmt::print("{}", verify::describe(figures, wall.count(), jobs));
    fmt::print("{} passed, {} failed\n", figures.passed(), figures.failed);
    if (!trouble.empty()) return refuse(trouble);
    return figures.failed == 0 ? 0 : games_failed;
}

std::string hands_help() {
    std::string text = "Hands:\n  dealt         a style for each move, dealt by the seed; one game "
                       "in eight without levers\n";
    for (const bench::Style& style : bench::styles()) {
        text += fmt::format("  {:<13} {}\n", style.name, style.what);
    }
    return text;
}

}  // namespace

void add_verify_command(CLI::App& app, std::function<int()>& run) {
    CLI::App* command = app.add_subcommand(
        "verify",
        "Plays every game of a PGN file on a simulated board: hands move men over bouncing "
        "contacts, the Verilated frontend scans them, its records reach the referee through the "
        "daemon's own link, and the published moves are compared with the file's.");
    auto options = std::make_shared<Options>();
    command->add_option("file", options->pgn, "Games to play")->required()->type_name("FILE.pgn");
    command->add_option("--fidelity", options->fidelity,
                        "frontend: the RTL without CPU and USB wires; soc: the whole chip, some "
                        "12 times slower; ideal: no RTL, a debouncer in C++, to try hands and "
                        "referee quickly")
        ->check(CLI::IsMember({"frontend", "soc", "ideal"}))
        ->capture_default_str();
    add_wires_options(*command, options->wires);
    command->add_option("--hands", options->hands, "Who moves the men; see below")
        ->type_name("NAME")
        ->capture_default_str();
    command->add_option("--tempo", options->tempo,
                        "fast: blitz throughout; real: the times of [%emt] and [%clk]")
        ->check(CLI::IsMember({"fast", "real"}))
        ->capture_default_str();
    command->add_option("--sensors", options->sensors, "What is under the squares")
        ->check(CLI::IsMember({"dealt", "reed", "hall"}))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Same seed, same games, whatever --jobs says")
        ->capture_default_str();
    command->add_option("--jobs", options->jobs, "Games at a time; 0: one for each core")
        ->capture_default_str();
    command->add_option("--games", options->games, "Only game N, or games N-M of the file")
        ->type_name("N[-M]");
    command->add_option("--trace", options->trace, "Writes the model's waves of one game")
        ->type_name("FILE.fst");
    command->add_option("--scenario", options->scenario,
                        "Writes what the referee was told in the first game that differs (or in "
                        "the one game chosen), for `touchmove referee`")
        ->type_name("FILE.json");
    command->add_flag("--strict", options->strict,
                      "A game also fails when the referee reports something that nobody did");
    command->footer(hands_help() +
                    "\nExit status: 0 all games as played, 1 some not, 2 the run was impossible.");
    command->callback([options, &run] { run = [options] { return verify_games(*options); }; });
}

}  // namespace touchmove::app
