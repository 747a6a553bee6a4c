// web_server.hpp - the page and its live data over HTTP and WebSocket
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/base/result.hpp"
#include "host/serve/command.hpp"
#include "host/serve/language.hpp"
#include "host/serve/live_game.hpp"

namespace touchmove::serve {

/// Serves the embedded page at / (viewers) and /arbiter (console), and JSON over WebSocket at /live
/// and /live/arbiter. Only the console's socket takes commands. Everything runs on the thread of
/// the io_context; all calls must come from there.
class WebServer {
  public:
    struct Options {
        std::string address = "127.0.0.1";
        std::uint16_t port = 8088;  ///< 0: any free one, see port()
        /// Origins from which a browser may open the WebSocket besides the server's own address,
        /// e.g. "https://chess.example.org" behind a proxy.
        std::vector<std::string> origins;
        Language language = Language::en;  ///< of the page's own words
        std::size_t max_clients = 256;
        /// A client that lets this much pile up is closed.
        std::size_t max_queued_bytes = 1U << 20U;
    };

    class Handler {
      public:
        virtual ~Handler() = default;
        /// State messages of all boards for a client that has just come.
        virtual std::vector<std::string> greeting(Audience audience) = 0;
        /// Carry it out and call `reply` once, now or later, on the io_context's thread; it may
        /// outlive the client. An error's message is shown to the arbiter.
        virtual void on_command(Command command, std::function<void(Result<void>)> reply) = 0;
        /// One line for the log: a connection was refused or failed.
        virtual void on_trouble(const Error& what) = 0;
    };

    /// Listens; fails with a sentence if the address is taken. `io` and `handler` outlive the
    /// server.
    [[nodiscard]] static Result<std::unique_ptr<WebServer>> start(boost::asio::io_context& io,
                                                                  Options options,
                                                                  Handler& handler);
    virtual ~WebServer() = default;  ///< as stop()

    /// Sends a message (see LiveGame) to every client of that audience.
    virtual void send(Audience audience, const std::string& message) = 0;
    /// Closes the listener and all clients; the io_context runs out of work of the server soon.
    virtual void stop() = 0;

    [[nodiscard]] virtual std::uint16_t port() const noexcept = 0;
    [[nodiscard]] virtual std::size_t clients() const noexcept = 0;
};

}  // namespace touchmove::serve
