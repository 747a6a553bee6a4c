// lamps.h - the lamps for hints: eight outputs, or 64 on a chain of 74HC595
// SPDX-License-Identifier: Apache-2.0
#ifndef TM_CORE_LAMPS_H
#define TM_CORE_LAMPS_H

#include <stdint.h>

#include "fw/tm_hw.h"

// How many the board has: 0, 8 or 64.
uint8_t tm_lamps_count(const struct tm_hw *hw);

// Bit n of the 64: lamp n. `context`: const struct tm_hw.
void tm_lamps_show(void *context, const uint32_t lit[2]);

#endif  // TM_CORE_LAMPS_H
