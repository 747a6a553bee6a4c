// tm_store.h - what the board remembers over a power cut: session number and settings
// SPDX-License-Identifier: Apache-2.0
// A log of whole-state entries in two flash sectors (docs/protocol.md, Flash). A write torn at any
// byte leaves the entry before it in force.
#ifndef TM_STORE_H
#define TM_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "fw/tm_flash.h"
#include "fw/tm_proto.h"

#define TM_STORE_ENTRY_BYTES 32u
#define TM_STORE_NOWHERE 0xFFFFFFFFu

struct tm_stored {
    uint32_t session;
    struct tm_settings settings;
};

enum tm_store_step {
    TM_STORE_IDLE,
    TM_STORE_PLACE,    // find where the next entry goes
    TM_STORE_ERASING,
    TM_STORE_PROGRAMMING
};

struct tm_store {
    const struct tm_flash *flash;  // NULL: a board without flash forgets everything
    struct tm_stored state;        // as it shall be
    uint32_t generation;           // of the newest entry
    uint32_t newest;               // its address; TM_STORE_NOWHERE while there is none
    uint32_t next;                 // address at which to look for room
    enum tm_store_step step;
    uint8_t attempts;              // entries that read back wrong in a row
    bool failed;                   // the flash does not keep what is written
    bool wanted;                   // `state` changed after the entry now being written
};

// Reads the newest valid entry. False: there is none, `state` is `fallback`.
bool tm_store_load(struct tm_store *store, const struct tm_flash *flash,
                   const struct tm_stored *fallback);

// Keeps a new state. Returns at once; tm_store_poll() does the work.
void tm_store_save(struct tm_store *store, const struct tm_stored *state);

// One non-blocking step. True while something remains to be done.
bool tm_store_poll(struct tm_store *store);

#endif  // TM_STORE_H
