// tm_proto.h - what the device and the host say to each other (docs/protocol.md)
// SPDX-License-Identifier: Apache-2.0
// Shared by the firmware (C11) and host/link (C++20). All fields little endian.
#ifndef TM_PROTO_H
#define TM_PROTO_H

#include <stdint.h>

#define TM_PROTO_VERSION 1u

// USB identity: pid.codes test id, not for products.
#define TM_USB_VID 0x1209u
#define TM_USB_PID 0x0001u
#define TM_EP_IN 0x81u             // bulk: records and watermarks
#define TM_EP_OUT 0x01u            // bulk: acknowledgements
#define TM_PACKET_BYTES 64u        // full-speed bulk packet (USB 2.0, 5.8.3)
#define TM_RECORD_BYTES 8u
#define TM_RECORDS_PER_PACKET (TM_PACKET_BYTES / TM_RECORD_BYTES)

// Record, 8 bytes:
//   byte 0    bits 7..4 kind, bits 3..0 count
//   byte 1    bit 7 epoch parity, bits 6..0 index
//   byte 2,3  sequence number
//   byte 4-7  word: time stamp in us (low 32 bits), or data, by kind
enum tm_kind {
    TM_KIND_LIFT = 1,        // square went empty; index 0..63 = a1..h8; word = stamp
    TM_KIND_PLACE = 2,       // square became occupied
    TM_KIND_INPUT_DOWN = 3,  // aux input became active; index 0..7
    TM_KIND_INPUT_UP = 4,    // aux input became inactive
    TM_KIND_SNAPSHOT = 5,  // index 0: word = stamp of the snapshot; 1: squares a1..h4 (bit 0 = a1);
                           // 2: squares a5..h8; 3: aux inputs (bits 7..0). Always 0,1,2,3 in order;
                           // events of the same frame may stand between them
    TM_KIND_SESSION = 6,   // first record after power-up or chip reset; word = session number
    TM_KIND_EPOCH = 7,  // the 32-bit time wrapped; word = number of wraps since the session began
    TM_KIND_FAULT = 8,  // index = square or 64 + aux input; count = enum tm_fault; word = stamp
    TM_KIND_GAP = 9,    // word = number of records lost at this place; a snapshot follows
    TM_KIND_WATERMARK = 15  // not kept, sequence number meaningless; word = stamp, index = 0:
                            // no later record will carry a stamp below it
};

// `count` of lift, place, input_down, input_up: contact changes seen on this input since its last
// accepted edge, beyond the edge itself, saturating at 15 (bounce).
#define TM_COUNT_MAX 15u

enum tm_fault {
    TM_FAULT_CHATTER = 1,  // an input that bounced past TM_COUNT_MAX without an accepted edge
    TM_FAULT_GHOST = 2  // the occupancy forms a rectangle that a matrix without diodes cannot tell
};

// Epoch parity (byte 1, bit 7): bit 0 of the epoch in which the stamp lies. A record that comes
// after the epoch record E may have been stamped before the wrap (its parity differs from E's):
// then its epoch is E - 1.
#define TM_INDEX_MASK 0x7Fu
#define TM_EPOCH_PARITY 0x80u

// Sequence numbers are 16 bits, per session, and wrap; at most TM_QUEUE_MAX records are ever kept.
#define TM_QUEUE_MAX 32768u

// Vendor requests, recipient device (USB 2.0, 9.3). An unknown or ill-formed one is answered by
// STALL.
enum tm_request {
    TM_REQ_INFO = 0x01,          // IN,  struct tm_info
    TM_REQ_NAME_SESSION = 0x02,  // OUT, uint32: names session 0, before any acknowledgement
    TM_REQ_RESUME = 0x03,        // OUT, struct tm_resume: send again from `seq` on
    TM_REQ_GET_SETTINGS = 0x04,  // IN,  struct tm_settings
    TM_REQ_SET_SETTINGS = 0x05,  // OUT, struct tm_settings: applied whole or refused whole
    TM_REQ_SNAPSHOT = 0x06,      // OUT, no data: queue a snapshot at the next frame
    TM_REQ_TIME = 0x07,          // IN,  uint64: microseconds since the session began
    TM_REQ_BOARD_NAME = 0x08,    // IN,  printable ASCII, at most TM_BOARD_NAME_MAX
    TM_REQ_SENSORS = 0x09,       // IN,  struct tm_sensor_report; configured device only
    TM_REQ_LAMPS = 0x0A,         // OUT, uint64: bit n lights lamp n; configured device with lamps
    TM_REQ_MS_OS_20 = 0x20       // IN,  wIndex 7: Microsoft OS 2.0 descriptor set
};

struct tm_info {
    uint16_t proto_version;    // TM_PROTO_VERSION
    uint16_t gateware_version; // major in the high byte
    uint32_t session;          // 0: not yet named
    uint16_t oldest_seq;       // the oldest record kept, = next_seq when none is
    uint16_t next_seq;         // the record that will be written next
    uint16_t queue_records;    // records that the queue can hold
    uint16_t frame_us;         // one whole-board scan
    uint8_t sensor_style;      // enum tm_sensor_style
    uint8_t flags;             // TM_INFO_*
    uint8_t lamps;             // for hints: 0, 8 or 64
    uint8_t reserved;          // zero
};
#define TM_INFO_BYTES 20u
#define TM_INFO_ACKED 0x01u    // something was acknowledged in this session

enum tm_sensor_style { TM_SENSOR_MATRIX = 0, TM_SENSOR_SHIFT_CHAIN = 1 };

struct tm_resume {
    uint32_t session;
    uint16_t seq;  // first record wanted; from oldest_seq to next_seq, else STALL
};
#define TM_RESUME_BYTES 6u

struct tm_settings {
    uint8_t settle_us;     // matrix: microseconds a row is driven before its columns are read
    uint8_t flags;         // TM_SETTINGS_*
    uint8_t aux_invert;    // bit n: aux input n is active low
    uint8_t reserved;      // zero
    uint32_t lift_us;      // a square must read empty this long to count as lifted; aux: inactive
    uint32_t place_us;     // and occupied this long to count as placed; aux: active
};
#define TM_SETTINGS_BYTES 12u
// Accept the first change, then ignore the input for lift_us/place_us.
#define TM_SETTINGS_EAGER 0x01u
#define TM_THRESHOLD_MAX_US 1000000u

#define TM_BOARD_NAME_MAX 31u

// Raw inputs in nine groups of eight: ranks 1 to 8 (bit 0 = file a), then the aux inputs.
#define TM_SENSOR_GROUPS 9u
#define TM_SENSOR_CHANGES_MAX 255u
struct tm_sensor_report {
    uint16_t samples;      // groups read since the report before; 0: the watch begins
    uint8_t raw[TM_SENSOR_GROUPS];  // 1: closed, not debounced; aux inputs after inversion
    uint8_t reserved;               // zero
    uint8_t changes[8 * TM_SENSOR_GROUPS];  // seen since the report before, saturating
};
#define TM_SENSOR_REPORT_BYTES 84u
#define TM_LAMPS_BYTES 8u

// Bulk OUT: messages of 8 bytes, any number to a packet.
//   byte 0 operation, byte 1 zero, byte 2,3 sequence number, byte 4-7 session
enum tm_out_op {
    TM_OUT_ACK = 1  // all of `session` up to and including `seq` is stored; others: ignored
};
#define TM_OUT_BYTES 8u

#endif  // TM_PROTO_H
