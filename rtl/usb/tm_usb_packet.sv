// tm_usb_packet.sv - packets: bytes from bits and back, PID check, token fields, CRC, lengths
// SPDX-License-Identifier: Apache-2.0
// The shift register, the counters, the CRC and the count of ones serve both directions: the bus is half
// duplex. Bits come lowest first (USB 2.0, 8.1).
// A packet is judged at its last whole byte: hubs may stretch the last bit before SE0 so that one more
// seems to follow (7.1.9.1).
`default_nettype none
module tm_usb_packet
`ifdef FORMAL
#(
  // What the proof is about: packets that are sent, or received
  parameter bit Sends = 1'b1
)
`endif
(
  input  logic       clk_i,
  input  logic       rst_i,
  // Bits of the line (tm_usb_cross)
  input  logic       line_strobe_i,
  input  logic       line_level_i,
  input  logic       line_se0_i,
  input  logic       timeout_i,
  // The device's address
  input  logic [6:0] address_i,
  // An edge of the line
  output logic       edge_o,

  // Received. In the clock of end_o the packet is whole: its PID is right, and ...
  output logic       end_o,
  output logic       good_o,
  output logic [3:0] pid_o,
  // ... as a token it is for this device, with a good CRC5, for endpoint 0 or 1
  output logic       hit_o,
  output logic       ep_o,
  // ... as a data packet its CRC16 is good
  output logic       crc_good_o,
  // Given up: stuffed bit missing
  output logic       fail_o,
  // A byte behind the PID is whole
  output logic       byte_o,

  // Bytes behind the PID that came, those of the CRC too, or were sent
  output logic [6:0] count_o,
  output logic [7:0] data_o,

  // To send
  input  logic       tick_i,
  input  logic       start_i,
  input  logic [3:0] send_pid_i,
  input  logic [6:0] length_i,
  input  logic [7:0] data_i,
  output logic       sending_o,
  output logic       sent_o,
  output logic       dp_o,
  output logic       dn_o,
  output logic       oe_o
);

  // 64 bytes of data and two of CRC16
  localparam logic [6:0] LongestPacket = 7'd66;

  logic [7:0] shift_q;
  logic [2:0] bit_count_q;
  logic [6:0] count_q;
  logic       rx_bit, rx_take, rx_sync, rx_active, rx_end;
  logic       tx_strobe, tx_advance, tx_bit, tx_data, tx_crc, tx_load;
  logic       six, crc_bit, good5, good16;
  logic       in_pid_q, pid_whole_q, byte_q, good_q, hit_q, ep_q, crc_good_q, end_q,
              last_bit;
  logic [3:0] pid_q;
  logic       is_token;

`ifdef FORMAL
  logic        f_last, f_dead;
  logic [2:0]  f_state, f_ones;
  logic [15:0] f_crc;
`endif
  tm_usb_receiver u_receiver (
    .clk_i, .rst_i,
    .strobe_i   (line_strobe_i),
    .level_i    (line_level_i),
    .se0_i      (line_se0_i),
    .mute_i     (sending_o),
    .timeout_i,
    .last_bits_i(shift_q[7:3]),
    .six_i      (six),
    .bit_o      (rx_bit),
    .take_o     (rx_take),
    .sync_o     (rx_sync),
    .active_o   (rx_active),
    .end_o      (rx_end),
    .fail_o
`ifdef FORMAL
    , .f_last_o (f_last), .f_dead_o(f_dead)
`endif
  );

  tm_usb_transmitter u_transmitter (
    .clk_i, .rst_i, .tick_i, .start_i,
    .pid_i      (send_pid_i),
    .empty_i    (count_q == length_i),
    .bit_count_i(bit_count_q),
    .data_bit_i (shift_q[0]),
    .crc_bit_i  (crc_bit),
    .six_i      (six),
    .active_o   (sending_o),
    .strobe_o   (tx_strobe),
    .advance_o  (tx_advance),
    .bit_o      (tx_bit),
    .data_o     (tx_data),
    .crc_o      (tx_crc),
    .load_o     (tx_load),
    .done_o     (sent_o),
    .dp_o, .dn_o, .oe_o
`ifdef FORMAL
    , .f_state_o(f_state)
`endif
  );

  tm_usb_stuff u_stuff (
    .clk_i,
    .clear_i (start_i),
    .strobe_i(sending_o ? tx_strobe : line_strobe_i),
    .bit_i   (sending_o ? tx_bit : rx_bit),
    .six_o   (six)
`ifdef FORMAL
    , .f_ones_o(f_ones)
`endif
  );

  tm_usb_crc u_crc (
    .clk_i,
    .clear_i (in_pid_q),
    .strobe_i(sending_o ? tx_advance && (tx_data || tx_crc) : rx_take),
    .bit_i   (sending_o ? tx_bit : rx_bit),
    .five_i  (!sending_o && is_token),
    .shift_i (tx_crc),
    .next_o  (crc_bit),
    .good5_o (good5),
    .good16_o(good16)
`ifdef FORMAL
    , .f_crc_o(f_crc)
`endif
  );

  assign edge_o   = line_strobe_i && !rx_bit;
  assign is_token = !pid_q[1];
  assign last_bit = rx_take && rx_active && bit_count_q == 3'd7;

  always_ff @(posedge clk_i) begin
    // SE0 counts as ones: zeros before it do not belong to a SYNC
    if (rx_take || tx_advance || (line_strobe_i && line_se0_i && !sending_o))
      shift_q <= {rx_bit || line_se0_i, shift_q[7:1]};
    if (tx_load) shift_q <= data_i;

    if (rx_take || tx_advance) bit_count_q <= bit_count_q + 3'd1;
    if (rx_sync || start_i) bit_count_q <= '0;

    // The PID, and the CRC kept at its start until the PID is whole
    if (last_bit) in_pid_q <= 1'b0;
    if (sending_o && tx_data) in_pid_q <= 1'b0;
    if (rx_sync || start_i) in_pid_q <= 1'b1;
    if (in_pid_q && !sending_o && bit_count_q == 3'd4) pid_q <= shift_q[7:4];
    pid_whole_q <= last_bit && in_pid_q;
    byte_q      <= last_bit && !in_pid_q;
    // SE0 may come a clock behind the last bit: what that said is known a clock later
    end_q       <= rx_end;

    if (pid_whole_q) begin
      good_q     <= shift_q[7:4] == ~pid_q;
      crc_good_q <= 1'b0;
    end
    if (byte_q) begin
      if (is_token) begin
        unique case (count_q)
          7'd0: begin
            hit_q <= shift_q[6:0] == address_i;
            ep_q  <= shift_q[7];
          end
          7'd1:    hit_q <= hit_q && shift_q[2:0] == 3'd0 && good5;
          default: hit_q <= 1'b0;
        endcase
      end
      crc_good_q <= good16;
      if (count_q == LongestPacket) good_q <= 1'b0;
    end
    if (rx_sync) good_q <= 1'b0;

    if ((byte_q && count_q != LongestPacket) || tx_load) count_q <= count_q + 7'd1;
    if (pid_whole_q || start_i) count_q <= '0;
  end

  assign pid_o      = pid_q;
  assign good_o     = good_q && bit_count_q[2:1] == 2'd0;
  // hit_q may be an older token's, where this one is shorter
  assign hit_o      = hit_q && count_q[1];
  assign end_o      = end_q;
  assign ep_o       = ep_q;
  assign crc_good_o = crc_good_q;
  assign byte_o     = byte_q;
  assign count_o    = count_q;
  assign data_o     = shift_q;

`ifdef FORMAL
  // Both directions are followed by a plain account of the bits on the line.
  logic f_past_valid_q = 1'b0;
  always_ff @(posedge clk_i) f_past_valid_q <= 1'b1;
  always_comb if (!f_past_valid_q) assume (rst_i);
  always_comb if (f_past_valid_q) assume (!rst_i);

  // CRC16 as in 8.3.5.2, a bit at a time
  function automatic logic [15:0] f_crc16(input logic [15:0] crc, input logic value);
    f_crc16 = {crc[14:0], 1'b0} ^ ((crc[15] ^ value) ? 16'h8005 : 16'h0000);
  endfunction
  function automatic logic [4:0] f_crc5(input logic [4:0] crc, input logic value);
    f_crc5 = {crc[3:0], 1'b0} ^ ((crc[4] ^ value) ? 5'h05 : 5'h00);
  endfunction

  if (Sends) begin : g_sends
    // Proved in rtl/formal: what leaves is SYNC, the PID and its complement, of a data packet as many
    // bytes as were asked for, each as it was given, and their CRC16; a zero behind six ones and nowhere
    // else; two bits of SE0, one of J, then the bus is free. Each bit lasts two clocks.
    localparam logic [2:0] StIdle = 3'd0, StSync = 3'd1, StPid = 3'd2, StData = 3'd3,
                           StCrcHigh = 3'd4, StCrcLow = 3'd5, StEnd = 3'd6;
    logic        f_reset_q = 1'b1, f_tick_q, f_new_q = 1'b0;   // a bit appeared on the line in this clock
    logic        f_level_q;                  // of the bit before
    logic [2:0]  f_ones_q, f_bits_q;         // ones in a row; bits of the byte
    logic [7:0]  f_shift_q;                  // the last eight bits, stuffed ones left out
    logic [6:0]  f_bytes_q;                  // whole bytes, with SYNC and PID
    logic [15:0] f_crc_q;
    logic [1:0]  f_end_q;                    // bits of SE0, J
    logic [7:0]  f_byte_q;                   // as given last, and the how manyeth that was
    logic [6:0]  f_number_q;
    logic [7:0]  f_due_q;                    // the same a clock ago: the next may have been given
    logic [6:0]  f_due_number_q;
    logic        f_dp_q, f_dn_q, f_oe_q, f_one, f_stuffed, f_se0, f_is_data;
    logic [7:0]  f_byte;
    assign f_one     = dp_o == f_level_q;
    assign f_stuffed = f_ones_q == 3'd6;
    assign f_se0     = !dp_o && !dn_o;
    assign f_byte    = {f_one, f_shift_q[7:1]};
    assign f_is_data = send_pid_i[1:0] == 2'b11;
    logic [3:0]  f_pid_q;
    logic [6:0]  f_length_q;
    always_ff @(posedge clk_i) begin
      f_tick_q   <= tick_i;
      f_new_q    <= tx_strobe && !rst_i;
      f_reset_q  <= rst_i;
      f_pid_q    <= send_pid_i;
      f_length_q <= length_i;
      {f_dp_q, f_dn_q, f_oe_q} <= {dp_o, dn_o, oe_o};
      f_due_q        <= f_byte_q;
      f_due_number_q <= f_number_q;
      if (tx_load) begin
        f_byte_q   <= data_i;
        f_number_q <= count_q;
      end
      if (f_new_q && oe_o) begin
        if (f_se0 || f_end_q != 2'd0) begin
          f_end_q <= f_end_q + 2'd1;
        end else begin
          f_level_q <= dp_o;
          f_ones_q  <= (f_one && !f_stuffed) ? f_ones_q + 3'd1 : 3'd0;
          if (!f_stuffed) begin
            f_shift_q <= f_byte;
            f_bits_q  <= f_bits_q + 3'd1;
            if (f_bits_q == 3'd7) f_bytes_q <= f_bytes_q + 7'd1;
            f_crc_q <= (f_bytes_q < 7'd2) ? 16'hFFFF : f_crc16(f_crc_q, f_one);
          end
        end
      end
      if (start_i) begin
        {f_ones_q, f_bits_q, f_bytes_q, f_end_q} <= '0;
        f_crc_q   <= 16'hFFFF;
        f_level_q <= 1'b1;
      end
    end

    always_comb begin
      if (f_past_valid_q) assume (tick_i == !f_tick_q);
      // What tm_usb_transaction and tm_usb_endpoints guarantee: nothing is sent into a packet, and what
      // is sent stays the same
      if (start_i) assume (!sending_o && !rx_active && !byte_q && !pid_whole_q);
      if (sending_o && f_past_valid_q) assume (send_pid_i == f_pid_q && length_i == f_length_q);
      assume (length_i <= 7'd64);
    end

    // ---- Claims
    always_ff @(posedge clk_i) begin
      if (f_past_valid_q) begin
        if (!f_new_q && !f_reset_q) a_still: assert ({dp_o, dn_o, oe_o} == {f_dp_q, f_dn_q, f_oe_q});
        if (f_new_q && oe_o) begin
          if (f_se0) begin
            a_ends: assert (f_end_q < 2'd2);
            if (f_end_q == 2'd0) begin
              a_whole:  assert (f_bits_q == 3'd0 && !f_stuffed);
              a_length: assert (f_bytes_q == (f_is_data ? length_i + 7'd4 : 7'd2));
              if (f_is_data) a_crc: assert (f_crc_q == 16'h800D);
            end
          end else if (f_end_q != 2'd0) begin
            a_idle: assert (f_end_q == 2'd2 && dp_o && !dn_o);
          end else begin
            a_apart: assert (dp_o != dn_o);
            if (f_stuffed) a_stuffed: assert (!f_one);
            else if (f_bits_q == 3'd7) begin
              if (f_bytes_q == 7'd0) a_sync: assert (f_byte == 8'h80);
              if (f_bytes_q == 7'd1) a_pid: assert (f_byte == {~send_pid_i, send_pid_i});
              if (f_bytes_q >= 7'd2 && f_bytes_q < length_i + 7'd2)
                a_byte: assert (f_byte == f_due_q && f_due_number_q == f_bytes_q - 7'd2);
            end
          end
        end
        if (f_new_q && !oe_o) a_free: assert (f_end_q == 2'd3);
      end
    end

    // ---- Inductive invariants: where the transmitter stands when the account is complete
    logic [7:0]  f_whole, f_seen, f_kept;
    logic [15:0] f_rest, f_none;   // what is left of the account's CRC, of nothing's, behind k bits
    logic [3:0]  f_k;
    logic        f_run;
    assign f_whole = (f_state == StSync) ? 8'h80 : (f_state == StPid) ? {~send_pid_i, send_pid_i}
                                                                       : f_byte_q;
    assign f_kept  = 8'hFF >> (4'd8 - {1'b0, bit_count_q});   // the bits that are out
    assign f_seen  = f_shift_q >> (4'd8 - {1'b0, bit_count_q});
    assign f_k     = {f_state == StCrcLow, bit_count_q};
    always_comb begin
      f_rest = 16'h0000;
      f_none = 16'hFFFF;
      for (int i = 0; i < 16; i++) begin
        if (4'(i) < f_k) begin
          f_rest = {f_rest[14:0], 1'b0} ^ (f_rest[15] ? 16'h0000 : 16'h8005);
          f_none = f_crc16(f_none, 1'b0);
        end
      end
    end
    assign f_run = f_past_valid_q && !f_new_q && sending_o;
    always_ff @(posedge clk_i) begin
      if (f_past_valid_q) begin
        i_tick:  assert (!(f_new_q && tick_i));
        i_state: assert (f_state <= StEnd);
        if (!sending_o) i_idle: assert (dp_o && !dn_o && !oe_o);
        if (sending_o) i_quiet: assert (!byte_q && !pid_whole_q);
      end
      if (f_run) begin
        if (f_state != StEnd || bit_count_q == 3'd0)
          i_ones: assert (f_ones == f_ones_q && f_ones_q <= 3'd6);
        if (f_state == StEnd) begin
          i_end: assert (!bit_count_q[2] && f_end_q == bit_count_q[1:0] && f_bits_q == 3'd0);
          if (bit_count_q != 3'd0) i_end_plain: assert (f_ones == 3'd0);
          if (bit_count_q[1:0] == 2'd0) i_end_level: assert (dp_o == f_level_q && dn_o == !dp_o);
          else i_end_line: assert (dp_o == (bit_count_q == 3'd3) && !dn_o);
          i_end_length: assert (f_bytes_q == (f_is_data ? length_i + 7'd4 : 7'd2));
          if (f_is_data) i_end_crc: assert (f_crc_q == 16'h800D);
        end else begin
          i_line:  assert (dp_o == f_level_q && dn_o == !dp_o && f_end_q == 2'd0);
          i_count: assert (f_bits_q == bit_count_q);
        end
        if (f_state != StSync) i_driven: assert (oe_o);
        if (f_state == StSync) i_driven_sync: assert (oe_o == (bit_count_q != 3'd0));
        if (f_state == StSync || f_state == StPid || f_state == StData)
          i_bits: assert (f_seen == (f_whole & f_kept));
        if (f_state == StSync || f_state == StPid) i_start: assert (in_pid_q && count_q == 7'd0);
        if (f_state == StSync) i_sync: assert (f_bytes_q == 7'd0 && f_ones_q == 3'd0);
        if (f_state == StSync && bit_count_q != 3'd0) i_sync_crc: assert (f_crc == 16'hFFFF);
        if (f_state == StPid) i_pid: assert (f_bytes_q == 7'd1 && f_crc == 16'hFFFF);
        if (f_state == StSync || f_state == StPid || f_bytes_q < 7'd2)
          i_crc_start: assert (f_crc_q == 16'hFFFF);
        if (f_state == StData) begin
          i_data: assert (f_is_data && !in_pid_q && f_bytes_q == count_q + 7'd1 && count_q != 7'd0
                          && count_q <= length_i && f_number_q == count_q - 7'd1);
          i_left: assert ((shift_q & (8'hFF >> bit_count_q)) == (f_byte_q >> bit_count_q));
          i_data_crc: assert (f_crc_q == f_crc);
        end
        if (f_state == StCrcHigh || f_state == StCrcLow) begin
          i_crc: assert (f_is_data && count_q == length_i
                         && f_bytes_q == length_i + 7'd2 + 7'(f_state == StCrcLow));
          if (length_i != 7'd0) i_crc_rest: assert (!in_pid_q && (f_crc_q ^ f_crc) == f_rest);
          else i_crc_none: assert (in_pid_q && f_crc == 16'hFFFF && f_crc_q == f_none);
          // Nothing of the data is left in the register when its last bit has gone
          if (length_i != 7'd0) i_crc_zero: assert ((f_crc & 16'((17'd1 << f_k) - 17'd1)) == 16'd0);
        end
      end
    end
  end else begin : g_receives
    // Proved in rtl/formal, of a device that does not send meanwhile: a packet is what stands between a
    // SYNC, five zeros and a one at least, and SE0, without a seventh one in a row. It is good where the
    // PID is followed by its complement and whole bytes, up to 66 and perhaps one bit. Bytes come out as
    // they were on the line, and a token hits, or data are good, only where address, length and CRC say so.
    logic        f_level_q, f_in_q, f_dead_q, f_had_q, f_new_pid_q, f_new_byte_q;
    logic [2:0]  f_zeros_q, f_ones_q, f_bits_q;
    logic [7:0]  f_byte_q;                  // the last eight bits
    logic [7:0]  f_pid_q, f_first_q;        // whole bytes: PID, and the one behind it
    logic [4:0]  f_crc5_q;
    logic [15:0] f_crc16_q;
    // The judgement, a clock behind the byte
    logic        f_good_q, f_good16_q, f_hit_q;
    logic [6:0]  f_length_q;                // bytes behind the PID, 67: too many
    logic [6:0]  f_address_q;               // the device's, when the first byte was whole
    logic        f_one, f_stuffed, f_take, f_sync, f_ends, f_fails, f_token, f_ended_q, f_zeros_right;
    logic [7:0]  f_byte;
    assign f_one     = line_level_i == f_level_q;
    assign f_stuffed = f_in_q && f_ones_q == 3'd6;
    assign f_take    = line_strobe_i && !line_se0_i && !f_stuffed;
    assign f_sync    = f_take && !f_in_q && !f_dead_q && f_one && f_zeros_q == 3'd5;
    assign f_ends    = line_strobe_i && line_se0_i && f_in_q;
    assign f_fails   = line_strobe_i && !line_se0_i && f_stuffed && f_one;
    assign f_byte    = {f_one, f_byte_q[7:1]};
    assign f_token   = !f_pid_q[1];
    always_ff @(posedge clk_i) begin
      f_ended_q <= f_ends && !rst_i;
      {f_new_pid_q, f_new_byte_q} <= '0;
      if (line_strobe_i) begin
        f_level_q <= line_level_i;
        if (line_se0_i) begin
          f_zeros_q <= '0;
          f_byte_q  <= {1'b1, f_byte_q[7:1]};
        end else if (f_take) begin
          f_zeros_q <= f_one ? 3'd0 : (f_zeros_q == 3'd5) ? 3'd5 : f_zeros_q + 3'd1;
          f_byte_q  <= f_byte;
        end
        f_ones_q <= (f_one && !f_stuffed) ? f_ones_q + 3'd1 : 3'd0;
      end
      if (f_take && f_in_q) begin
        f_bits_q <= f_bits_q + 3'd1;
        if (f_had_q) begin
          f_crc5_q  <= f_crc5(f_crc5_q, f_one);
          f_crc16_q <= f_crc16(f_crc16_q, f_one);
        end
        if (f_bits_q == 3'd7) begin
          f_had_q <= 1'b1;
          if (!f_had_q) f_pid_q <= f_byte;
          {f_new_pid_q, f_new_byte_q} <= {!f_had_q, f_had_q};
        end
      end
      if (f_new_pid_q) begin
        f_good_q   <= f_pid_q[7:4] == ~f_pid_q[3:0];
        f_good16_q <= 1'b0;
        f_length_q <= 7'd0;
      end
      if (f_new_byte_q) begin
        f_good16_q <= f_crc16_q == 16'h800D;
        if (f_length_q == 7'd0) f_first_q <= f_byte_q;
        // The address, then the lowest bit of the endpoint's number, the others zero (8.3.2)
        f_hit_q <= (f_length_q == 7'd0) ? f_byte_q[6:0] == address_i
                   : f_length_q == 7'd1 && f_hit_q && f_byte_q[2:0] == 3'd0 && f_crc5_q == 5'h0C;
        if (f_length_q != 7'd67) f_length_q <= f_length_q + 7'd1;
        if (f_length_q >= 7'd66) f_good_q <= 1'b0;
      end
      if (f_sync) begin
        f_in_q    <= 1'b1;
        f_had_q   <= 1'b0;
        f_good_q  <= 1'b0;
        f_ones_q  <= 3'd1;
        f_bits_q  <= 3'd0;
        f_crc5_q  <= '1;
        f_crc16_q <= '1;
      end
      if (f_ends || f_fails || rst_i) f_in_q <= 1'b0;
      if (f_fails) f_dead_q <= 1'b1;
      if ((line_strobe_i && line_se0_i) || timeout_i || rst_i) f_dead_q <= 1'b0;
    end
    // Before the first bits anything may have been on the line, but no packet is under way
    always_comb begin
      assume (!start_i);
      if (!f_past_valid_q)
        assume (f_level_q == f_last && f_byte_q == shift_q && f_zeros_q <= 3'd5 && f_zeros_right
                && f_ones_q == f_ones && (f_zeros_q == 3'd0 || f_ones == 3'd0) && f_state == 3'd0
                && !f_new_pid_q && !f_new_byte_q && !rx_active && !f_in_q);
    end
    assign f_zeros_right = (f_zeros_q == 3'd5) ? f_byte_q[7:3] == 5'd0
                         : (f_zeros_q == 3'd4) ? f_byte_q[7:3] == 5'd1
                         : (f_zeros_q == 3'd3) ? f_byte_q[7:4] == 4'd1
                         : (f_zeros_q == 3'd2) ? f_byte_q[7:5] == 3'd1
                         : (f_zeros_q == 3'd1) ? f_byte_q[7:6] == 2'd1 : f_byte_q[7];

    // ---- Claims
    always_ff @(posedge clk_i) begin
      if (f_past_valid_q) begin
        a_end:  assert (end_o == f_ended_q);
        a_fail: assert (fail_o == f_fails);
        if (end_o) begin
          a_good: assert (good_o == (f_good_q && f_had_q && f_bits_q <= 3'd1));
          if (good_o) begin
            a_pid:    assert (pid_o == f_pid_q[3:0] && f_pid_q[7:4] == ~pid_o);
            a_length: assert (count_o == f_length_q && f_length_q <= 7'd66);
            if (f_token) a_hit: assert (hit_o == (f_hit_q && f_length_q == 7'd2));
            if (hit_o && f_token) a_endpoint: assert (ep_o == f_first_q[7] && f_first_q[6:0] == f_address_q);
            if (!f_token) a_crc: assert (crc_good_o == f_good16_q);
          end
        end
        if (f_in_q || f_ended_q) begin
          a_when: assert (byte_o == f_new_byte_q);
          if (byte_o) a_byte: assert (data_o == f_byte_q && (count_o == f_length_q || f_length_q == 7'd67));
        end
      end
    end
    always_ff @(posedge clk_i) if (f_new_byte_q && f_length_q == 7'd0) f_address_q <= address_i;

    // ---- Inductive invariants
    logic f_open;
    assign f_open = f_in_q || f_ended_q;
    always_ff @(posedge clk_i) begin
      if (f_past_valid_q) begin
        i_receiver: assert (f_last == f_level_q && rx_active == f_in_q && f_dead == f_dead_q
                            && end_q == f_ended_q && f_state == 3'd0);
        i_bits:  assert (shift_q == f_byte_q && f_zeros_q <= 3'd5 && f_zeros_right);
        i_zeros: assert (f_zeros_q == 3'd0 || f_ones == 3'd0);
        i_new:   assert (pid_whole_q == f_new_pid_q && byte_q == f_new_byte_q);
        i_one:   assert (!(f_new_pid_q && f_new_byte_q) && !(f_in_q && f_ended_q));
        if (f_in_q) i_ones: assert (f_ones == f_ones_q && f_ones <= 3'd6);
        if (f_new_pid_q || f_new_byte_q) i_fresh: assert (f_had_q && f_open && f_bits_q == 3'd0);
        if (f_open) begin
          i_count: assert (bit_count_q == f_bits_q && in_pid_q == !f_had_q);
          if (!f_had_q) begin
            i_begun: assert (!good_q && !f_good_q && f_crc5_q == '1 && f_crc16_q == '1);
            if (f_in_q && f_bits_q == 3'd5) i_pid5: assert (pid_q == f_byte_q[6:3]);
            if (f_in_q && f_bits_q == 3'd6) i_pid6: assert (pid_q == f_byte_q[5:2]);
            if (f_in_q && f_bits_q == 3'd7) i_pid7: assert (pid_q == f_byte_q[4:1]);
          end else begin
            i_pid: assert (pid_q == f_pid_q[3:0]);
            if (f_new_pid_q) i_pid_byte: assert (f_byte_q == f_pid_q);
            if (f_new_pid_q) i_crc_start: assert (f_crc == 16'hFFFF && f_crc16_q == 16'hFFFF);
            if (f_token) i_crc5: assert (f_crc[4:0] == f_crc5_q);
            else i_crc16: assert (f_crc == f_crc16_q);
            if (!f_new_pid_q) begin
              i_good:   assert (good_q == f_good_q && f_length_q <= 7'd67);
              i_length: assert (count_q == ((f_length_q == 7'd67) ? 7'd66 : f_length_q));
              if (f_good_q) i_right: assert (f_length_q != 7'd67 && f_pid_q[7:4] == ~f_pid_q[3:0]);
              if (!f_token) i_good16: assert (crc_good_q == f_good16_q);
              if (f_token && f_length_q != 7'd0) i_hit: assert (hit_q == f_hit_q
                                                                       && (f_length_q <= 7'd2 || !f_hit_q));
              if (f_token && (f_length_q == 7'd1 || f_length_q == 7'd2))
                i_first: assert (ep_q == f_first_q[7]
                                 && (!f_hit_q || f_first_q[6:0] == f_address_q));
            end
          end
        end
      end
    end
  end
`endif

endmodule
`default_nettype wire
