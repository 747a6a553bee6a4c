// board.hpp - a device that the USB/IP server exports, whatever runs it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "sim/usbip/protocol.hpp"

namespace touchmove::usbip {

/// How a Submit ended.
struct Completion {
    std::uint32_t seqnum = 0;
    std::int32_t status = 0;
    std::uint32_t actual_length = 0;
    Bytes data;  ///< of an IN transfer, `actual_length` bytes
};

/// The importer of a board. Called from any thread; hands over and returns.
class BoardClient {
  public:
    virtual ~BoardClient() = default;
    virtual void on_complete(Completion completion) = 0;
    /// The cable was pulled, or the board lost its power. Nothing completes any more.
    virtual void on_unplugged() = 0;
};

/// One board. Every call is made by the server's thread and returns without waiting for the model.
class Board {
  public:
    virtual ~Board() = default;
    [[nodiscard]] virtual DeviceRecord record() const = 0;
    /// Attaches a client: bus reset and address. False: not plugged in.
    [[nodiscard]] virtual bool attach(std::shared_ptr<BoardClient> client) = 0;
    /// The client is gone. What it had submitted is forgotten.
    virtual void detach() = 0;
    virtual void submit(Submit submit) = 0;
    /// True: taken back, it will not complete. False: it has completed, or is just about to.
    [[nodiscard]] virtual bool cancel(std::uint32_t seqnum) = 0;
    [[nodiscard]] virtual bool plugged() const = 0;
};

}  // namespace touchmove::usbip
