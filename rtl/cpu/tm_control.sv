// tm_control.sv - core, memory with the firmware, flash: what answers the control endpoint
// SPDX-License-Identifier: Apache-2.0
// The registers of frontend, USB block and board hang on the bus that comes out (docs/cpu.md).
`default_nettype none
module tm_control #(
  // The firmware, as fw/core/image.sh builds it
  parameter Init = ""
) (
  input  logic        clk_i,
  input  logic        rst_i,
  // Registers at byte address 4 * bus_addr_o of the window: bits 11..10 0 frontend, 1 USB, 2 board.
  // A request stands until the clock in which ready is high; read data count in that clock.
  output logic        bus_valid_o,
  input  logic        bus_ready_i,
  output logic        bus_we_o,
  output logic [11:0] bus_addr_o,
  output logic [31:0] bus_wdata_o,
  input  logic [31:0] bus_rdata_i,
  // Configuration flash
  output logic        spi_sck_o,
  output logic        spi_cs_n_o,
  output logic        spi_mosi_o,
  input  logic        spi_miso_i,
  // The core stands still: a fault of the firmware
  output logic        halt_o
);
  logic        valid, ready;
  logic [15:0] addr;
  logic [3:0]  wstrb;
  logic [31:0] wdata, rdata;
  tm_cpu u_cpu (
    .clk_i, .rst_i, .valid_o(valid), .ready_i(ready), .addr_o(addr), .wstrb_o(wstrb),
    .wdata_o(wdata), .rdata_i(rdata), .halt_o
  );

  // The RAM repeats up to 0x8000, the window above 0xC000; byte addresses are of no use here
  logic [2:0] unused_addr;
  assign unused_addr = {addr[14], addr[1:0]};

  logic to_ram, to_spi;
  assign to_ram = !addr[15];
  assign to_spi = addr[15] && addr[13] && !addr[2];

  logic        ram_ready;
  logic [31:0] ram_rdata;
  tm_cpu_ram #(.Depth(2048), .Init(Init)) u_ram (
    .clk_i, .valid_i(valid && to_ram), .ready_o(ram_ready), .addr_i(addr[12:2]), .wstrb_i(wstrb),
    .wdata_i(wdata), .rdata_o(ram_rdata)
  );

  logic       spi_ready;
  logic [7:0] spi_rdata;
  tm_spi u_spi (
    .clk_i, .rst_i, .valid_i(valid && to_spi), .ready_o(spi_ready), .we_i(wstrb[0]),
    .release_i(wdata[8]), .wdata_i(wdata[7:0]), .rdata_o(spi_rdata),
    .sck_o(spi_sck_o), .cs_n_o(spi_cs_n_o), .mosi_o(spi_mosi_o), .miso_i(spi_miso_i)
  );

  assign bus_valid_o = valid && addr[15] && !to_spi;
  assign bus_we_o    = wstrb[0];
  assign bus_addr_o  = addr[13:2];
  assign bus_wdata_o = wdata;

  // Registers are 32 bits wide: the firmware makes no narrower access to them
  assign ready = to_ram ? ram_ready : to_spi ? spi_ready : bus_ready_i;
  assign rdata = to_ram ? ram_rdata : to_spi ? {24'd0, spi_rdata} : bus_rdata_i;
endmodule
`default_nettype wire
