// vendor_echo.hpp - a vendor side for the control endpoint's tests
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

extern "C" {
#include "fw/tm_usb.h"
}

namespace touchmove::fw_test {

using Bytes = std::vector<std::uint8_t>;

/// Answers request 0x55 (IN: `vendor_reply`; OUT: kept) and nothing else, and keeps bulk OUT
/// packets. Not movable: the firmware keeps pointers.
struct VendorEcho {
    VendorEcho() = default;
    VendorEcho(const VendorEcho&) = delete;
    VendorEcho& operator=(const VendorEcho&) = delete;

    Bytes vendor_reply;
    std::vector<Bytes> vendor_got, bulk_got;

    [[nodiscard]] tm_usb_vendor callbacks() { return {&in, &out, &bulk_out, this}; }

  private:
    static constexpr std::uint8_t request = 0x55;
    static VendorEcho& self(void* context) { return *static_cast<VendorEcho*>(context); }
    static bool in(void* context, const tm_usb_setup* setup, const std::uint8_t** data,
                   std::uint16_t* length) {
        if (setup->request != request) return false;
        *data = self(context).vendor_reply.data();
        *length = static_cast<std::uint16_t>(self(context).vendor_reply.size());
        return true;
    }
    static bool out(void* context, const tm_usb_setup* setup, const std::uint8_t* data) {
        if (setup->request != request) return false;
        self(context).vendor_got.emplace_back(data, data + setup->length);
        return true;
    }
    static void bulk_out(void* context, const std::uint8_t* data, std::uint32_t length) {
        self(context).bulk_got.emplace_back(data, data + length);
    }
};

}  // namespace touchmove::fw_test
