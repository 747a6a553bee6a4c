// web_server_test.cpp - the server answers browsers, and outlives clients that misbehave
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/web_server.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "host/serve/page_files.hpp"

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace json = boost::json;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using namespace touchmove;
using serve::Audience;
using serve::WebServer;

// A server on its own thread, and what it was asked.
class Running final : public WebServer::Handler {
  public:
    explicit Running(WebServer::Options options = {}) {
        options.port = 0;
        auto started = WebServer::start(io_, std::move(options), *this);
        REQUIRE(started);
        server_ = std::move(*started);
        port_ = server_->port();
        thread_ = std::thread([this] { io_.run(); });
    }
    ~Running() override { stop(); }

    void stop() {
        if (!thread_.joinable()) return;
        on_loop([this] { server_->stop(); });
        thread_.join();  // the loop runs out of work
    }
    [[nodiscard]] std::uint16_t port() const { return port_; }

    void send(Audience audience, const std::string& message) {
        on_loop([&] { server_->send(audience, message); });
    }
    std::size_t clients() {
        std::size_t count = 0;
        on_loop([&] { count = server_->clients(); });
        return count;
    }
    template <class Action>
    void on_loop(Action action) {
        std::promise<void> done;
        asio::post(io_, [&] {
            action();
            done.set_value();
        });
        done.get_future().wait();
    }

    std::vector<std::string> greeting(Audience audience) override {
        return {audience == Audience::viewer ? R"({"hello":"viewer"})" : R"({"hello":"arbiter"})",
                R"({"second":true})"};
    }
    void on_command(serve::Command command, std::function<void(Result<void>)> reply) override {
        const std::lock_guard lock(mutex_);
        commands.push_back(std::move(command));
        if (hold_replies) {
            held = std::move(reply);
        } else if (commands.back().board == "TM-0001") {
            reply({});
        } else {
            reply(Error(std::errc::no_such_device, "There is no such board."));
        }
    }
    void on_trouble(const Error& what) override {
        const std::lock_guard lock(mutex_);
        troubles.push_back(what.message());
    }
    bool told_of(const std::string& part) {
        const std::lock_guard lock(mutex_);
        for (const auto& line : troubles) {
            if (line.find(part) != std::string::npos) return true;
        }
        return false;
    }

    std::vector<serve::Command> commands;
    std::vector<std::string> troubles;
    std::function<void(Result<void>)> held;
    bool hold_replies = false;

  private:
    std::mutex mutex_;
    asio::io_context io_;
    std::unique_ptr<WebServer> server_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

tcp::socket connect(asio::io_context& io, std::uint16_t port) {
    tcp::socket socket(io);
    socket.connect({asio::ip::make_address("127.0.0.1"), port});
    return socket;
}

// Sends bytes as they are, returns all that comes until the server closes.
std::string converse(std::uint16_t port, const std::string& request) {
    asio::io_context io;
    auto socket = connect(io, port);
    boost::system::error_code failed;
    asio::write(socket, asio::buffer(request), failed);
    std::string answer;
    asio::read(socket, asio::dynamic_buffer(answer), failed);
    return answer;
}

std::string get(std::uint16_t port, const std::string& path, const std::string& more = "") {
    return converse(port, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                              more + "\r\n");
}

std::string status_of(const std::string& answer) {
    return answer.substr(0, answer.find("\r\n"));
}
std::string body_of(const std::string& answer) {
    const auto at = answer.find("\r\n\r\n");
    return at == std::string::npos ? "" : answer.substr(at + 4);
}
bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class Client {
  public:
    explicit Client(std::uint16_t port, const std::string& path = "/live",
                    const std::string& origin = "", int receive_buffer = 0)
        : socket_(io_) {
        auto& tcp_socket = socket_.next_layer();
        tcp_socket.open(tcp::v4());
        if (receive_buffer > 0) {
            tcp_socket.set_option(asio::socket_base::receive_buffer_size(receive_buffer));
        }
        tcp_socket.connect({asio::ip::make_address("127.0.0.1"), port});
        socket_.set_option(websocket::stream_base::decorator([&](websocket::request_type& request) {
            if (!origin.empty()) request.set(beast::http::field::origin, origin);
        }));
        websocket::response_type response;
        socket_.handshake(response, "localhost", path, error);
        status = static_cast<unsigned>(response.result_int());
    }

    std::string read() {
        beast::flat_buffer buffer;
        socket_.read(buffer, error);
        return error ? "" : beast::buffers_to_string(buffer.data());
    }
    json::object read_json() {
        const auto text = read();
        INFO(error.message());
        REQUIRE_FALSE(error);
        return json::parse(text).as_object();
    }
    void skip_greeting() {
        read();
        read();
    }
    void write(const std::string& text) { socket_.write(asio::buffer(text), error); }
    [[nodiscard]] unsigned close_code() const { return socket_.reason().code; }
    void drop() { socket_.next_layer().close(); }

    boost::system::error_code error;
    unsigned status = 0;

  private:
    asio::io_context io_;
    websocket::stream<tcp::socket> socket_;
};

}  // namespace

TEST_CASE("the page is served to viewers and arbiter, with headers that keep strangers out",
          "[serve]") {
    Running running;
    const auto answer = get(running.port(), "/");
    CHECK(status_of(answer) == "HTTP/1.1 200 OK");
    CHECK(holds(answer, "Content-Type: text/html; charset=utf-8\r\n"));
    CHECK(holds(answer, "frame-ancestors 'none'"));
    CHECK(holds(body_of(answer), "Touchmove"));
    CHECK(body_of(get(running.port(), "/arbiter?x=1")) == body_of(answer));
    for (const auto& file : serve::page_files()) {
        if (!file.language.empty() && file.language != "en") continue;
        CHECK(body_of(get(running.port(), std::string(file.path))) == file.bytes);
    }
}

TEST_CASE("the page is in the language that the server was started with", "[serve]") {
    if (serve::page_files()[0].etag == "\"absent\"") return;
    for (const auto language : serve::languages) {
        WebServer::Options options;
        options.language = language;
        Running running(options);
        const auto lang = "<html lang=\"" + std::string(name_of(language)) + "\">";
        for (const auto* path : {"/", "/arbiter"}) {
            const auto page = body_of(get(running.port(), path));
            CHECK(holds(page, lang));
            CHECK_FALSE(holds(page, "{{"));
        }
    }
}

TEST_CASE("HEAD gives the size alone, and a page that is known is not sent again", "[serve]") {
    Running running;
    const auto& page = serve::page_files()[0];
    const auto head =
        converse(running.port(), "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    CHECK(status_of(head) == "HTTP/1.1 200 OK");
    CHECK(holds(head, "Content-Length: " + std::to_string(page.bytes.size()) + "\r\n"));
    CHECK(body_of(head).empty());
    const auto known =
        get(running.port(), "/", "If-None-Match: " + std::string(page.etag) + "\r\n");
    CHECK(status_of(known) == "HTTP/1.1 304 Not Modified");
    CHECK(body_of(known).empty());
}

TEST_CASE("two requests on one connection are both answered", "[serve]") {
    Running running;
    const auto answer = converse(running.port(),
                                 "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
                                 "GET /licences HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    CHECK(holds(body_of(answer), "HTTP/1.1 404 Not Found"));
}

TEST_CASE("what is not there, not allowed, too large or no HTTP is refused by its code",
          "[serve]") {
    Running running;
    CHECK(status_of(get(running.port(), "/../etc/passwd")) == "HTTP/1.1 404 Not Found");
    CHECK(body_of(get(running.port(), "/nothing")) == "There is nothing at this address.\n");
    const auto post = converse(running.port(),
                               "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                               "Content-Length: 2\r\n\r\nhi");
    CHECK(status_of(post) == "HTTP/1.1 405 Method Not Allowed");
    CHECK(holds(post, "Allow: GET, HEAD\r\n"));
    CHECK(status_of(converse(running.port(),
                             "POST / HTTP/1.1\r\nHost: x\r\n"
                             "Content-Length: 99999999\r\n\r\n")) ==
          "HTTP/1.1 413 Payload Too Large");
    CHECK(status_of(get(running.port(), "/", "X-Long: " + std::string(20'000, 'x') + "\r\n")) ==
          "HTTP/1.1 431 Request Header Fields Too Large");
    CHECK(status_of(converse(running.port(), "this is not HTTP\r\n\r\n")) ==
          "HTTP/1.1 400 Bad Request");
    CHECK(running.told_of("sent a request that was refused"));
    CHECK(status_of(get(running.port(), "/")) == "HTTP/1.1 200 OK");
}

TEST_CASE("strangers can write only so many lines into the log", "[serve]") {
    Running running;
    for (int i = 0; i < 60; ++i)
        converse(running.port(), "rubbish\r\n\r\n");
    running.on_loop([] {});
    CHECK(running.troubles.size() == 20);
    CHECK(holds(running.troubles.back(), "no more such lines this minute"));
}

TEST_CASE("a WebSocket gets the whole state first, then what its audience is sent", "[serve]") {
    Running running;
    Client viewer(running.port());
    Client arbiter(running.port(), "/live/arbiter");
    CHECK(viewer.read() == R"({"hello":"viewer"})");
    CHECK(viewer.read() == R"({"second":true})");
    CHECK(arbiter.read() == R"({"hello":"arbiter"})");
    CHECK(arbiter.read() == R"({"second":true})");
    CHECK(running.clients() == 2);
    running.send(Audience::arbiter, "secret");
    running.send(Audience::viewer, "move 1");
    running.send(Audience::viewer, "move 2");
    CHECK(viewer.read() == "move 1");
    CHECK(viewer.read() == "move 2");
    CHECK(arbiter.read() == "secret");
}

TEST_CASE("a page of another origin cannot connect, our own and configured ones can", "[serve]") {
    WebServer::Options options;
    options.origins = {"https://chess.example.org"};
    Running running(options);
    const auto port = std::to_string(running.port());
    for (const auto& origin : {"http://127.0.0.1:" + port, "http://localhost:" + port,
                               std::string("https://chess.example.org"), std::string()}) {
        Client client(running.port(), "/live/arbiter", origin);
        CHECK_FALSE(client.error);
    }
    for (const auto* origin : {"https://evil.example", "null", "http://127.0.0.1:1",
                               "https://chess.example.org.evil.example"}) {
        Client client(running.port(), "/live/arbiter", origin);
        CHECK(client.error == websocket::error::upgrade_declined);
        CHECK(client.status == 403);
    }
    CHECK(running.told_of("https://evil.example"));
    Client elsewhere(running.port(), "/dead");
    CHECK(elsewhere.status == 404);
}

TEST_CASE("a command goes to the daemon, and its answer back with its number", "[serve]") {
    Running running;
    Client client(running.port(), "/live/arbiter");
    client.skip_greeting();
    client.write(R"({"id":9,"board":"TM-0001","do":"resign","side":"white"})");
    CHECK(client.read_json() == json::object{{"type", "reply"}, {"id", 9}, {"ok", true}});
    client.write(R"({"id":10,"board":"TM-0002","do":"restored"})");
    CHECK(client.read_json() ==
          json::object{
              {"type", "reply"}, {"id", 10}, {"ok", false}, {"error", "There is no such board."}});
    REQUIRE(running.commands.size() == 2);
    const auto& input = std::get<laws::Input>(running.commands[0].what);
    CHECK(std::get<laws::Resigned>(input).side == laws::Color::white);
}

TEST_CASE("a command that cannot be read is answered with a sentence, the connection lives",
          "[serve]") {
    Running running;
    Client client(running.port(), "/live/arbiter");
    client.skip_greeting();
    client.write("{\"id\":");
    const auto reply = client.read_json();
    CHECK(reply.at("ok") == false);
    CHECK(reply.at("id") == nullptr);
    CHECK(holds(std::string(reply.at("error").as_string()), "The command is not JSON"));
    client.write(R"({"id":1,"board":"TM-0001","do":"restored"})");
    CHECK(client.read_json().at("ok") == true);
    CHECK(running.commands.size() == 1);
}

TEST_CASE("viewers command nothing", "[serve]") {
    Running running;
    Client client(running.port());
    client.skip_greeting();
    client.write(R"({"id":1,"board":"TM-0001","do":"resign","side":"white"})");
    CHECK(client.read_json().at("error") == "This connection takes no commands.");
    CHECK(running.commands.empty());
}

TEST_CASE("an answer that comes after its client has left harms nobody", "[serve]") {
    Running running;
    running.hold_replies = true;
    {
        Client client(running.port(), "/live/arbiter");
        client.skip_greeting();
        client.write(R"({"id":1,"board":"TM-0001","do":"restored"})");
        while (true) {
            bool arrived = false;
            running.on_loop([&] { arrived = static_cast<bool>(running.held); });
            if (arrived) break;
        }
        client.drop();
    }
    while (running.clients() > 0)
        std::this_thread::yield();
    running.on_loop([&] { running.held({}); });
    CHECK(status_of(get(running.port(), "/")) == "HTTP/1.1 200 OK");
}

TEST_CASE("a message that is too long ends its connection", "[serve]") {
    Running running;
    Client client(running.port(), "/live/arbiter");
    client.skip_greeting();
    client.write(std::string(100'000, 'x'));
    client.read();
    CHECK(client.error);
    while (running.clients() > 0)
        std::this_thread::yield();
    CHECK(running.commands.empty());
    CHECK(running.told_of("too long"));
}

TEST_CASE("a client that does not read is closed, the others go on", "[serve]") {
    WebServer::Options options;
    options.max_queued_bytes = 200'000;
    Running running(options);
    Client slow(running.port(), "/live", "", 4096);
    Client quick(running.port(), "/live");
    quick.skip_greeting();
    const std::string message(50'000, 'm');
    int sent = 0;
    // The kernel's buffers take some megabytes before the queue begins to grow.
    while (running.clients() == 2 && sent < 2000) {
        running.send(Audience::viewer, message);
        ++sent;
        REQUIRE(quick.read() == message);
    }
    CHECK(running.clients() == 1);
    CHECK(running.told_of("too slowly"));
    running.send(Audience::viewer, "still here");
    CHECK(quick.read() == "still here");
}

TEST_CASE("only so many connections are open at a time", "[serve]") {
    WebServer::Options options;
    options.max_clients = 2;
    Running running(options);
    Client first(running.port());
    Client second(running.port());
    first.skip_greeting();
    second.skip_greeting();
    Client third(running.port());
    CHECK(third.error);
    CHECK(running.told_of("2 are open already"));
    second.drop();
    while (running.clients() == 2)
        std::this_thread::yield();
    Client fourth(running.port());
    CHECK_FALSE(fourth.error);
}

TEST_CASE("stopping says good-bye to every client and frees the port", "[serve]") {
    auto running = std::make_unique<Running>();
    const auto port = running->port();
    Client client(port);
    client.skip_greeting();
    asio::io_context io;
    auto idle = connect(io, port);  // has sent nothing yet
    auto stopped = std::async(std::launch::async, [&] { running->stop(); });
    client.read();
    CHECK(client.error == websocket::error::closed);
    CHECK(client.close_code() == websocket::close_code::going_away);
    stopped.get();
    tcp::socket late(io);
    boost::system::error_code failed;
    late.connect({asio::ip::make_address("127.0.0.1"), port}, failed);
    CHECK(failed == asio::error::connection_refused);
}

TEST_CASE("an address that is taken or none fails with one sentence", "[serve]") {
    Running running;
    asio::io_context io;
    WebServer::Options options;
    options.port = running.port();
    const auto second = WebServer::start(io, options, running);
    REQUIRE_FALSE(second);
    CHECK(second.error().message() ==
          "Cannot listen on 127.0.0.1:" + std::to_string(running.port()) +
              ": Address already in use.");
    options.address = "nowhere";
    const auto third = WebServer::start(io, options, running);
    REQUIRE_FALSE(third);
    CHECK(third.error().message() == "\"nowhere\" is no IP address.");
}
