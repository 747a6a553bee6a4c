// game_config.hpp - all that is settled before a game, as it stands in the journal
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "host/app/interpreter.hpp"
#include "host/base/result.hpp"
#include "host/base/time.hpp"
#include "host/laws/referee.hpp"

namespace boost::json {
class object;
}

namespace touchmove::app {

/// Written into the journal with every new game, so that a journal alone restores its games
/// whatever the configuration file says by then.
struct GameConfig {
    GameConfig();

    laws::Rules rules;
    laws::ClockSetup clock;
    chess::Position start = chess::Position::initial();
    InputMap inputs = default_input_map();
    /// Once a game is over, or the board shows that it was given up, the next one begins when the
    /// initial array has stood this long (over by its result: also at the first touch before);
    /// 0: only by command.
    Millis new_game_after{2000};

    std::string white;
    std::string black;
    std::string event;
    std::string site;
    std::string round;
};

[[nodiscard]] boost::json::object to_json(const GameConfig& config);
/// Strict: a missing or ill-typed member fails with one sentence that names it.
[[nodiscard]] Result<GameConfig> game_config_from_json(const boost::json::object& json);

// The words of the configuration file and the journal.
[[nodiscard]] std::string_view name_of(laws::TimeClass value) noexcept;
[[nodiscard]] std::string_view name_of(laws::Supervision value) noexcept;
[[nodiscard]] std::string_view name_of(laws::ClockMode value) noexcept;
[[nodiscard]] std::string_view name_of(BoardInput value) noexcept;

[[nodiscard]] std::optional<laws::Edition> edition_of(std::int64_t year) noexcept;
[[nodiscard]] std::optional<laws::TimeClass> time_class_of(std::string_view name) noexcept;
[[nodiscard]] std::optional<laws::Supervision> supervision_of(std::string_view name) noexcept;
[[nodiscard]] std::optional<laws::ClockMode> clock_mode_of(std::string_view name) noexcept;
[[nodiscard]] std::optional<BoardInput> board_input_of(std::string_view name) noexcept;

}  // namespace touchmove::app
