// board_control.cpp - the line protocol by which tests and people pull cables
// SPDX-License-Identifier: Apache-2.0
#include "sim/app/board_control.hpp"

#include <fmt/format.h>

#include <boost/asio/buffers_iterator.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <istream>
#include <set>
#include <sstream>

namespace touchmove::app {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::size_t max_line_bytes = 1000;

struct Verb {
    std::string_view name, what;
    void (usbip::LiveBoard::*act)();
};

constexpr Verb verbs[] = {
    {"pull", "the cable comes out; a bus-powered board loses its power", &usbip::LiveBoard::pull},
    {"plug", "the cable goes in again", &usbip::LiveBoard::plug},
    {"power-cut", "the board loses every supply", &usbip::LiveBoard::power_cut},
    {"power-on", "power and cable come back: a new session", &usbip::LiveBoard::power_on},
};

std::string status_of(const ControlledBoard& b) {
    const usbip::LiveBoard::Status s = b.board->status();
    const GamePlayer::Progress p = b.player->progress();
    return fmt::format("{} {} {} {} time {:.3f} behind {:.3f} game {} plies {}{}\n", b.bus_id,
                       s.powered ? "powered" : "unpowered", s.plugged ? "plugged" : "unplugged",
                       s.attached ? "attached" : "free", s.device_seconds, s.behind_seconds, p.game,
                       p.plies, p.over ? " over" : "");
}

}  // namespace

std::string board_control_help() {
    std::string text = "  status           a line for each board: power, cable, host, time, game\n";
    for (const Verb& verb : verbs)
        text += fmt::format("  {:<16} {}\n", fmt::format("{} ID", verb.name), verb.what);
    return text;
}

std::string run_control_line(std::string_view line, const std::vector<ControlledBoard>& boards) {
    std::istringstream words{std::string(line)};
    std::string name, id, more;
    words >> name >> id >> more;
    if (name.empty()) return "error: say help for what can be said\n";
    if (!more.empty()) return fmt::format("error: '{}' is too much\n", more);
    if (name == "help") return board_control_help() + "ok\n";
    if (name == "status") {
        std::string text;
        for (const ControlledBoard& b : boards) {
            if (id.empty() || id == b.bus_id) text += status_of(b);
        }
        if (text.empty()) return fmt::format("error: there is no board {}\n", id);
        return text + "ok\n";
    }
    for (const Verb& verb : verbs) {
        if (verb.name != name) continue;
        if (id.empty()) return fmt::format("error: {} which board? Say {} 1-1\n", name, name);
        for (const ControlledBoard& b : boards) {
            if (b.bus_id != id) continue;
            (b.board->*verb.act)();
            return "ok\n";
        }
        return fmt::format("error: there is no board {}\n", id);
    }
    return fmt::format("error: '{}' is unknown; say help for what can be said\n", name);
}

// --- the port ----------------------------------------------------------------------------------

class ControlPort::State : public std::enable_shared_from_this<State> {
  public:
    State(asio::io_context& io, std::vector<ControlledBoard> boards)
        : acceptor_(io), boards_(std::move(boards)) {}

    Result<void> listen(std::uint16_t port) {
        error_code error;
        acceptor_.open(tcp::v4(), error);
        if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
        if (!error) acceptor_.bind({asio::ip::address_v4::loopback(), port}, error);
        if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
        if (error) {
            return Error(error, fmt::format("cannot listen on 127.0.0.1:{} for control: {}", port,
                                            error.message()));
        }
        accept();
        return {};
    }
    [[nodiscard]] std::uint16_t port() const {
        error_code ignored;
        return acceptor_.local_endpoint(ignored).port();
    }
    void stop() {
        error_code ignored;
        acceptor_.close(ignored);
        for (const auto& client : clients_) client->socket.close(ignored);
    }

  private:
    struct Client {
        explicit Client(tcp::socket s) : socket(std::move(s)) {}
        tcp::socket socket;
        asio::streambuf received{max_line_bytes};
        std::string answer;
    };

    void accept() {
        acceptor_.async_accept([self = shared_from_this()](error_code error, tcp::socket socket) {
            if (error) return;
            auto client = std::make_shared<Client>(std::move(socket));
            self->clients_.insert(client);
            self->read(client);
            self->accept();
        });
    }
    // A line longer than the buffer ends the connection, like its end of file.
    void read(const std::shared_ptr<Client>& client) {
        asio::async_read_until(client->socket, client->received, '\n',
                               [self = shared_from_this(), client](error_code error, std::size_t) {
                                   if (error) {
                                       self->clients_.erase(client);
                                       return;
                                   }
                                   std::istream in(&client->received);
                                   std::string line;
                                   std::getline(in, line);
                                   client->answer = run_control_line(line, self->boards_);
                                   self->write(client);
                               });
    }
    void write(const std::shared_ptr<Client>& client) {
        asio::async_write(client->socket, asio::buffer(client->answer),
                          [self = shared_from_this(), client](error_code error, std::size_t) {
                              if (error) {
                                  self->clients_.erase(client);
                              } else {
                                  self->read(client);
                              }
                          });
    }

    tcp::acceptor acceptor_;
    std::vector<ControlledBoard> boards_;
    std::set<std::shared_ptr<Client>> clients_;
};

ControlPort::ControlPort(asio::io_context& io, std::vector<ControlledBoard> boards)
    : state_(std::make_shared<State>(io, std::move(boards))) {}
ControlPort::~ControlPort() { state_->stop(); }
Result<void> ControlPort::listen(std::uint16_t port) { return state_->listen(port); }
std::uint16_t ControlPort::port() const { return state_->port(); }
void ControlPort::stop() { state_->stop(); }

}  // namespace touchmove::app
