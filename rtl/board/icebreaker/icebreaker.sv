// icebreaker.sv - iCEBreaker 1.x: matrix on PMODs 1A and 2, USB on PMOD 1B
// SPDX-License-Identifier: Apache-2.0
// Its own supply is the programmer's USB connector. Four aux inputs have pins; no LEDs of hints.
`default_nettype none
module icebreaker #(
  parameter Init = ""
) (
  input  logic       clk,
  inout  wire        usb_dp,
  inout  wire        usb_dn,
  output logic       usb_pullup,
  input  logic       usb_vbus,
  output logic [7:0] row,
  input  logic [7:0] col,
  input  logic [3:0] aux,
  output logic       flash_sck,
  output logic       flash_cs_n,
  output logic       flash_mosi,
  input  logic       flash_miso
);
  logic       unused_sr_clk, unused_sr_load_n;
  logic [2:0] unused_led;
  tm_board #(
    .Multiplier(7'd63), .Style(tm_pkg::StyleMatrix), .Depth(8192), .UseSpram(1'b1), .Init(Init),
    .SelfPowered(1'b1)
  ) u_board (
    .clk, .usb_dp, .usb_dn, .usb_pullup, .usb_vbus,
    .row, .col,
    .sr_clk(unused_sr_clk), .sr_load_n(unused_sr_load_n), .sr_data(1'b0),
    .aux({4'd0, aux}),
    .flash_sck, .flash_cs_n, .flash_mosi, .flash_miso,
    .led(unused_led)
  );
endmodule
`default_nettype wire
