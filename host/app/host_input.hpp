// host_input.hpp - what people said through the host's interfaces, as text in the journal
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "host/app/game_config.hpp"
#include "host/base/result.hpp"
#include "host/laws/input.hpp"

namespace touchmove::app {

/// A game began on this board, under that configuration.
struct GameBegun { GameConfig config; };

using HostSaid = std::variant<laws::Input, GameBegun>;

/// One JSON object, in the vocabulary of the console's commands (host/serve/command.hpp); a new
/// game carries its whole configuration. Sensor events and the passing of time have no such text.
[[nodiscard]] std::string to_json(const HostSaid& said);

/// Reads it back; fails with one sentence.
[[nodiscard]] Result<HostSaid> parse_host_input(std::string_view text);

}  // namespace touchmove::app
