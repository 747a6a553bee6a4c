// tm_spi.sv - bytes to and from the configuration flash (mode 0, half the clock)
// SPDX-License-Identifier: Apache-2.0
//
//  write    __/~~\_______________________________________
//  sck      ________/~~\__/~~\__/~~\__ .. __/~~\_________   8 pulses
//  mosi     ------< 7  >< 6  >< 5  > .. < 0  >-----------
//
// A request during a transfer waits for its end, so the firmware needs no busy flag.
`default_nettype none
module tm_spi (
  input  logic       clk_i,
  input  logic       rst_i,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic       we_i,
  input  logic       release_i,  // with a write: chip select up, nothing is sent
  input  logic [7:0] wdata_i,
  output logic [7:0] rdata_o,
  output logic       sck_o,
  output logic       cs_n_o,
  output logic       mosi_o,
  input  logic       miso_i
);
  logic [7:0] shift_q;
  logic [3:0] left_q;   // half clocks come two to a bit: bits still to go
  logic       sck_q, cs_n_q, in_q;

  assign ready_o = left_q == 4'd0 && !sck_q;
  always_ff @(posedge clk_i) begin
    if (sck_q) begin
      // Down: the next bit goes out
      sck_q   <= 1'b0;
      shift_q <= {shift_q[6:0], in_q};
    end else if (left_q != 4'd0) begin
      // Up: the flash reads, and so do we
      sck_q  <= 1'b1;
      in_q   <= miso_i;
      left_q <= left_q - 4'd1;
    end else if (valid_i && we_i) begin
      cs_n_q <= release_i;
      if (!release_i) begin
        shift_q <= wdata_i;
        left_q  <= 4'd8;
      end
    end
    if (rst_i) begin
      left_q <= 4'd0;
      sck_q  <= 1'b0;
      cs_n_q <= 1'b1;
    end
  end
  assign rdata_o = shift_q;
  assign sck_o   = sck_q;
  assign cs_n_o  = cs_n_q;
  assign mosi_o  = shift_q[7];
endmodule
`default_nettype wire
