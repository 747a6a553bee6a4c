// tm_usb_receiver.sv - line bits in, packet bits out: NRZI, stuffed bits, SYNC, end of packet
// SPDX-License-Identifier: Apache-2.0
// A packet runs from the end of SYNC (USB 2.0, 7.1.10: seven zeros and a one, of which hubs may eat the
// first; five zeros and the one are asked for) to the first bit of SE0 (7.1.13.2). A seventh one in a row
// (7.1.9) ends it too: then nothing counts until SE0, or until the line has been idle for a time-out.
`default_nettype none
module tm_usb_receiver (
  input  logic       clk_i,
  input  logic       rst_i,
  // Bits of the line
  input  logic       strobe_i,
  input  logic       level_i,
  input  logic       se0_i,
  // The transmitter has the bus
  input  logic       mute_i,
  // No edge for the length of a time-out
  input  logic       timeout_i,
  // The last five bits
  input  logic [4:0] last_bits_i,
  input  logic       six_i,
  // The bit, decoded; not an edge
  output logic       bit_o,
  // It is to be kept: no stuffed bit, no SE0
  output logic       take_o,
  // The last bit of SYNC
  output logic       sync_o,
  output logic       active_o,
  // The packet ends with SE0, or is given up
  output logic       end_o,
  output logic       fail_o
`ifdef FORMAL
  , output logic     f_last_o
  , output logic     f_dead_o
`endif
);

  logic last_q, active_q, dead_q, stuffed;
  assign bit_o    = level_i == last_q;
  assign stuffed  = active_q && six_i;
  assign take_o   = strobe_i && !se0_i && !stuffed && !mute_i;
  assign sync_o   = take_o && !active_q && !dead_q && bit_o && last_bits_i == '0;
  assign end_o    = strobe_i && se0_i && active_q;
  assign fail_o   = strobe_i && !se0_i && stuffed && bit_o;
  assign active_o = active_q;
`ifdef FORMAL
  assign f_last_o = last_q;
  assign f_dead_o = dead_q;
`endif

  always_ff @(posedge clk_i) begin
    if (strobe_i) last_q <= level_i;
    if (sync_o) active_q <= 1'b1;
    if (end_o || fail_o || mute_i || rst_i) active_q <= 1'b0;
    if (fail_o) dead_q <= 1'b1;
    if ((strobe_i && se0_i) || timeout_i || mute_i || rst_i) dead_q <= 1'b0;
  end

endmodule
`default_nettype wire
