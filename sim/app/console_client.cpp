// console_client.cpp - tells the daemon what the simulated players say
// SPDX-License-Identifier: Apache-2.0
#include "sim/app/console_client.hpp"

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <deque>
#include <optional>
#include <utility>

namespace touchmove::app {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace json = boost::json;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using std::chrono::milliseconds;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
constexpr milliseconds patience{5000};  // for one connection
constexpr milliseconds pause{250};      // between two attempts
constexpr int refusals = 20;            // a board may be attached before the daemon knows its name

std::string_view letter_of(chess::Kind kind) {
    switch (kind) {
        case chess::Kind::rook:
            return "r";
        case chess::Kind::bishop:
            return "b";
        case chess::Kind::knight:
            return "n";
        case chess::Kind::pawn:
        case chess::Kind::queen:
        case chess::Kind::king:
            return "q";
    }
    return "q";
}

void add(json::object& command, const GameNamed& game) {
    command["do"] = "new_game";
    command["white"] = game.white;
    command["black"] = game.black;
}

void add(json::object& command, const bench::Said& said) {
    using What = bench::Said::What;
    command["side"] = said.side == chess::Color::white ? "white" : "black";
    switch (said.what) {
        case What::promoted_piece:
            command["do"] = "promote";
            command["to"] = letter_of(said.piece);
            break;
        case What::resigns:
            command["do"] = "resign";
            break;
        case What::offers_draw:
            command["do"] = "offer";
            break;
        case What::accepts_draw:
            command["do"] = "accept";
            break;
    }
}

/// The console's answer: nothing where it agrees, a sentence where it does not.
struct Answer {
    std::optional<std::string> refused;
};

/// The answer to command `id`, if `message` is one.
std::optional<Answer> answer_in(const std::string& message, std::int64_t id) {
    boost::system::error_code failed;
    const json::value value = json::parse(message, failed);
    if (failed || !value.is_object()) return std::nullopt;
    const json::object& reply = value.as_object();
    const auto* type = reply.if_contains("type");
    const auto* to = reply.if_contains("id");
    if (type == nullptr || *type != "reply" || to == nullptr || *to != id) return std::nullopt;
    const auto* ok = reply.if_contains("ok");
    if (ok != nullptr && ok->is_bool() && ok->as_bool()) return Answer{};
    const auto* why = reply.if_contains("error");
    return Answer{why != nullptr && why->is_string() ? std::string(why->as_string())
                                                     : std::string("no reason given")};
}

}  // namespace

std::string console_command(std::int64_t id, const std::string& board, const Spoken& what) {
    json::object command{{"id", id}, {"board", board}};
    std::visit([&command](const auto& each) { add(command, each); }, what);
    return json::serialize(command);
}

class ConsoleClient::State : public std::enable_shared_from_this<State> {
  public:
    State(asio::io_context& io, std::uint16_t port, Warn warn)
        : io_(io), timer_(io), port_(port), warn_(std::move(warn)) {}

    void say(std::string board, Spoken what) {
        asio::post(io_, [self = shared_from_this(), board = std::move(board),
                         what = std::move(what)]() mutable {
            self->waiting_.push_back(console_command(self->next_id_++, board, what));
            if (!std::exchange(self->speaking_, true)) self->speak();
        });
    }

    void stop() {
        stopped_ = true;
        timer_.cancel();
        if (socket_) beast::get_lowest_layer(*socket_).close();
    }

  private:
    void speak() {
        asio::co_spawn(
            io_, [self = shared_from_this()] { return self->work_off(); }, asio::detached);
    }

    asio::awaitable<void> work_off() {
        int refused = 0;
        while (!waiting_.empty() && !stopped_) {
            const auto answer = co_await ask(waiting_.front(), first_id_);
            const bool done = answer && !answer->refused;
            const bool given_up = answer && answer->refused && ++refused == refusals;
            if (given_up) {
                warn_(fmt::format("the daemon refused {}: {}", waiting_.front(), *answer->refused));
            }
            if (done || given_up) {
                waiting_.pop_front();
                ++first_id_;
                refused = 0;
                continue;
            }
            timer_.expires_after(pause);
            (void)co_await timer_.async_wait(as_result);
        }
        speaking_ = false;
    }

    /// On a connection of its own: they speak seldom, and so nothing that the page is told piles
    /// up. Nothing: no daemon there, or it went away.
    asio::awaitable<std::optional<Answer>> ask(const std::string& command, std::int64_t id) {
        socket_.emplace(io_);
        auto& tcp_layer = beast::get_lowest_layer(*socket_);
        tcp_layer.expires_after(patience);
        const tcp::endpoint there(asio::ip::address_v4::loopback(), port_);
        if (const auto [failed] = co_await tcp_layer.async_connect(there, as_result); failed) {
            co_return std::nullopt;
        }
        const std::string host = fmt::format("127.0.0.1:{}", port_);
        if (const auto [failed] =
                co_await socket_->async_handshake(host, "/live/arbiter", as_result);
            failed) {
            co_return std::nullopt;
        }
        if (const auto [failed, sent] =
                co_await socket_->async_write(asio::buffer(command), as_result);
            failed) {
            co_return std::nullopt;
        }
        for (;;) {
            beast::flat_buffer buffer;
            const auto [failed, got] = co_await socket_->async_read(buffer, as_result);
            if (failed) co_return std::nullopt;
            const auto answer = answer_in(beast::buffers_to_string(buffer.data()), id);
            if (!answer) continue;
            (void)co_await socket_->async_close(websocket::close_code::normal, as_result);
            co_return answer;
        }
    }

    asio::io_context& io_;
    asio::steady_timer timer_;
    std::uint16_t port_;
    Warn warn_;
    std::optional<websocket::stream<beast::tcp_stream>> socket_;
    std::deque<std::string> waiting_;  ///< commands, the first with number `first_id_`
    std::int64_t next_id_ = 0, first_id_ = 0;
    bool speaking_ = false;
    bool stopped_ = false;
};

ConsoleClient::ConsoleClient(asio::io_context& io, std::uint16_t port, Warn warn)
    : state_(std::make_shared<State>(io, port, std::move(warn))) {}
ConsoleClient::~ConsoleClient() {
    stop();
}
void ConsoleClient::say(std::string board, Spoken what) {
    state_->say(std::move(board), std::move(what));
}
void ConsoleClient::stop() {
    state_->stop();
}

}  // namespace touchmove::app
