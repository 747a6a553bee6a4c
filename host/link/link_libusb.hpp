// link_libusb.hpp - boards on the machine's own USB, through libusb in the Asio loop
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/base/result.hpp"
#include "host/link/board_opener.hpp"
#include "host/link/device_uri.hpp"

namespace touchmove::link {

class UsbLoop;

/// Figures of the transport; the defaults are for use, others for tests.
struct UsbTuning {
    /// One packet each: a longer transfer would keep a full packet back until the next one. Enough
    /// of them that a replay is not held up by the loop (19 packets a millisecond at most: USB 2.0,
    /// 5.8.4).
    unsigned in_transfers = 16;
    std::chrono::milliseconds in_timeout{0};  ///< 0: none; a cancelled transfer can lose data
    std::chrono::milliseconds control_timeout{5000};  ///< USB 2.0, 9.2.6.4
    std::chrono::milliseconds out_timeout{5000};
    /// A board says something each 10 ms. After so long a silence it is asked for its status; if it
    /// does not answer that within `control_timeout`, it is lost. (A hung USB/IP server behind the
    /// kernel keeps even a cancelled transfer.)
    std::chrono::milliseconds silence{2000};
    /// Right after arrival udev may not have given the device its permissions yet.
    unsigned access_attempts = 6;
    std::chrono::milliseconds access_first_wait{50};  ///< doubled after each attempt
};

/// libusb for this process. Everything happens on the thread that runs `loop`; no other thread is
/// started (libusb's own udev monitor apart).
class UsbHost {
  public:
    /// Fails where the machine has no USB.
    [[nodiscard]] static Result<std::unique_ptr<UsbHost>> create(boost::asio::any_io_executor loop,
                                                                 UsbTuning tuning = {});
    /// Cancels what is still under way and waits for it, a second at most.
    ~UsbHost();
    UsbHost(const UsbHost&) = delete;
    UsbHost& operator=(const UsbHost&) = delete;

    /// Opens the board of that address. Must not outlive the host.
    [[nodiscard]] std::unique_ptr<BoardOpener> opener(UsbAddress address);

    struct Seen {
        unsigned bus;
        unsigned address;
        bool may_open;  ///< false: no permission
    };
    /// Devices of that kind that are plugged in now, whatever their serial numbers.
    [[nodiscard]] std::vector<Seen> seen(std::uint16_t vendor, std::uint16_t product) const;

  private:
    UsbHost(std::shared_ptr<UsbLoop> loop, UsbTuning tuning);

    std::shared_ptr<UsbLoop> loop_;
    UsbTuning tuning_;
};

}  // namespace touchmove::link
