// icebitsy.sv - iCEBreaker-bitsy 1.x: its own USB connector, matrix on P0 to P15
// SPDX-License-Identifier: Apache-2.0
// Powered by the bus. Five aux inputs have pins.
`default_nettype none
module icebitsy #(
  parameter Init = ""
) (
  input  logic       clk,
  inout  wire        usb_dp,
  inout  wire        usb_dn,
  output logic       usb_pullup,
  output logic [7:0] row,
  input  logic [7:0] col,
  input  logic [4:0] aux,
  output logic       flash_sck,
  output logic       flash_cs_n,
  output logic       flash_mosi,
  input  logic       flash_miso
);
  logic       unused_sr_clk, unused_sr_load_n;
  logic [2:0] unused_led;
  tm_board #(
    .Multiplier(7'd63), .Style(tm_pkg::StyleMatrix), .Depth(8192), .UseSpram(1'b1), .Init(Init),
    .SelfPowered(1'b0)
  ) u_board (
    .clk, .usb_dp, .usb_dn, .usb_pullup, .usb_vbus(1'b1),
    .row, .col,
    .sr_clk(unused_sr_clk), .sr_load_n(unused_sr_load_n), .sr_data(1'b0),
    .aux({3'd0, aux}),
    .flash_sck, .flash_cs_n, .flash_mosi, .flash_miso,
    .led(unused_led)
  );
endmodule
`default_nettype wire
