// tm_bytes.h - little-endian fields in byte arrays
// SPDX-License-Identifier: Apache-2.0
#ifndef TM_BYTES_H
#define TM_BYTES_H

#include <stdint.h>

static inline uint16_t tm_get16(const uint8_t *from) {
    return (uint16_t)(from[0] | (uint32_t)from[1] << 8);
}

static inline uint32_t tm_get32(const uint8_t *from) {
    return tm_get16(from) | (uint32_t)tm_get16(from + 2) << 16;
}

static inline uint8_t *tm_put8(uint8_t *to, uint8_t value) {
    to[0] = value;
    return to + 1;
}

static inline uint8_t *tm_put16(uint8_t *to, uint16_t value) {
    to[0] = (uint8_t)value;
    to[1] = (uint8_t)(value >> 8);
    return to + 2;
}

static inline uint8_t *tm_put32(uint8_t *to, uint32_t value) {
    return tm_put16(tm_put16(to, (uint16_t)value), (uint16_t)(value >> 16));
}

#endif  // TM_BYTES_H
