// raw_client.hpp - a USB/IP client of plain sockets and bytes, and a server to try it on
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdint>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/usbip/server.hpp"

namespace touchmove::usbip_test {

using usbip::Bytes;

inline void put16(Bytes& to, unsigned v) {
    to.push_back(static_cast<std::uint8_t>(v >> 8));
    to.push_back(static_cast<std::uint8_t>(v));
}
inline void put32(Bytes& to, std::uint32_t v) {
    put16(to, v >> 16);
    put16(to, v & 0xFFFFU);
}
inline std::uint32_t get32(const Bytes& b, std::size_t at) {
    REQUIRE(b.size() >= at + 4);
    return std::uint32_t{b[at]} << 24 | std::uint32_t{b[at + 1]} << 16 |
           std::uint32_t{b[at + 2]} << 8 | b[at + 3];
}

inline Bytes devlist_request() { return {0x01, 0x11, 0x80, 0x05, 0, 0, 0, 0}; }
inline Bytes import_request(const std::string& bus_id) {
    REQUIRE(bus_id.size() <= 32);
    Bytes b(40);
    b[0] = 0x01;
    b[1] = 0x11;
    b[2] = 0x80;
    b[3] = 0x03;
    std::copy(bus_id.begin(), bus_id.end(), b.begin() + 8);
    return b;
}

constexpr std::uint32_t devid_1_1 = 0x00010002;
using SetupBytes = std::array<std::uint8_t, 8>;

inline Bytes submit(std::uint32_t seqnum, bool in, std::uint32_t endpoint, std::uint32_t length,
                    SetupBytes setup = {}, const Bytes& data = {},
                    std::uint32_t devid = devid_1_1) {
    Bytes b;
    for (const std::uint32_t v : {1U, seqnum, devid, in ? 1U : 0U, endpoint, in ? 0x200U : 0U,
                                  length, 0U, 0U, 0U}) {
        put32(b, v);
    }
    b.insert(b.end(), setup.begin(), setup.end());
    b.insert(b.end(), data.begin(), data.end());
    return b;
}
inline Bytes control_in(std::uint32_t seqnum, SetupBytes setup,
                        std::uint32_t devid = devid_1_1) {
    return submit(seqnum, true, 0, setup[6] | std::uint32_t{setup[7]} << 8, setup, {}, devid);
}
inline Bytes unlink(std::uint32_t seqnum, std::uint32_t victim, std::uint32_t devid = devid_1_1) {
    Bytes b;
    for (const std::uint32_t v : {2U, seqnum, devid, 0U, 0U, victim}) put32(b, v);
    b.resize(48);
    return b;
}

/// A reply to a URB, taken apart.
struct Reply {
    std::uint32_t command = 0, seqnum = 0;
    std::int32_t status = 0;
    std::uint32_t actual_length = 0;
    Bytes data;
};

class RawClient {
  public:
    explicit RawClient(std::uint16_t port) : socket_(io_) {
        socket_.connect({boost::asio::ip::address_v4::loopback(), port});
        // A hung server shall fail the test, not hang it.
        const timeval patience{20, 0};
        ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    }

    void send(const Bytes& bytes) {
        boost::system::error_code ignored;  // a server that has hung up is seen by the next read
        boost::asio::write(socket_, boost::asio::buffer(bytes), ignored);
    }

    Bytes read(std::size_t bytes) {
        Bytes got(bytes);
        std::size_t have = 0;
        while (have < bytes) {
            const ssize_t n = ::recv(socket_.native_handle(), got.data() + have, bytes - have, 0);
            if (n <= 0) FAIL("the server sent " << have << " of " << bytes << " bytes");
            have += static_cast<std::size_t>(n);
        }
        return got;
    }

    /// The server has hung up; what it sent before does not matter.
    bool hung_up() {
        std::array<std::uint8_t, 4096> rest{};
        for (;;) {
            const ssize_t n = ::recv(socket_.native_handle(), rest.data(), rest.size(), 0);
            if (n == 0) return true;
            if (n < 0) return errno == ECONNRESET;
        }
    }

    std::uint32_t import(const std::string& bus_id) {
        send(import_request(bus_id));
        const Bytes head = read(8);
        const std::uint32_t status = get32(head, 4);
        if (status == 0) device_ = read(312);
        return status;
    }

    /// `in`: whether data may follow; only IN transfers have them.
    Reply reply(bool in = true) {
        const Bytes head = read(48);
        Reply r{get32(head, 0), get32(head, 4), static_cast<std::int32_t>(get32(head, 20)), 0, {}};
        if (get32(head, 8) != 0 || get32(head, 12) != 0 || get32(head, 16) != 0) {
            FAIL("devid, direction and endpoint of a reply are 0");
        }
        if (r.command == 3) {
            r.actual_length = get32(head, 24);
            if (get32(head, 32) != 0) FAIL("number_of_packets of a reply is 0");
            if (in) r.data = read(r.actual_length);
        }
        return r;
    }

    void abort() {
        // RST instead of FIN, as when a client is killed with data unread.
        socket_.set_option(boost::asio::socket_base::linger(true, 0));
        socket_.close();
    }
    void shutdown() { socket_.close(); }
    /// The device record of the import.
    [[nodiscard]] const Bytes& device() const { return device_; }

  private:
    boost::asio::io_context io_;
    boost::asio::ip::tcp::socket socket_;
    Bytes device_;
};

/// A server on a free port, on a thread of its own.
class ServerFixture {
  public:
    explicit ServerFixture(std::vector<usbip::Board*> boards)
        : guard_(boost::asio::make_work_guard(io_)),
          server_(io_, std::move(boards), [this](const std::string& line) {
              const std::lock_guard lock(mutex_);
              log_.push_back(line);
          }) {
        REQUIRE(server_.listen(0));
        thread_ = std::thread([this] { io_.run(); });
    }
    ~ServerFixture() {
        boost::asio::post(io_, [this] {
            server_.stop();
            guard_.reset();
        });
        thread_.join();
    }
    ServerFixture(const ServerFixture&) = delete;
    ServerFixture& operator=(const ServerFixture&) = delete;

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }
    std::vector<std::string> refusals() {
        const std::lock_guard lock(mutex_);
        std::vector<std::string> found;
        for (const std::string& line : log_) {
            if (line.find("refused") != std::string::npos) found.push_back(line);
        }
        return found;
    }
    /// Whatever was asked of the server's thread before has been done.
    void settle() {
        std::promise<void> done;
        boost::asio::post(io_, [&] { done.set_value(); });
        done.get_future().wait();
    }

  private:
    boost::asio::io_context io_;
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
    std::mutex mutex_;
    std::vector<std::string> log_;
    usbip::Server server_;
    std::thread thread_;
};

}  // namespace touchmove::usbip_test
