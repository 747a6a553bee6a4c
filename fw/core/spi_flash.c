// spi_flash.c - the configuration flash: sectors of the store, and the name of the board
// SPDX-License-Identifier: Apache-2.0
#include "fw/core/spi_flash.h"

#include "fw/core/soc_regs.h"

#define READ 0x03u
#define PAGE_PROGRAM 0x02u
#define READ_STATUS 0x05u
#define WRITE_ENABLE 0x06u
#define SECTOR_ERASE 0x20u
#define READ_ID 0x9Fu
#define RELEASE_POWER_DOWN 0xABu
#define STATUS_BUSY 0x01u

static void put(const struct tm_hw *hw, uint32_t value) { tm_hw_write(hw, TM_SOC_SPI, value); }

static uint8_t get(const struct tm_hw *hw) {
    put(hw, 0);
    return (uint8_t)tm_hw_read(hw, TM_SOC_SPI);
}

static void release(const struct tm_hw *hw) { put(hw, TM_SOC_SPI_RELEASE); }

static void command(const struct tm_hw *hw, uint32_t code, uint32_t address) {
    put(hw, code);
    put(hw, address >> 16 & 0xFFu);
    put(hw, address >> 8 & 0xFFu);
    put(hw, address & 0xFFu);
}

static void write_enable(const struct tm_hw *hw) {
    put(hw, WRITE_ENABLE);
    release(hw);
}

void tm_spi_flash_read(const struct tm_hw *hw, uint32_t address, uint8_t *to, uint32_t bytes) {
    command(hw, READ, address);
    for (uint32_t i = 0; i < bytes; ++i) to[i] = get(hw);
    release(hw);
}

static void flash_read(void *context, uint32_t address, uint8_t *to, uint32_t bytes) {
    tm_spi_flash_read(context, TM_FLASH_STORE_AT + address, to, bytes);
}

static void flash_erase(void *context, uint32_t sector) {
    write_enable(context);
    command(context, SECTOR_ERASE, TM_FLASH_STORE_AT + sector * TM_FLASH_SECTOR_BYTES);
    release(context);
}

static void flash_program(void *context, uint32_t address, const uint8_t *from, uint32_t bytes) {
    write_enable(context);
    command(context, PAGE_PROGRAM, TM_FLASH_STORE_AT + address);
    for (uint32_t i = 0; i < bytes; ++i) put(context, from[i]);
    release(context);
}

static bool flash_busy(void *context) {
    put(context, READ_STATUS);
    const bool busy = (get(context) & STATUS_BUSY) != 0;
    release(context);
    return busy;
}

bool tm_spi_flash(const struct tm_hw *hw, struct tm_flash *flash) {
    // After configuration the chip may be in power-down, and for 3 us after this it is deaf: the
    // first answer does not count.
    put(hw, RELEASE_POWER_DOWN);
    release(hw);
    uint8_t maker = 0;
    for (uint32_t i = 0; i < 2; ++i) {
        put(hw, READ_ID);
        maker = get(hw);
        release(hw);
    }
    *flash = (struct tm_flash){flash_read, flash_erase, flash_program, flash_busy,
                               (void *)(uintptr_t)hw};
    // JEDEC JEP106 has no maker 0x00 or 0xFF: a line that nobody drives.
    return maker != 0x00u && maker != 0xFFu;
}
