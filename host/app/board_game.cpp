// board_game.cpp - the games of one board as a function of its journal
// SPDX-License-Identifier: Apache-2.0
#include "host/app/board_game.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "host/app/host_input.hpp"

namespace touchmove::app {
namespace {

std::tm utc(std::int64_t wall_ms) {
    return fmt::gmtime(static_cast<std::time_t>(wall_ms / 1000));
}

/// A man lifted, or an input (such as a lever) become active.
bool touches(const journal::Payload& payload) {
    const auto* event = std::get_if<link::DeviceEvent>(&payload);
    if (event == nullptr) return false;
    const auto* edge = std::get_if<link::InputEdge>(event);
    return std::holds_alternative<link::Lift>(*event) || (edge != nullptr && edge->active);
}

chess::Bitboard initial_array() {
    static const chess::Bitboard squares = chess::Position::initial().occupied();
    return squares;
}

}  // namespace

DeviceTime BoardGame::game_time(DeviceTime board) const noexcept {
    return DeviceTime{std::max(Micros{0}, board - game_->origin)};
}

Result<void> BoardGame::apply(const journal::Entry& entry) {
    std::optional<HostSaid> said;
    if (const auto* host = std::get_if<journal::HostInput>(&entry.payload)) {
        auto parsed = parse_host_input(host->json);
        if (!parsed) return parsed.error();
        said = *std::move(parsed);
    }

    const DeviceTime at = interpreter_.take_time(entry);
    begin_next_if_due(at, entry.wall_ms, touches(entry.payload));
    if (said) {
        if (const auto* begun = std::get_if<GameBegun>(&*said)) {
            begin(begun->config, at, entry.wall_ms);
        } else {
            input(at, std::get<laws::Input>(*said));
        }
    } else if (const auto* event = std::get_if<link::DeviceEvent>(&entry.payload)) {
        for (const laws::Input& what : interpreter_.take_event(*event)) input(at, what);
        note_array(at);
    } else {
        input(at, laws::TimePassed{});
    }
    collect();
    return {};
}

void BoardGame::input(DeviceTime at, const laws::Input& what) {
    if (!game_) return;
    const DeviceTime t = game_time(at);
    if (t > game_->last_input) close_frame();
    game_->last_input = std::max(game_->last_input, t);
    game_->frame_open = true;
    if (std::holds_alternative<laws::TimePassed>(what)) game_->referee.advance(t);
    else game_->referee.input(t, what);
    game_->live.on_input(t, what);
}

/// The referee waits until a frame is complete before it judges it: until a later instant is
/// spoken of. Doing this for itself, and always at the same instant, makes what follows from a
/// frame the same whether the next entry completes it, on a replay, or a watermark did.
void BoardGame::close_frame() {
    if (!std::exchange(game_->frame_open, false)) return;
    const DeviceTime closed = game_->last_input + Micros{1};
    game_->referee.advance(closed);
    collect();
    show_clocks_at(closed);
}

void BoardGame::collect() {
    if (!game_) return;
    show(game_->referee.take_decisions());
}

void BoardGame::show(const std::vector<laws::Decision>& decisions) {
    if (!game_) return;
    for (const laws::Decision& decision : decisions) {
        game_->live.on_decision(decision);
        if (std::holds_alternative<laws::GameEnded>(decision.what) && !game_->ended) {
            game_->ended = game_->origin + decision.at.time_since_epoch();
        } else if (std::holds_alternative<laws::RecordShortened>(decision.what)) {
            game_->ended.reset();
        }
        shown_.push_back(decision);
    }
}

std::vector<laws::Decision> BoardGame::take_shown() { return std::exchange(shown_, {}); }

std::vector<laws::Decision> BoardGame::advance(DeviceTime device) {
    if (!game_) return {};
    const DeviceTime t = game_time(interpreter_.board_time(device));
    if (t <= game_->last_input) return {};
    close_frame();
    game_->referee.advance(t);
    return game_->referee.take_decisions();
}

void BoardGame::show_clocks(DeviceTime device) {
    if (game_) show_clocks_at(game_time(interpreter_.board_time(device)));
}

void BoardGame::show_clocks_at(DeviceTime t) {
    serve::ClockView view;
    view.at = t;
    if (game_->config.clock.mode != laws::ClockMode::none) {
        for (const auto side : {chess::Color::white, chess::Color::black}) {
            view.left[chess::index_of(side)] = game_->referee.clock_left(side);
        }
        view.running = game_->referee.clock_running();
    }
    game_->live.on_clock(view);
    game_->live.on_stories(game_->referee.stories());
}

void BoardGame::note_array(DeviceTime at) {
    if (interpreter_.occupied() != initial_array()) array_since_.reset();
    else if (!array_since_) array_since_ = at;
}

/// In board time. A game is over by the Laws, or else given up once the men stand in an array that
/// no play could lead to from where it is.
std::optional<DeviceTime> BoardGame::next_game_due() const noexcept {
    if (!game_ || !array_since_ || game_->config.new_game_after <= Millis{0}) return std::nullopt;
    if (!game_->config.start.same_as(chess::Position::initial())) return std::nullopt;
    if (game_->ended) return std::max(*array_since_, *game_->ended) + game_->config.new_game_after;
    if (game_->referee.position().occupied() == initial_array()) return std::nullopt;
    return *array_since_ + game_->config.new_game_after;
}

std::optional<DeviceTime> BoardGame::next_game_at() const noexcept {
    const auto due = next_game_due();
    if (!due) return std::nullopt;
    return interpreter_.device_time_of(*due);
}

void BoardGame::begin_next_if_due(DeviceTime at, std::int64_t wall_ms, bool touched) {
    auto due = next_game_due();
    if (!due) return;
    // Men who stand ready after a result are not touched for the old game's sake.
    // The new game begins before that touch, not in its frame.
    if (touched && game_->ended) due = std::min(*due, std::max(*array_since_, at - Millis{1}));
    if (at < *due) return;
    // What time alone still decides of the game in hand comes first; it may put the next one off.
    close_frame();
    game_->referee.advance(game_time(*due));
    collect();
    const auto still_due = next_game_due();
    if (!still_due || (at < *still_due && !touched)) return;
    const GameConfig config = game_->config;
    begin(config, *due, wall_ms);
}

void BoardGame::begin(const GameConfig& config, DeviceTime at, std::int64_t wall_ms) {
    interpreter_.set_inputs(config.inputs);
    const std::tm day = utc(wall_ms);
    serve::GameInfo info;
    info.board = board_;
    info.game_id = fmt::format("{}-{:%Y%m%d-%H%M%S}-{:03}", board_, day, wall_ms % 1000);
    info.white = config.white;
    info.black = config.black;
    info.event = config.event;
    info.site = config.site;
    info.round = config.round;
    info.date = fmt::format("{:%Y.%m.%d}", day);
    info.time_control = serve::time_control_tag(config.clock);

    laws::GameSetup setup;
    setup.start = config.start;
    setup.clock = config.clock;
    if (game_ && left_) left_(game_->live);
    shown_.clear();
    game_ = std::make_unique<Game>(config, std::move(info), setup, language_, at);
    ++games_;
    array_since_.reset();
    if (const auto occupied = interpreter_.occupied()) {
        input(at, laws::BoardSeen{*occupied});
        note_array(at);
    }
}

}  // namespace touchmove::app
