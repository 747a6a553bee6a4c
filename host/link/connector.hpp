// connector.hpp - keeps one board attached, again and again
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "host/base/time.hpp"
#include "host/link/board_link.hpp"
#include "host/link/board_opener.hpp"
#include "host/link/device_uri.hpp"

namespace touchmove::link {

class UsbHost;

/// The opener for an address. `usb` is where USB devices are looked for; an address of one fails if
/// it is null.
[[nodiscard]] Result<std::unique_ptr<BoardOpener>> opener_for(const DeviceUri& uri,
                                                              boost::asio::any_io_executor loop,
                                                              UsbHost* usb);

/// Waiting, so that tests need no clock.
class RetryTimer {
  public:
    virtual ~RetryTimer() = default;
    /// Calls `due` once after `wait`, never from within; a wait that was started before is dropped.
    virtual void start(Millis wait, std::function<void()> due) = 0;
    virtual void cancel() = 0;
};
[[nodiscard]] std::unique_ptr<RetryTimer> asio_retry_timer(boost::asio::any_io_executor loop);

/// Waits between attempts: `first`, doubled each time up to `longest`; back to `first` once a board
/// was in step.
struct Backoff {
    Millis first{100};
    Millis longest{5000};
};

/// Opens a board, runs a BoardLink over it, and does so again whenever it is lost. Everything
/// happens on the loop's thread. Must not be destroyed from within a function of its owner.
class Connector final : private BoardLink::Sink {
  public:
    /// What a link must know of the board before it begins.
    struct Start {
        /// As for BoardLink: must cover all events delivered so far, also those that the journal
        /// has yet to write (flush it first), or they come twice.
        std::optional<Stored> stored;
        std::uint32_t name_if_unnamed = 1;  ///< session number for a board without flash
    };

    /// Receives what a BoardLink says, across attachments.
    class Owner : public BoardLink::Sink {
      public:
        /// The board with that serial number was opened. `answer` is called once, now or later.
        virtual void on_board(const std::string& serial, std::function<void(Start)> answer) = 0;
        /// An attempt to open the board failed; the next one comes after `retry_after`. Losing a
        /// link is told by on_detached instead.
        virtual void on_waiting(const Error& why, Millis retry_after) = 0;
    };

    Connector(std::unique_ptr<BoardOpener> opener, std::unique_ptr<RetryTimer> timer, Owner& owner,
              Backoff backoff = {});
    ~Connector() override;
    Connector(const Connector&) = delete;
    Connector& operator=(const Connector&) = delete;

    void start();
    /// Ends link and attempts; no function of the owner is called any more.
    void stop();
    /// Tries at once, if it is waiting.
    void retry_now();

    /// Is a link in being (attached, or about to be)?
    [[nodiscard]] bool is_linked() const noexcept { return state_ == State::linked; }

    // As of BoardLink; without a link they do nothing.
    void acknowledge(std::span<const StampedEvent> events);
    void request_snapshot();
    void light(std::uint64_t squares);

  private:
    enum class State : std::uint8_t { stopped, opening, asking, linked, waiting };

    void open();
    void on_opened(Result<OpenedBoard> board);
    void begin_link(Start start);
    [[nodiscard]] Millis wait();

    void on_events(std::span<const StampedEvent> events) override;
    void on_watermark(DeviceTime t) override;
    void on_attached(std::uint32_t session) override;
    void on_detached(const Error& why) override;

    std::unique_ptr<BoardOpener> opener_;
    std::unique_ptr<RetryTimer> timer_;
    Owner& owner_;
    Backoff backoff_;
    State state_ = State::stopped;
    Millis next_wait_;
    std::unique_ptr<Transport> transport_;
    std::unique_ptr<BoardLink> link_;
    std::shared_ptr<int> attempt_;  // an answer to an earlier one is void
};

}  // namespace touchmove::link
