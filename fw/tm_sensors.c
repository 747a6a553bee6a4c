// tm_sensors.c - the raw inputs, and how often each changed: bring-up and self-test
// SPDX-License-Identifier: Apache-2.0
#include "fw/tm_sensors.h"

#include "fw/regs.h"

// The report is kept as it is sent: descriptors rely on the byte order too (tm_descriptors.c).
_Static_assert(sizeof(struct tm_sensor_report) == TM_SENSOR_REPORT_BYTES, "no padding");

void tm_sensors_start(struct tm_sensors *sensors) {
    *sensors = (struct tm_sensors){.watching = true, .phase = 1};
}

void tm_sensors_take(struct tm_sensors *sensors, uint32_t raw) {
    const uint32_t index = raw >> TM_RAW_INDEX_SHIFT & TM_RAW_INDEX_MASK;
    const uint32_t group = index >> 3;
    const uint32_t first = index & 7u;  // the input in bit 0
    if (group >= TM_SENSOR_GROUPS) return;
    const uint32_t twice = (raw & 0xFFu) * 0x101u;
    const uint8_t levels = (uint8_t)(twice >> (8u - first));
    const uint16_t bit = (uint16_t)(1u << group);
    uint8_t changed = levels ^ sensors->report.raw[group];
    if ((sensors->seen & bit) == 0) changed = 0;
    sensors->seen |= bit;
    sensors->report.raw[group] = levels;
    uint8_t *count = &sensors->report.changes[8 * group];
    for (; changed != 0; changed >>= 1, ++count) {
        if ((changed & 1u) != 0 && *count != TM_SENSOR_CHANGES_MAX) ++*count;
    }
    if (++sensors->report.samples == UINT16_MAX) sensors->watching = false;
}

const uint8_t *tm_sensors_report(struct tm_sensors *sensors) {
    sensors->sent = sensors->report;
    sensors->report.samples = 0;
    for (uint32_t i = 0; i < sizeof(sensors->report.changes); ++i) sensors->report.changes[i] = 0;
    return (const uint8_t *)&sensors->sent;
}
