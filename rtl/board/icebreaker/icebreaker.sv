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
  logic clk24, clk48, rst;
  tm_clocks #(.Multiplier(7'd63)) u_clocks (
    .pin_i(clk), .clk_o(clk24), .clk48_o(clk48), .rst_o(rst)
  );

  logic dp, dn, oe, connect;
  logic unused_sr_clk, unused_sr_load_n;
  logic [2:0] unused_led;
  touchmove_soc #(
    .Style(tm_pkg::StyleMatrix), .Depth(8192), .UseSpram(1'b1), .Init(Init), .SelfPowered(1'b1)
  ) u_soc (
    .clk_i(clk24), .clk48_i(clk48), .rst_i(rst),
    .dp_i(usb_dp), .dn_i(usb_dn), .dp_o(dp), .dn_o(dn), .oe_o(oe),
    .pullup_o(connect), .vbus_i(usb_vbus),
    .row_o(row), .col_i(col),
    .sr_clk_o(unused_sr_clk), .sr_load_n_o(unused_sr_load_n), .sr_data_i(1'b0),
    .aux_i({4'd0, aux}),
    .flash_sck_o(flash_sck), .flash_cs_n_o(flash_cs_n), .flash_mosi_o(flash_mosi),
    .flash_miso_i(flash_miso),
    .led_o(unused_led)
  );
  assign usb_dp     = oe ? dp : 1'bz;
  assign usb_dn     = oe ? dn : 1'bz;
  assign usb_pullup = connect;   // low, it holds D+ down: nobody is there
endmodule
`default_nettype wire
