// tm_pkg.sv - the constants that more than one block uses
// SPDX-License-Identifier: Apache-2.0
// Record kinds mirror fw/tm_proto.h, register offsets and bits mirror fw/regs.h; docs/registers.md
// describes them. tests/rtl/regmap_test.cpp compares the three.
`default_nettype none
package tm_pkg;

  // Gateware version: major in the high byte
  localparam logic [15:0] GatewareVersion = 16'h0100;

  // Sensor styles (tm_proto.h: enum tm_sensor_style)
  localparam int unsigned StyleMatrix = 0;
  localparam int unsigned StyleChain  = 1;

  // Record kinds (tm_proto.h: enum tm_kind)
  localparam logic [3:0] KindLift      = 4'd1;
  localparam logic [3:0] KindPlace     = 4'd2;
  localparam logic [3:0] KindInputDown = 4'd3;
  localparam logic [3:0] KindInputUp   = 4'd4;
  localparam logic [3:0] KindSnapshot  = 4'd5;
  localparam logic [3:0] KindSession   = 4'd6;
  localparam logic [3:0] KindEpoch     = 4'd7;
  localparam logic [3:0] KindFault     = 4'd8;
  localparam logic [3:0] KindGap       = 4'd9;
  localparam logic [3:0] KindWatermark = 4'd15;

  // Fault codes (tm_proto.h: enum tm_fault)
  localparam logic [3:0] FaultChatter = 4'd1;

  // Time is counted in units of 8 us: a frame lasts 8 * settle + 8 us, so every frame starts on a
  // multiple of 8 and the three low bits of every stamp are zero.
  localparam int unsigned UnitLog2 = 3;
  localparam int unsigned TimeW    = 32 - UnitLog2;
  localparam int unsigned EpochW   = 16;
  // Bits of a run's stamp. Half of its range, 2^17 * 8 us = 1.05 s, within which two stamps can be
  // compared, holds the longest threshold (tm_proto.h: TM_THRESHOLD_MAX_US, 1 s) and 24 of the longest
  // frames (2 ms), of which an edge may have to wait for seven.
  localparam int unsigned RunW     = 18;
  localparam int unsigned CountW   = 4;
  // Thresholds, in units of 8 us
  localparam int unsigned ThresholdW = 17;

  // Defaults, chosen for reed contacts: docs/registers.md, "Default settings"
  localparam int unsigned DefaultSettleUs = 10;
  localparam int unsigned DefaultLiftUs   = 8000;
  localparam int unsigned DefaultPlaceUs  = 5000;

  // At most one record is written each so many ticks: the ring then needs no FIFO before it, at
  // any clock of 1 MHz and more (a clock to write a record, two to give one out)
  localparam int unsigned PushTicks = 4;

  // Register word offsets
  localparam int unsigned RegAddrW = 4;
  localparam logic [RegAddrW-1:0] RegId         = 4'd0;
  localparam logic [RegAddrW-1:0] RegControl    = 4'd1;
  localparam logic [RegAddrW-1:0] RegQueue      = 4'd2;
  localparam logic [RegAddrW-1:0] RegTimeLow    = 4'd3;
  localparam logic [RegAddrW-1:0] RegTimeHigh   = 4'd4;
  localparam logic [RegAddrW-1:0] RegRecordHead = 4'd5;
  localparam logic [RegAddrW-1:0] RegRecordWord = 4'd6;
  localparam logic [RegAddrW-1:0] RegRaw        = 4'd7;
  localparam logic [RegAddrW-1:0] RegSession    = 4'd8;
  localparam logic [RegAddrW-1:0] RegScan       = 4'd9;
  localparam logic [RegAddrW-1:0] RegLiftUs     = 4'd10;
  localparam logic [RegAddrW-1:0] RegPlaceUs    = 4'd11;
  localparam logic [RegAddrW-1:0] RegAck        = 4'd12;
  localparam logic [RegAddrW-1:0] RegResume     = 4'd13;

  // Bits of RegControl
  localparam int unsigned ControlRun      = 0;
  localparam int unsigned ControlSnapshot = 1;
  localparam int unsigned ControlReady    = 2;
  localparam int unsigned ControlLossy    = 3;
  localparam int unsigned ControlRecord   = 4;
  localparam int unsigned ControlStyle    = 5;

  // Bit of RegScan that selects eager acceptance
  localparam int unsigned ScanEager = 8;

endpackage
`default_nettype wire
