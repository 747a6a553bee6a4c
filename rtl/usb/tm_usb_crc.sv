// tm_usb_crc.sv - CRC5 and CRC16 in one register, for both directions
// SPDX-License-Identifier: Apache-2.0
// USB 2.0, 8.3.5: x^5 + x^2 + 1 over tokens, x^16 + x^15 + x^2 + 1 over data, both begun with all ones
// and sent inverted, highest term first. They share their two lowest taps: CRC5 is the low end of the
// register with the feedback taken from bit 4. Over a whole packet with its CRC the register ends at
// a constant: 01100 and 1000_0000_0000_1101 (8.3.5.1, 8.3.5.2).
`default_nettype none
module tm_usb_crc (
  input  logic clk_i,
  // All ones
  input  logic clear_i,
  input  logic strobe_i,
  input  logic bit_i,
  // CRC5 instead of CRC16
  input  logic five_i,
  // Shift the register out at next_o
  input  logic shift_i,
  // The next bit of CRC16 to send
  output logic next_o,
  // The packet so far ends in its own CRC
  output logic good5_o,
  output logic good16_o
`ifdef FORMAL
  , output logic [15:0] f_crc_o
`endif
);

  logic [15:0] crc_q;
  logic        feedback;
  assign feedback = ((five_i ? crc_q[4] : crc_q[15]) ^ bit_i) && !shift_i;
  assign next_o   = !crc_q[15];
`ifdef FORMAL
  assign f_crc_o  = crc_q;
`endif
  assign good5_o  = crc_q[4:0] == 5'b01100;
  assign good16_o = crc_q == 16'h800D;

  always_ff @(posedge clk_i) begin
    if (strobe_i) begin
      crc_q <= {crc_q[14] ^ feedback, crc_q[13:2], crc_q[1] ^ feedback, crc_q[0], feedback};
    end
    if (clear_i) crc_q <= '1;
  end

endmodule
`default_nettype wire
