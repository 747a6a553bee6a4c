// usb_device.cpp - what a host does first with a board
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/usb_device.hpp"

#include "fw/tm_descriptors.h"
extern "C" {
#include "fw/tm_usb.h"
}

namespace touchmove::device {

bool UsbDevice::enumerate() {
    constexpr std::uint16_t address = 1;
    bus_reset();
    return control({0, TM_USB_SET_ADDRESS, address, 0, 0}).status == TransferStatus::ok &&
           control({0, TM_USB_SET_CONFIGURATION, TM_CONFIGURATION, 0, 0}).status ==
               TransferStatus::ok;
}

}  // namespace touchmove::device
