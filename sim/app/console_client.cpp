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
#include <map>
#include <optional>
#include <utility>

#include "host/app/host_input.hpp"
#include "sim/verify/said.hpp"

namespace touchmove::app {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace json = boost::json;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using std::chrono::milliseconds;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);
// A board may be attached before the daemon knows its name, and a daemon may be starting again.
constexpr milliseconds patience{5000};
constexpr milliseconds name_patience{1500};  // a game begins two seconds after its names were said
constexpr milliseconds pause{250};           // between two attempts

json::object command_of(const GameNamed& game) {
    return {{"do", "new_game"}, {"white", game.white}, {"black", game.black}};
}
json::object command_of(const bench::Said& said) {
    return json::parse(to_json(verify::input_of(said))).as_object();
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
    json::object command =
        std::visit([](const auto& each) { return command_of(each); }, what);
    command["id"] = id;
    command["board"] = board;
    return json::serialize(command);
}

namespace {

/// What is said at one board, in order: one sentence at a time, each on a connection of its own.
/// They speak seldom, and so nothing that the page is told piles up.
class Speaker : public std::enable_shared_from_this<Speaker> {
  public:
    Speaker(asio::io_context& io, std::uint16_t port, std::string board, ConsoleClient::Warn warn)
        : io_(io), timer_(io), port_(port), board_(std::move(board)), warn_(std::move(warn)) {}

    void say(const Spoken& what) {
        const bool begins = std::holds_alternative<GameNamed>(what);
        const auto id = next_id_++;
        waiting_.push_back({id, console_command(id, board_, what),
                            Clock::now() + (begins ? name_patience : patience), begins});
        if (std::exchange(speaking_, true)) return;
        asio::co_spawn(
            io_, [self = shared_from_this()] { return self->work_off(); }, asio::detached);
    }

    void stop() {
        stopped_ = true;
        timer_.cancel();
        if (socket_) beast::get_lowest_layer(*socket_).close();
    }

  private:
    using Clock = std::chrono::steady_clock;
    struct Sentence {
        std::int64_t id;
        std::string command;
        Clock::time_point until;
        bool once;  ///< said twice it would do harm: a second new game cuts the first one in two
    };
    enum class Heard : std::uint8_t { yes, refused, perhaps, no };

    asio::awaitable<void> work_off() {
        while (!waiting_.empty() && !stopped_) {
            const Sentence& sentence = waiting_.front();
            std::string why = "no daemon is there";
            const Heard heard = co_await ask(sentence, why);
            const bool over = Clock::now() >= sentence.until;
            const bool settled = heard == Heard::yes || (heard == Heard::perhaps && sentence.once);
            if (!settled && !over) {
                timer_.expires_after(pause);
                if (!stopped_) (void)co_await timer_.async_wait(as_result);
                continue;
            }
            if (!settled)
                warn_(fmt::format("not told to the daemon: {} ({})", sentence.command, why));
            waiting_.pop_front();
        }
        speaking_ = false;
    }

    asio::awaitable<Heard> ask(const Sentence& sentence, std::string& why) {
        socket_.emplace(io_);
        auto& tcp_layer = beast::get_lowest_layer(*socket_);
        tcp_layer.expires_after(patience);
        const tcp::endpoint there(asio::ip::address_v4::loopback(), port_);
        if (const auto [failed] = co_await tcp_layer.async_connect(there, as_result); failed) {
            co_return Heard::no;
        }
        const std::string host = fmt::format("127.0.0.1:{}", port_);
        if (const auto [failed] =
                co_await socket_->async_handshake(host, "/live/arbiter", as_result);
            failed) {
            co_return Heard::no;
        }
        if (const auto [failed, sent] =
                co_await socket_->async_write(asio::buffer(sentence.command), as_result);
            failed) {
            co_return Heard::perhaps;
        }
        for (;;) {
            beast::flat_buffer buffer;
            const auto [failed, got] = co_await socket_->async_read(buffer, as_result);
            if (failed) co_return Heard::perhaps;
            const auto answer = answer_in(beast::buffers_to_string(buffer.data()), sentence.id);
            if (!answer) continue;
            (void)co_await socket_->async_close(websocket::close_code::normal, as_result);
            if (!answer->refused) co_return Heard::yes;
            why = *answer->refused;
            co_return Heard::refused;
        }
    }

    asio::io_context& io_;
    asio::steady_timer timer_;
    std::uint16_t port_;
    std::string board_;
    ConsoleClient::Warn warn_;
    std::optional<websocket::stream<beast::tcp_stream>> socket_;
    std::deque<Sentence> waiting_;
    std::int64_t next_id_ = 0;
    bool speaking_ = false;
    bool stopped_ = false;
};

}  // namespace

class ConsoleClient::State : public std::enable_shared_from_this<State> {
  public:
    State(asio::io_context& io, std::uint16_t port, Warn warn)
        : io_(io), port_(port), warn_(std::move(warn)) {}

    void say(std::string board, Spoken what) {
        asio::post(io_, [self = shared_from_this(), board = std::move(board),
                         what = std::move(what)] { self->say_now(board, what); });
    }
    void stop() {
        stopped_ = true;
        for (const auto& [board, speaker] : speakers_)
            speaker->stop();
    }

  private:
    void say_now(const std::string& board, const Spoken& what) {
        if (stopped_) return;
        auto& speaker = speakers_[board];
        if (!speaker) speaker = std::make_shared<Speaker>(io_, port_, board, warn_);
        speaker->say(what);
    }

    asio::io_context& io_;
    std::uint16_t port_;
    Warn warn_;
    std::map<std::string, std::shared_ptr<Speaker>> speakers_;
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
