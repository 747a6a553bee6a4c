// messages_fuzz.cpp - answers to control requests, and a USB/IP server's list, from anybody
// SPDX-License-Identifier: Apache-2.0
//
// The first byte chooses the request.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "host/link/messages.hpp"
#include "host/link/usbip_wire.hpp"

using namespace touchmove::link;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::span bytes(data + 1, size - 1);
    switch (data[0] % 7) {
        case 0: (void)decode_info(bytes); break;
        case 1: (void)decode_time(bytes); break;
        case 2: (void)decode_settings(bytes); break;
        case 3: (void)decode_sensors(bytes); break;
        case 4:
            if (const auto name = decode_name(bytes); name && name->size() != bytes.size()) {
                std::abort();
            }
            break;
        case 5:
            if (bytes.size() >= usbip_list_bytes) {
                (void)usbip_list_count(bytes.first(usbip_list_bytes));
            }
            break;
        case 6:
            if (bytes.size() >= usbip_device_bytes) {
                const auto listed = usbip_listed(bytes.first(usbip_device_bytes));
                if (listed.busid.size() > usbip_busid_bytes) std::abort();
            }
            break;
    }
    return 0;
}
