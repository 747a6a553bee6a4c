// tm_spi.h - driver for touchmove_spi, for the microcontroller of a board (docs/spi.md)
// SPDX-License-Identifier: Apache-2.0
// Portable C11: no heap, no globals, no interrupts of its own. Registers and their bits: regs.h.
// Records are handed over as they are (tm_proto.h), so that they can go on over the board's own
// USB.
#ifndef TM_SPI_H
#define TM_SPI_H

#include <stdbool.h>
#include <stdint.h>

#include "fw/tm_proto.h"

// One transaction: chip select low, `bytes` bytes out and in at once in mode 0, chip select high.
// Serial clock: at most an eighth of the gateware's clock.
struct tm_spi {
    void (*transfer)(void *context, const uint8_t *out, uint8_t *in, uint32_t bytes);
    void *context;
};

// `reg`: TM_REG_*.
uint32_t tm_spi_read(const struct tm_spi *spi, uint32_t reg);
void tm_spi_write(const struct tm_spi *spi, uint32_t reg, uint32_t value);

// The same with byte offsets, as struct tm_hw of the simulated board has them: the whole firmware
// (tm_board.h) can run on the microcontroller, over this driver. `context`: a struct tm_spi.
uint32_t tm_spi_hw_read(void *context, uint32_t offset);
void tm_spi_hw_write(void *context, uint32_t offset, uint32_t value);

// Whether a Touchmove gateware answers at all: wires, clock, power.
bool tm_spi_present(const struct tm_spi *spi);

// Ends a running session, and starts one with these settings. Wait for TM_CONTROL_READY.
void tm_spi_start(const struct tm_spi *spi, const struct tm_settings *settings, uint32_t session);

// Takes up to `most` records and watermarks, oldest first, 8 bytes each; returns how many there
// were. Call it while the interrupt pin is high. What was taken can be had again (tm_spi_resume)
// until it is acknowledged.
uint32_t tm_spi_take(const struct tm_spi *spi, uint8_t *to, uint32_t most);

// Every record up to `seq` is stored and may be overwritten.
void tm_spi_acknowledge(const struct tm_spi *spi, uint16_t seq);
// Give out again from `seq` on.
void tm_spi_resume(const struct tm_spi *spi, uint16_t seq);

#endif  // TM_SPI_H
