// server.hpp - exports boards over USB/IP
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/base/result.hpp"
#include "sim/usbip/board.hpp"

namespace touchmove::usbip {

/// Listens on the loopback interface only. Everything happens on the thread that runs the
/// io_context, which never waits for a board. A client that breaks the protocol is dropped with one
/// log line; the others do not notice.
class Server {
  public:
    using Log = std::function<void(const std::string& line)>;

    /// `boards` must outlive the server, and take no more calls than it makes.
    Server(boost::asio::io_context& io, std::vector<Board*> boards, Log log);
    ~Server();

    /// Port 0 picks a free one.
    [[nodiscard]] Result<void> listen(std::uint16_t port);
    [[nodiscard]] std::uint16_t port() const;
    /// Drops every client and closes the port. The io_context then runs out of work.
    void stop();

  private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace touchmove::usbip
