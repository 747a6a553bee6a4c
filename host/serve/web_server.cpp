// web_server.cpp - the page and its live data over HTTP and WebSocket
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/web_server.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/json.hpp>
#include <chrono>
#include <deque>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "host/serve/page_files.hpp"

namespace touchmove::serve {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace json = boost::json;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using beast::error_code;
using std::chrono::seconds;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

constexpr std::uint32_t max_header_bytes = 8192;
constexpr std::uint64_t max_body_bytes = 1024;  // no request that we answer has one
constexpr std::size_t max_frame_bytes = 8192;
constexpr seconds request_timeout{15};
constexpr seconds close_timeout{2};
constexpr seconds idle_timeout{60};  // of a WebSocket; Beast pings at half of it
constexpr int troubles_told_a_minute = 20;

using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;
using Message = std::shared_ptr<const std::string>;

std::string_view path_of(const Request& request) {
    const std::string_view target(request.target().data(), request.target().size());
    return target.substr(0, target.find('?'));
}

Response answer(const Request& request, http::status status, std::string text) {
    Response response(status, request.version());
    response.set(http::field::content_type, "text/plain; charset=utf-8");
    response.keep_alive(request.keep_alive());
    response.body() = std::move(text) + "\n";
    response.prepare_payload();
    return response;
}

Response answer_file(const Request& request, Language language) {
    if (request.method() != http::verb::get && request.method() != http::verb::head) {
        auto response = answer(request, http::status::method_not_allowed,
                               "Only GET and HEAD are answered here.");
        response.set(http::field::allow, "GET, HEAD");
        return response;
    }
    const auto files = page_files();
    const auto path = path_of(request);
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&](const PageFile& each) {
                                       const bool fits = each.language.empty() ||
                                                         each.language == name_of(language);
                                       return fits && each.path == path;
                                   });
    if (file == files.end()) {
        return answer(request, http::status::not_found, "There is nothing at this address.");
    }
    const auto boost_view = [](std::string_view text) {
        return beast::string_view(text.data(), text.size());
    };
    Response response(http::status::ok, request.version());
    response.keep_alive(request.keep_alive());
    response.set(http::field::content_type, boost_view(file->type));
    response.set(http::field::etag, boost_view(file->etag));
    response.set(http::field::cache_control, "no-cache");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    // Nothing from elsewhere, and no page of another site may frame the console.
    response.set("Content-Security-Policy",
                 "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
                 "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    if (request[http::field::if_none_match] == boost_view(file->etag)) {
        response.result(http::status::not_modified);
        return response;
    }
    if (request.method() == http::verb::head) {
        response.content_length(file->bytes.size());
        return response;
    }
    response.body() = file->bytes;
    response.prepare_payload();
    return response;
}

class Session;

// What sessions share. Outlives the server as long as one of them still unwinds.
struct Core {
    WebServer::Options options;
    WebServer::Handler* handler = nullptr;  ///< null once stopped
    std::set<std::string> origins;
    std::set<Session*> sessions;
    std::chrono::steady_clock::time_point minute_began{};
    int told_this_minute = 0;

    // Strangers may cause trouble at will; they must not fill the log.
    void trouble(std::string sentence) {
        if (handler == nullptr) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - minute_began > std::chrono::minutes(1)) {
            minute_began = now;
            told_this_minute = 0;
        }
        if (++told_this_minute > troubles_told_a_minute) return;
        if (told_this_minute == troubles_told_a_minute)
            sentence += " (no more such lines this minute)";
        handler->on_trouble(Error(std::errc::protocol_error, std::move(sentence)));
    }
};

// One connection: HTTP requests until one of them turns it into a WebSocket.
class Session final : public std::enable_shared_from_this<Session> {
  public:
    Session(tcp::socket socket, std::shared_ptr<Core> core)
        : core_(std::move(core)), stream_(std::move(socket)) {
        error_code failed;
        const auto peer = stream_.socket().remote_endpoint(failed);
        peer_ = failed ? std::string("a client")
                       : fmt::format("{}:{}", peer.address().to_string(), peer.port());
        core_->sessions.insert(this);
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() { core_->sessions.erase(this); }

    asio::awaitable<void> run() {
        beast::flat_buffer buffer;
        for (;;) {
            http::request_parser<http::string_body> parser;
            parser.header_limit(max_header_bytes);
            parser.body_limit(max_body_bytes);
            stream_.expires_after(request_timeout);
            const auto [failed, got] =
                co_await http::async_read(stream_, buffer, parser, as_result);
            if (failed) {
                co_await refuse(failed, parser.get());
                break;
            }
            const auto request = parser.release();
            if (websocket::is_upgrade(request)) {
                if (co_await upgrade(request)) co_await serve_socket();
                co_return;
            }
            if (!co_await respond(answer_file(request, core_->options.language))) break;
        }
        error_code ignored;
        stream_.socket().shutdown(tcp::socket::shutdown_both, ignored);
    }

    [[nodiscard]] bool listens_to(Audience audience) const {
        return open_ && audience_ == audience && !closing_;
    }

    // `counted`: whether it counts against the limit; the greeting does not.
    void send(Message message, bool counted = true) {
        if (!open_ || closing_) return;
        const auto size = counted ? message->size() : 0;
        if (queued_bytes_ + size > core_->options.max_queued_bytes) {
            core_->trouble(fmt::format("{} takes its messages too slowly and was closed.", peer_));
            drop();
            return;
        }
        queued_bytes_ += size;
        queue_.push_back({std::move(message), size});
        if (writing_) return;
        writing_ = true;
        asio::co_spawn(
            socket_->get_executor(), [self = shared_from_this()] { return self->write_queue(); },
            asio::detached);
    }

    // Says good-bye to a WebSocket, ends anything else.
    void close() {
        if (closing_) return;
        if (!open_) {
            drop();
            return;
        }
        closing_ = true;
        if (!writing_) begin_close();
    }

  private:
    struct Queued {
        Message message;
        std::size_t counted;
    };

    void drop() {
        closing_ = true;
        error_code ignored;
        auto& socket = socket_ ? socket_->next_layer().socket() : stream_.socket();
        socket.close(ignored);
    }

    void begin_close() {
        asio::co_spawn(
            socket_->get_executor(),
            [self = shared_from_this()]() -> asio::awaitable<void> {
                co_await self->socket_->async_close(websocket::close_code::going_away, as_result);
            },
            asio::detached);
    }

    asio::awaitable<bool> respond(Response response) {
        response.set(http::field::server, "touchmove");
        stream_.expires_after(request_timeout);
        const bool goes_on = response.keep_alive();
        const auto [failed, sent] = co_await http::async_write(stream_, response, as_result);
        co_return !failed && goes_on;
    }

    // Answers a request that could not be read, where there is still somebody to tell.
    asio::awaitable<void> refuse(error_code failed, const Request& request) {
        auto status = http::status::bad_request;
        if (failed == http::error::body_limit) status = http::status::payload_too_large;
        if (failed == http::error::header_limit) {
            status = http::status::request_header_fields_too_large;
        }
        if (failed.category() != http::make_error_code(http::error::body_limit).category() ||
            failed == http::error::end_of_stream || failed == http::error::partial_message) {
            co_return;
        }
        core_->trouble(
            fmt::format("{} sent a request that was refused: {}.", peer_, failed.message()));
        auto response = answer(request, status, "The request was refused: " + failed.message());
        response.version(11);
        response.keep_alive(false);
        co_await respond(std::move(response));
    }

    asio::awaitable<bool> upgrade(const Request& request) {
        const auto path = path_of(request);
        if (path != "/live" && path != "/live/arbiter") {
            co_await respond(
                answer(request, http::status::not_found, "There is nothing at this address."));
            co_return false;
        }
        const auto origin = request[http::field::origin];
        if (!origin.empty() && core_->origins.count(std::string(origin)) == 0) {
            core_->trouble(
                fmt::format("A page of another origin was refused: {:.100}.", std::string(origin)));
            co_await respond(answer(request, http::status::forbidden,
                                    "Pages of this origin may not connect here."));
            co_return false;
        }
        audience_ = path == "/live" ? Audience::viewer : Audience::arbiter;
        stream_.expires_never();
        socket_.emplace(std::move(stream_));
        socket_->set_option(websocket::stream_base::timeout{close_timeout, idle_timeout, true});
        socket_->set_option(
            websocket::stream_base::decorator([](websocket::response_type& response) {
                response.set(http::field::server, "touchmove");
            }));
        socket_->read_message_max(max_frame_bytes);
        const auto [failed] = co_await socket_->async_accept(request, as_result);
        if (failed) {
            core_->trouble(
                fmt::format("{} could not open a WebSocket: {}.", peer_, failed.message()));
            co_return false;
        }
        co_return true;
    }

    asio::awaitable<void> serve_socket() {
        socket_->text(true);
        if (core_->handler == nullptr) co_return;
        open_ = true;
        for (auto& message : core_->handler->greeting(audience_)) {
            send(std::make_shared<const std::string>(std::move(message)), false);
        }
        beast::flat_buffer buffer;
        for (;;) {
            const auto [failed, got] = co_await socket_->async_read(buffer, as_result);
            if (failed) {
                if (failed == websocket::error::message_too_big) {
                    core_->trouble(fmt::format("{} sent a message that is too long.", peer_));
                }
                drop();
                co_return;
            }
            const auto data = buffer.cdata();
            take_command({static_cast<const char*>(data.data()), data.size()});
            buffer.consume(buffer.size());
        }
    }

    void take_command(std::string_view text) {
        if (core_->handler == nullptr) return;
        if (audience_ != Audience::arbiter) {
            reply(std::nullopt,
                  Error(std::errc::operation_not_permitted, "This connection takes no commands."));
            return;
        }
        auto command = parse_command(text);
        if (!command) {
            reply(std::nullopt, command.error());
            return;
        }
        const auto id = command->id;
        core_->handler->on_command(std::move(*command),
                                   [weak = weak_from_this(), id](Result<void> result) {
                                       if (const auto self = weak.lock()) self->reply(id, result);
                                   });
    }

    void reply(std::optional<std::int64_t> id, const Result<void>& result) {
        json::object out{{"type", "reply"}, {"id", nullptr}, {"ok", result.has_value()}};
        if (id) out["id"] = *id;
        if (!result) out["error"] = result.error().message();
        send(std::make_shared<const std::string>(json::serialize(out)));
    }

    asio::awaitable<void> write_queue() {
        while (!queue_.empty()) {
            const auto next = queue_.front();
            const auto [failed, sent] =
                co_await socket_->async_write(asio::buffer(*next.message), as_result);
            if (failed) {
                drop();  // the pending read fails and ends the session
                break;
            }
            queue_.pop_front();
            queued_bytes_ -= next.counted;
            if (closing_) break;
        }
        writing_ = false;
        if (closing_ && socket_->is_open()) begin_close();
    }

    std::shared_ptr<Core> core_;
    beast::tcp_stream stream_;
    std::optional<websocket::stream<beast::tcp_stream>> socket_;
    std::string peer_;
    Audience audience_ = Audience::viewer;
    std::deque<Queued> queue_;
    std::size_t queued_bytes_ = 0;
    bool writing_ = false;
    bool closing_ = false;
    bool open_ = false;  ///< the WebSocket is
};

class Server final : public WebServer {
  public:
    Server(asio::io_context& io, Options options, Handler& handler)
        : io_(io), acceptor_(std::make_shared<tcp::acceptor>(io)), core_(std::make_shared<Core>()) {
        core_->options = std::move(options);
        core_->handler = &handler;
    }
    ~Server() override { stop(); }

    Result<void> listen() {
        const auto& options = core_->options;
        const auto where = fmt::format("{}:{}", options.address, options.port);
        error_code failed;
        const auto address = asio::ip::make_address(options.address, failed);
        if (failed) {
            return Error(std::errc::invalid_argument,
                         fmt::format("\"{}\" is no IP address.", options.address));
        }
        const tcp::endpoint endpoint(address, options.port);
        const auto fail = [&] {
            return Error(failed, fmt::format("Cannot listen on {}: {}.", where, failed.message()));
        };
        if (acceptor_->open(endpoint.protocol(), failed)) return fail();
        acceptor_->set_option(tcp::acceptor::reuse_address(true), failed);
        if (acceptor_->bind(endpoint, failed)) return fail();
        if (acceptor_->listen(asio::socket_base::max_listen_connections, failed)) return fail();
        port_ = acceptor_->local_endpoint(failed).port();
        allow_own_origins(address);
        asio::co_spawn(io_, accept(acceptor_, core_), asio::detached);
        return {};
    }

    void send(Audience audience, const std::string& message) override {
        Message shared;
        // A session that is closed for being slow stays in the set until it has unwound.
        for (auto* session : core_->sessions) {
            if (!session->listens_to(audience)) continue;
            if (!shared) shared = std::make_shared<const std::string>(message);
            session->send(shared);
        }
    }

    void stop() override {
        if (core_->handler == nullptr) return;
        core_->handler = nullptr;
        error_code ignored;
        acceptor_->close(ignored);
        for (auto* session : core_->sessions)
            session->close();
    }

    [[nodiscard]] std::uint16_t port() const noexcept override { return port_; }
    [[nodiscard]] std::size_t clients() const noexcept override {
        return static_cast<std::size_t>(std::count_if(
            core_->sessions.begin(), core_->sessions.end(), [](const Session* session) {
                return session->listens_to(Audience::viewer) ||
                       session->listens_to(Audience::arbiter);
            }));
    }

  private:
    void allow_own_origins(const asio::ip::address& address) {
        auto& origins = core_->origins;
        origins.insert(core_->options.origins.begin(), core_->options.origins.end());
        const auto own =
            address.is_v6() ? fmt::format("[{}]", address.to_string()) : address.to_string();
        for (const auto& host :
             {std::string("localhost"), std::string("127.0.0.1"), std::string("[::1]"), own}) {
            origins.insert(fmt::format("http://{}:{}", host, port_));
            if (port_ == 80) origins.insert("http://" + host);
        }
    }

    static asio::awaitable<void> accept(std::shared_ptr<tcp::acceptor> acceptor,
                                        std::shared_ptr<Core> core) {
        while (acceptor->is_open()) {
            auto [failed, socket] = co_await acceptor->async_accept(as_result);
            if (failed == asio::error::operation_aborted || !acceptor->is_open()) co_return;
            if (failed) {
                // Most likely no more file descriptors: others must be closed first.
                core->trouble(fmt::format("A connection was not accepted: {}.", failed.message()));
                asio::steady_timer pause(acceptor->get_executor(), std::chrono::milliseconds(200));
                co_await pause.async_wait(as_result);
                continue;
            }
            if (core->sessions.size() >= core->options.max_clients) {
                core->trouble(fmt::format("A connection was refused: {} are open already.",
                                          core->options.max_clients));
                continue;
            }
            error_code ignored;
            socket.set_option(tcp::no_delay(true), ignored);
            auto session = std::make_shared<Session>(std::move(socket), core);
            asio::co_spawn(
                acceptor->get_executor(), [session] { return session->run(); }, asio::detached);
        }
    }

    asio::io_context& io_;
    std::shared_ptr<tcp::acceptor> acceptor_;
    std::shared_ptr<Core> core_;
    std::uint16_t port_ = 0;
};

}  // namespace

Result<std::unique_ptr<WebServer>> WebServer::start(asio::io_context& io, Options options,
                                                    Handler& handler) {
    auto server = std::make_unique<Server>(io, std::move(options), handler);
    if (auto listening = server->listen(); !listening) return listening.error();
    return std::unique_ptr<WebServer>(std::move(server));
}

}  // namespace touchmove::serve
