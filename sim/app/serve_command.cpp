// serve_command.cpp - `touchmove-sim serve`: simulated boards as USB/IP devices
// SPDX-License-Identifier: Apache-2.0
#include "sim/app/serve_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fw/tm_usb.h"
#include "host/chess/pgn.hpp"
#include "sim/app/board_control.hpp"
#include "sim/app/console_client.hpp"
#include "sim/app/game_player.hpp"
#include "sim/app/wires_options.hpp"
#include "sim/usbip/live_board.hpp"
#include "sim/usbip/server.hpp"

namespace touchmove::app {
namespace {

namespace asio = boost::asio;

constexpr int cannot_serve = 2;
constexpr unsigned max_boards = 126;  // device numbers of a USB bus, less the root hub

struct Options {
    std::uint16_t port = usbip::default_port;
    unsigned boards = 1;
    std::string fidelity = "frontend";
    Wires wires;
    std::string play;
    std::string start = "attach";
    bool loop = false;
    std::string hands = "dealt";
    std::string tempo = "fast";
    std::string sensors = "dealt";
    std::string style = "matrix";
    std::string wiring = "diodes";
    std::uint64_t seed = 1;
    double speed = 1.0;
    std::string supply = "own";
    std::string flash = "new";
    std::string serial = "TM-SIM";
    int control = -1;
    int console = -1;
};

Error invalid(std::string what) { return {std::errc::invalid_argument, std::move(what)}; }

/// Lines from several threads, each whole, each at once.
class Console {
  public:
    void say(const std::string& line) {
        const std::lock_guard lock(mutex_);
        fmt::print("{}\n", line);
        std::fflush(stdout);
    }
    void warn(const std::string& line) {
        const std::lock_guard lock(mutex_);
        fmt::print(stderr, "touchmove-sim serve: {}\n", line);
    }

  private:
    std::mutex mutex_;
};

/// A board and all that belongs to it, in the order in which it must go.
struct Place {
    device::NorFlash flash;
    std::unique_ptr<GamePlayer> player;
    std::unique_ptr<usbip::LiveBoard> board;
};

/// Different at each start of a simulator, and growing: ten a second since 1970, so that a host
/// never takes a fresh board for one that it has seen.
std::uint32_t fresh_session() {
    using tenths = std::chrono::duration<std::int64_t, std::deci>;
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint32_t>(std::chrono::duration_cast<tenths>(now).count()) | 1U;
}

class Serve {
  public:
    explicit Serve(Options options) : options_(std::move(options)) {}

    int run() {
        const Result<void> result = serve();
        if (result) return 0;
        console_.warn(result.error().message());
        return cannot_serve;
    }

  private:
    Result<void> serve();
    Result<void> read_options();
    Result<void> make_board(unsigned number);
    void introduce(const usbip::Server& server);
    void watch_speed();

    Options options_;
    Console console_;
    asio::io_context io_;
    asio::steady_timer watch_{io_};
    bool told_slow_ = false;

    std::vector<chess::PgnGame> games_;
    bench::Hands hands_;
    std::optional<bench::SensorKind> sensor_;
    device::BareWiring bare_;
    std::optional<ConsoleClient> daemon_;
    std::vector<std::unique_ptr<Place>> places_;
};

Result<void> Serve::read_options() {
    if (auto wrong = wires_refused(options_.fidelity, options_.wires)) return invalid(*wrong);
    if (!(options_.speed > 0 && options_.speed <= 100)) {
        return invalid("speed must be above 0 and at most 100");
    }
    if (options_.style == "chain" && options_.wiring == "bare") {
        return invalid("only a matrix can be wired without diodes; leave out --wiring or --style");
    }
    const std::string last = fmt::format("{}-{}", options_.serial, options_.boards);
    const bool plain = std::all_of(last.begin(), last.end(),
                                   [](char c) { return c > ' ' && c <= '~'; });
    if (!plain || last.size() > TM_USB_SERIAL_MAX) {
        return invalid(fmt::format("serial numbers such as {} must have at most {} characters, all "
                                   "printable",
                                   last, TM_USB_SERIAL_MAX));
    }
    const auto hands = bench::parse_hands(options_.hands);
    if (!hands) {
        return invalid(fmt::format("there are no hands '{}'; there are {}", options_.hands,
                                   bench::hands_names()));
    }
    hands_ = *hands;
    if (options_.sensors != "dealt") sensor_ = bench::parse_sensor_kind(options_.sensors);
    if (!options_.play.empty()) {
        auto games = chess::read_pgn_file(options_.play);
        if (!games) return games.error();
        games_ = std::move(*games);
    }
    return {};
}

Result<void> Serve::make_board(unsigned number) {
    auto place = std::make_unique<Place>();
    usbip::LiveBoard::Options o;
    o.number = number;
    o.speed = options_.speed;
    o.device.fidelity = options_.fidelity == "soc" ? device::Fidelity::soc
                                                   : device::Fidelity::frontend;
    set_wires(o.device, options_.wires, bench::Rng::derived(options_.seed, number).next());
    o.device.style = options_.style == "chain" ? device::SensorStyle::chain
                                               : device::SensorStyle::matrix;
    o.device.serial = fmt::format("{}-{}", options_.serial, number);
    o.device.self_powered = options_.supply == "own";
    if (options_.wiring == "bare") o.device.wiring = &bare_;
    if (options_.flash != "none") o.device.flash = &place->flash;
    if (options_.flash == "new") {
        place->flash.prepare_session(fresh_session());
    } else if (options_.flash != "none") {
        std::error_code ignored;
        std::filesystem::create_directories(options_.flash, ignored);
        o.flash_file = std::filesystem::path(options_.flash) / (o.device.serial + ".flash");
        if (const auto loaded = place->flash.load(o.flash_file); !loaded) return loaded.error();
        if (const auto saved = place->flash.save(o.flash_file); !saved) return saved.error();
    }

    GamePlayer::Options g;
    // Board n plays game n, n + boards, ...
    for (std::size_t i = number - 1; i < games_.size(); i += options_.boards) {
        g.games.push_back(games_[i]);
    }
    g.loop = options_.loop;
    g.hands = hands_;
    g.tempo = options_.tempo == "real" ? bench::Tempo::real : bench::Tempo::fast;
    g.sensor = sensor_;
    g.seed = bench::Rng::derived(options_.seed, number).next();
    const std::string id = fmt::format("1-{}", number);
    GamePlayer::Speak speak;
    if (daemon_) {
        // The whole chip reads its number from the flash, and is "0" without.
        const bool nameless = options_.fidelity == "soc" && options_.flash == "none";
        speak = [this, serial = nameless ? "0" : o.device.serial](const Spoken& what) {
            daemon_->say(serial, what);
        };
    }
    place->player = std::make_unique<GamePlayer>(
        std::move(g), [this, id](const std::string& line) { console_.say(id + " " + line); },
        std::move(speak));
    o.log = [this, id](const std::string& line) { console_.warn(id + ": " + line); };
    GamePlayer* const player = place->player.get();
    if (options_.start == "attach") {
        o.on_attach = [player](device::BenchUs now) { player->start(now); };
    } else {
        player->start(0);
    }
    place->board = std::make_unique<usbip::LiveBoard>(o, *player);
    places_.push_back(std::move(place));
    return {};
}

void Serve::introduce(const usbip::Server& server) {
    const std::uint16_t port = server.port();
    console_.say(fmt::format("USB/IP on 127.0.0.1:{}", port));
    for (const auto& place : places_) {
        const std::string id = place->board->record().bus_id;
        console_.say(
            fmt::format("board {}: touchmove run --device usbip://127.0.0.1:{}/{}", id, port, id));
    }
    const std::string tcp_port =
        port == usbip::default_port ? "" : fmt::format(" --tcp-port {}", port);
    console_.say(fmt::format("or as a real USB device, as root: modprobe vhci-hcd; "
                             "usbip{} attach -r 127.0.0.1 -b 1-1",
                             tcp_port));
    if (games_.empty()) {
        console_.say("the men stand in the start position; --play FILE.pgn plays games");
    } else if (options_.start == "attach") {
        console_.say("each board plays as soon as somebody attaches it");
    }
}

/// Says once if this machine is too slow for what it was asked to do.
void Serve::watch_speed() {
    watch_.expires_after(std::chrono::seconds(2));
    watch_.async_wait([this](boost::system::error_code stopped) {
        if (stopped || told_slow_) return;
        for (const auto& place : places_) {
            const double behind = place->board->status().behind_seconds;
            if (behind < 1) continue;
            console_.warn(fmt::format("board {} is {:.1f} s behind the clock: this machine is too "
                                      "slow for so many boards or such a speed",
                                      place->board->record().bus_id, behind));
            told_slow_ = true;
        }
        watch_speed();
    });
}

Result<void> Serve::serve() {
    if (auto read = read_options(); !read) return read;
    if (options_.console >= 0) {
        daemon_.emplace(io_, static_cast<std::uint16_t>(options_.console),
                        [this](const std::string& line) { console_.warn(line); });
    }
    for (unsigned number = 1; number <= options_.boards; ++number) {
        if (auto made = make_board(number); !made) return made;
    }
    std::vector<usbip::Board*> boards;
    std::vector<ControlledBoard> controlled;
    for (const auto& place : places_) {
        boards.push_back(place->board.get());
        controlled.push_back(
            {place->board->record().bus_id, place->board.get(), place->player.get()});
    }
    usbip::Server server(io_, std::move(boards),
                         [this](const std::string& line) { console_.say(line); });
    if (auto listening = server.listen(options_.port); !listening) return listening;
    ControlPort control(io_, std::move(controlled));
    if (options_.control >= 0) {
        if (auto listening = control.listen(static_cast<std::uint16_t>(options_.control));
            !listening) {
            return listening;
        }
    }
    introduce(server);
    if (options_.control >= 0) console_.say(fmt::format("control on 127.0.0.1:{}", control.port()));

    asio::signal_set signals(io_, SIGINT, SIGTERM);
    signals.async_wait([&](boost::system::error_code, int) {
        server.stop();
        control.stop();
        if (daemon_) daemon_->stop();
        watch_.cancel();
    });
    watch_speed();
    io_.run();
    return {};
}

}  // namespace

void add_serve_command(CLI::App& app, std::function<int()>& run) {
    auto options = std::make_shared<Options>();
    CLI::App* const serve = app.add_subcommand(
        "serve", "Simulated boards as USB devices that a host attaches over USB/IP");
    serve->footer(
        "A daemon attaches a board without root and without a kernel module:\n"
        "  touchmove-sim serve --play games.pgn --console 8088\n"
        "  touchmove run --device usbip://127.0.0.1:3240/1-1\n"
        "Linux attaches it as a USB device of its own (root; then touchmove run finds it):\n"
        "  modprobe vhci-hcd; usbip attach -r 127.0.0.1 -b 1-1\n"
        "Pull cables and cut power by lines on the --control port (nc 127.0.0.1 PORT):\n" +
        board_control_help() + "Ctrl-C stops all boards.");
    serve->add_option("--port", options->port, "TCP port on 127.0.0.1; 0 picks a free one")
        ->capture_default_str();
    serve->add_option("--boards", options->boards, "How many: bus ids 1-1 to 1-N")
        ->check(CLI::Range(1U, max_boards))
        ->capture_default_str();
    serve->add_option("--fidelity", options->fidelity,
                      "frontend: scan, debounce and queue in RTL, USB as a model; soc: the whole "
                      "chip")
        ->check(CLI::IsMember({"frontend", "soc"}))
        ->capture_default_str();
    add_wires_options(*serve, options->wires);
    serve->add_option("--play", options->play,
                      "PGN file; board n plays game n, then every N-th after it");
    serve->add_option("--start", options->start, "When the first game begins")
        ->check(CLI::IsMember({"attach", "now"}))
        ->capture_default_str();
    serve->add_flag("--loop", options->loop, "Begin again after the last game");
    serve->add_option("--hands", options->hands, "Who plays: " + bench::hands_names())
        ->capture_default_str();
    serve->add_option("--tempo", options->tempo,
                      "fast: every wait at blitz tempo; real: as the PGN's [%clk] or [%emt] say")
        ->check(CLI::IsMember({"fast", "real"}))
        ->capture_default_str();
    serve->add_option("--speed", options->speed, "Board seconds to a second of yours")
        ->capture_default_str();
    serve->add_option("--seed", options->seed, "The same seed plays the same way")
        ->capture_default_str();
    serve->add_option("--sensors", options->sensors, "Under the squares")
        ->check(CLI::IsMember({"dealt", "reed", "hall"}))
        ->capture_default_str();
    serve->add_option("--style", options->style, "How they are read")
        ->check(CLI::IsMember({"matrix", "chain"}))
        ->capture_default_str();
    serve->add_option("--wiring", options->wiring,
                      "Of a matrix; bare: without diodes, so it shows ghosts")
        ->check(CLI::IsMember({"diodes", "bare"}))
        ->capture_default_str();
    serve->add_option("--supply", options->supply,
                      "own: a pulled cable leaves the board running; bus: it loses its power")
        ->check(CLI::IsMember({"own", "bus"}))
        ->capture_default_str();
    serve->add_option("--flash", options->flash,
                      "new: a fresh session number each time; none: the host names the session; "
                      "else a folder that keeps session number and settings")
        ->capture_default_str();
    serve->add_option("--serial", options->serial, "Serial numbers are SERIAL-1 to SERIAL-N")
        ->capture_default_str();
    serve->add_option("--console", options->console,
                      "Port of the daemon's page (touchmove run --port): the players' names, "
                      "resignations, draws and promoted pieces are told there")
        ->check(CLI::Range(1, 65535));
    serve->add_option("--control", options->control, "Port for control lines; 0 picks a free one")
        ->check(CLI::Range(0, 65535));
    serve->callback([options, &run] {
        run = [options] { return Serve(*options).run(); };
    });
}

}  // namespace touchmove::app
