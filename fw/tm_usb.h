// tm_usb.h - the control endpoint: USB 2.0 chapter 9, and a way in for vendor requests
// SPDX-License-Identifier: Apache-2.0
#ifndef TM_USB_H
#define TM_USB_H

#include <stdbool.h>
#include <stdint.h>

#include "fw/tm_hw.h"
#include "fw/tm_proto.h"

// Bits of bmRequestType (USB 2.0, table 9-2).
#define TM_USB_DIR_IN 0x80u
#define TM_USB_TYPE_MASK 0x60u
#define TM_USB_TYPE_STANDARD 0x00u
#define TM_USB_TYPE_VENDOR 0x40u
#define TM_USB_RECIPIENT_MASK 0x1Fu
#define TM_USB_TO_DEVICE 0u
#define TM_USB_TO_INTERFACE 1u
#define TM_USB_TO_ENDPOINT 2u

// bRequest (table 9-4).
enum tm_usb_standard_request {
    TM_USB_GET_STATUS = 0,
    TM_USB_CLEAR_FEATURE = 1,
    TM_USB_SET_FEATURE = 3,
    TM_USB_SET_ADDRESS = 5,
    TM_USB_GET_DESCRIPTOR = 6,
    TM_USB_SET_DESCRIPTOR = 7,
    TM_USB_GET_CONFIGURATION = 8,
    TM_USB_SET_CONFIGURATION = 9,
    TM_USB_GET_INTERFACE = 10,
    TM_USB_SET_INTERFACE = 11,
    TM_USB_SYNCH_FRAME = 12
};
#define TM_USB_FEATURE_ENDPOINT_HALT 0u

struct tm_usb_setup {
    uint8_t request_type, request;
    uint16_t value, index, length;
};

// The longest OUT data stage that any request has.
#define TM_USB_OUT_MAX 16u
#define TM_USB_SERIAL_MAX 31u  // characters; the string descriptor then fills one packet

// Vendor requests. Each returns false for STALL.
struct tm_usb_vendor {
    // IN: points *data at *length bytes that stay valid until the next request.
    bool (*in)(void *context, const struct tm_usb_setup *setup, const uint8_t **data,
               uint16_t *length);
    // OUT: called once, with all `setup->length` bytes, before the status stage.
    bool (*out)(void *context, const struct tm_usb_setup *setup, const uint8_t *data);
    // A packet came over bulk OUT.
    void (*bulk_out)(void *context, const uint8_t *data, uint32_t length);
    void *context;
};

// Device states (figure 9-1); attached and powered need no firmware, suspended is tm_board's.
enum tm_usb_state { TM_USB_DEFAULT, TM_USB_ADDRESSED, TM_USB_CONFIGURED };

enum tm_usb_stage {
    TM_USB_STAGE_NONE,
    TM_USB_STAGE_DATA_IN,
    TM_USB_STAGE_DATA_OUT,
    TM_USB_STAGE_STATUS_IN,
    TM_USB_STAGE_STATUS_OUT
};

struct tm_usb {
    const struct tm_hw *hw;
    struct tm_usb_vendor vendor;
    char serial[TM_USB_SERIAL_MAX + 1];
    bool self_powered;
    uint16_t milliamperes;
    bool alive;  // set when packets were seen on the bus; for the owner to clear

    enum tm_usb_state state;
    bool halt_in, halt_out;

    enum tm_usb_stage stage;
    struct tm_usb_setup setup;
    bool address_waits;           // setup.value becomes the address after the status stage
    const uint8_t *in;            // what remains of the data stage
    uint16_t in_left;
    bool in_ends_short;           // a last packet below 64 bytes is still owed
    uint8_t out[TM_USB_OUT_MAX];
    uint16_t out_got;
    uint8_t reply[2 + 2 * TM_USB_SERIAL_MAX];
};

// `serial` names the board: printable ASCII, cut at TM_USB_SERIAL_MAX characters. `milliamperes`:
// what it takes from the bus at most, up to 500.
void tm_usb_init(struct tm_usb *usb, const struct tm_hw *hw, const struct tm_usb_vendor *vendor,
                 const char *serial, bool self_powered, uint16_t milliamperes);

// Pulls D+ up: the host may begin.
void tm_usb_connect(struct tm_usb *usb);

// Answers what the bus brought since the last call. Never waits.
void tm_usb_poll(struct tm_usb *usb);

// Empties the bulk IN endpoint and keeps it empty, until it is let go on.
void tm_usb_hold_bulk_in(struct tm_usb *usb);
void tm_usb_release_bulk_in(struct tm_usb *usb);

#endif  // TM_USB_H
