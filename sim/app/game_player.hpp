// game_player.hpp - plays the games of a PGN on one board, one after the other
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "host/chess/pgn.hpp"
#include "sim/bench/timeline.hpp"
#include "sim/device/stimulus.hpp"

namespace touchmove::app {

/// Who plays the game that is about to begin.
struct GameNamed {
    std::string white;
    std::string black;
};
/// What is said aloud at the board: the sensors do not hear it.
using Spoken = std::variant<GameNamed, bench::Said>;

/// A stimulus that stands at the start position until start(), then plays; between two games hands
/// set the men up again. Belongs to the board's thread, except progress().
class GamePlayer final : public device::Stimulus {
  public:
    struct Options {
        std::vector<chess::PgnGame> games;   ///< none: the start position stands for ever
        bool loop = false;                   ///< begin again after the last game
        bench::Hands hands;
        bench::Tempo tempo = bench::Tempo::fast;
        std::optional<bench::SensorKind> sensor;
        std::uint64_t seed = 1;
    };
    struct Progress {
        std::uint32_t game = 0;   ///< from 1; 0: not started
        std::uint32_t plies = 0;  ///< made of it
        bool over = false;        ///< no game is left to play
    };
    /// One line for the person who watches, as it happens.
    using Announce = std::function<void(const std::string& line)>;
    using Speak = std::function<void(const Spoken& what)>;

    /// Both are called on the board's thread; `speak` may be empty.
    GamePlayer(Options options, Announce announce, Speak speak = {});

    /// The first game begins two seconds after bench time `now`. Only the first call counts.
    void start(device::BenchUs now);
    /// From any thread.
    [[nodiscard]] Progress progress() const noexcept;

    [[nodiscard]] device::BenchUs next_change_us() override;
    void apply(device::ContactState& contacts) override;

  private:
    enum class Stage : std::uint8_t { standing, playing, setting_up, over };
    struct Change {
        device::BenchUs at;
        unsigned contact;
        bool level;
    };

    [[nodiscard]] const chess::PgnGame& game() const;
    void begin_game(device::BenchUs at);
    void end_game();
    void announce_until(device::BenchUs now);
    void announce_move();
    void announce_said(const bench::Said& said);

    Options options_;
    Announce announce_;
    Speak speak_;
    Stage stage_ = Stage::standing;
    bool men_placed_ = false;
    std::size_t game_ = 0;            ///< index of the game being played
    std::uint64_t games_begun_ = 0;
    device::BenchUs zero_ = 0;        ///< bench time at which the game's timeline begins
    std::unique_ptr<bench::Timeline> timeline_;
    chess::Position position_;        ///< after the moves announced
    std::size_t announced_ = 0;
    bool result_said_ = false;
    device::ContactState contacts_;   ///< as applied so far
    std::deque<Change> set_up_;
    std::atomic<std::uint32_t> shown_game_ = 0, shown_plies_ = 0;
    std::atomic<bool> shown_over_ = false;
};

}  // namespace touchmove::app
