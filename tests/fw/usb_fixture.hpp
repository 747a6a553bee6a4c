// usb_fixture.hpp - the control endpoint of the firmware behind the USB block, and a host
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>

extern "C" {
#include "fw/tm_descriptors.h"
#include "fw/tm_usb.h"
}
#include "fw/usb_regs.h"
#include "sim/device/control_pipe.hpp"
#include "tests/fw/vendor_echo.hpp"

namespace touchmove::fw_test {

using device::ControlReply;
using device::Handshake;
using device::Packet;
using device::Setup;
using device::TransferStatus;
using device::UsbBlock;

/// A device with a VendorEcho.
class UsbFixture : public VendorEcho {
  public:
    explicit UsbFixture(const char* serial = "TM-0001", bool self_powered = true,
                        std::uint16_t milliamperes = 2) {
        const tm_usb_vendor vendor = callbacks();
        tm_usb_init(&usb, &hw_, &vendor, serial, self_powered, milliamperes);
        block.bus_reset();
        poll();
    }

    void poll() { tm_usb_poll(&usb); }

    ControlReply transfer(const Setup& setup, const Bytes& out = {}) {
        return device::control_transfer(block, [this] { poll(); }, setup, out);
    }
    /// The data of a request that must succeed.
    Bytes get(const Setup& setup) {
        const ControlReply reply = transfer(setup);
        INFO("request " << int{setup.request} << " value " << setup.value);
        REQUIRE(reply.status == TransferStatus::ok);
        return reply.data;
    }
    bool accepts(const Setup& setup, const Bytes& out = {}) {
        const ControlReply reply = transfer(setup, out);
        REQUIRE(reply.status != TransferStatus::timed_out);
        return reply.status == TransferStatus::ok;
    }
    void enter(tm_usb_state state) {
        block.bus_reset();
        poll();
        if (state != TM_USB_DEFAULT) REQUIRE(accepts({0x00, TM_USB_SET_ADDRESS, 5, 0, 0}));
        if (state == TM_USB_CONFIGURED) REQUIRE(accepts({0x00, TM_USB_SET_CONFIGURATION, 1, 0, 0}));
        REQUIRE(usb.state == state);
    }

    UsbBlock block;
    tm_usb usb{};

  private:
    static UsbFixture& self(void* context) { return *static_cast<UsbFixture*>(context); }
    static std::uint32_t read(void* context, std::uint32_t offset) {
        return self(context).block.read(offset);
    }
    static void write(void* context, std::uint32_t offset, std::uint32_t value) {
        self(context).block.write(offset, value);
    }

    tm_hw hw_{&read, &write, this};
};

}  // namespace touchmove::fw_test
