// urb_pump.hpp - carries out what an importer submits on a simulated device
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/device/usb_device.hpp"
#include "sim/usbip/urb_queues.hpp"

namespace touchmove::usbip {

/// The host controller between USB/IP and the device: cuts transfers into packets, and adds what
/// USB/IP leaves out (reset and address). Runs on the device's thread.
class UrbPump {
  public:
    UrbPump(device::UsbDevice& device, UrbQueues& queues) : device_(device), queues_(queues) {}

    /// A client has imported the device: bus reset, address; its URBs are served from now on.
    void attach();
    /// The client is gone, or the cable is. Whoever knows that first has closed the queues.
    void detach();
    /// Completes whatever can be completed now. Bulk IN without data stays pending.
    void serve();

  private:
    void give_address();
    [[nodiscard]] Completion control(const Submit& submit);
    [[nodiscard]] Completion bulk_out(const Submit& submit);
    [[nodiscard]] Completion bulk_in(const Submit& submit);

    device::UsbDevice& device_;
    UrbQueues& queues_;
};

}  // namespace touchmove::usbip
