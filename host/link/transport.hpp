// transport.hpp - a device's control and bulk endpoints, whatever carries them
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "host/base/result.hpp"

namespace touchmove::link {

/// A vendor control request (USB 2.0, 9.3); direction and type bits are implied.
struct ControlRequest {
    std::uint8_t request;  ///< enum tm_request
    std::uint16_t value = 0;
    std::uint16_t index = 0;
};

/// One attached device. Three implementations: libusb, USB/IP in user space, and the simulated
/// device in the same process. All calls and all callbacks happen on the caller's one thread. A
/// Reply or Done may come before the call that asked for it returns; bulk IN and on_lost never come
/// from within a call. The data given to a call is copied by it. Calls from within callbacks are
/// allowed, stop() too; destruction from within one is not.
class Transport {
  public:
    class Handler {
      public:
        virtual ~Handler() = default;
        /// Bytes of bulk IN, as they came; any length, also not a multiple of a record.
        virtual void on_bulk_in(std::span<const std::uint8_t> bytes) = 0;
        /// Bulk IN was halted and cleared (USB 2.0, 5.8.5): if both sides disagreed about the data
        /// toggle, a packet may have been lost or doubled here.
        virtual void on_halt_cleared() {}
        /// The device is gone or broken. Called once; no other callback follows.
        virtual void on_lost(const Error& why) = 0;
    };
    using Reply = std::function<void(Result<std::vector<std::uint8_t>>)>;
    using Done = std::function<void(Result<void>)>;

    virtual ~Transport() = default;
    /// Starts reading bulk IN (several transfers in flight, no time-out).
    virtual void start(Handler& handler) = 0;
    /// Fails with broken_pipe where the device refuses by STALL.
    virtual void control_in(ControlRequest request, std::uint16_t length, Reply reply) = 0;
    virtual void control_out(ControlRequest request, std::span<const std::uint8_t> data,
                             Done done) = 0;
    virtual void bulk_out(std::span<const std::uint8_t> bytes, Done done) = 0;
    /// Cancels everything; afterwards no callback comes any more.
    virtual void stop() = 0;
};

}  // namespace touchmove::link
