// connection.hpp - the way from one device URI to the board that is found there
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "host/app/board.hpp"
#include "host/base/result.hpp"
#include "host/link/connector.hpp"

namespace touchmove::app {

/// Hands what its connector reports to the board with the serial number that the device gave, which
/// can be another one after each attachment. On the executor's thread.
class Connection final : private link::Connector::Owner {
  public:
    class Handler {
      public:
        virtual ~Handler() = default;
        /// The board with that serial number, made if need be; null if that cannot be.
        virtual Board* board_of(const std::string& serial) = 0;
        /// An attempt failed for another reason than the one before it.
        virtual void on_not_opened(const Connection& connection, const Error& why) = 0;
        /// Another connection serves that board already: this one has stopped.
        virtual void on_doubled(const Connection& connection, const Board& board) = 0;
    };

    Connection(boost::asio::any_io_executor executor, std::string uri,
               std::unique_ptr<link::BoardOpener> opener, Handler& handler);

    void start() { connector_.start(); }
    /// The board, if there is one, hears nothing of it.
    void stop();

    [[nodiscard]] const std::string& uri() const noexcept { return uri_; }

  private:
    void on_board(const std::string& serial,
                  std::function<void(link::Connector::Start)> answer) override;
    void on_waiting(const Error& why, Millis retry_after) override;
    void on_events(std::span<const link::StampedEvent> events) override;
    void on_watermark(DeviceTime t) override;
    void on_attached(std::uint32_t session) override;
    void on_detached(const Error& why) override;

    boost::asio::any_io_executor executor_;
    std::string uri_;
    Handler& handler_;
    link::Connector connector_;
    Board* board_ = nullptr;
    std::string last_failure_;
};

}  // namespace touchmove::app
