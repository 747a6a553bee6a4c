// tm_settings.c - the settings on the wire and in flash, and which of them are legal
// SPDX-License-Identifier: Apache-2.0
#include "fw/tm_settings.h"

#include "fw/tm_bytes.h"

void tm_settings_encode(const struct tm_settings *settings, uint8_t *to) {
    to = tm_put8(to, settings->settle_us);
    to = tm_put8(to, settings->flags);
    to = tm_put8(to, settings->aux_invert);
    to = tm_put8(to, settings->reserved);
    to = tm_put32(to, settings->lift_us);
    tm_put32(to, settings->place_us);
}

bool tm_settings_decode(const uint8_t *from, struct tm_settings *settings) {
    const struct tm_settings read = {
        .settle_us = from[0],
        .flags = from[1],
        .aux_invert = from[2],
        .reserved = from[3],
        .lift_us = tm_get32(from + 4),
        .place_us = tm_get32(from + 8),
    };
    if (read.settle_us == 0 || (read.flags & ~TM_SETTINGS_EAGER) != 0 || read.reserved != 0 ||
        read.lift_us == 0 || read.lift_us > TM_THRESHOLD_MAX_US || read.place_us == 0 ||
        read.place_us > TM_THRESHOLD_MAX_US) {
        return false;
    }
    *settings = read;
    return true;
}
