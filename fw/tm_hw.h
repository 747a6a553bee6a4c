// tm_hw.h - the only way from the firmware to the hardware: 32-bit registers
// SPDX-License-Identifier: Apache-2.0
// Offsets: regs.h (frontend) and usb_regs.h (USB block). On the soft core the two functions are
// single volatile accesses; natively they call the simulated device.
#ifndef TM_HW_H
#define TM_HW_H

#include <stdint.h>

#ifdef TM_HW_MEMORY_MAPPED

// Where the board's register window lies in the core's address space.
struct tm_hw {
    uintptr_t base;
};

static inline uint32_t tm_hw_read(const struct tm_hw *hw, uint32_t offset) {
    return *(volatile const uint32_t *)(hw->base + offset);
}

static inline void tm_hw_write(const struct tm_hw *hw, uint32_t offset, uint32_t value) {
    *(volatile uint32_t *)(hw->base + offset) = value;
}

#else

struct tm_hw {
    uint32_t (*read)(void *context, uint32_t offset);
    void (*write)(void *context, uint32_t offset, uint32_t value);
    void *context;
};

static inline uint32_t tm_hw_read(const struct tm_hw *hw, uint32_t offset) {
    return hw->read(hw->context, offset);
}

static inline void tm_hw_write(const struct tm_hw *hw, uint32_t offset, uint32_t value) {
    hw->write(hw->context, offset, value);
}

#endif

#endif  // TM_HW_H
