// urb_queues.hpp - what an importer has submitted and the board has not yet taken
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>

#include "sim/usbip/board.hpp"
#include "sim/usbip/protocol.hpp"

namespace touchmove::usbip {

/// A Submit and who waits for its end.
struct Urb {
    Submit submit;
    std::shared_ptr<BoardClient> client;
};

/// One FIFO an endpoint and direction. The server's thread pushes and cancels, the board's thread
/// takes; the lock is held for a few instructions only, never while the model runs. Who takes a URB
/// has to complete it; until then it can be cancelled.
class UrbQueues {
  public:
    void push(Urb urb);
    /// True: it was waiting and is gone.
    [[nodiscard]] bool cancel(std::uint32_t seqnum);

    /// Forgets everything, and hands out nothing until open(): between one client and the next
    /// stands a bus reset.
    void close();
    void open();

    [[nodiscard]] std::optional<Urb> take_control();
    [[nodiscard]] std::optional<Urb> take_bulk_in();
    [[nodiscard]] std::optional<Urb> take_bulk_out();
    /// For an endpoint that the board does not have.
    [[nodiscard]] std::optional<Urb> take_stray();

  private:
    using Queue = std::deque<Urb>;
    [[nodiscard]] std::optional<Urb> take(Queue& queue);

    std::mutex mutex_;
    Queue control_, bulk_in_, bulk_out_, stray_;
    bool open_ = false;
};

}  // namespace touchmove::usbip
