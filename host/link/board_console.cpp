// board_console.cpp - control requests to one board, one after the other
// SPDX-License-Identifier: Apache-2.0
#include "host/link/board_console.hpp"

#include <utility>
#include <variant>

#include "host/link/connector.hpp"
#include "host/link/device_uri.hpp"
#include "host/link/link_libusb.hpp"
#include "host/link/messages.hpp"

namespace touchmove::link {
namespace {

using namespace std::chrono_literals;

/// Above every time-out of the transports, which know better what went wrong.
constexpr auto patience = 20s;

Error silent() {
    return {std::errc::timed_out, "the board does not answer"};
}

}  // namespace

Result<std::unique_ptr<BoardConsole>> BoardConsole::open(std::string_view text) {
    const auto uri = parse_device_uri(text);
    if (!uri) return uri.error();
    std::unique_ptr<BoardConsole> console(new BoardConsole);
    if (std::holds_alternative<UsbAddress>(*uri)) {
        auto usb = UsbHost::create(console->loop_.get_executor());
        if (!usb) return usb.error();
        console->usb_ = std::move(*usb);
    }
    auto opener = opener_for(*uri, console->loop_.get_executor(), console->usb_.get());
    if (!opener) return opener.error();
    console->opener_ = std::move(*opener);
    std::optional<Result<OpenedBoard>> opened;
    console->opener_->open([&](Result<OpenedBoard> board) { opened = std::move(board); });
    if (!console->run_until([&] { return opened.has_value(); })) {
        console->opener_->cancel();
        return silent();
    }
    if (!*opened) return opened->error();
    console->board_ = std::move(**opened);
    return console;
}

BoardConsole::~BoardConsole() {
    if (board_.transport == nullptr) return;
    board_.transport->stop();
    loop_.restart();
    loop_.poll();
}

bool BoardConsole::run_until(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + patience;
    loop_.restart();
    while (!done()) {
        if (loop_.run_one_until(end) == 0) return false;
    }
    return true;
}

Result<std::vector<std::uint8_t>> BoardConsole::ask(std::uint8_t request, std::uint16_t length) {
    // Shared: an answer may come after we have given up.
    const auto answer = std::make_shared<std::optional<Result<std::vector<std::uint8_t>>>>();
    board_.transport->control_in({request}, length,
                                 [answer](Result<std::vector<std::uint8_t>> bytes) {
                                     *answer = std::move(bytes);
                                 });
    if (!run_until([&] { return answer->has_value(); })) return silent();
    return std::move(**answer);
}

Result<void> BoardConsole::tell(std::uint8_t request, std::span<const std::uint8_t> data) {
    const auto answer = std::make_shared<std::optional<Result<void>>>();
    board_.transport->control_out({request}, data,
                                  [answer](Result<void> result) { *answer = std::move(result); });
    if (!run_until([&] { return answer->has_value(); })) return silent();
    return std::move(**answer);
}

Result<tm_info> BoardConsole::info() {
    const auto bytes = ask(TM_REQ_INFO, TM_INFO_BYTES);
    if (!bytes) return bytes.error();
    return decode_info(*bytes);
}

Result<std::string> BoardConsole::name() {
    const auto bytes = ask(TM_REQ_BOARD_NAME, TM_BOARD_NAME_MAX);
    if (!bytes) return bytes.error();
    return decode_name(*bytes);
}

Result<tm_settings> BoardConsole::settings() {
    const auto bytes = ask(TM_REQ_GET_SETTINGS, TM_SETTINGS_BYTES);
    if (!bytes) return bytes.error();
    return decode_settings(*bytes);
}

Result<void> BoardConsole::set_settings(const tm_settings& settings) {
    return tell(TM_REQ_SET_SETTINGS, encode_settings(settings));
}

Result<tm_sensor_report> BoardConsole::sensors() {
    const auto bytes = ask(TM_REQ_SENSORS, TM_SENSOR_REPORT_BYTES);
    if (!bytes) return bytes.error();
    return decode_sensors(*bytes);
}

Result<void> BoardConsole::light(std::uint64_t lamps) {
    return tell(TM_REQ_LAMPS, encode_lamps(lamps));
}

}  // namespace touchmove::link
