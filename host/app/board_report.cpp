// board_report.cpp - what a board says of itself, in words
// SPDX-License-Identifier: Apache-2.0
#include "host/app/board_report.hpp"

#include <fmt/format.h>

#include "host/chess/types.hpp"

namespace touchmove::app {

Result<std::string> describe(link::BoardConsole& board) {
    const auto info = board.info();
    if (!info) return info.error();
    auto name = board.name();
    if (!name && name.error().code != std::errc::broken_pipe) return name.error();
    constexpr unsigned us_per_s = 1'000'000;
    return fmt::format(
        "{}, serial number {}, gateware {}.{}, {}, {} scans a second, queue of {} records, "
        "session {}, {}",
        name ? *name : "board without a name", board.serial(), info->gateware_version >> 8,
        info->gateware_version & 0xFF,
        info->sensor_style == TM_SENSOR_SHIFT_CHAIN ? "shift-register chain" : "matrix",
        info->frame_us == 0 ? 0 : us_per_s / info->frame_us, info->queue_records, info->session,
        info->lamps == 0 ? "no lamps" : fmt::format("{} lamps", info->lamps));
}

std::string settings_text(const tm_settings& settings) {
    return fmt::format("--settle-us {} --lift-us {} --place-us {} --eager {} --aux-invert {}",
                       settings.settle_us, settings.lift_us, settings.place_us,
                       (settings.flags & TM_SETTINGS_EAGER) != 0 ? "on" : "off",
                       settings.aux_invert);
}

Result<std::uint64_t> lamps_of(std::span<const std::string> squares, unsigned count) {
    if (count == 0) return Error(std::errc::not_supported, "the board has no lamps");
    std::uint64_t lamps = 0;
    for (const std::string& name : squares) {
        const auto square = chess::Square::parse(name);
        if (!square) {
            return Error(std::errc::invalid_argument, fmt::format("there is no square {}", name));
        }
        if (square->index() >= count) {
            return Error(std::errc::invalid_argument,
                         fmt::format("the board has {0} lamps, named a1 to {1}: none for {2}",
                                     count, chess::Square(count - 1).name(), name));
        }
        lamps |= square->bit();
    }
    return lamps;
}

}  // namespace touchmove::app
