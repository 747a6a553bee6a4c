// tm_store.c - what the board remembers over a power cut: session number and settings
// SPDX-License-Identifier: Apache-2.0
#include "fw/tm_store.h"

#include <stddef.h>

#include "fw/tm_bytes.h"
#include "fw/tm_settings.h"

// Entry:  0 magic | 4 generation | 8 session | 12 settings (12 bytes) | 24 zero | 28 CRC-32
#define ENTRY_MAGIC 0x31534D54u  // "TMS1"
#define CRC_AT 28u
#define FLASH_BYTES (TM_FLASH_SECTOR_BYTES * TM_FLASH_SECTORS)

// A sector that refuses this many entries in a row is worn out.
#define MAX_ATTEMPTS 8u

_Static_assert(TM_FLASH_PAGE_BYTES % TM_STORE_ENTRY_BYTES == 0, "an entry never crosses a page");

// CRC-32 of IEEE 802.3, reflected; a bit at a time, since a start takes at most 256 entries.
static uint32_t crc32(const uint8_t *data, size_t bytes) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < bytes; ++i) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

static void encode(const struct tm_store *store, uint32_t generation, uint8_t *entry) {
    tm_put32(entry, ENTRY_MAGIC);
    tm_put32(entry + 4, generation);
    tm_put32(entry + 8, store->state.session);
    tm_settings_encode(&store->state.settings, entry + 12);
    tm_put32(entry + 24, 0);
    tm_put32(entry + CRC_AT, crc32(entry, CRC_AT));
}

static bool decode(const uint8_t *entry, uint32_t *generation, struct tm_stored *state) {
    if (tm_get32(entry) != ENTRY_MAGIC || tm_get32(entry + CRC_AT) != crc32(entry, CRC_AT) ||
        !tm_settings_decode(entry + 12, &state->settings)) {
        return false;
    }
    *generation = tm_get32(entry + 4);
    state->session = tm_get32(entry + 8);
    return true;
}

static void read_entry(const struct tm_store *store, uint32_t address, uint8_t *entry) {
    store->flash->read(store->flash->context, address, entry, TM_STORE_ENTRY_BYTES);
}

static bool is_blank(const uint8_t *entry) {
    for (size_t i = 0; i < TM_STORE_ENTRY_BYTES; ++i) {
        if (entry[i] != 0xFFu) return false;
    }
    return true;
}

bool tm_store_load(struct tm_store *store, const struct tm_flash *flash,
                   const struct tm_stored *fallback) {
    *store = (struct tm_store){.flash = flash, .state = *fallback, .newest = TM_STORE_NOWHERE};
    if (flash == NULL) return false;
    bool found = false;
    for (uint32_t at = 0; at < FLASH_BYTES; at += TM_STORE_ENTRY_BYTES) {
        uint8_t entry[TM_STORE_ENTRY_BYTES];
        uint32_t generation;
        struct tm_stored state;
        read_entry(store, at, entry);
        if (!decode(entry, &generation, &state)) continue;
        // Generations wrap: the newer of two is less than half the circle ahead.
        if (found && generation - store->generation >= 0x80000000u) continue;
        found = true;
        store->generation = generation;
        store->state = state;
        store->newest = at;
        store->next = at + TM_STORE_ENTRY_BYTES;
    }
    return found;
}

void tm_store_save(struct tm_store *store, const struct tm_stored *state) {
    store->state = *state;
    if (store->flash == NULL) return;
    if (store->step == TM_STORE_IDLE) {
        store->step = TM_STORE_PLACE;
    } else {
        store->wanted = true;
    }
}

static void program(struct tm_store *store) {
    uint8_t entry[TM_STORE_ENTRY_BYTES];
    encode(store, store->generation + 1, entry);
    store->wanted = false;
    store->flash->program(store->flash->context, store->next, entry, TM_STORE_ENTRY_BYTES);
    store->step = TM_STORE_PROGRAMMING;
}

static void place(struct tm_store *store) {
    // What a torn write left behind is skipped. A sector is erased on entering it, even if it looks
    // blank: an erase that was cut short may leave bits that read as 1 today and 0 tomorrow.
    while (store->next % TM_FLASH_SECTOR_BYTES != 0) {
        uint8_t entry[TM_STORE_ENTRY_BYTES];
        read_entry(store, store->next, entry);
        if (is_blank(entry)) {
            program(store);
            return;
        }
        store->next += TM_STORE_ENTRY_BYTES;
    }
    uint32_t sector = store->next / TM_FLASH_SECTOR_BYTES % TM_FLASH_SECTORS;
    // Only a worn flash gets here with the newest entry in this very sector: keep that entry.
    if (store->newest != TM_STORE_NOWHERE && store->newest / TM_FLASH_SECTOR_BYTES == sector) {
        sector = (sector + 1) % TM_FLASH_SECTORS;
    }
    store->next = sector * TM_FLASH_SECTOR_BYTES;
    store->flash->erase(store->flash->context, sector);
    store->step = TM_STORE_ERASING;
}

static void verify(struct tm_store *store) {
    uint8_t entry[TM_STORE_ENTRY_BYTES];
    uint32_t generation;
    struct tm_stored state;
    read_entry(store, store->next, entry);
    const bool kept = decode(entry, &generation, &state) && generation == store->generation + 1;
    if (kept) store->newest = store->next;
    store->next += TM_STORE_ENTRY_BYTES;
    store->step = TM_STORE_IDLE;
    if (kept) {
        store->generation = generation;
        store->attempts = 0;
        store->failed = false;
        if (store->wanted) store->step = TM_STORE_PLACE;
    } else if (++store->attempts < MAX_ATTEMPTS) {
        store->step = TM_STORE_PLACE;
    } else {
        store->attempts = 0;
        store->failed = true;
    }
}

bool tm_store_poll(struct tm_store *store) {
    if (store->step == TM_STORE_IDLE) return false;
    if (store->flash->busy(store->flash->context)) return true;
    switch (store->step) {
        case TM_STORE_PLACE: place(store); break;
        case TM_STORE_ERASING: program(store); break;
        case TM_STORE_PROGRAMMING: verify(store); break;
        case TM_STORE_IDLE: break;
    }
    return store->step != TM_STORE_IDLE;
}
