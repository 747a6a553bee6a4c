// lamps.c - the lamps for hints: eight outputs, or 64 on a chain of 74HC595
// SPDX-License-Identifier: Apache-2.0
#include "fw/core/lamps.h"

#include "fw/core/soc_regs.h"

static uint32_t kind(const struct tm_hw *hw) {
    return tm_hw_read(hw, TM_SOC_BOARD) & TM_SOC_LAMPS_MASK;
}

uint8_t tm_lamps_count(const struct tm_hw *hw) {
    switch (kind(hw)) {
        case TM_SOC_LAMPS_EIGHT: return 8;
        case TM_SOC_LAMPS_CHAIN: return 64;
        default: return 0;
    }
}

// Lamp 63 goes in first, so lamp 0 ends at output A of the chip next to the FPGA. While none is lit
// the outputs are off, so what the chain holds after power-up is never seen.
static void fill_chain(const struct tm_hw *hw, const uint32_t lit[2]) {
    const uint32_t off = (lit[0] | lit[1]) == 0 ? TM_SOC_CHAIN_OFF : 0;
    for (int word = 1; word >= 0; --word) {
        uint32_t bits = lit[word];
        for (int i = 0; i < 32; ++i, bits <<= 1) {
            const uint32_t data = off | ((bits & 0x80000000u) != 0 ? TM_SOC_CHAIN_DATA : 0);
            tm_hw_write(hw, TM_SOC_BOARD, data);
            tm_hw_write(hw, TM_SOC_BOARD, data | TM_SOC_CHAIN_CLOCK);
        }
    }
    tm_hw_write(hw, TM_SOC_BOARD, off | TM_SOC_CHAIN_LATCH);
    tm_hw_write(hw, TM_SOC_BOARD, off);
}

void tm_lamps_show(void *context, const uint32_t lit[2]) {
    const struct tm_hw *hw = context;
    switch (kind(hw)) {
        case TM_SOC_LAMPS_EIGHT: tm_hw_write(hw, TM_SOC_BOARD, lit[0] & 0xFFu); break;
        case TM_SOC_LAMPS_CHAIN: fill_chain(hw, lit); break;
        default: break;
    }
}
