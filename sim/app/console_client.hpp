// console_client.hpp - tells the daemon what the simulated players say
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sim/app/game_player.hpp"

namespace touchmove::app {

/// Speaks at the console of a daemon (`touchmove run --port`) on this machine, as an arbiter's
/// assistant would: who plays, who resigns, which piece a pawn becomes. At each board in order, and
/// only while it is worth saying: five seconds, a game's names less.
class ConsoleClient {
  public:
    /// One line for the person who watches: something was not told.
    using Warn = std::function<void(const std::string& line)>;

    ConsoleClient(boost::asio::io_context& io, std::uint16_t port, Warn warn);
    ~ConsoleClient();

    /// `board` is a serial number. From any thread.
    void say(std::string board, Spoken what);
    void stop();

  private:
    class State;
    std::shared_ptr<State> state_;
};

/// One command of the console as JSON (host/serve/command.hpp).
[[nodiscard]] std::string console_command(std::int64_t id, const std::string& board,
                                          const Spoken& what);

}  // namespace touchmove::app
