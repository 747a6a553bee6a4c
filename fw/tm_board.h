// tm_board.h - the whole firmware of a board: starts a session, then serves the host
// SPDX-License-Identifier: Apache-2.0
#ifndef TM_BOARD_H
#define TM_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "fw/tm_flash.h"
#include "fw/tm_hw.h"
#include "fw/tm_proto.h"
#include "fw/tm_sensors.h"
#include "fw/tm_store.h"
#include "fw/tm_usb.h"

struct tm_board_options {
    const char *name;       // what kind of board it is: printable ASCII; must stay
    const char *serial;     // names the board on USB
    bool self_powered;      // has a supply of its own
    uint16_t milliamperes;  // at most, from the bus
    uint8_t lamps;          // 0, 8 or 64
    // Lights those lamps whose bit is set, and no other; not called where there are none.
    void (*show_lamps)(void *context, const uint32_t lit[2]);
    void *lamps_context;
};

enum tm_board_phase {
    TM_BOARD_COUNTING,  // the new session number is on its way into flash
    TM_BOARD_RUNNING
};

struct tm_board {
    const struct tm_hw *hw;
    struct tm_store store;
    struct tm_usb usb;
    enum tm_board_phase phase;
    uint32_t session;  // 0: not named
    bool acknowledged;
    const struct tm_board_options *options;
    struct tm_sensors sensors;
    uint32_t lamps[2], lit[2];  // as the host wants them, as they are
    bool suspended;
    uint32_t alive_us;          // when a packet was last seen on the bus
    uint8_t reply[TM_INFO_BYTES];
};

// After power-up or reset of the chip. `flash` NULL: the host names the session. `hw`, `flash` and
// `options` must stay.
void tm_board_init(struct tm_board *board, const struct tm_hw *hw, const struct tm_flash *flash,
                   const struct tm_board_options *options);

// One round of everything. Never waits; call it for ever.
void tm_board_poll(struct tm_board *board);
// Until the USB block has an event, other than TM_USB_EVENT_ALIVE, nothing is left to do.
bool tm_board_rests(const struct tm_board *board);

// One whole-board scan under the settings in force.
uint16_t tm_board_frame_us(const struct tm_board *board);

#endif  // TM_BOARD_H
