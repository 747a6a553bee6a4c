// tm_settings.h - the settings on the wire and in flash, and which of them are legal
// SPDX-License-Identifier: Apache-2.0
#ifndef TM_SETTINGS_H
#define TM_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "fw/tm_proto.h"

// TM_SETTINGS_BYTES bytes, little endian.
void tm_settings_encode(const struct tm_settings *settings, uint8_t *to);

// False, and nothing written, where a field is out of range or unknown bits are set.
bool tm_settings_decode(const uint8_t *from, struct tm_settings *settings);

#endif  // TM_SETTINGS_H
