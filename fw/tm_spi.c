// tm_spi.c - driver for touchmove_spi, for the microcontroller of a board
// SPDX-License-Identifier: Apache-2.0
#include "fw/tm_spi.h"

#include "fw/regs.h"
#include "fw/tm_bytes.h"

#define COMMAND_WRITE 0x80u
#define READ_GAP_BYTES 1u  // before the first byte of a read, and before every record
#define RECORD_STRIDE (READ_GAP_BYTES + TM_RECORD_BYTES)
#define REGISTER_BYTES 4u
// Records in one transaction; more would only cost stack.
#define BURST_RECORDS 8u

uint32_t tm_spi_read(const struct tm_spi *spi, uint32_t reg) {
    const uint8_t out[1 + READ_GAP_BYTES + REGISTER_BYTES] = {(uint8_t)reg};
    uint8_t in[sizeof(out)];
    spi->transfer(spi->context, out, in, sizeof(out));
    return tm_get32(in + 1 + READ_GAP_BYTES);
}

void tm_spi_write(const struct tm_spi *spi, uint32_t reg, uint32_t value) {
    uint8_t out[1 + REGISTER_BYTES] = {(uint8_t)(COMMAND_WRITE | reg)};
    uint8_t in[sizeof(out)];
    tm_put32(out + 1, value);
    spi->transfer(spi->context, out, in, sizeof(out));
}

uint32_t tm_spi_hw_read(void *context, uint32_t offset) {
    return tm_spi_read(context, offset / REGISTER_BYTES);
}

void tm_spi_hw_write(void *context, uint32_t offset, uint32_t value) {
    tm_spi_write(context, offset / REGISTER_BYTES, value);
}

bool tm_spi_present(const struct tm_spi *spi) {
    // An open or shorted line reads all ones or zeros; a queue holds a power of two.
    const uint32_t records = tm_spi_read(spi, TM_REG_ID) >> 16;
    return records != 0 && (records & (records - 1)) == 0;
}

void tm_spi_start(const struct tm_spi *spi, const struct tm_settings *settings, uint32_t session) {
    tm_spi_write(spi, TM_REG_CONTROL, 0);
    tm_spi_write(spi, TM_REG_LIFT_US, settings->lift_us);
    tm_spi_write(spi, TM_REG_PLACE_US, settings->place_us);
    tm_spi_write(spi, TM_REG_SCAN,
                 (uint32_t)settings->settle_us << TM_SCAN_SETTLE_SHIFT |
                     (uint32_t)settings->flags << TM_SCAN_FLAGS_SHIFT |
                     (uint32_t)settings->aux_invert << TM_SCAN_AUX_INVERT_SHIFT);
    tm_spi_write(spi, TM_REG_SESSION, session);
    tm_spi_write(spi, TM_REG_CONTROL, TM_CONTROL_RUN);
}

uint32_t tm_spi_take(const struct tm_spi *spi, uint8_t *to, uint32_t most) {
    uint32_t taken = 0;
    while (taken < most) {
        const uint32_t left = most - taken;
        const uint32_t burst = left < BURST_RECORDS ? left : BURST_RECORDS;
        const uint8_t out[1 + BURST_RECORDS * RECORD_STRIDE] = {TM_REG_RECORD_HEAD};
        uint8_t in[sizeof(out)];
        spi->transfer(spi->context, out, in, 1 + burst * RECORD_STRIDE);
        // One may have come while empty places before it crossed the wires.
        bool empty = false;
        const uint8_t *record = in + 1 + READ_GAP_BYTES;
        for (uint32_t i = 0; i < burst; ++i, record += RECORD_STRIDE) {
            if ((record[0] & 0xF0u) == 0) {
                empty = true;
                continue;
            }
            for (uint32_t k = 0; k < TM_RECORD_BYTES; ++k) *to++ = record[k];
            ++taken;
        }
        if (empty) break;
    }
    return taken;
}

void tm_spi_acknowledge(const struct tm_spi *spi, uint16_t seq) {
    tm_spi_write(spi, TM_REG_ACK, seq);
}

void tm_spi_resume(const struct tm_spi *spi, uint16_t seq) {
    tm_spi_write(spi, TM_REG_RESUME, seq);
}
