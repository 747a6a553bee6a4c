// tm_usb_endpoints.sv - the state of endpoints 0 and 1, and the registers that the firmware sees
// SPDX-License-Identifier: Apache-2.0
// What each register does: fw/usb_regs.h. Toggles: USB 2.0, 8.6; halts and their end: 9.4.5.
`default_nettype none
module tm_usb_endpoints (
  input  logic       clk_i,
  input  logic       rst_i,
  // Bus reset
  input  logic       reset_i,
  // A packet for any device ended: the bus is not suspended
  input  logic       alive_i,

  // Register writes
  input  logic       we_i,
  input  logic [1:0] addr_i,
  input  logic [9:0] wdata_i,
  output logic [7:0] events_o,
  output logic       pending_o,
  output logic       connect_o,
  output logic [6:0] address_o,

  // The transaction (tm_usb_transaction)
  input  logic       ep_i,
  input  logic       in_i,
  output logic       exists_o,
  output logic       stall_o,
  output logic       ready_o,
  output logic       toggle_o,
  input  logic       took_setup_i,
  input  logic       took_out_i,
  input  logic       give_i,
  input  logic       acked_i,
  // The endpoint that gave, or took, last
  input  logic       ep_last_i,

  // Half of the SETUP buffer that holds the last packet
  output logic       setup_half_o,
  output logic [6:0] ep0_length_o,
  // Bulk IN: a record may be taken; it is; the packet in hand
  output logic       take_o,
  input  logic       taken_i,
  output logic [3:0] write_slot_o,
  output logic [3:0] read_slot_o,
  output logic [3:0] records_o
);

  // Registers
  localparam logic [1:0] Events = 2'd0, Address = 2'd1, Ep0Ctrl = 2'd2, Ep1Ctrl = 2'd3;

  logic [5:0] events_q;
  logic       half_q, connect_q;
  logic [6:0] address_q;
  logic       ep0_in_q, ep0_out_q, ep0_stall_q, ep0_in_toggle_q, ep0_out_toggle_q;
  logic [6:0] ep0_length_q;
  logic       enable_q, halt_in_q, halt_out_q, hold_q, ep1_out_q, ep1_in_toggle_q, ep1_out_toggle_q;

  logic write_events, write_address, write_ep0, write_ep1;
  assign write_events  = we_i && addr_i == Events;
  assign write_address = we_i && addr_i == Address;
  assign write_ep0     = we_i && addr_i == Ep0Ctrl && !events_q[1];
  assign write_ep1     = we_i && addr_i == Ep1Ctrl;

  // ---- Events
  logic [5:0] news;
  assign news = {alive_i, took_out_i && ep_i, took_out_i && !ep_i, acked_i && !ep_last_i,
                 took_setup_i, reset_i};
  always_ff @(posedge clk_i) begin
    events_q <= (write_events ? events_q & ~wdata_i[5:0] : events_q) | news;
    if (took_setup_i) events_q[3:2] <= 2'b00;
    if (reset_i) events_q <= 6'b000001;
    if (rst_i) events_q <= '0;
  end
  assign events_o  = {half_q, 1'b0, events_q};
  assign pending_o = events_q[4:0] != '0;

  // ---- Endpoint 0
  always_ff @(posedge clk_i) begin
    if (write_ep0) begin
      if (wdata_i[9]) begin
        ep0_stall_q <= 1'b1;
      end else begin
        if (wdata_i[7]) begin
          ep0_in_q     <= 1'b1;
          ep0_length_q <= wdata_i[6:0];
        end
        if (wdata_i[8]) ep0_out_q <= 1'b1;
      end
    end
    if (acked_i && !ep_last_i) begin
      ep0_in_q        <= 1'b0;
      ep0_in_toggle_q <= !ep0_in_toggle_q;
    end
    if (took_out_i && !ep_i) begin
      ep0_out_q        <= 1'b0;
      ep0_out_toggle_q <= !ep0_out_toggle_q;
    end
    if (took_setup_i) begin
      half_q           <= !half_q;
      ep0_in_toggle_q  <= 1'b1;
      ep0_out_toggle_q <= 1'b1;
    end
    if (took_setup_i || reset_i || rst_i) begin
      ep0_in_q    <= 1'b0;
      ep0_out_q   <= 1'b0;
      ep0_stall_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (write_address) {connect_q, address_q} <= wdata_i[7:0];
    if (reset_i || rst_i) address_q <= '0;
    if (rst_i) connect_q <= 1'b0;
  end

  // ---- Endpoint 1
  always_ff @(posedge clk_i) begin
    if (write_ep1) begin
      {hold_q, halt_out_q, halt_in_q, enable_q} <= wdata_i[3:0];
      if (wdata_i[7]) ep1_out_q <= 1'b1;
    end
    if (took_out_i && ep_i) begin
      ep1_out_q        <= 1'b0;
      ep1_out_toggle_q <= !ep1_out_toggle_q;
    end
    if (acked_i && ep_last_i) ep1_in_toggle_q <= !ep1_in_toggle_q;
    if (write_ep1 && wdata_i[4]) ep1_in_toggle_q <= 1'b0;
    if (write_ep1 && wdata_i[5]) ep1_out_toggle_q <= 1'b0;
    if (reset_i || rst_i) begin
      {hold_q, halt_out_q, halt_in_q, enable_q} <= '0;
      ep1_out_q        <= 1'b0;
      ep1_in_toggle_q  <= 1'b0;
      ep1_out_toggle_q <= 1'b0;
    end
  end

  // ---- Bulk IN: a ring of sixteen records
  //
  //        read_q               read_q + records_q      write_q
  //          v                          v                  v
  //   ... free | given, not acknowledged | waiting         | free ...
  //
  // A packet is fixed by its first token and stays as it is until it is acknowledged: whoever asks
  // again gets the same (8.6.4).
  logic [4:0] write_q, read_q, waiting;
  logic [3:0] records_q;
  logic       given_q, owes_q, many;
  assign waiting = write_q - read_q;
  assign many    = waiting[4:3] != 2'd0;
  assign take_o  = enable_q && !hold_q && !waiting[4];
  always_ff @(posedge clk_i) begin
    if (taken_i) write_q <= write_q + 5'd1;
    if (give_i && ep_i) begin
      given_q <= 1'b1;
      if (!given_q) records_q <= many ? 4'd8 : {1'b0, waiting[2:0]};
    end
    if (acked_i && ep_last_i) begin
      read_q  <= read_q + 5'(records_q);
      given_q <= 1'b0;
      // A full packet with nothing behind it is followed by an empty one, which ends the transfer (5.8.3)
      owes_q  <= records_q[3];
    end
    // What was given may have arrived, its acknowledgement lost: then the host drops the next packet.
    // So that one is sent again, but empty. (Not in the midst of a transaction: tm_usb_buffers.)
    if (write_ep1 && wdata_i[6]) begin
      write_q   <= read_q;
      records_q <= '0;
      owes_q    <= 1'b0;
    end
    if (reset_i || rst_i) begin
      write_q <= '0;
      read_q  <= '0;
      given_q <= 1'b0;
      owes_q  <= 1'b0;
    end
  end
  assign write_slot_o = write_q[3:0];
  assign read_slot_o  = read_q[3:0];
  assign records_o    = records_q;

  // ---- The endpoint that a transaction is for
  logic ep1_in_ready;
  assign ep1_in_ready = given_q || owes_q || waiting != '0;
  assign exists_o = !ep_i || enable_q;
  assign stall_o  = !ep_i ? ep0_stall_q : in_i ? halt_in_q : halt_out_q;
  assign ready_o  = ep_i ? (in_i ? ep1_in_ready : ep1_out_q) : (in_i ? ep0_in_q : ep0_out_q);
  assign toggle_o = ep_i ? (in_i ? ep1_in_toggle_q : ep1_out_toggle_q)
                         : (in_i ? ep0_in_toggle_q : ep0_out_toggle_q);

  assign setup_half_o = half_q;
  assign ep0_length_o = ep0_length_q;
  assign connect_o    = connect_q;
  assign address_o    = address_q;

`ifdef FORMAL
  // Proved in rtl/formal: bulk IN moves on only at an ACK. Until then the packet stays as it was given,
  // its records in the ring and its toggle.
  logic f_past_valid_q = 1'b0;
  logic f_flush;
  assign f_flush = write_ep1 && wdata_i[6];
  always_ff @(posedge clk_i) f_past_valid_q <= 1'b1;
  always_comb begin
    if (!f_past_valid_q) assume (rst_i);
    // tm_usb_buffers takes a record only where there is room; tm_usb_transaction gives only what is
    // ready, and an ACK is for what was given (proved there); tm_usb_device holds back EP1_CTRL meanwhile
    if (taken_i) assume (take_o);
    if (give_i && ep_i) assume (ep1_in_ready);
    if (acked_i && ep_last_i) assume (given_q && !write_ep1);
    assume (!(acked_i && give_i));
  end

  // ---- Claims
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q) begin
      if (!$past(acked_i && ep_last_i) && !$past(reset_i || rst_i)) begin
        a_read:   assert (read_q == $past(read_q));
        a_toggle: assert (ep1_in_toggle_q == $past(ep1_in_toggle_q)
                          || (!ep1_in_toggle_q && $past(write_ep1 && wdata_i[4])));
        if ($past(given_q)) a_given: assert (given_q);
        if ($past(given_q) && !$past(f_flush)) a_fixed: assert (records_q == $past(records_q));
      end
      if ($past(acked_i && ep_last_i) && !$past(reset_i || rst_i)) begin
        a_moves: assert (read_q == 5'($past(read_q) + 5'($past(records_q))));
        a_flips: assert (ep1_in_toggle_q != $past(ep1_in_toggle_q));
      end
      a_ring: assert (waiting <= 5'd16);
      if (given_q) a_holds: assert (5'(records_q) <= waiting && records_q <= 4'd8);
    end
  end
`endif

endmodule
`default_nettype wire
