// usb_fixture.hpp - the control endpoint of the firmware behind the USB block, and a host
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

extern "C" {
#include "fw/tm_descriptors.h"
#include "fw/tm_usb.h"
}
#include "fw/usb_regs.h"
#include "sim/device/control_pipe.hpp"

namespace touchmove::fw_test {

using device::ControlReply;
using device::Handshake;
using device::Packet;
using device::Setup;
using device::TransferStatus;
using device::UsbBlock;
using Bytes = std::vector<std::uint8_t>;

/// A device whose vendor side answers request 0x55 (IN: `vendor_reply`; OUT: stored) and nothing
/// else. Not movable: the firmware keeps pointers.
class UsbFixture {
  public:
    explicit UsbFixture(const char* serial = "TM-0001", bool self_powered = true,
                        std::uint16_t milliamperes = 2) {
        const tm_usb_vendor vendor = {&vendor_in, &vendor_out, &bulk_out, this};
        tm_usb_init(&usb, &hw_, &vendor, serial, self_powered, milliamperes);
        block.bus_reset();
        poll();
    }
    UsbFixture(const UsbFixture&) = delete;
    UsbFixture& operator=(const UsbFixture&) = delete;

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
    Bytes vendor_reply;
    std::optional<Bytes> vendor_got;
    std::vector<Bytes> bulk_got;

  private:
    static UsbFixture& self(void* context) { return *static_cast<UsbFixture*>(context); }
    static std::uint32_t read(void* context, std::uint32_t offset) {
        return self(context).block.read(offset);
    }
    static void write(void* context, std::uint32_t offset, std::uint32_t value) {
        self(context).block.write(offset, value);
    }
    static bool vendor_in(void* context, const tm_usb_setup* setup, const std::uint8_t** data,
                          std::uint16_t* length) {
        if (setup->request != 0x55) return false;
        *data = self(context).vendor_reply.data();
        *length = static_cast<std::uint16_t>(self(context).vendor_reply.size());
        return true;
    }
    static bool vendor_out(void* context, const tm_usb_setup* setup, const std::uint8_t* data) {
        if (setup->request != 0x55) return false;
        self(context).vendor_got = Bytes(data, data + setup->length);
        return true;
    }
    static void bulk_out(void* context, const std::uint8_t* data, std::uint32_t length) {
        self(context).bulk_got.emplace_back(data, data + length);
    }

    tm_hw hw_{&read, &write, this};
};

}  // namespace touchmove::fw_test
