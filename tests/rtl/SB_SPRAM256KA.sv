// SB_SPRAM256KA.sv - what the SPRAM block of UP5K does, as far as tm_record_ram uses it
// SPDX-License-Identifier: Apache-2.0
// While it is written its output is not defined: here it is what nobody has stored.
`default_nettype none
module SB_SPRAM256KA (
  input  logic [13:0] ADDRESS,
  input  logic [15:0] DATAIN,
  input  logic [3:0]  MASKWREN,
  input  logic        WREN,
  input  logic        CHIPSELECT,
  input  logic        CLOCK,
  input  logic        STANDBY,
  input  logic        SLEEP,
  input  logic        POWEROFF,
  output logic [15:0] DATAOUT
);
  logic [15:0] mem [16384];
  logic        on;
  assign on = CHIPSELECT && !STANDBY && !SLEEP && POWEROFF;   // POWEROFF: 1 is on
  always_ff @(posedge CLOCK) begin
    DATAOUT <= (WREN || !on) ? ~DATAIN : mem[ADDRESS];
    for (int i = 0; i < 4; i++) begin
      if (on && WREN && MASKWREN[i]) mem[ADDRESS][4*i +: 4] <= DATAIN[4*i +: 4];
    end
  end
endmodule
`default_nettype wire
