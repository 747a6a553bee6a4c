// daemon.hpp - boards, journal, page and PGN folder as one running program
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/app/board.hpp"
#include "host/app/configuration.hpp"
#include "host/app/connection.hpp"
#include "host/base/result.hpp"
#include "host/journal/journal.hpp"
#include "host/link/link_libusb.hpp"
#include "host/serve/pgn_folder.hpp"
#include "host/serve/web_server.hpp"

namespace touchmove::app {

class Daemon final : private Board::Observer,
                     private Connection::Handler,
                     private serve::WebServer::Handler {
  public:
    /// Called for each line that is meant for the person at the terminal.
    using Print = std::function<void(const std::string&)>;

    Daemon(Configuration configuration, Print print);

    /// Runs until SIGINT or SIGTERM, then commits and closes. Fails with one sentence if something
    /// could not be opened, or if the journal took no more.
    [[nodiscard]] Result<void> run();

  private:
    [[nodiscard]] Result<void> open();
    [[nodiscard]] Result<void> open_connections();
    [[nodiscard]] Result<Board*> make_board(const std::string& serial);
    void stop();
    void finish_when_idle();
    void write_record(serve::LiveGame& live);

    void on_change(Board& board) override;
    void on_game_left(serve::LiveGame& live) override;
    void on_attached(Board& board) override;
    void on_detached(Board& board, const Error& why) override;
    void on_fatal(Board& board, const Error& why) override;

    Board* board_of(const std::string& serial) override;
    void on_not_opened(const Connection& connection, const Error& why) override;
    void on_doubled(const Connection& connection, const Board& board) override;

    std::vector<std::string> greeting(serve::Audience audience) override;
    void on_command(serve::Command command, std::function<void(Result<void>)> reply) override;
    void on_trouble(const Error& what) override;

    const Configuration configuration_;
    const Print print_;

    boost::asio::io_context io_;
    boost::asio::signal_set signals_;
    std::map<std::string, std::unique_ptr<Board>> boards_;  // by serial number
    std::unique_ptr<journal::Journal> journal_;  // closed before the boards go
    std::unique_ptr<serve::PgnFolder> pgn_;
    std::unique_ptr<serve::WebServer> web_;
    std::unique_ptr<link::UsbHost> usb_;  // once a usb:// device is asked for
    std::vector<std::unique_ptr<Connection>> connections_;

    bool stopping_ = false;
    std::optional<Error> fatal_;
};

}  // namespace touchmove::app
