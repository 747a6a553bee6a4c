// spi_flash.h - the configuration flash: sectors of the store, and the name of the board
// SPDX-License-Identifier: Apache-2.0
#ifndef TM_SPI_FLASH_H
#define TM_SPI_FLASH_H

#include <stdbool.h>
#include <stdint.h>

#include "fw/tm_flash.h"
#include "fw/tm_hw.h"

// Where things lie in the chip: far behind two bitstreams (104,090 bytes on UP5K, 135,100 on LP8K
// and HX8K), inside the 1 MiB of the smallest flash in use.
#define TM_FLASH_STORE_AT 0xF0000u
// The board's serial number: printable ASCII, up to 31 characters, then 0xFF. Written once by the
// maker.
#define TM_FLASH_SERIAL_AT 0xF2000u

// Wakes the chip. `hw` must stay. False: there is none, and nothing may be asked of `flash`.
bool tm_spi_flash(const struct tm_hw *hw, struct tm_flash *flash);

// Reads from anywhere in the chip.
void tm_spi_flash_read(const struct tm_hw *hw, uint32_t address, uint8_t *to, uint32_t bytes);

#endif  // TM_SPI_FLASH_H
