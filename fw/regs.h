// regs.h - the registers of touchmove_frontend (docs/registers.md), mirrored by rtl/pkg/tm_pkg.sv
// SPDX-License-Identifier: Apache-2.0
// Word offsets: on a byte-addressed bus, register TM_REG_X stands at byte 4 * TM_REG_X.
#ifndef TM_REGS_H
#define TM_REGS_H

// Readable
#define TM_REG_ID 0u           // bits 15..0 gateware version (major in the high byte),
                               // 31..16 records that the queue can hold
#define TM_REG_CONTROL 1u      // TM_CONTROL_*; the only one that is both read and written
#define TM_REG_QUEUE 2u        // bits 15..0 sequence number of the record written next,
                               // 31..16 of the last one acknowledged (oldest kept less 1)
#define TM_REG_TIME_LOW 3u     // start of the scan frame now running, us, low 32 bits
#define TM_REG_TIME_HIGH 4u    // number of 32-bit wraps; read HIGH, LOW, HIGH until both agree
#define TM_REG_RECORD_HEAD 5u  // bytes 0..3 of the next record; kind (bits 7..4) 0: there is none
#define TM_REG_RECORD_WORD 6u  // bytes 4..7 of it; reading this takes the record
#define TM_REG_RAW 7u          // eight inputs as they were read last, not debounced

// Write only: reading one returns an arbitrary value
#define TM_REG_SESSION 8u      // session number; before TM_CONTROL_RUN is set
#define TM_REG_SCAN 9u         // bytes 0..2 of struct tm_settings: settle, flags, aux_invert
#define TM_REG_LIFT_US 10u     // bits 19..3; rounded down to a multiple of 8 us
#define TM_REG_PLACE_US 11u    // bits 19..3
#define TM_REG_ACK 12u         // bits 15..0: every record up to this one is stored; ignored unless
                               // it is kept and has been sent
#define TM_REG_RESUME 13u      // bits 15..0: send again from this one on; ignored unless it is kept
                               // or the next

// TM_REG_CONTROL
#define TM_CONTROL_RUN 0x01u       // 0 holds scan, time and queue in reset; 0 to 1 starts a session
#define TM_CONTROL_SNAPSHOT 0x02u  // write 1: queue a snapshot; reads 1 until its first record is
                                   // written
#define TM_CONTROL_READY 0x04u     // the session and its first snapshot have been written
#define TM_CONTROL_LOSSY 0x08u     // the queue ran full: records are being lost and counted
#define TM_CONTROL_RECORD 0x10u    // a record is offered
#define TM_CONTROL_CHAIN 0x20u     // sensor style: enum tm_sensor_style

// TM_REG_RAW: bits 7..0 the levels; bit 0 is the input named in bits 14..8 (64 + aux input), the
// others follow in a circle within its group of eight
#define TM_RAW_INDEX_SHIFT 8u
#define TM_RAW_INDEX_MASK 0x7Fu

// TM_REG_SCAN
#define TM_SCAN_SETTLE_SHIFT 0u
#define TM_SCAN_FLAGS_SHIFT 8u
#define TM_SCAN_AUX_INVERT_SHIFT 16u
#define TM_SCAN_EAGER 0x100u  // TM_SETTINGS_EAGER, shifted

// A smaller settle time is taken as the smallest.
#define TM_SETTLE_MIN_MATRIX_US 8u
#define TM_SETTLE_MIN_CHAIN_US 10u
// One whole-board scan.
#define TM_FRAME_US(settle_us) (8u * (settle_us) + 8u)

// After reset. Why these: docs/registers.md, "Default settings".
#define TM_DEFAULT_SETTLE_US 10u
#define TM_DEFAULT_LIFT_US 8000u
#define TM_DEFAULT_PLACE_US 5000u

#endif  // TM_REGS_H
