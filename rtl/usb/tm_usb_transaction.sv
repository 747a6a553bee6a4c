// tm_usb_transaction.sv - transactions: what is answered to which packet, and when
// SPDX-License-Identifier: Apache-2.0
// USB 2.0, 8.5 and 8.6: tokens, data, handshakes, toggles. A packet that is not whole, and one that does
// not belong where it comes, is not answered (8.6.3, 8.7.1). The answer starts between 2 and 6.5 bit times
// after the end of the packet (7.1.18.1); a data packet or handshake is waited for between 16 and
// 18 bit times (7.1.19.1).
`default_nettype none
module tm_usb_transaction (
  input  logic       clk_i,
  input  logic       rst_i,

  // The line: an edge; both lines low at the last bit
  input  logic       edge_i,
  input  logic       se0_i,
  // No edge for a time-out: the clock in which that is found
  output logic       timeout_o,
  // SE0 for so long that it is a bus reset: likewise
  output logic       reset_o,

  // Received packets (tm_usb_packet)
  input  logic       end_i,
  input  logic       good_i,
  input  logic [3:0] pid_i,
  input  logic       hit_i,
  input  logic       ep_i,
  input  logic       crc_good_i,
  input  logic       fail_i,
  input  logic       byte_i,
  input  logic [6:0] count_i,
  // To send
  output logic       start_o,
  output logic [3:0] pid_o,
  input  logic       sending_i,
  input  logic       sent_i,

  // The endpoint of the transaction, and its state (tm_usb_endpoints)
  output logic       ep_o,
  output logic       ep_last_o,
  output logic       in_o,
  input  logic       exists_i,
  input  logic       stall_i,
  input  logic       ready_i,
  input  logic       toggle_i,
  // What a data packet brings is to be stored
  output logic       store_o,
  output logic       setup_o,
  // A SETUP packet, an OUT packet was taken; an IN packet is given; it was acknowledged
  output logic       took_setup_o,
  output logic       took_out_o,
  output logic       give_o,
  output logic       acked_o,
  // Bulk IN between the token and its end: its buffer and toggle are in use
  output logic       ep1_in_busy_o
);

  // PIDs (8.3.1, table 8-1)
  localparam logic [1:0] PidToken = 2'b01;
  localparam logic [2:0] PidData = 3'b011;   // DATA0 and DATA1; DATA2 and MDATA are of high speed
  localparam logic [3:0] PidAck = 4'b0010, PidSetup = 4'b1101, PidOut = 4'b0001, PidIn = 4'b1001;
  // A SETUP packet: eight bytes and the CRC (9.3)
  localparam logic [6:0] SetupBytes = 7'd10;

  // Clocks of 24 MHz since the last edge of D+ or the device's own packet. The line's edge is seen some
  // 1.5 bit times late: of all edges alike, which leaves the time-outs as they are.
  //
  //   answer     after SE0 -> J: measured from there it starts 2.8 to 3.3 bit times later
  //   time-out   17.5 bit times; from the end of the own packet one less, as J belongs to it
  //   reset      SE0 for 80 clocks less the seven bit times that D+ may have been low before it:
  //              2.75 to 3.3 us; a hub's or host's reset lasts 10 ms, and 2.5 us is
  //              the shortest that is one (7.1.7.5)
  localparam logic [6:0] Answer = 7'd2, TimeOut = 7'd35, Reset = 7'd80;
  logic [6:0] quiet_q;
  assign timeout_o = quiet_q == TimeOut;
  assign reset_o   = quiet_q == Reset - 7'd1 && se0_i;
  always_ff @(posedge clk_i) begin
    if (quiet_q != Reset) quiet_q <= quiet_q + 7'd1;
    if (edge_i || sending_i || rst_i) quiet_q <= '0;
  end

  localparam logic [2:0] StIdle = 3'd0, StWaitData = 3'd1, StAnswer = 3'd4, StSend = 3'd5,
                         StWaitAck = 3'd6;
  logic [2:0] state_q;
  logic       ep_q, setup_q;
  logic       missed_q;     // a byte of this packet was not stored: armed in its midst, it is not taken
  logic [3:0] answer_q;     // PID; bit 1 is always set
  logic       answer_data;
  assign answer_data = answer_q[0];

  // ---- The packet that ends in this clock
  logic whole, token, data, in_token, data_for_us;
  assign whole       = end_i && good_i;
  assign token       = whole && pid_i[1:0] == PidToken && hit_i;
  assign data        = whole && pid_i[2:0] == PidData && crc_good_i;
  assign in_token    = token && pid_i == PidIn && exists_i;
  assign data_for_us = data && state_q == StWaitData;

  // During a token the endpoint is the token's
  assign in_o    = pid_i[1:0] == PidToken;
  assign ep_o    = in_o ? ep_i : ep_q;
  assign ep_last_o = ep_q;
  assign setup_o = setup_q;
  assign store_o = state_q == StWaitData && !in_o && (setup_q || ready_i);

  // ---- What it leads to (8.4.6)
  logic same, room, setup_ok;
  assign room         = ready_i && !missed_q;
  assign same         = pid_i[3] == toggle_i;
  assign setup_ok     = !pid_i[3] && count_i == SetupBytes;   // DATA0 (8.5.3)
  assign took_setup_o = data_for_us && setup_q && setup_ok;
  assign took_out_o   = data_for_us && !setup_q && !stall_i && same && room;
  assign give_o       = in_token && !stall_i && ready_i;
  assign acked_o      = whole && state_q == StWaitAck && pid_i == PidAck && count_i == '0;

  assign start_o       = state_q == StAnswer && quiet_q == Answer && !se0_i && !edge_i;
  assign pid_o         = answer_q;
  assign ep1_in_busy_o = state_q[2] && ep_q && answer_data;

  always_ff @(posedge clk_i) begin
    if (byte_i && !store_o) missed_q <= 1'b1;
    if (end_i || fail_i) begin
      missed_q <= 1'b0;
      state_q  <= StIdle;
      if (in_token || (data_for_us && (!setup_q || setup_ok))) state_q <= StAnswer;
      if (token && ((pid_i == PidOut && exists_i) || (pid_i == PidSetup && !ep_i)))
        state_q <= StWaitData;
      // DATA0/1, ACK, NAK, STALL
      answer_q[1:0] <= {1'b1, give_o};
      answer_q[2]   <= stall_i && !(setup_q && !in_o);
      answer_q[3]   <= in_o ? (toggle_i || stall_i || !ready_i)
                            : !setup_q && (stall_i || (same && !room));
      if (give_o) answer_q[3:2] <= {toggle_i, 1'b0};
      if (in_o) begin
        ep_q    <= ep_i;
        setup_q <= pid_i[2];
      end
    end
    if (timeout_o && !state_q[2]) state_q <= StIdle;
    if (start_o) state_q <= StSend;
    if (sent_i) state_q <= answer_data ? StWaitAck : StIdle;
    if (timeout_o && state_q == StWaitAck) state_q <= StIdle;
    if (reset_o || rst_i) state_q <= StIdle;
  end

`ifdef FORMAL
  // What happened on the bus is told a second time, from packets alone. Proved in rtl/formal: an ACK
  // counts only as the first packet behind a data packet of ours, in time; nothing is sent that was not
  // asked for by a whole packet; nothing is taken against stall, toggle or want of room.
  logic f_past_valid_q = 1'b0;
  logic f_gave_q = 1'b0;    // the last thing on the bus was a data packet of ours
  logic f_asked_q = 1'b0;   // the last thing on the bus was a whole packet that asks for an answer
  logic f_data_q = 1'b0;    // a token of ours has said that data come
  logic f_sending_q = 1'b0;
  logic f_handshake;
  assign f_handshake = data && f_data_q;
  always_ff @(posedge clk_i) begin
    f_past_valid_q <= 1'b1;
    if (timeout_o) {f_gave_q, f_data_q} <= '0;
    if (end_i || fail_i) begin
      {f_gave_q, f_data_q} <= '0;
      f_asked_q <= !fail_i && (in_token || f_handshake);
      if (token && (pid_i == PidOut || pid_i == PidSetup)) f_data_q <= 1'b1;
    end
    if (start_o) {f_asked_q, f_sending_q} <= 2'b01;
    if (sent_i) begin
      f_gave_q    <= answer_data;
      f_sending_q <= 1'b0;
    end
    if (reset_o || rst_i) {f_gave_q, f_asked_q, f_data_q, f_sending_q} <= '0;
  end
  // What tm_usb_packet guarantees: it hears nothing while it sends, ends what it sends, and a packet
  // does not end in two ways
  always_comb begin
    if (!f_past_valid_q) assume (rst_i);
    assume (sending_i == f_sending_q);
    if (sending_i) assume (!end_i && !fail_i);
    else assume (!sent_i);
    assume (!(end_i && fail_i));
  end

  // ---- Claims
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q && !rst_i) begin
      if (acked_o) a_acked: assert (f_gave_q && end_i && good_i && pid_i == 4'b0010 && count_i == '0);
      if (start_o) a_start: assert (f_asked_q);
      if (took_out_o) a_out: assert (f_data_q && end_i && good_i && crc_good_i && pid_i[2:0] == 3'b011
                                     && !stall_i && ready_i && !missed_q && pid_i[3] == toggle_i);
      if (took_setup_o) a_setup: assert (f_data_q && end_i && good_i && crc_good_i && pid_i == 4'b0011
                                         && count_i == 7'd10);
      if (give_o) a_give: assert (end_i && good_i && hit_i && pid_i == 4'b1001 && exists_i && ready_i
                                  && !stall_i);
      a_one: assert (!(acked_o && took_out_o) && !(took_out_o && took_setup_o) && !(give_o && acked_o));
    end
  end

  // ---- Inductive invariants
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q) begin
      i_ack:   assert (state_q != StWaitAck || f_gave_q);
      i_data:  assert (state_q != StWaitData || f_data_q);
      i_asked: assert (state_q != StAnswer || f_asked_q);
      i_send:  assert (f_sending_q == (state_q == StSend));
    end
  end
`endif

endmodule
`default_nettype wire
