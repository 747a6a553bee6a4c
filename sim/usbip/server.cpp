// server.cpp - exports boards over USB/IP
// SPDX-License-Identifier: Apache-2.0
#include "sim/usbip/server.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <deque>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace touchmove::usbip {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// How long a client may take to say what it wants.
constexpr std::chrono::seconds operation_timeout{10};
/// A client that submits without reading replies is not read from beyond this.
constexpr std::size_t max_unsent_bytes = 4U << 20;
/// The kernel keeps a few dozen pending.
constexpr std::size_t max_pending = 4096;

}  // namespace

// --- what all connections share ----------------------------------------------------------------

class Server::State : public std::enable_shared_from_this<Server::State> {
  public:
    class Connection;

    State(asio::io_context& io, std::vector<Board*> boards, Log log)
        : io_(io),
          acceptor_(io),
          accept_pause_(io),
          boards_(std::move(boards)),
          log_(std::move(log)) {}

    Result<void> listen(std::uint16_t port);
    void stop();
    [[nodiscard]] std::uint16_t port() const {
        error_code ignored;
        return acceptor_.local_endpoint(ignored).port();
    }

    [[nodiscard]] asio::io_context& io() { return io_; }
    [[nodiscard]] const std::vector<Board*>& boards() const { return boards_; }
    void log(const std::string& line) { log_(line); }
    void forget(const std::shared_ptr<Connection>& connection) { connections_.erase(connection); }
    /// Reserves a board for one importer.
    [[nodiscard]] bool reserve(Board* board) { return imported_.insert(board).second; }
    void release(Board* board) { imported_.erase(board); }

  private:
    void accept();

    asio::io_context& io_;
    tcp::acceptor acceptor_;
    asio::steady_timer accept_pause_;
    std::vector<Board*> boards_;
    Log log_;
    std::set<std::shared_ptr<Connection>> connections_;
    std::set<Board*> imported_;
};

// --- one client --------------------------------------------------------------------------------

class Server::State::Connection final : public BoardClient,
                                        public std::enable_shared_from_this<Connection> {
  public:
    Connection(std::shared_ptr<State> server, tcp::socket socket)
        : server_(std::move(server)), socket_(std::move(socket)), deadline_(server_->io()) {}

    void start() {
        error_code ignored;
        socket_.set_option(tcp::no_delay(true), ignored);
        deadline_.expires_after(operation_timeout);
        deadline_.async_wait([self = shared_from_this()](error_code error) {
            if (!error) self->refuse("it did not say what it wants");
        });
        read();
    }

    void close() {
        if (closed_) return;
        closed_ = true;
        error_code ignored;
        socket_.close(ignored);
        deadline_.cancel();
        if (board_ != nullptr) {
            board_->detach();
            server_->release(board_);
            server_->log(fmt::format("{}: detached", bus_id_));
        }
        server_->forget(shared_from_this());
    }

    // From the board's thread.
    void on_complete(Completion completion) override {
        asio::post(server_->io(), [self = shared_from_this(), c = std::move(completion)]() mutable {
            self->completed(std::move(c));
        });
    }
    void on_unplugged() override {
        asio::post(server_->io(), [self = shared_from_this()] { self->close(); });
    }

  private:
    void read() {
        if (reading_ || closed_ || closing_) return;
        reading_ = true;
        socket_.async_read_some(asio::buffer(received_),
                                [self = shared_from_this()](error_code error, std::size_t bytes) {
                                    self->reading_ = false;
                                    self->on_read(error, bytes);
                                });
    }

    void on_read(error_code error, std::size_t bytes) {
        if (closed_) return;
        if (error) {
            close();
            return;
        }
        parser_.feed({received_.data(), bytes});
        handle_frames();
    }

    void handle_frames() {
        // Stops where replies pile up; goes on when they are sent.
        while (!closed_ && !closing_ && unsent_bytes_ <= max_unsent_bytes) {
            auto frame = parser_.next();
            if (!frame) {
                refuse(frame.error().message());
                return;
            }
            if (!*frame) {
                read();
                return;
            }
            std::visit([this](auto& f) { handle(std::move(f)); }, **frame);
        }
    }

    void refuse(const std::string& why) {
        server_->log(fmt::format("{}: refused: {}", board_ != nullptr ? bus_id_ : "client", why));
        close();
    }

    void handle(DeviceListRequest) {
        std::vector<DeviceRecord> records;
        for (const Board* board : server_->boards()) {
            if (board->plugged()) records.push_back(board->record());
        }
        send(device_list_reply(records));
        close_when_sent();
    }

    void handle(ImportRequest request) {
        Board* found = nullptr;
        for (Board* board : server_->boards()) {
            if (board->record().bus_id == request.bus_id) found = board;
        }
        if (found == nullptr || !found->plugged()) {
            turn_away(OpStatus::no_device);
        } else if (!server_->reserve(found)) {
            turn_away(OpStatus::busy);
        } else if (!found->attach(shared_from_this())) {
            server_->release(found);
            turn_away(OpStatus::no_device);
        } else {
            board_ = found;
            bus_id_ = std::move(request.bus_id);
            deadline_.cancel();
            const DeviceRecord record = found->record();
            parser_.expect_urbs(record.devid());
            send(import_reply(record));
            server_->log(fmt::format("{}: attached", bus_id_));
        }
    }

    void turn_away(OpStatus status) {
        send(import_refusal(status));
        close_when_sent();
    }

    void handle(Submit submit) {
        if (pending_.size() >= max_pending) {
            refuse(fmt::format("more than {} URBs pending", max_pending));
            return;
        }
        if (!pending_.insert(submit.seqnum).second) {
            refuse(fmt::format("sequence number {} is pending already", submit.seqnum));
            return;
        }
        board_->submit(std::move(submit));
    }

    void handle(Unlink unlink) {
        if (pending_.count(unlink.victim) == 0) {
            send(unlink_reply(unlink.seqnum, 0));
        } else if (board_->cancel(unlink.victim)) {
            pending_.erase(unlink.victim);
            send(unlink_reply(unlink.seqnum, status_unlinked));
        } else {
            // The board has taken it: its reply is on the way and has to go first (vhci tears the
            // connection down at a RET_SUBMIT that it does not expect any more).
            unlinks_.emplace(unlink.victim, unlink.seqnum);
        }
    }

    void completed(Completion c) {
        if (closed_ || pending_.erase(c.seqnum) == 0) return;
        send(submit_reply(c.seqnum, c.status, c.actual_length, c.data));
        const auto [first, last] = unlinks_.equal_range(c.seqnum);
        for (auto it = first; it != last; ++it) send(unlink_reply(it->second, 0));
        unlinks_.erase(first, last);
    }

    void send(Bytes bytes) {
        unsent_bytes_ += bytes.size();
        unsent_.push_back(std::move(bytes));
        if (unsent_.size() == 1) write();
    }

    void write() {
        asio::async_write(socket_, asio::buffer(unsent_.front()),
                          [self = shared_from_this()](error_code error, std::size_t) {
                              self->on_written(error);
                          });
    }

    void on_written(error_code error) {
        if (closed_) return;
        if (error) {
            close();
            return;
        }
        unsent_bytes_ -= unsent_.front().size();
        unsent_.pop_front();
        if (!unsent_.empty()) {
            write();
        } else if (closing_) {
            close();
            return;
        }
        if (!reading_) handle_frames();
    }

    void close_when_sent() { closing_ = true; }

    std::shared_ptr<State> server_;
    tcp::socket socket_;
    asio::steady_timer deadline_;
    std::array<std::uint8_t, 16384> received_{};
    Parser parser_;
    bool reading_ = false, closing_ = false, closed_ = false;
    Board* board_ = nullptr;
    std::string bus_id_;
    std::unordered_set<std::uint32_t> pending_;
    std::unordered_multimap<std::uint32_t, std::uint32_t> unlinks_;  // victim, seqnum of the unlink
    std::deque<Bytes> unsent_;
    std::size_t unsent_bytes_ = 0;
};

// --- accepting ---------------------------------------------------------------------------------

Result<void> Server::State::listen(std::uint16_t port) {
    const tcp::endpoint endpoint(asio::ip::address_v4::loopback(), port);
    error_code error;
    acceptor_.open(endpoint.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(endpoint, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
        error_code ignored;
        acceptor_.close(ignored);
        return Error(error,
                     fmt::format("cannot listen on 127.0.0.1:{}: {}", port, error.message()));
    }
    accept();
    return {};
}

void Server::State::accept() {
    acceptor_.async_accept([self = shared_from_this()](error_code error, tcp::socket socket) {
        if (!self->acceptor_.is_open()) return;
        if (error) {
            // Out of file descriptors: trying again at once would only burn the processor.
            self->accept_pause_.expires_after(std::chrono::milliseconds(100));
            self->accept_pause_.async_wait([self](error_code stopped) {
                if (!stopped) self->accept();
            });
            return;
        }
        auto connection = std::make_shared<Connection>(self, std::move(socket));
        self->connections_.insert(connection);
        connection->start();
        self->accept();
    });
}

void Server::State::stop() {
    error_code ignored;
    acceptor_.close(ignored);
    accept_pause_.cancel();
    const auto open = connections_;
    for (const auto& connection : open) connection->close();
}

Server::Server(asio::io_context& io, std::vector<Board*> boards, Log log)
    : state_(std::make_shared<State>(io, std::move(boards), std::move(log))) {}

Server::~Server() { state_->stop(); }

Result<void> Server::listen(std::uint16_t port) { return state_->listen(port); }

std::uint16_t Server::port() const { return state_->port(); }

void Server::stop() { state_->stop(); }

}  // namespace touchmove::usbip
