// board_console.hpp - control requests to one board, one after the other
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fw/tm_proto.h"
#include "host/base/result.hpp"
#include "host/link/board_opener.hpp"
#include "host/link/transport.hpp"

namespace touchmove::link {

class UsbHost;

/// For a program that looks at a board or sets it up, and does nothing else meanwhile. Each call
/// waits for its answer. No record is read, so a daemon that comes later misses none; one that
/// follows the board keeps it busy.
class BoardConsole {
  public:
    /// `uri` as in device_uri.hpp. Fails where the board is not there, not ours to open, or busy.
    [[nodiscard]] static Result<std::unique_ptr<BoardConsole>> open(std::string_view uri);
    ~BoardConsole();
    BoardConsole(const BoardConsole&) = delete;
    BoardConsole& operator=(const BoardConsole&) = delete;

    [[nodiscard]] const std::string& serial() const noexcept { return board_.serial; }
    [[nodiscard]] Result<tm_info> info();
    /// What kind of board it is. Fails with broken_pipe where the firmware has no name for it.
    [[nodiscard]] Result<std::string> name();
    [[nodiscard]] Result<tm_settings> settings();
    /// In force at once, and kept in the board's flash. Fails with broken_pipe where the board
    /// refuses them; then nothing changed.
    [[nodiscard]] Result<void> set_settings(const tm_settings& settings);
    /// What the inputs did since the report before; the first one begins the watch and is empty.
    [[nodiscard]] Result<tm_sensor_report> sensors();
    /// Bit n lights lamp n. The board puts them out when it is opened again.
    [[nodiscard]] Result<void> light(std::uint64_t lamps);

  private:
    BoardConsole() = default;
    [[nodiscard]] Result<std::vector<std::uint8_t>> ask(std::uint8_t request, std::uint16_t length);
    [[nodiscard]] Result<void> tell(std::uint8_t request, std::span<const std::uint8_t> data);
    [[nodiscard]] bool run_until(const std::function<bool()>& done);

    boost::asio::io_context loop_;
    std::unique_ptr<UsbHost> usb_;
    std::unique_ptr<BoardOpener> opener_;
    OpenedBoard board_;
};

}  // namespace touchmove::link
