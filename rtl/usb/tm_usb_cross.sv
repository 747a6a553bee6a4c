// tm_usb_cross.sv - the crossing from the 48 MHz of the line to the 24 MHz of everything else
// SPDX-License-Identifier: Apache-2.0
// Both clocks come from one PLL, in phase: each edge of clk_i is one of clk48_i too. The line holds
// strobe_i for exactly two of its clocks and its sample for as long, so one edge of clk_i, and only
// one, sees each bit, whichever of the two it is. It holds three registers that are fed by registers:
// a path may take 20.8 ns, and takes one wire. The other way nothing crosses: the transmitter runs
// at 24 MHz, two clocks to a bit.
// Proved in rtl/formal (usb_line): every bit is seen once, whole, from either edge.
`default_nettype none
module tm_usb_cross (
  input  logic clk_i,
  input  logic strobe_i,
  input  logic level_i,
  input  logic se0_i,
  output logic strobe_o,
  output logic level_o,
  output logic se0_o
);

  always_ff @(posedge clk_i) begin
    strobe_o <= strobe_i;
    level_o  <= level_i;
    se0_o    <= se0_i;
  end

endmodule
`default_nettype wire
