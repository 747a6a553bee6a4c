// usbip_session.hpp - one connection to a USB/IP server; internal to the USB/IP transport
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "host/link/link_usbip.hpp"
#include "host/link/transport.hpp"
#include "host/link/usbip_wire.hpp"

namespace touchmove::link {

/// Requests and answers over one socket, and the watch over a server that hangs. Lives on after
/// close() until what is pending has been taken back.
class UsbipSession final : public UsbipParser::Handler,
                           public std::enable_shared_from_this<UsbipSession> {
  public:
    using Bytes = std::span<const std::uint8_t>;
    /// `result` and the bytes that came with it; there can be bytes with an error too.
    using Done = std::function<void(const Result<void>& result, Bytes bytes)>;
    using Imported = std::function<void(Result<UsbipDevice>)>;

    UsbipSession(boost::asio::any_io_executor loop, UsbipAddress address, UsbipTuning tuning);

    /// Connects and asks for the device. No callback comes after close().
    void open(Imported imported);
    void close();

    /// `lost` is called once when the connection has failed or the server hangs.
    void on_lost(std::function<void(const Error&)> lost) { lost_ = std::move(lost); }
    /// `read` is called with each answer to a request made by read_bulk().
    void on_read(Done read) { read_ = std::move(read); }

    void read_bulk(std::uint8_t endpoint, std::uint32_t length);
    void write_bulk(std::uint8_t endpoint, Bytes data, Done done);
    void control(const UsbSetup& setup, Bytes data, Done done);
    /// Takes back all requests of read_bulk(); they are answered as cancelled.
    void cancel_reads();
    [[nodiscard]] std::size_t reads() const;

    [[nodiscard]] const boost::asio::any_io_executor& executor() const noexcept { return loop_; }

    // What the parser finds.
    void on_import(Result<UsbipDevice> device) override;
    [[nodiscard]] std::optional<std::uint32_t> room(std::uint32_t seqnum) const override;
    void on_submit_reply(std::uint32_t seqnum, std::int32_t status, std::uint32_t length,
                         Bytes data) override;
    void on_unlink_reply(std::uint32_t seqnum, std::int32_t status) override;
    [[nodiscard]] bool done() const override { return state_ == State::closed; }

  private:
    enum class State : std::uint8_t { connecting, importing, open, draining, closed };
    using Clock = std::chrono::steady_clock;

    struct Pending {
        std::uint32_t seqnum;
        std::uint32_t room;
        bool is_read;                   ///< of read_bulk(): no deadline, answered to read_
        std::uint32_t unlinked_by = 0;  ///< number of the request that takes it back
        std::uint32_t asked = 0;        ///< bytes written, for write_bulk()
        std::optional<Clock::time_point> deadline = {};
        Done done = {};
    };

    void connect(const boost::asio::ip::tcp::resolver::results_type& where);
    void receive();
    void flush();
    void add(Pending pending);
    void answer(Pending& pending, const Result<void>& result, Bytes bytes);
    void unlink(Pending& pending);
    void watch();
    void check_deadlines();
    void fail(const Error& why);
    void shut();
    [[nodiscard]] std::string server() const;

    boost::asio::any_io_executor loop_;
    UsbipAddress address_;
    UsbipTuning tuning_;
    boost::asio::ip::tcp::resolver resolver_;
    boost::asio::ip::tcp::socket socket_;
    boost::asio::steady_timer timer_;
    State state_ = State::connecting;
    UsbipParser parser_;
    std::array<std::uint8_t, 4096> in_{};
    std::vector<std::uint8_t> out_;      // to be written
    std::vector<std::uint8_t> writing_;  // being written
    bool write_in_flight_ = false;
    bool parsing_ = false;
    std::uint32_t devid_ = 0;
    std::uint32_t last_seqnum_ = 0;
    std::vector<Pending> pending_;
    Clock::time_point step_deadline_{};  // of connecting and draining
    Clock::time_point last_heard_{};
    bool pinging_ = false;
    Imported imported_;
    std::function<void(const Error&)> lost_;
    Done read_;
};

}  // namespace touchmove::link
