// command.hpp - what the arbiter's console asks of the daemon
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "host/base/result.hpp"
#include "host/laws/input.hpp"

namespace touchmove::serve {

/// The game in hand is given up or over; another begins from the initial array.
struct NewGame {
    std::string white;
    std::string black;
    std::string event;
    std::string round;
};

struct Command {
    std::int64_t id = 0;  ///< chosen by the client, returned in the reply
    std::string board;    ///< serial number
    /// Of the inputs only those that a person gives: offers and answers, resignation, claims,
    /// adjusting, pause, promotion, choice, uphold, restored, clock correction, a flag that fell.
    std::variant<laws::Input, NewGame> what;
};

/// Reads one command, e.g. {"id":4,"board":"TM-0001","do":"promote","side":"white","to":"q"}. The
/// vocabulary is that of scenario files (tests/scenarios/FORMAT.md), with "left_ms" of
/// "correct_clock" beside its side, and "new_game". Strict: a missing, unknown or ill-typed member
/// fails with one sentence.
[[nodiscard]] Result<Command> parse_command(std::string_view json);

}  // namespace touchmove::serve
