// hx8k.sv - a board with an HX8K in ct256, here Lattice's breakout board
// SPDX-License-Identifier: Apache-2.0
// TM_CHAIN: 74HC165 chain instead of the matrix (STYLE=chain). Pins: docs/integration.md.
// Has a supply of its own. Without SPRAM the ring is short.
`default_nettype none
module hx8k #(
  parameter Init = ""
) (
  input  logic       clk,
  inout  wire        usb_dp,
  inout  wire        usb_dn,
  output logic       usb_pullup,
  input  logic       usb_vbus,
`ifdef TM_CHAIN
  output logic       sr_clk,
  output logic       sr_load_n,
  input  logic       sr_data,
`else
  output logic [7:0] row,
  input  logic [7:0] col,
`endif
  input  logic [7:0] aux,
  output logic [7:0] lamp,
  output logic       flash_sck,
  output logic       flash_cs_n,
  output logic       flash_mosi,
  input  logic       flash_miso
);
`ifdef TM_CHAIN
  logic [7:0] unused_row;
`else
  logic       unused_sr_clk, unused_sr_load_n;
`endif
  tm_board #(
`ifdef TM_CHAIN
    .Style(tm_pkg::StyleChain), .Lamps(1),  // eight
`else
    .Style(tm_pkg::StyleMatrix), .Lamps(1),  // eight
`endif
    .Multiplier(7'd63), .PllPad(1'b0), .Depth(1024), .UseSpram(1'b0), .Init(Init),
    .SelfPowered(1'b1)
  ) u_board (
    .clk, .usb_dp, .usb_dn, .usb_pullup, .usb_vbus,
`ifdef TM_CHAIN
    .row(unused_row), .col(8'd0),
    .sr_clk, .sr_load_n, .sr_data,
    .aux,
    .lamp,
`else
    .row, .col,
    .sr_clk(unused_sr_clk), .sr_load_n(unused_sr_load_n), .sr_data(1'b0),
    .aux,
    .lamp,
`endif
    .flash_sck, .flash_cs_n, .flash_mosi, .flash_miso
  );
endmodule
`default_nettype wire
