// connection.cpp - the way from one device URI to the board that is found there
// SPDX-License-Identifier: Apache-2.0
#include "host/app/connection.hpp"

#include <boost/asio/post.hpp>
#include <utility>

namespace touchmove::app {

Connection::Connection(boost::asio::any_io_executor executor, std::string uri,
                       std::unique_ptr<link::BoardOpener> opener, Handler& handler)
    : executor_(executor),
      uri_(std::move(uri)),
      handler_(handler),
      connector_(std::move(opener), link::asio_retry_timer(executor),
                 static_cast<link::Connector::Owner&>(*this)) {}

void Connection::stop() {
    connector_.stop();
    if (auto* board = std::exchange(board_, nullptr)) board->release();
}

void Connection::on_board(const std::string& serial,
                          std::function<void(link::Connector::Start)> answer) {
    last_failure_.clear();
    Board* board = handler_.board_of(serial);
    if (board == nullptr) return;
    if (board->taken()) {
        // Two URIs for one board: the later one is of no use.
        boost::asio::post(executor_, [this] { connector_.stop(); });
        return handler_.on_doubled(*this, *board);
    }
    board_ = board;
    board_->take(connector_, std::move(answer));
}

void Connection::on_waiting(const Error& why, Millis) {
    const std::string before = std::exchange(last_failure_, why.message());
    if (before != last_failure_) handler_.on_not_opened(*this, why);
}

void Connection::on_events(std::span<const link::StampedEvent> events) {
    if (board_ != nullptr) board_->on_events(events);
}

void Connection::on_watermark(DeviceTime t) {
    if (board_ != nullptr) board_->on_watermark(t);
}

void Connection::on_attached(std::uint32_t session) {
    if (board_ != nullptr) board_->on_attached(session);
}

void Connection::on_detached(const Error& why) {
    if (auto* board = std::exchange(board_, nullptr)) board->on_detached(why);
}

}  // namespace touchmove::app
