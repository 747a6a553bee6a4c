// chapter_9.hpp - the standard requests of USB 2.0, chapter 9, legal and illegal
// SPDX-License-Identifier: Apache-2.0
#pragma once

extern "C" {
#include "fw/tm_usb.h"
}
#include "sim/device/control_pipe.hpp"

namespace touchmove::fw_test {

/// One request and the states in which it must succeed; everywhere else it must be stalled.
struct Case {
    const char* what;
    device::Setup setup;
    bool in_default, in_addressed, in_configured;
};

inline constexpr bool yes = true, no = false;

inline const Case chapter_9[] = {
    // GET_STATUS, 9.4.5
    {"status of the device", {0x80, 0, 0, 0, 2}, no, yes, yes},
    {"status of interface 0", {0x81, 0, 0, 0, 2}, no, no, yes},
    {"status of interface 1", {0x81, 0, 0, 1, 2}, no, no, no},
    {"status of endpoint 0", {0x82, 0, 0, 0, 2}, no, yes, yes},
    {"status of endpoint 0, IN side", {0x82, 0, 0, 0x80, 2}, no, yes, yes},
    {"status of bulk IN", {0x82, 0, 0, 0x81, 2}, no, no, yes},
    {"status of bulk OUT", {0x82, 0, 0, 0x01, 2}, no, no, yes},
    {"status of endpoint 2", {0x82, 0, 0, 0x82, 2}, no, no, no},
    {"status with a value", {0x80, 0, 1, 0, 2}, no, no, no},
    {"status with an index for the device", {0x80, 0, 0, 1, 2}, no, no, no},
    {"status of length 1", {0x80, 0, 0, 0, 1}, no, no, no},
    {"status written", {0x00, 0, 0, 0, 0}, no, no, no},
    {"status of 'other'", {0x83, 0, 0, 0, 2}, no, no, no},
    // CLEAR_FEATURE, SET_FEATURE, 9.4.1 and 9.4.9
    {"clear halt of bulk IN", {0x02, 1, 0, 0x81, 0}, no, no, yes},
    {"clear halt of bulk OUT", {0x02, 1, 0, 0x01, 0}, no, no, yes},
    {"clear halt of endpoint 0", {0x02, 1, 0, 0, 0}, no, yes, yes},
    {"clear halt of endpoint 3", {0x02, 1, 0, 0x83, 0}, no, no, no},
    {"clear remote wake-up", {0x00, 1, 1, 0, 0}, no, no, no},
    {"clear a feature of the interface", {0x01, 1, 0, 0, 0}, no, no, no},
    {"clear halt with a length", {0x02, 1, 0, 0x81, 1}, no, no, no},
    {"clear halt read", {0x82, 1, 0, 0x81, 0}, no, no, no},
    {"halt bulk IN", {0x02, 3, 0, 0x81, 0}, no, no, yes},
    {"halt bulk OUT", {0x02, 3, 0, 0x01, 0}, no, no, yes},
    {"halt endpoint 0", {0x02, 3, 0, 0, 0}, no, no, no},
    {"halt endpoint 3", {0x02, 3, 0, 0x03, 0}, no, no, no},
    {"set remote wake-up", {0x00, 3, 1, 0, 0}, no, no, no},
    {"set a test mode", {0x00, 3, 2, 0x0100, 0}, no, no, no},
    // SET_ADDRESS, 9.4.6
    {"set address 1", {0x00, 5, 1, 0, 0}, yes, yes, no},
    {"set address 127", {0x00, 5, 127, 0, 0}, yes, yes, no},
    {"set address 128", {0x00, 5, 128, 0, 0}, no, no, no},
    {"set address 257", {0x00, 5, 257, 0, 0}, no, no, no},
    {"set address with an index", {0x00, 5, 1, 1, 0}, no, no, no},
    {"set address with a length", {0x00, 5, 1, 0, 1}, no, no, no},
    {"set address of the interface", {0x01, 5, 1, 0, 0}, no, no, no},
    // GET_DESCRIPTOR, 9.4.3
    {"device descriptor", {0x80, 6, 0x0100, 0, 18}, yes, yes, yes},
    {"device descriptor 1", {0x80, 6, 0x0101, 0, 18}, no, no, no},
    {"configuration descriptor", {0x80, 6, 0x0200, 0, 32}, yes, yes, yes},
    {"configuration descriptor 1", {0x80, 6, 0x0201, 0, 32}, no, no, no},
    {"string 0", {0x80, 6, 0x0300, 0, 255}, yes, yes, yes},
    {"string 1", {0x80, 6, 0x0301, 0x0409, 255}, yes, yes, yes},
    {"string 2", {0x80, 6, 0x0302, 0x0409, 255}, yes, yes, yes},
    {"string 3", {0x80, 6, 0x0303, 0x0409, 255}, yes, yes, yes},
    {"string 4", {0x80, 6, 0x0304, 0x0409, 255}, no, no, no},
    {"string 0xEE (Microsoft OS 1.0)", {0x80, 6, 0x03EE, 0, 18}, no, no, no},
    {"string 1 in German", {0x80, 6, 0x0301, 0x0407, 255}, no, no, no},
    {"interface descriptor by itself", {0x80, 6, 0x0400, 0, 9}, no, no, no},
    {"endpoint descriptor by itself", {0x80, 6, 0x0500, 0, 7}, no, no, no},
    {"device qualifier", {0x80, 6, 0x0600, 0, 10}, no, no, no},
    {"other speed configuration", {0x80, 6, 0x0700, 0, 32}, no, no, no},
    {"BOS", {0x80, 6, 0x0F00, 0, 33}, yes, yes, yes},
    {"a class descriptor", {0x81, 6, 0x2200, 0, 64}, no, no, no},
    // SET_DESCRIPTOR, 9.4.8
    {"set descriptor", {0x00, 7, 0x0100, 0, 0}, no, no, no},
    {"set descriptor with data", {0x00, 7, 0x0100, 0, 18}, no, no, no},
    // GET_CONFIGURATION, SET_CONFIGURATION, 9.4.2 and 9.4.7
    {"get configuration", {0x80, 8, 0, 0, 1}, no, yes, yes},
    {"get configuration with a value", {0x80, 8, 1, 0, 1}, no, no, no},
    {"get configuration of the interface", {0x81, 8, 0, 0, 1}, no, no, no},
    {"set configuration 0", {0x00, 9, 0, 0, 0}, no, yes, yes},
    {"set configuration 1", {0x00, 9, 1, 0, 0}, no, yes, yes},
    {"set configuration 2", {0x00, 9, 2, 0, 0}, no, no, no},
    {"set configuration with a length", {0x00, 9, 1, 0, 1}, no, no, no},
    // GET_INTERFACE, SET_INTERFACE, 9.4.4 and 9.4.10
    {"get interface 0", {0x81, 10, 0, 0, 1}, no, no, yes},
    {"get interface 1", {0x81, 10, 0, 1, 1}, no, no, no},
    {"get interface of the device", {0x80, 10, 0, 0, 1}, no, no, no},
    {"set interface 0 alternate 0", {0x01, 11, 0, 0, 0}, no, no, yes},
    {"set interface 0 alternate 1", {0x01, 11, 1, 0, 0}, no, no, no},
    {"set interface 1", {0x01, 11, 0, 1, 0}, no, no, no},
    // SYNCH_FRAME and what does not exist
    {"synch frame", {0x82, 12, 0, 0x81, 2}, no, no, no},
    {"standard request 2", {0x80, 2, 0, 0, 2}, no, no, no},
    {"standard request 4", {0x00, 4, 0, 0, 0}, no, no, no},
    {"standard request 13", {0x80, 13, 0, 0, 2}, no, no, no},
    {"a class request", {0xA1, 0, 0, 0, 2}, no, no, no},
    {"a reserved type", {0xE0, 0, 0, 0, 2}, no, no, no},
};

[[nodiscard]] inline bool legal_in(const Case& c, tm_usb_state state) {
    return state == TM_USB_DEFAULT     ? c.in_default
           : state == TM_USB_ADDRESSED ? c.in_addressed
                                       : c.in_configured;
}

}  // namespace touchmove::fw_test
