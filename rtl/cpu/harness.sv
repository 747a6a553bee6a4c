// harness.sv - core, or core with memory and flash, alone on a chip, to be measured
// SPDX-License-Identifier: Apache-2.0
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
  logic [OutBits-1:0] out;
  tm_shift_ports #(.InBits(InBits), .OutBits(OutBits)) u_ports (
    .clk_i, .in_i, .load_i, .out_o, .to_core_o(in_q), .from_core_i(out)
  );

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

`ifdef CONTROL
module control_harness #(
  parameter               Init    = "",
  localparam int unsigned InBits  = 3 + 32,
  localparam int unsigned OutBits = 2 + 12 + 32 + 3 + 1
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

  tm_control #(.Init(Init)) u_control (
    .clk_i,
    .rst_i      (in_q[0]),
    .bus_ready_i(in_q[1]),
    .spi_miso_i (in_q[2]),
    .bus_rdata_i(in_q[34:3]),
    .bus_valid_o(out[0]),
    .bus_we_o   (out[1]),
    .bus_addr_o (out[13:2]),
    .bus_wdata_o(out[45:14]),
    .spi_sck_o  (out[46]),
    .spi_cs_n_o (out[47]),
    .spi_mosi_o (out[48]),
    .halt_o     (out[49])
  );
endmodule
`endif
`default_nettype wire
