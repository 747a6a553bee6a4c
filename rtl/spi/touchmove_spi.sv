// touchmove_spi.sv - the sensor frontend behind SPI, for boards with their own microcontroller
// SPDX-License-Identifier: Apache-2.0
// Same registers, same records as the USB board: docs/spi.md. fw/tm_spi.h is the driver.
`default_nettype none
module touchmove_spi #(
  // As in touchmove_frontend
  parameter int unsigned Style      = tm_pkg::StyleMatrix,
  parameter int unsigned ClkPerTick = 24,
  parameter int unsigned Depth      = 8192,
  parameter bit          UseSpram   = 1'b0
) (
  input  logic       clk_i,
  input  logic       rst_i,

  // Sensors
  output logic [7:0] row_o,
  input  logic [7:0] col_i,
  output logic       sr_clk_o,
  output logic       sr_load_n_o,
  input  logic       sr_data_i,
  input  logic [7:0] aux_i,

  // SPI; miso is driven while miso_oe_o
  input  logic       spi_cs_n_i,
  input  logic       spi_sck_i,
  input  logic       spi_mosi_i,
  output logic       spi_miso_o,
  output logic       spi_miso_oe_o,
  // High while a record or watermark waits
  output logic       irq_o
);

  logic [tm_pkg::RegAddrW-1:0] reg_addr;
  logic                        reg_we, reg_re;
  logic [31:0]                 reg_wdata, reg_rdata;

  tm_spi_slave u_slave (
    .clk_i, .rst_i,
    .spi_cs_n_i, .spi_sck_i, .spi_mosi_i, .spi_miso_o,
    .reg_addr_o (reg_addr),
    .reg_we_o   (reg_we),
    .reg_re_o   (reg_re),
    .reg_wdata_o(reg_wdata),
    .reg_rdata_i(reg_rdata)
  );
  assign spi_miso_oe_o = !spi_cs_n_i;

  logic [63:0] unused_rec_data;
  touchmove_frontend #(
    .Style(Style), .ClkPerTick(ClkPerTick), .Depth(Depth), .UseSpram(UseSpram), .BusRecords(1'b1)
  ) u_frontend (
    .clk_i, .rst_i,
    .row_o, .col_i, .sr_clk_o, .sr_load_n_o, .sr_data_i, .aux_i,
    .reg_addr_i (reg_addr),
    .reg_we_i   (reg_we),
    .reg_re_i   (reg_re),
    .reg_wdata_i(reg_wdata),
    .reg_rdata_o(reg_rdata),
    .rec_valid_o(irq_o),
    .rec_data_o (unused_rec_data),
    .rec_ready_i(1'b0)
  );

  logic unused;
  assign unused = ^unused_rec_data;

endmodule
`default_nettype wire
