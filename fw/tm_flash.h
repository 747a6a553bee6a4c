// tm_flash.h - the two flash sectors in which the board remembers its session and settings
// SPDX-License-Identifier: Apache-2.0
// NOR rules: erase sets every byte of a sector to 0xFF, program only clears bits. Erase and program
// start the work and return; the caller polls `busy` before it touches the flash again.
#ifndef TM_FLASH_H
#define TM_FLASH_H

#include <stdbool.h>
#include <stdint.h>

#define TM_FLASH_SECTOR_BYTES 4096u
#define TM_FLASH_SECTORS 2u
#define TM_FLASH_PAGE_BYTES 256u

// Addresses run from 0 over both sectors; where they lie in the chip is the board's business.
struct tm_flash {
    void (*read)(void *context, uint32_t address, uint8_t *to, uint32_t bytes);
    void (*erase)(void *context, uint32_t sector);
    void (*program)(void *context, uint32_t address, const uint8_t *from, uint32_t bytes);
    bool (*busy)(void *context);
    void *context;
};

#endif  // TM_FLASH_H
