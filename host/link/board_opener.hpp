// board_opener.hpp - one way to reach a board
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "host/base/result.hpp"
#include "host/link/transport.hpp"

namespace touchmove::link {

/// A device that was found and opened, not started yet.
struct OpenedBoard {
    std::unique_ptr<Transport> transport;
    std::string serial;  ///< from its string descriptor (USB 2.0, 9.6.7); keys the journal
};

/// Tries to open the board that it was made for. One attempt at a time; everything happens on the
/// loop's thread.
class BoardOpener {
  public:
    using Opened = std::function<void(Result<OpenedBoard>)>;

    virtual ~BoardOpener() = default;
    /// Tries once. `opened` is never called from within.
    virtual void open(Opened opened) = 0;
    /// Gives the attempt up; `opened` is not called.
    virtual void cancel() = 0;
    /// `retry` is called when a new attempt has become worth while (a device was plugged in).
    virtual void on_chance(std::function<void()> /*retry*/) {}
};

}  // namespace touchmove::link
