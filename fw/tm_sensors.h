// tm_sensors.h - the raw inputs, and how often each changed: bring-up and self-test
// SPDX-License-Identifier: Apache-2.0
// Sampled in the firmware's own loop, at irregular times, each input about once in a millisecond on
// the soft core; no scan, debouncer or record knows of it. What an input that
// changes, or does not, means is for the host to say.
#ifndef TM_SENSORS_H
#define TM_SENSORS_H

#include <stdbool.h>
#include <stdint.h>

#include "fw/tm_proto.h"

struct tm_sensors {
    bool watching;
    uint8_t phase;  // of the irregularity: a shift register with feedback, never 0
    uint16_t seen;  // bit n: group n was read since the watch began
    struct tm_sensor_report report;
    struct tm_sensor_report sent;  // the copy that is on its way to the host
};

// Begins a watch: nothing known, nothing counted.
void tm_sensors_start(struct tm_sensors *sensors);

// One value of TM_REG_RAW: eight inputs. Ends the watch after UINT16_MAX of them without a report,
// some seven seconds: nobody looks any more.
void tm_sensors_take(struct tm_sensors *sensors, uint32_t raw);

// What was seen since the report before, TM_SENSOR_REPORT_BYTES bytes as they are sent; good until
// the next one. Counts anew.
const uint8_t *tm_sensors_report(struct tm_sensors *sensors);

#endif  // TM_SENSORS_H
