// board.hpp - one board at work: its link, its journal, its games
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/app/board_game.hpp"
#include "host/app/host_input.hpp"
#include "host/base/result.hpp"
#include "host/journal/journal.hpp"
#include "host/link/board_link.hpp"
#include "host/link/connector.hpp"

namespace touchmove::app {

/// Everything that can change a game goes to the journal first and counts once it is on disk:
/// device events are then acknowledged to the device, and all inputs are applied to the games, in
/// one order. All functions are called, and call back, on the executor's one thread.
class Board final : public link::BoardLink::Sink {
  public:
    class Observer {
      public:
        virtual ~Observer() = default;
        /// Something of the live game changed, be it only the clocks.
        virtual void on_change(Board& board) = 0;
        /// This game is over with; another takes its place on the board.
        virtual void on_game_left(serve::LiveGame& live) = 0;
        virtual void on_attached(Board& board) = 0;
        virtual void on_detached(Board& board, const Error& why) = 0;
        /// The journal takes no more: nothing may go on.
        virtual void on_fatal(Board& board, const Error& why) = 0;
    };

    /// `config`: for the first game of a board that the journal does not know. Journal and observer
    /// outlive the board; the journal is closed before the board goes.
    Board(boost::asio::any_io_executor executor, journal::Journal& journal, Observer& observer,
          std::string serial, GameConfig config,
          serve::Language language = serve::Language::en);

    /// Brings the games to where the journal ends. Once, before anything else.
    [[nodiscard]] Result<void> replay();

    /// A connector has reached this board. `answer` gets what the link must know, once all that an
    /// earlier one delivered is on disk. The connector outlives its use: until on_detached() or
    /// release().
    void take(link::Connector& connector, std::function<void(link::Connector::Start)> answer);
    [[nodiscard]] bool taken() const noexcept { return connector_ != nullptr; }
    /// The connector was stopped.
    void release();

    // From the connector.
    void on_events(std::span<const link::StampedEvent> events) override;
    void on_watermark(DeviceTime t) override;
    void on_attached(std::uint32_t session) override;
    void on_detached(const Error& why) override;

    /// Something a person said. `done` is called once it is on disk and applied.
    using Done = std::function<void(Result<void>)>;
    void say(HostSaid what, Done done);
    /// Calls back once nothing is on its way to the disk any more.
    void when_idle(std::function<void()> then);

    /// From now on the board's lamps show where men are to be put back, and nothing else.
    void light_what_to_restore() noexcept { lights_ = true; }

    [[nodiscard]] BoardGame& game() noexcept { return game_; }
    [[nodiscard]] const GameConfig& config() const noexcept { return config_; }
    [[nodiscard]] const std::string& serial() const noexcept { return serial_; }

  private:
    /// What waits for the disk. Commits end in the order of their appends.
    struct Pending {
        std::vector<link::StampedEvent> events;    ///< to be acknowledged
        std::vector<laws::Decision> decisions;     ///< made by time alone, not shown yet
        Done done;
        std::optional<DeviceTime> then_advance;    ///< a watermark that came after it
        std::uint64_t attachment = 0;              ///< which link delivered the events
    };

    [[nodiscard]] journal::Entry entry(DeviceTime at, journal::Payload payload) const;
    void append(std::vector<journal::Entry> entries, Pending pending);
    void on_committed(Result<std::vector<journal::Entry>> entries);
    void advance(DeviceTime t);
    void answer_now(const std::function<void(link::Connector::Start)>& answer);
    void light();
    void fail(const Error& why);
    [[nodiscard]] DeviceTime now() const;

    boost::asio::any_io_executor executor_;
    journal::Journal& journal_;
    Observer& observer_;
    const std::string serial_;
    GameConfig config_;
    BoardGame game_;
    bool begun_ = false;  ///< a first game is in the journal, or on its way there

    link::Connector* connector_ = nullptr;
    std::uint64_t attachment_ = 0;
    bool answering_ = false;  ///< the device's session is known
    std::deque<Pending> pending_;
    std::vector<std::function<void()>> when_idle_;
    bool failed_ = false;
    bool lights_ = false;     ///< lamps are used at all
    std::uint64_t lit_ = 0;   ///< as the board was told last

    /// The device time known last, and when it was.
    DeviceTime known_at_{};
    std::chrono::steady_clock::time_point known_since_ = std::chrono::steady_clock::now();
};

}  // namespace touchmove::app
