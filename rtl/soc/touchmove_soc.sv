// touchmove_soc.sv - a whole board in one chip: sensors to one side, USB to the other
// SPDX-License-Identifier: Apache-2.0
//
//   sensors --> touchmove_frontend ==records==> tm_usb_device <--> D+, D-
//                     ^ registers                 ^ registers
//                     +-----------+---------------+
//                            tm_control (core, firmware, flash)
//
// Records never pass through the core. Clocks: docs/usb.md. Registers: docs/registers.md,
// fw/usb_regs.h, fw/core/soc_regs.h.
`default_nettype none
module touchmove_soc #(
  // As in touchmove_frontend
  parameter int unsigned Style       = tm_pkg::StyleMatrix,
  parameter int unsigned Depth       = 8192,
  parameter bit          UseSpram    = 1'b0,
  // The firmware, as fw/core/image.sh builds it
  parameter              Init        = "",
  // Lamps for hints: 0 none, 1 eight outputs, 2 a chain of 74HC595 (fw/core/soc_regs.h)
  parameter int unsigned Lamps       = 0
) (
  // 24 MHz, and 48 MHz in phase with it
  input  logic       clk_i,
  input  logic       clk48_i,
  // The same clock as clk_i. An input of its own, so that a simulation can let all but the frontend
  // rest while nothing goes on there (docs/simulator.md)
  input  logic       clk_frontend_i,
  input  logic       rst_i,

  // USB
  input  logic       dp_i,
  input  logic       dn_i,
  output logic       dp_o,
  output logic       dn_o,
  output logic       oe_o,
  output logic       pullup_o,
  // Constant. The board has a supply of its own: it says so to the host, and pulls D+ up only while
  // vbus_i is high (USB 2.0, 7.1.5.1)
  input  logic       self_powered_i,
  input  logic       vbus_i,

  // Sensors
  output logic [7:0] row_o,
  input  logic [7:0] col_i,
  output logic       sr_clk_o,
  output logic       sr_load_n_o,
  input  logic       sr_data_i,
  input  logic [7:0] aux_i,

  // Configuration flash
  output logic       flash_sck_o,
  output logic       flash_cs_n_o,
  output logic       flash_mosi_o,
  input  logic       flash_miso_i,

  // Eight: a lamp each. Chain: bit 0 data, 1 shift clock, 2 latch clock of the 74HC595,
  // 3 their output enable, active low. The firmware drives them
  output logic [7:0] lamp_o
);

  localparam int unsigned ClkPerTick = 24;
  localparam int unsigned LampsNone = 0, LampsChain = 2;
  localparam logic [1:0] WindowFrontend = 2'd0, WindowUsb = 2'd1, WindowBoard = 2'd2;

  // ---- Core
  logic        bus_valid, bus_ready, bus_we;
  logic [11:0] bus_addr;
  logic [31:0] bus_wdata, bus_rdata;
  logic        unused_halt;
  tm_control #(.Init(Init)) u_control (
    .clk_i, .rst_i,
    .bus_valid_o(bus_valid),
    .bus_ready_i(bus_ready),
    .bus_we_o   (bus_we),
    .bus_addr_o (bus_addr),
    .bus_wdata_o(bus_wdata),
    .bus_rdata_i(bus_rdata),
    .spi_sck_o  (flash_sck_o),
    .spi_cs_n_o (flash_cs_n_o),
    .spi_mosi_o (flash_mosi_o),
    .spi_miso_i (flash_miso_i),
    .halt_o     (unused_halt)
  );

  // ---- Windows. The USB block lets the core wait; so does TM_SOC_WAIT, until an event comes
  logic        to_frontend, to_usb, to_board, usb_ready, usb_pending, core_sleeps;
  logic [31:0] frontend_rdata;
  logic [7:0]  usb_rdata;
  logic [1:0]  vbus_q;
  assign to_frontend = bus_valid && bus_addr[11:10] == WindowFrontend;
  assign to_usb      = bus_valid && bus_addr[11:10] == WindowUsb;
  assign to_board    = bus_valid && bus_addr[11:10] == WindowBoard;
  assign core_sleeps = to_board && bus_addr[1] && !usb_pending;
  assign bus_ready   = to_usb ? usb_ready : !core_sleeps;
  assign bus_rdata   = to_frontend ? frontend_rdata
                     : to_usb      ? {24'd0, usb_rdata}
                                   : {28'd0, 2'(Lamps), vbus_q[1], self_powered_i};

  // ---- Board: dark from the start, and until the firmware has filled the chain
  always_ff @(posedge clk_i) vbus_q <= {vbus_q[0], vbus_i};
  if (Lamps == LampsNone) begin : g_no_lamps
    logic unused_board;
    assign unused_board = to_board;
    assign lamp_o = '0;
  end else begin : g_lamps
    localparam int unsigned Pins = (Lamps == LampsChain) ? 4 : 8;
    logic [Pins-1:0] lamp_q;
    always_ff @(posedge clk_i) begin
      if (to_board && bus_we) lamp_q <= bus_wdata[Pins-1:0];
      if (rst_i) lamp_q <= (Lamps == LampsChain) ? Pins'(8) : '0;
    end
    assign lamp_o = 8'(lamp_q);
  end

  // ---- Frontend
  logic        rec_valid, rec_ready;
  logic [63:0] rec_data;
  touchmove_frontend #(
    .Style(Style), .ClkPerTick(ClkPerTick), .Depth(Depth), .UseSpram(UseSpram), .BusRecords(1'b0)
  ) u_frontend (
    .clk_i(clk_frontend_i), .rst_i,
    .row_o, .col_i, .sr_clk_o, .sr_load_n_o, .sr_data_i, .aux_i,
    .reg_addr_i (bus_addr[tm_pkg::RegAddrW-1:0]),
    .reg_we_i   (to_frontend && bus_we),
    .reg_re_i   (1'b0),
    .reg_wdata_i(bus_wdata),
    .reg_rdata_o(frontend_rdata),
    .rec_valid_o(rec_valid),
    .rec_data_o (rec_data),
    .rec_ready_i(rec_ready)
  );

  // ---- USB
  logic connect;
  tm_usb_device u_usb (
    .clk_i, .clk48_i, .rst_i,
    .dp_i, .dn_i, .dp_o, .dn_o, .oe_o,
    .pullup_o   (connect),
    .pending_o  (usb_pending),
    .reg_addr_i (bus_addr[9:0]),
    .reg_we_i   (to_usb && bus_we),
    .reg_re_i   (to_usb && !bus_we),
    .reg_wdata_i(bus_wdata[9:0]),
    .reg_rdata_o(usb_rdata),
    .reg_ready_o(usb_ready),
    .rec_valid_i(rec_valid),
    .rec_data_i (rec_data),
    .rec_ready_o(rec_ready)
  );
  assign pullup_o = connect && (vbus_q[1] || !self_powered_i);

endmodule
`default_nettype wire
