// connector.cpp - keeps one board attached, again and again
// SPDX-License-Identifier: Apache-2.0
#include "host/link/connector.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <cassert>
#include <utility>

#include "host/link/link_libusb.hpp"
#include "host/link/link_usbip.hpp"

namespace touchmove::link {
namespace {

class AsioRetryTimer final : public RetryTimer {
  public:
    explicit AsioRetryTimer(boost::asio::any_io_executor loop) : timer_(std::move(loop)) {}

    void start(Millis wait, std::function<void()> due) override {
        cancel();
        timer_.expires_after(wait);
        timer_.async_wait([wait_token = std::weak_ptr(token_),
                           due = std::move(due)](const boost::system::error_code& error) {
            if (!error && !wait_token.expired()) due();
        });
    }
    void cancel() override {
        // One that is due already cannot be cancelled any more.
        token_ = std::make_shared<int>(0);
        timer_.cancel();
    }

  private:
    boost::asio::steady_timer timer_;
    std::shared_ptr<int> token_ = std::make_shared<int>(0);
};

}  // namespace

std::unique_ptr<RetryTimer> asio_retry_timer(boost::asio::any_io_executor loop) {
    return std::make_unique<AsioRetryTimer>(std::move(loop));
}

Result<std::unique_ptr<BoardOpener>> opener_for(const DeviceUri& uri,
                                                boost::asio::any_io_executor loop, UsbHost* usb) {
    if (const auto* usbip = std::get_if<UsbipAddress>(&uri)) {
        return usbip_opener(std::move(loop), *usbip);
    }
    if (usb == nullptr) {
        return Error(std::errc::not_supported, "USB cannot be used on this machine");
    }
    return usb->opener(std::get<UsbAddress>(uri));
}

Connector::Connector(std::unique_ptr<BoardOpener> opener, std::unique_ptr<RetryTimer> timer,
                     Owner& owner, Backoff backoff)
    : opener_(std::move(opener)),
      timer_(std::move(timer)),
      owner_(owner),
      backoff_(backoff),
      next_wait_(backoff.first) {
    opener_->on_chance([this] { retry_now(); });
}

Connector::~Connector() {
    stop();
}

void Connector::start() {
    assert(state_ == State::stopped);
    next_wait_ = backoff_.first;
    open();
}

void Connector::stop() {
    state_ = State::stopped;
    attempt_.reset();
    timer_->cancel();
    opener_->cancel();
    if (link_) link_->stop();
}

void Connector::retry_now() {
    if (state_ != State::waiting) return;
    next_wait_ = backoff_.first;
    timer_->start(Millis(0), [this] { open(); });
}

Millis Connector::wait() {
    return std::exchange(next_wait_, std::min(2 * next_wait_, backoff_.longest));
}

void Connector::open() {
    link_.reset();
    transport_.reset();
    state_ = State::opening;
    opener_->open([this](Result<OpenedBoard> board) { on_opened(std::move(board)); });
}

void Connector::on_opened(Result<OpenedBoard> board) {
    if (!board) {
        state_ = State::waiting;
        const Millis after = wait();
        timer_->start(after, [this] { open(); });
        owner_.on_waiting(board.error(), after);
        return;
    }
    transport_ = std::move(board->transport);
    state_ = State::asking;
    attempt_ = std::make_shared<int>(0);
    owner_.on_board(board->serial, [this, attempt = std::weak_ptr(attempt_)](Start start) {
        if (attempt.expired()) return;
        attempt_.reset();
        begin_link(std::move(start));
    });
}

void Connector::begin_link(Start start) {
    state_ = State::linked;
    BoardLink::Sink& sink = *this;
    link_ = std::make_unique<BoardLink>(*transport_, sink, std::move(start.stored),
                                        start.name_if_unnamed);
    link_->start();
}

void Connector::on_events(std::span<const StampedEvent> events) {
    owner_.on_events(events);
}

void Connector::on_watermark(DeviceTime t) {
    next_wait_ = backoff_.first;
    owner_.on_watermark(t);
}

void Connector::on_attached(std::uint32_t session) {
    owner_.on_attached(session);
}

void Connector::on_detached(const Error& why) {
    state_ = State::waiting;
    timer_->start(wait(), [this] { open(); });
    owner_.on_detached(why);
}

void Connector::acknowledge(std::span<const StampedEvent> events) {
    if (is_linked()) link_->acknowledge(events);
}

void Connector::request_snapshot() {
    if (is_linked()) link_->request_snapshot();
}

void Connector::light(std::uint64_t squares) {
    if (is_linked()) link_->light(squares);
}

}  // namespace touchmove::link
