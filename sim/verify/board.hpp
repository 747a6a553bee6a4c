// board.hpp - what plays the part of the chessboard in a run
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "host/link/board_link.hpp"
#include "sim/device/stimulus.hpp"
#include "sim/device/usb_device.hpp"

namespace touchmove::verify {

/// A board between the contacts and the host. Time passes only in run_until().
class Board {
  public:
    virtual ~Board() = default;
    /// Runs to that bench time and hands everything due to the sink.
    virtual void run_until(device::BenchUs until) = 0;
    /// These events are on disk, so to say.
    virtual void acknowledge(std::span<const link::StampedEvent> events) = 0;
    /// Bench time at which device time was 0.
    [[nodiscard]] virtual device::BenchUs session_began() const = 0;
};

/// The RTL, Verilated, and the daemon's own link over a transport in this process. `stimulus` and
/// `sink` must outlive it. Null where make_device() gives none.
[[nodiscard]] std::unique_ptr<Board> make_rtl_board(device::Stimulus& stimulus,
                                                    link::BoardLink::Sink& sink,
                                                    const device::DeviceOptions& options);

/// From `off` until `on` the board has no power (bench time).
struct PowerCut {
    device::BenchUs off;
    device::BenchUs on;
};

/// No RTL and no USB: a debouncer in C++ with the frontend's default settings. Some hundred times
/// faster, to try hands and the referee on many games; it proves nothing about the device. Power
/// that comes back begins a new session with what stands on the board then.
[[nodiscard]] std::unique_ptr<Board> make_ideal_board(device::Stimulus& stimulus,
                                                      link::BoardLink::Sink& sink,
                                                      std::optional<PowerCut> cut);

}  // namespace touchmove::verify
