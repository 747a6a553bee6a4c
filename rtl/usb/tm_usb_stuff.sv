// tm_usb_stuff.sv - counts ones for bit stuffing, for both directions
// SPDX-License-Identifier: Apache-2.0
// After six ones a zero is stuffed in (USB 2.0, 7.1.9); the last bit of SYNC counts as the first.
`default_nettype none
module tm_usb_stuff (
  input  logic clk_i,
  // The transmitter starts: none yet
  input  logic clear_i,
  input  logic strobe_i,
  // The bit before stuffing, or the stuffed one
  input  logic bit_i,
  // Six ones lie behind: the next bit is a stuffed one
  output logic six_o
`ifdef FORMAL
  , output logic [2:0] f_ones_o
`endif
);

  logic [2:0] ones_q;
  assign six_o = ones_q == 3'd6;
`ifdef FORMAL
  assign f_ones_o = ones_q;
`endif

  always_ff @(posedge clk_i) begin
    if (strobe_i) ones_q <= (bit_i && !six_o) ? ones_q + 3'd1 : '0;
    if (clear_i) ones_q <= '0;
  end

endmodule
`default_nettype wire
