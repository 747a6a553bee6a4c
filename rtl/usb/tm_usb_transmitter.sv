// tm_usb_transmitter.sv - sends a packet: SYNC, PID, data, CRC16, end of packet; NRZI, stuffed bits
// SPDX-License-Identifier: Apache-2.0
// 24 MHz, two clocks to a bit. Bits of data come from the shift register of tm_usb_packet, those of the
// CRC from tm_usb_crc. SE0 lasts two bit times and J one before the bus is let go (USB 2.0, 7.1.13.2);
// a stuffed bit that falls due after the last bit is sent before it (7.1.9).
`default_nettype none
module tm_usb_transmitter (
  input  logic       clk_i,
  input  logic       rst_i,
  // Every second clock
  input  logic       tick_i,
  // Send this packet; its PID stays until done
  input  logic       start_i,
  input  logic [3:0] pid_i,
  // Nothing is left to load; only of data packets
  input  logic       empty_i,
  input  logic [2:0] bit_count_i,
  input  logic       data_bit_i,
  input  logic       crc_bit_i,
  input  logic       six_i,
  output logic       active_o,
  // A bit goes out; it is one of the packet's, not a stuffed one; it belongs to the data or to the CRC
  output logic       strobe_o,
  output logic       advance_o,
  output logic       bit_o,
  output logic       data_o,
  output logic       crc_o,
  // Fill the shift register with the next byte
  output logic       load_o,
  // The last clock
  output logic       done_o,
  output logic       dp_o,
  output logic       dn_o,
  output logic       oe_o
`ifdef FORMAL
  , output logic [2:0] f_state_o
`endif
);

  localparam logic [2:0] StIdle = 3'd0, StSync = 3'd1, StPid = 3'd2, StData = 3'd3, StCrcHigh = 3'd4,
                         StCrcLow = 3'd5, StEnd = 3'd6;
  logic [2:0] state_q, state_next;
  logic       level, last, is_data;
`ifdef FORMAL
  assign f_state_o = state_q;
`endif
  assign is_data  = pid_i[1:0] == 2'b11;
  assign active_o = state_q != StIdle;
  assign strobe_o = tick_i && active_o;
  assign advance_o = strobe_o && !six_i;
  assign last     = advance_o && bit_count_i == 3'd7;
  assign data_o   = state_q == StData;
  assign crc_o    = state_q == StCrcHigh || state_q == StCrcLow;
  assign load_o   = last && (state_q == StPid || data_o) && is_data && !empty_i;
  assign done_o   = advance_o && state_q == StEnd && bit_count_i == 3'd3;

  // PID, then its complement (8.3.1)
  logic pid_bit;
  assign pid_bit = pid_i[bit_count_i[1:0]] ^ bit_count_i[2];
  always_comb begin
    unique case (state_q)
      StSync:              bit_o = &bit_count_i;
      StPid:               bit_o = pid_bit;
      StCrcHigh, StCrcLow: bit_o = crc_bit_i;
      StEnd:               bit_o = 1'b0;
      default:             bit_o = data_bit_i;
    endcase
    if (six_i) bit_o = 1'b0;
  end
  assign level = dp_o ^ !bit_o;

  always_comb begin
    state_next = state_q;
    if (last) begin
      unique case (state_q)
        StSync:          state_next = StPid;
        StPid, StData:   state_next = !is_data ? StEnd : empty_i ? StCrcHigh : StData;
        StCrcHigh:       state_next = StCrcLow;
        StCrcLow:        state_next = StEnd;
        default:         state_next = state_q;
      endcase
    end
    if (done_o) state_next = StIdle;
    if (start_i) state_next = StSync;
  end

  logic ending;
  assign ending = state_q == StEnd && !six_i;
  always_ff @(posedge clk_i) begin
    state_q <= state_next;
    if (strobe_o) begin
      dp_o <= ending ? bit_count_i[1] : level;
      dn_o <= !ending && !level;
      oe_o <= !done_o;
    end
    if (rst_i) begin
      state_q <= StIdle;
      dp_o    <= 1'b1;
      dn_o    <= 1'b0;
      oe_o    <= 1'b0;
    end
  end

endmodule
`default_nettype wire
