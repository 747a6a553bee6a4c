// usbip_test_server.hpp - a USB/IP server in the test's own loop, well behaved unless told
// otherwise SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "host/link/usbip_wire.hpp"
#include "model_device.hpp"

namespace touchmove::link::test {

/// Serves one ModelDevice to one client at a time. Its own reading of the protocol: nothing of the
/// client's code is used but the structs.
class UsbipTestServer {
  public:
    UsbipTestServer(boost::asio::io_context& loop, ModelDevice& device);

    [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
    /// Answers pending reads if the device has something to say.
    void pump();
    void drop_connection();

    // What it does wrong.
    std::optional<std::vector<std::uint8_t>> import_reply;  ///< sent instead
    std::optional<std::vector<std::uint8_t>> first_answer;  ///< sent instead of all later answers
    std::optional<std::size_t> close_after;                 ///< bytes sent on a connection
    std::size_t chunk = 4096;                               ///< bytes a write
    bool mute = false;                                      ///< takes everything, says nothing
    bool mute_controls = false;
    bool answers_unlink = true;
    unsigned stall_reads = 0;      ///< so many reads are answered by STALL
    std::int32_t read_status = 0;  ///< with the data of each read
    bool has_serial = true;
    bool watermarks = true;  ///< one every few milliseconds, as a board does

    // What it saw.
    unsigned connections = 0;
    unsigned unlinks = 0;
    unsigned halts_cleared = 0;
    unsigned configured = 0;
    unsigned status_asked = 0;
    bool client_left = false;
    [[nodiscard]] std::size_t pending_reads() const { return reads_.size(); }
    [[nodiscard]] std::size_t most_reads() const { return most_reads_; }

  private:
    struct Read {
        std::uint32_t seqnum;
        std::uint32_t length;
    };

    void accept();
    void tick();
    void receive();
    void take();
    bool take_one();
    void take_submit(std::uint32_t seqnum, bool is_in, std::uint32_t endpoint,
                     std::uint32_t length);
    void control(std::uint32_t seqnum, bool is_in, std::uint32_t length,
                 std::span<const std::uint8_t> data);
    void reply(std::uint32_t seqnum, std::int32_t status, std::uint32_t length,
               std::span<const std::uint8_t> data);
    void say(std::span<const std::uint8_t> bytes);
    void flush();

    boost::asio::io_context& loop_;
    ModelDevice& device_;
    boost::asio::ip::tcp::acceptor acceptor_;
    boost::asio::steady_timer ticks_;
    std::shared_ptr<boost::asio::ip::tcp::socket> socket_;
    std::array<std::uint8_t, 4096> in_{};
    std::vector<std::uint8_t> received_;
    std::vector<std::uint8_t> outgoing_;
    std::vector<std::uint8_t> writing_;
    bool write_in_flight_ = false;
    bool imported_ = false;
    std::size_t said_ = 0;
    std::deque<Read> reads_;
    std::size_t most_reads_ = 0;
    std::array<std::uint8_t, 8> setup_{};
    bool owes_watermark_ = false;
};

}  // namespace touchmove::link::test
