// board_control.hpp - the line protocol by which tests and people pull cables
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/result.hpp"
#include "sim/app/game_player.hpp"
#include "sim/usbip/live_board.hpp"

namespace touchmove::app {

/// A board and the game on it.
struct ControlledBoard {
    std::string bus_id;
    usbip::LiveBoard* board;
    const GamePlayer* player;
};

/// What may be said to a simulator, for --help: a line each.
[[nodiscard]] std::string board_control_help();

/// Carries out one line and returns the answer, whole lines, the last of which is "ok" or "error: "
/// and a sentence. Power and cable commands are carried out in their order on the board's thread;
/// `status` tells when they have been.
[[nodiscard]] std::string run_control_line(std::string_view line,
                                           const std::vector<ControlledBoard>& boards);

/// Listens on the loopback interface for such lines, any number of clients.
class ControlPort {
  public:
    ControlPort(boost::asio::io_context& io, std::vector<ControlledBoard> boards);
    ~ControlPort();
    /// Port 0 picks a free one.
    [[nodiscard]] Result<void> listen(std::uint16_t port);
    [[nodiscard]] std::uint16_t port() const;
    void stop();

  private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace touchmove::app
