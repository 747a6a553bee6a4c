// tm_board.h - the whole firmware of a board: starts a session, then serves the host
// SPDX-License-Identifier: Apache-2.0
#ifndef TM_BOARD_H
#define TM_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "fw/tm_flash.h"
#include "fw/tm_hw.h"
#include "fw/tm_proto.h"
#include "fw/tm_store.h"
#include "fw/tm_usb.h"

struct tm_board_options {
    const char *serial;  // names the board on USB
    bool self_powered;   // has a supply of its own
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
    uint8_t reply[TM_INFO_BYTES];
};

// After power-up or reset of the chip. `flash` NULL: the host names the session.
void tm_board_init(struct tm_board *board, const struct tm_hw *hw, const struct tm_flash *flash,
                   const struct tm_board_options *options);

// One round of everything. Never waits; call it for ever.
void tm_board_poll(struct tm_board *board);

// One whole-board scan under the settings in force.
uint16_t tm_board_frame_us(const struct tm_board *board);

#endif  // TM_BOARD_H
