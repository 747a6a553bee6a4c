// tm_queue.sv - keeps every record until the host acknowledges it, and gives it out again on demand
// SPDX-License-Identifier: Apache-2.0
// A ring; the 16-bit sequence numbers are its counters and their low bits its addresses.
//
//        acked_q + 1       sent_q            written_q
//             v               v                  v
//   ... free | kept, given out | kept, not given | free ...
//
// Invariant: acked_q + 1 <= sent_q <= written_q <= acked_q + 1 + Depth (modulo 2^16).
`default_nettype none
module tm_queue #(
  // Records held: a power of two, 16 to 16384
  parameter  int unsigned Depth    = 8192,
  parameter  bit          UseSpram = 1'b0,
  localparam int unsigned Aw       = $clog2(Depth)
) (
  input  logic        clk_i,
  input  logic        rst_i,

  // Records in: at most one in four clocks, none when full (tm_recorder)
  input  logic        push_i,
  input  logic        push_watermark_i,
  input  logic [31:0] word_i,
  input  logic [15:0] head_i,
  output logic        full_o,
  // At least 8 more fit
  output logic        room_o,
  // Nothing is left to give out
  output logic        idle_o,

  // Every record up to seq_i is stored; ignored unless kept and given out
  input  logic        ack_i,
  // Give out again from seq_i on; ignored unless kept, or the next
  input  logic        resume_i,
  input  logic [15:0] seq_i,
  output logic [15:0] acked_o,
  output logic [15:0] next_o,

  // Records out; rec_data_o = bytes 0 to 7 from the low end (tm_proto.h)
  output logic        rec_valid_o,
  output logic [63:0] rec_data_o,
  input  logic        rec_ready_i
);

  if (Depth < 16 || Depth > 16384 || (Depth & (Depth - 1)) != 0)
    $error("tm_queue: Depth must be a power of two from 16 to 16384");

  logic [15:0] written_q, sent_q, acked_q;

  // ---- Counters
  logic [15:0] kept;
  logic        unsent, pop;
  assign kept   = written_q + ~acked_q;   // written - acked - 1
  assign unsent = sent_q != written_q;
  assign full_o = kept[Aw];
  assign room_o = !kept[Aw] && !(&kept[Aw-1:3]);

  // acked < seq < upper (<= upper with upper_too). Neither distance is negative then, and the two together are less than half
  // of the number range.
  function automatic logic in_window(input logic [15:0] seq, input logic [15:0] acked,
                                     input logic [15:0] upper, input logic upper_too);
    logic [15:0] below, above;
    below = seq + ~acked;
    above = upper + ~seq + 16'(upper_too);
    in_window = below < 16'h8000 && above < 16'h8000;
  endfunction

  // ---- Writer: the word in the clock of push_i, the head in the next, then it counts as written
  logic head_write_q;

  // ---- Reader: fetches the next record into the output buffer when the writer leaves the memory
  logic        valid_q, watermark_q;
  logic [31:0] word_q;
  logic [15:0] head_q;
  logic        want_head_q;           // the word has been asked for
  logic        got_word_q, got_head_q;  // read data of this clock
  logic        writing, reading;
  assign writing = push_i || head_write_q;
  assign reading = unsent && !valid_q && !got_head_q && !writing;
  assign pop     = valid_q && rec_ready_i;

  logic [31:0] rdata;
  tm_record_ram #(.Depth(Depth), .UseSpram(UseSpram)) u_ram (
    .clk_i,
    .addr_i (writing ? written_q[Aw-1:0] : sent_q[Aw-1:0]),
    .head_i (writing ? head_write_q : want_head_q),
    .we_i   (writing),
    .re_i   (reading),
    .wdata_i({word_i[31:16], head_write_q ? head_i : word_i[15:0]}),
    .rdata_o(rdata)
  );

  always_ff @(posedge clk_i) begin
    head_write_q <= push_i;
    if (head_write_q) written_q <= written_q + 16'd1;

    got_word_q <= reading && !want_head_q;
    got_head_q <= reading && want_head_q;
    if (reading) want_head_q <= !want_head_q;
    if (got_word_q) word_q <= rdata;
    if (got_head_q) begin
      head_q      <= rdata[15:0];
      valid_q     <= 1'b1;
      watermark_q <= 1'b0;
    end
    if (push_watermark_i && idle_o) begin
      word_q      <= word_i;
      head_q      <= head_i;
      valid_q     <= 1'b1;
      watermark_q <= 1'b1;
    end
    if (pop) begin
      valid_q <= 1'b0;
      if (!watermark_q) sent_q <= sent_q + 16'd1;
    end

    if ((ack_i || resume_i)
        && in_window(seq_i, acked_q, resume_i ? written_q : sent_q, resume_i)) begin
      if (resume_i) begin
        sent_q      <= seq_i;
        valid_q     <= 1'b0;
        want_head_q <= 1'b0;
        got_word_q  <= 1'b0;
        got_head_q  <= 1'b0;
      end else begin
        acked_q <= seq_i;
      end
    end

    if (rst_i) begin
      written_q    <= '0;
      sent_q       <= '0;
      acked_q      <= '1;
      valid_q      <= 1'b0;
      want_head_q  <= 1'b0;
      got_word_q   <= 1'b0;
      got_head_q   <= 1'b0;
      head_write_q <= 1'b0;
    end
  end

  assign idle_o      = !unsent && !valid_q && !writing;
  assign acked_o     = acked_q;
  assign next_o      = written_q;
  assign rec_valid_o = valid_q;
  assign rec_data_o  = {word_q, sent_q, head_q};

endmodule
`default_nettype wire
