// tm_board.sv - what every board has behind its pins: clocks, touchmove_soc, the USB lines
// SPDX-License-Identifier: Apache-2.0
// A board's own top says which pins there are, and ties the rest.
`default_nettype none
module tm_board #(
  // As in tm_clocks and touchmove_soc
  parameter logic [6:0]  Multiplier  = 7'd63,
  parameter bit          PllPad      = 1'b1,
  parameter int unsigned Style       = tm_pkg::StyleMatrix,
  parameter int unsigned Depth       = 8192,
  parameter bit          UseSpram    = 1'b0,
  parameter              Init        = "",
  parameter int unsigned Lamps       = 0,
  // self_powered_i of touchmove_soc
  parameter bit          SelfPowered = 1'b0
) (
  input  logic       clk,
  inout  wire        usb_dp,
  inout  wire        usb_dn,
  output logic       usb_pullup,
  input  logic       usb_vbus,
  output logic [7:0] row,
  input  logic [7:0] col,
  output logic       sr_clk,
  output logic       sr_load_n,
  input  logic       sr_data,
  input  logic [7:0] aux,
  output logic [7:0] lamp,
  output logic       flash_sck,
  output logic       flash_cs_n,
  output logic       flash_mosi,
  input  logic       flash_miso
);
  logic clk24, clk48, rst;
  tm_clocks #(.Multiplier(Multiplier), .Pad(PllPad)) u_clocks (
    .pin_i(clk), .clk_o(clk24), .clk48_o(clk48), .rst_o(rst)
  );

  logic dp, dn, oe;
  touchmove_soc #(
    .Style(Style), .Depth(Depth), .UseSpram(UseSpram), .Init(Init), .Lamps(Lamps)
  ) u_soc (
    .clk_i(clk24), .clk48_i(clk48), .clk_frontend_i(clk24), .rst_i(rst),
    .dp_i(usb_dp), .dn_i(usb_dn), .dp_o(dp), .dn_o(dn), .oe_o(oe),
    .pullup_o(usb_pullup),   // low, it holds D+ down: nobody is there
    .self_powered_i(SelfPowered), .vbus_i(usb_vbus),
    .row_o(row), .col_i(col),
    .sr_clk_o(sr_clk), .sr_load_n_o(sr_load_n), .sr_data_i(sr_data),
    .aux_i(aux),
    .flash_sck_o(flash_sck), .flash_cs_n_o(flash_cs_n), .flash_mosi_o(flash_mosi),
    .flash_miso_i(flash_miso),
    .lamp_o(lamp)
  );
  assign usb_dp = oe ? dp : 1'bz;
  assign usb_dn = oe ? dn : 1'bz;
endmodule
`default_nettype wire
