// tm_usb_buffers.sv - the packet buffers: one block RAM of 512 bytes, and who may use it when
// SPDX-License-Identifier: Apache-2.0
//   000..07F  bulk IN, a ring of sixteen records       100..141  EP0 OUT, with room for the CRC
//   080..0BF  EP0 IN                                   14F       its length
//   160..17F  SETUP, two halves                        180..1C1  EP1 OUT;  1CF  its length
// Writes: the receiver first, then the register bus, then records. Reads: the transmitter owns the clock
// before each of its bits, the register bus the other one; it waits for reg_ready_o.
`default_nettype none
module tm_usb_buffers (
  input  logic        clk_i,
  // Every second clock: the transmitter's bit
  input  logic        tick_i,

  // Receiver: a byte; then, where the packet is taken, its length
  input  logic        rx_we_i,
  input  logic        rx_setup_i,
  input  logic        rx_ep_i,
  input  logic        rx_length_i,
  input  logic        setup_half_i,
  input  logic [6:0]  count_i,
  input  logic [7:0]  rx_data_i,

  // Transmitter: the byte after count_i
  input  logic        tx_ep_i,
  input  logic [3:0]  read_slot_i,
  output logic [7:0]  rdata_o,

  // Register bus
  input  logic [8:0]  reg_addr_i,
  input  logic        reg_we_i,
  input  logic [7:0]  reg_wdata_i,
  output logic        reg_write_o,

  // Records
  input  logic        take_i,
  input  logic [3:0]  write_slot_i,
  input  logic        rec_valid_i,
  input  logic [63:0] rec_data_i,
  output logic        rec_ready_o
);

  logic [7:0] mem [512];
  logic [2:0] part_q;
  logic       rx_write, rec_write, write;
  logic [8:0] waddr, rx_addr, raddr;
  logic [7:0] wdata;
  logic [7:0] rec_byte;

  // ---- Writes
  assign rx_write    = rx_we_i || rx_length_i;
  assign reg_write_o = reg_we_i && !rx_write;
  assign rec_write   = take_i && rec_valid_i && !rx_write && !reg_we_i;
  assign rec_ready_o = rec_write && part_q == 3'd7;
  assign write       = rx_write || reg_we_i || rec_write;
  assign rec_byte    = rec_data_i[8*part_q +: 8];

  always_comb begin
    rx_addr = {1'b1, rx_ep_i, count_i};
    // Into the half that does not hold the last SETUP packet: this one may yet turn out broken
    if (rx_setup_i) rx_addr[6:4] = {2'b11, !setup_half_i};
    if (rx_setup_i) rx_addr[6] = 1'b1;
    if (rx_length_i) rx_addr[6:0] = 7'h4F;
    waddr = {2'b00, write_slot_i, part_q};
    wdata = rec_byte;
    if (reg_we_i) begin
      waddr = reg_addr_i;
      wdata = reg_wdata_i;
    end
    if (rx_write) begin
      waddr = rx_addr;
      wdata = rx_length_i ? {1'b0, count_i} : rx_data_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rec_write) part_q <= part_q + 3'd1;
    // Withdrawn half way: begin again
    if (!take_i || !rec_valid_i) part_q <= '0;
  end

  // ---- Reads
  logic [3:0] tx_slot;
  assign tx_slot = read_slot_i + count_i[6:3];
  always_comb begin
    raddr = tx_ep_i ? {2'b00, tx_slot, count_i[2:0]} : {2'b01, count_i};
    if (tick_i) raddr = reg_addr_i;
  end
  always_ff @(posedge clk_i) begin
    if (write) mem[waddr] <= wdata;
    rdata_o <= mem[raddr];
  end

endmodule
`default_nettype wire
