// link_usbip.hpp - boards behind a USB/IP server, without a kernel module and without root
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <memory>

#include "host/link/board_opener.hpp"
#include "host/link/device_uri.hpp"

namespace touchmove::link {

/// Figures of the client; the defaults are for use, others for tests.
struct UsbipTuning {
    /// One packet each, as in UsbTuning.
    unsigned in_transfers = 16;
    /// From the name to the board's serial number, each step.
    std::chrono::milliseconds connect_timeout{5000};
    /// A request that is not answered within this time means that the server hangs (USB 2.0,
    /// 9.2.6.4: five seconds). Pending reads are exempt: a board may have nothing to say.
    std::chrono::milliseconds answer_timeout{5000};
    /// A board says something each 10 ms. After so long a silence it is asked for its status, and
    /// then has `answer_timeout`.
    std::chrono::milliseconds silence{2000};
    /// For the answers to the cancelling of what is pending when the link is stopped.
    std::chrono::milliseconds unlink_timeout{1000};
};

/// Opens the device of that address. Everything happens on the thread that runs `loop`.
[[nodiscard]] std::unique_ptr<BoardOpener> usbip_opener(boost::asio::any_io_executor loop,
                                                        UsbipAddress address,
                                                        UsbipTuning tuning = {});

}  // namespace touchmove::link
