// tm_shift_ports.sv - the ports of a core through shift registers, to place and route it alone
// SPDX-License-Identifier: Apache-2.0
// For a core with more ports than the part has pins. The reports subtract InBits + OutBits cells.
`default_nettype none
module tm_shift_ports #(
  parameter int unsigned InBits  = 1,
  parameter int unsigned OutBits = 1
) (
  input  logic               clk_i,
  input  logic               in_i,
  input  logic               load_i,
  output logic               out_o,

  // To the core's inputs; from its outputs
  output logic [InBits-1:0]  to_core_o,
  input  logic [OutBits-1:0] from_core_i
);
  logic [OutBits-1:0] out_q;
  always_ff @(posedge clk_i) begin
    to_core_o <= {to_core_o[InBits-2:0], in_i};
    out_q     <= load_i ? from_core_i : {out_q[OutBits-2:0], 1'b0};
  end
  assign out_o = out_q[OutBits-1];
endmodule
`default_nettype wire
