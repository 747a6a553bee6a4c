// harness.sv - the frontend alone on a chip, to measure it: inputs and outputs through shift registers
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module harness #(
  parameter  int unsigned Style      = 0,
  parameter  int unsigned ClkPerTick = 24,
  parameter  int unsigned Depth      = 8192,
  parameter  bit          UseSpram   = 1'b0,
  localparam int unsigned InBits     = 1 + 8 + 1 + 8 + 4 + 2 + 32 + 1,
  localparam int unsigned OutBits    = 8 + 2 + 32 + 1 + 64
) (
  input  logic clk_i,
  input  logic in_i,
  input  logic load_i,
  output logic out_o
);
  logic [InBits-1:0]  in_q;
  logic [OutBits-1:0] out;
  tm_shift_ports #(.InBits(InBits), .OutBits(OutBits)) u_ports (
    .clk_i, .in_i, .load_i, .out_o, .to_core_o(in_q), .from_core_i(out)
  );

  touchmove_frontend #(
    .Style(Style), .ClkPerTick(ClkPerTick), .Depth(Depth), .UseSpram(UseSpram), .BusRecords(1'b0)
  ) u_frontend (
    .clk_i,
    .rst_i      (in_q[0]),
    .col_i      (in_q[8:1]),
    .sr_data_i  (in_q[9]),
    .aux_i      (in_q[17:10]),
    .reg_addr_i (in_q[21:18]),
    .reg_we_i   (in_q[22]),
    .reg_re_i   (in_q[23]),
    .reg_wdata_i(in_q[55:24]),
    .rec_ready_i(in_q[56]),
    .row_o      (out[7:0]),
    .sr_clk_o   (out[8]),
    .sr_load_n_o(out[9]),
    .reg_rdata_o(out[41:10]),
    .rec_valid_o(out[42]),
    .rec_data_o (out[106:43])
  );
endmodule
`default_nettype wire
