// tm_usb_device.sv - a USB 2.0 full-speed device: line, packets, transactions, endpoints, registers
// SPDX-License-Identifier: Apache-2.0
// Layers, timing, and why it is cut as it is: docs/usb.md. Registers: fw/usb_regs.h.
`default_nettype none
module tm_usb_device (
  // 24 MHz, and 48 MHz in phase with it (tm_usb_cross)
  input  logic        clk_i,
  input  logic        clk48_i,
  input  logic        rst_i,

  // D+ and D-, and the 1.5 kOhm pull-up on D+ (USB 2.0, 7.1.5.1)
  input  logic        dp_i,
  input  logic        dn_i,
  output logic        dp_o,
  output logic        dn_o,
  output logic        oe_o,
  output logic        pullup_o,

  // Register bus, word addresses from TM_USB_BASE. Address, data and reg_we_i or reg_re_i stay until
  // the clock in which reg_ready_o is high; read data are valid in that clock.
  input  logic [9:0]  reg_addr_i,
  input  logic        reg_we_i,
  input  logic        reg_re_i,
  input  logic [9:0]  reg_wdata_i,
  output logic [7:0]  reg_rdata_o,
  output logic        reg_ready_o,
  // An event waits for the firmware, other than TM_USB_EVENT_ALIVE
  output logic        pending_o,

  // Record stream (touchmove_frontend)
  input  logic        rec_valid_i,
  input  logic [63:0] rec_data_i,
  output logic        rec_ready_o
);

  logic strobe48, level48, se048, strobe, level, se0, tick_q;
  logic line_edge, timeout, bus_reset;
  logic end_packet, good, hit, ep_token, crc_good, fail, rx_byte, start, sending, sent;
  logic [3:0] pid, send_pid, write_slot, read_slot, records;
  logic [6:0] address, count, ep0_length;
  logic [7:0] rx_data, buffer_data, events;
  logic ep, in, exists, stall, ready, toggle, store, setup, took_setup, took_out, give, acked;
  logic ep1_in_busy, setup_half, take, ep_last;

  always_ff @(posedge clk_i) tick_q <= !tick_q && !rst_i;

  tm_usb_line u_line (
    .clk48_i, .dp_i, .dn_i,
    .strobe_o(strobe48), .level_o(level48), .se0_o(se048)
  );

  tm_usb_cross u_cross (
    .clk_i,
    .strobe_i(strobe48), .level_i(level48), .se0_i(se048),
    .strobe_o(strobe), .level_o(level), .se0_o(se0)
  );

  tm_usb_packet u_packet (
    .clk_i, .rst_i,
    .line_strobe_i(strobe),
    .line_level_i (level),
    .line_se0_i   (se0),
    .timeout_i    (timeout),
    .address_i    (address),
    .edge_o       (line_edge),
    .end_o        (end_packet),
    .good_o       (good),
    .pid_o        (pid),
    .hit_o        (hit),
    .ep_o         (ep_token),
    .crc_good_o   (crc_good),
    .fail_o       (fail),
    .byte_o       (rx_byte),
    .count_o      (count),
    .data_o       (rx_data),
    .tick_i       (tick_q),
    .start_i      (start),
    .send_pid_i   (send_pid),
    .length_i     (ep_last ? {records, 3'd0} : ep0_length),
    .data_i       (buffer_data),
    .sending_o    (sending),
    .sent_o       (sent),
    .dp_o, .dn_o, .oe_o
  );

  tm_usb_transaction u_transaction (
    .clk_i, .rst_i,
    .edge_i       (line_edge),
    .se0_i        (se0),
    .timeout_o    (timeout),
    .reset_o      (bus_reset),
    .end_i        (end_packet),
    .good_i       (good),
    .pid_i        (pid),
    .hit_i        (hit),
    .ep_i         (ep_token),
    .crc_good_i   (crc_good),
    .fail_i       (fail),
    .byte_i       (rx_byte),
    .count_i      (count),
    .start_o      (start),
    .pid_o        (send_pid),
    .sending_i    (sending),
    .sent_i       (sent),
    .ep_o         (ep),
    .ep_last_o    (ep_last),
    .in_o         (in),
    .exists_i     (exists),
    .stall_i      (stall),
    .ready_i      (ready),
    .toggle_i     (toggle),
    .store_o      (store),
    .setup_o      (setup),
    .took_setup_o (took_setup),
    .took_out_o   (took_out),
    .give_o       (give),
    .acked_o      (acked),
    .ep1_in_busy_o(ep1_in_busy)
  );

  // ---- Register bus. A read takes effect in a clock of tick_q and ends in the next; a write to
  // EP1_CTRL waits for the end of a bulk IN transaction, at most 60 us.
  logic to_buffers, reg_write, buffer_write, re_q, ep1_ctrl;
  assign to_buffers  = reg_addr_i[9];
  assign ep1_ctrl    = reg_addr_i[1:0] == 2'd3;
  assign reg_write   = reg_we_i && !to_buffers && !(ep1_ctrl && ep1_in_busy);
  assign reg_ready_o = buffer_write || reg_write || (re_q && !tick_q);
  assign reg_rdata_o = to_buffers ? buffer_data : events;
  always_ff @(posedge clk_i) re_q <= reg_re_i && !reg_ready_o;

  tm_usb_endpoints u_endpoints (
    .clk_i, .rst_i,
    .reset_i     (bus_reset),
    .alive_i     (end_packet),
    .we_i        (reg_write),
    .addr_i      (reg_addr_i[1:0]),
    .wdata_i     (reg_wdata_i),
    .events_o    (events),
    .pending_o,
    .connect_o   (pullup_o),
    .address_o   (address),
    .ep_i        (ep),
    .in_i        (in),
    .exists_o    (exists),
    .stall_o     (stall),
    .ready_o     (ready),
    .toggle_o    (toggle),
    .took_setup_i(took_setup),
    .took_out_i  (took_out),
    .give_i      (give),
    .acked_i     (acked),
    .ep_last_i   (ep_last),
    .setup_half_o(setup_half),
    .ep0_length_o(ep0_length),
    .take_o      (take),
    .taken_i     (rec_ready_o),
    .write_slot_o(write_slot),
    .read_slot_o (read_slot),
    .records_o   (records)
  );

  tm_usb_buffers u_buffers (
    .clk_i,
    .tick_i      (tick_q),
    .rx_we_i     (rx_byte && store),
    .rx_setup_i  (setup),
    .rx_ep_i     (ep_last),
    .rx_length_i (took_out),
    .setup_half_i(setup_half),
    .count_i     (count),
    .rx_data_i   (rx_data),
    .tx_ep_i     (ep_last),
    .read_slot_i (read_slot),
    .rdata_o     (buffer_data),
    .reg_addr_i  (reg_addr_i[8:0]),
    .reg_we_i    (reg_we_i && to_buffers),
    .reg_wdata_i (reg_wdata_i[7:0]),
    .reg_write_o (buffer_write),
    .take_i      (take),
    .write_slot_i(write_slot),
    .rec_valid_i,
    .rec_data_i,
    .rec_ready_o
  );

endmodule
`default_nettype wire
