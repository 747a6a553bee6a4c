// usbip_test_server.cpp - a USB/IP server in the test's own loop
// SPDX-License-Identifier: Apache-2.0
#include "usbip_test_server.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

namespace touchmove::link::test {
namespace {

using boost::asio::ip::tcp;

constexpr std::int32_t stalled = -32;

std::uint32_t be32(std::span<const std::uint8_t> b, std::size_t at) {
    return std::uint32_t{b[at]} << 24 | std::uint32_t{b[at + 1]} << 16 |
           std::uint32_t{b[at + 2]} << 8 | b[at + 3];
}

void set_be32(std::span<std::uint8_t> b, std::size_t at, std::uint32_t v) {
    for (unsigned i = 0; i < 4; ++i)
        b[at + i] = static_cast<std::uint8_t>(v >> (24 - 8 * i));
}

std::vector<std::uint8_t> string_descriptor(std::string_view text) {
    std::vector<std::uint8_t> d{static_cast<std::uint8_t>(2 + 2 * text.size()), 3};
    for (const char c : text) {
        d.push_back(static_cast<std::uint8_t>(c));
        d.push_back(0);
    }
    return d;
}

}  // namespace

UsbipTestServer::UsbipTestServer(boost::asio::io_context& loop, ModelDevice& device)
    : loop_(loop),
      device_(device),
      acceptor_(loop, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)),
      ticks_(loop) {
    accept();
    tick();
}

void UsbipTestServer::tick() {
    ticks_.expires_after(std::chrono::milliseconds(3));
    ticks_.async_wait([this](const boost::system::error_code& error) {
        if (error) return;
        owes_watermark_ = watermarks;
        pump();
        tick();
    });
}

void UsbipTestServer::accept() {
    acceptor_.async_accept([this](const boost::system::error_code& error, tcp::socket peer) {
        if (error) return;
        peer.set_option(tcp::no_delay(true));
        socket_ = std::make_shared<tcp::socket>(std::move(peer));
        ++connections;
        received_.clear();
        outgoing_.clear();
        reads_.clear();
        imported_ = false;
        write_in_flight_ = false;
        client_left = false;
        said_ = 0;
        device_.replug();
        receive();
        accept();
    });
}

void UsbipTestServer::drop_connection() {
    if (socket_) socket_->close();
    socket_.reset();
    reads_.clear();
}

void UsbipTestServer::receive() {
    socket_->async_read_some(
        boost::asio::buffer(in_),
        [this, socket = socket_](const boost::system::error_code& error, std::size_t count) {
            if (socket != socket_) return;
            if (error) {
                client_left = true;
                return;
            }
            received_.insert(received_.end(), in_.begin(), in_.begin() + std::ptrdiff_t(count));
            take();
            if (socket == socket_) receive();
        });
}

void UsbipTestServer::take() {
    while (take_one()) {
    }
    pump();
}

bool UsbipTestServer::take_one() {
    const auto drop = [this](std::size_t n) {
        received_.erase(received_.begin(), received_.begin() + std::ptrdiff_t(n));
    };
    if (!imported_) {
        if (received_.size() < 40) return false;
        drop(40);
        imported_ = true;
        std::vector<std::uint8_t> answer(8 + usbip_device_bytes);
        const std::array<std::uint8_t, 8> header{1, 0x11, 0, 3};
        std::copy(header.begin(), header.end(), answer.begin());
        set_be32(answer, 8 + 288, 1);
        set_be32(answer, 8 + 292, 2);
        set_be32(answer, 8 + 296, 2);
        say(import_reply ? *import_reply : answer);
        return true;
    }
    if (received_.size() < usbip_header_bytes) return false;
    const std::uint32_t command = be32(received_, 0);
    const std::uint32_t seqnum = be32(received_, 4);
    if (command == 2) {
        ++unlinks;
        const std::uint32_t target = be32(received_, 20);
        drop(usbip_header_bytes);
        const auto erased =
            std::erase_if(reads_, [&](const Read& r) { return r.seqnum == target; });
        if (!answers_unlink) return true;
        std::array<std::uint8_t, usbip_header_bytes> answer{};
        set_be32(answer, 0, 4);
        set_be32(answer, 4, seqnum);
        set_be32(answer, 20, erased != 0 ? static_cast<std::uint32_t>(-104) : 0);
        say(answer);
        return true;
    }
    const bool is_in = be32(received_, 12) == 1;
    const std::uint32_t endpoint = be32(received_, 16);
    const std::uint32_t length = be32(received_, 24);
    const std::size_t total = usbip_header_bytes + (is_in ? 0 : length);
    if (received_.size() < total) return false;
    std::copy(received_.begin() + 40, received_.begin() + 48, setup_.begin());
    const std::vector<std::uint8_t> data(received_.begin() + usbip_header_bytes,
                                         received_.begin() + std::ptrdiff_t(total));
    drop(total);
    if (endpoint == 0) {
        if (!mute_controls) control(seqnum, is_in, length, data);
    } else if (is_in) {
        reads_.push_back({seqnum, length});
        most_reads_ = std::max(most_reads_, reads_.size());
    } else {
        device_.take_out(data);
        reply(seqnum, 0, length, {});
    }
    return true;
}

void UsbipTestServer::control(std::uint32_t seqnum, bool is_in, std::uint32_t length,
                              std::span<const std::uint8_t> data) {
    const std::uint8_t type = setup_[0];
    const std::uint8_t request = setup_[1];
    const unsigned value = setup_[2] | setup_[3] << 8;
    std::optional<std::vector<std::uint8_t>> answer;
    if ((type & 0x60) == 0x40) {
        if (is_in) {
            auto given = device_.control_in(request);
            if (given) answer = *given;
        } else if (device_.control_out(request, data)) {
            answer.emplace();
        }
    } else if (type == 0x00 && request == 9 && value == 1) {
        ++configured;
        answer.emplace();
    } else if (type == 0x02 && request == 1) {
        ++halts_cleared;
        answer.emplace();
    } else if (type == 0x80 && request == 0) {
        ++status_asked;
        answer = {1, 0};
    } else if (type == 0x80 && request == 6 && value == 0x0100) {
        answer = {18, 1, 0, 2, 0xFF, 0, 0, 64, 0x09, 0x12, 1, 0, 0, 1, 1, 2, 3, 1};
        if (!has_serial) (*answer)[16] = 0;
    } else if (type == 0x80 && request == 6 && value == 0x0300) {
        answer = {4, 3, 9, 4};
    } else if (type == 0x80 && request == 6 && value == 0x0303) {
        answer = string_descriptor("TM-0042");
    }
    if (!answer) return reply(seqnum, stalled, 0, {});
    if (is_in) {
        if (answer->size() > length) answer->resize(length);
        reply(seqnum, 0, static_cast<std::uint32_t>(answer->size()), *answer);
    } else {
        reply(seqnum, 0, length, {});
    }
}

void UsbipTestServer::reply(std::uint32_t seqnum, std::int32_t status, std::uint32_t length,
                            std::span<const std::uint8_t> data) {
    if (first_answer) {
        say(*std::exchange(first_answer, std::vector<std::uint8_t>{}));
        return;
    }
    std::vector<std::uint8_t> bytes(usbip_header_bytes);
    set_be32(bytes, 0, 3);
    set_be32(bytes, 4, seqnum);
    set_be32(bytes, 20, static_cast<std::uint32_t>(status));
    set_be32(bytes, 24, length);
    bytes.insert(bytes.end(), data.begin(), data.end());
    say(bytes);
}

void UsbipTestServer::pump() {
    while (!reads_.empty() && socket_) {
        if (stall_reads > 0) {
            --stall_reads;
            const Read read = reads_.front();
            reads_.pop_front();
            reply(read.seqnum, stalled, 0, {});
            continue;
        }
        if (device_.has_unsent()) {
            owes_watermark_ = watermarks;
        } else if (!std::exchange(owes_watermark_, false)) {
            return;
        }
        const Read read = reads_.front();
        reads_.pop_front();
        const auto packet = device_.next_packet();
        reply(read.seqnum, read_status, static_cast<std::uint32_t>(packet.size()), packet);
    }
}

void UsbipTestServer::say(std::span<const std::uint8_t> bytes) {
    if (mute) return;
    outgoing_.insert(outgoing_.end(), bytes.begin(), bytes.end());
    flush();
}

void UsbipTestServer::flush() {
    if (write_in_flight_ || outgoing_.empty() || !socket_) return;
    std::size_t count = std::min(chunk, outgoing_.size());
    if (close_after) count = std::min(count, *close_after - said_);
    if (count == 0) return drop_connection();
    writing_.assign(outgoing_.begin(), outgoing_.begin() + std::ptrdiff_t(count));
    outgoing_.erase(outgoing_.begin(), outgoing_.begin() + std::ptrdiff_t(count));
    said_ += count;
    write_in_flight_ = true;
    boost::asio::async_write(
        *socket_, boost::asio::buffer(writing_),
        [this, socket = socket_](const boost::system::error_code& error, std::size_t) {
            if (socket != socket_) return;
            write_in_flight_ = false;
            if (!error) flush();
        });
}

}  // namespace touchmove::link::test
