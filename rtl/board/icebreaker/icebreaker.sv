// icebreaker.sv - iCEBreaker 1.x (UP5K): USB on PMOD 1B, sensors on PMODs 1A and 2
// SPDX-License-Identifier: Apache-2.0
// TM_CHAIN: 74HC165 chain instead of the matrix (STYLE=chain). Pins: docs/integration.md.
// Its own supply is the programmer's USB connector. The matrix leaves pins for four aux inputs and
// for no lamps.
`default_nettype none
module icebreaker #(
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
  input  logic [7:0] aux,
  output logic       lamp_data,
  output logic       lamp_clk,
  output logic       lamp_latch,
  output logic       lamp_oe_n,
`else
  output logic [7:0] row,
  input  logic [7:0] col,
  input  logic [3:0] aux,
`endif
  output logic       flash_sck,
  output logic       flash_cs_n,
  output logic       flash_mosi,
  input  logic       flash_miso
);
`ifdef TM_CHAIN
  logic [3:0] unused_lamp;
  logic [7:0] unused_row;
`else
  logic [7:0] unused_lamp;
  logic       unused_sr_clk, unused_sr_load_n;
`endif
  tm_board #(
`ifdef TM_CHAIN
    .Style(tm_pkg::StyleChain), .Lamps(2),  // 74HC595
`else
    .Style(tm_pkg::StyleMatrix), .Lamps(0),
`endif
    .Multiplier(7'd63), .PllPad(1'b1), .Depth(8192), .UseSpram(1'b1), .Init(Init),
    .SelfPowered(1'b1)
  ) u_board (
    .clk, .usb_dp, .usb_dn, .usb_pullup, .usb_vbus,
`ifdef TM_CHAIN
    .row(unused_row), .col(8'd0),
    .sr_clk, .sr_load_n, .sr_data,
    .aux,
    .lamp({unused_lamp, lamp_oe_n, lamp_latch, lamp_clk, lamp_data}),
`else
    .row, .col,
    .sr_clk(unused_sr_clk), .sr_load_n(unused_sr_load_n), .sr_data(1'b0),
    .aux({4'd0, aux}),
    .lamp(unused_lamp),
`endif
    .flash_sck, .flash_cs_n, .flash_mosi, .flash_miso
  );
endmodule
`default_nettype wire
