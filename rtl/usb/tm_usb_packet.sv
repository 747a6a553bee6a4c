// tm_usb_packet.sv - packets: bytes from bits and back, PID check, token fields, CRC, lengths
// SPDX-License-Identifier: Apache-2.0
// The shift register, the counters, the CRC and the count of ones serve both directions: the bus is half
// duplex. Bits come lowest first (USB 2.0, 8.1).
// A packet is judged at its last whole byte: hubs may stretch the last bit before SE0 so that one more
// seems to follow (7.1.9.1).
`default_nettype none
module tm_usb_packet (
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
  );

  tm_usb_stuff u_stuff (
    .clk_i,
    .clear_i (start_i),
    .strobe_i(sending_o ? tx_strobe : line_strobe_i),
    .bit_i   (sending_o ? tx_bit : rx_bit),
    .six_o   (six)
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

endmodule
`default_nettype wire
