// harness.sv - the core alone on a chip, to measure it: inputs and outputs through shift registers
// SPDX-License-Identifier: Apache-2.0
// As rtl/frontend/harness.sv; the report subtracts InBits + OutBits.
`default_nettype none
module cpu_harness #(
  localparam int unsigned InBits  = 2 + 32,
  localparam int unsigned OutBits = 1 + 16 + 4 + 32 + 1
) (
  input  logic clk_i,
  input  logic in_i,
  input  logic load_i,
  output logic out_o
);
  logic [InBits-1:0]  in_q;
  logic [OutBits-1:0] out, out_q;
  always_ff @(posedge clk_i) begin
    in_q  <= {in_q[InBits-2:0], in_i};
    out_q <= load_i ? out : {out_q[OutBits-2:0], 1'b0};
  end
  assign out_o = out_q[OutBits-1];

  tm_cpu u_cpu (
    .clk_i,
    .rst_i  (in_q[0]),
    .ready_i(in_q[1]),
    .rdata_i(in_q[33:2]),
    .valid_o(out[0]),
    .addr_o (out[16:1]),
    .wstrb_o(out[20:17]),
    .wdata_o(out[52:21]),
    .halt_o (out[53])
  );
endmodule
`default_nettype wire
