// board_game.hpp - the games of one board as a function of its journal
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/app/game_config.hpp"
#include "host/app/interpreter.hpp"
#include "host/base/result.hpp"
#include "host/journal/journal.hpp"
#include "host/laws/decision.hpp"
#include "host/laws/referee.hpp"
#include "host/serve/live_game.hpp"

namespace touchmove::app {

/// Takes one board's journal entries in their order and holds the game in hand. The same entries
/// give the same games, decision for decision: no clock, no threads, no I/O, so a restart is a
/// replay.
class BoardGame {
  public:
    /// `language`: of the sentences in which its games are told. No decision depends on it.
    explicit BoardGame(std::string board, serve::Language language = serve::Language::en)
        : board_(std::move(board)), language_(language) {}

    /// Called with the game in hand when another takes its place.
    void on_left(std::function<void(serve::LiveGame&)> left) { left_ = std::move(left); }

    /// The next entry. Fails, and changes nothing, if a host input cannot be read.
    [[nodiscard]] Result<void> apply(const journal::Entry& entry);

    /// Nothing happened up to `device`, an instant of the board's present session. What follows
    /// from the entries, now that nothing else can share their stamps, is shown at once. Returns
    /// what time alone decides: if anything, a TimePassed at that instant must be in the journal
    /// before show() is called with it.
    [[nodiscard]] std::vector<laws::Decision> advance(DeviceTime device);
    void show(const std::vector<laws::Decision>& decisions);

    /// When the next game begins by itself if nothing happens on the board until then: the men
    /// stand in the initial array, and the game in hand is over or was given up. The TimePassed
    /// that is applied at that instant begins it.
    [[nodiscard]] std::optional<DeviceTime> next_game_at() const noexcept;

    /// Decisions shown since the last call, in the order of time; empties the list. What belongs to
    /// a game that has ended since is not in it.
    [[nodiscard]] std::vector<laws::Decision> take_shown();

    [[nodiscard]] bool has_game() const noexcept { return game_ != nullptr; }
    /// How many games began on this board.
    [[nodiscard]] std::size_t games() const noexcept { return games_; }
    // Only with has_game().
    [[nodiscard]] const laws::Referee& referee() const noexcept { return game_->referee; }
    [[nodiscard]] serve::LiveGame& live() noexcept { return game_->live; }
    [[nodiscard]] const GameConfig& config() const noexcept { return game_->config; }

    /// Tells the live game what the clocks show at an instant of the present session.
    void show_clocks(DeviceTime device);

    [[nodiscard]] const std::string& board() const noexcept { return board_; }

  private:
    struct Game {
        Game(const GameConfig& with, serve::GameInfo info, const laws::GameSetup& setup,
             serve::Language language, DeviceTime begun)
            : config(with), referee(with.rules, setup), live(std::move(info), setup, language),
              origin(begun) {}

        GameConfig config;
        laws::Referee referee;
        serve::LiveGame live;
        DeviceTime origin;  ///< board time at which the game's own time is 0
        std::optional<DeviceTime> ended;  ///< board time of its result
        DeviceTime last_input{};          ///< the game's own time
        bool frame_open = false;          ///< inputs at that time may still be on their way
    };

    void begin(const GameConfig& config, DeviceTime at, std::int64_t wall_ms);
    void begin_next_if_due(DeviceTime at, std::int64_t wall_ms, bool touched);
    [[nodiscard]] std::optional<DeviceTime> next_game_due() const noexcept;
    void note_array(DeviceTime at);
    void input(DeviceTime at, const laws::Input& what);
    void close_frame();
    void collect();
    void show_clocks_at(DeviceTime t);
    [[nodiscard]] DeviceTime game_time(DeviceTime board) const noexcept;

    std::string board_;
    serve::Language language_;
    Interpreter interpreter_;
    std::unique_ptr<Game> game_;
    std::size_t games_ = 0;
    /// Since when the sensors have shown the initial array (board time).
    std::optional<DeviceTime> array_since_;
    std::vector<laws::Decision> shown_;
    std::function<void(serve::LiveGame&)> left_;
};

}  // namespace touchmove::app
