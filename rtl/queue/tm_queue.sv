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
  // More than 8 fit
  output logic        room_o,
  // Nothing was left to give out a clock ago
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
  logic        unsent, pop, idle;
  assign kept   = written_q + ~acked_q;   // written - acked - 1
  assign unsent = sent_q != written_q;
  assign full_o = kept[Aw];
  assign room_o = !kept[Aw] && !(&kept[Aw-1:3]);

  // acked < seq < upper (<= upper with upper_too). Neither distance is negative then, and the two
  // together are less than half of the number range.
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
`ifdef FORMAL
  (* anyconst *) logic [19:0] f_number;   // of the record that is followed
  logic [31:0] f_slot_word;
  logic [15:0] f_slot_head;
`endif
  tm_record_ram #(.Depth(Depth), .UseSpram(UseSpram)) u_ram (
    .clk_i,
    .addr_i (writing ? written_q[Aw-1:0] : sent_q[Aw-1:0]),
    .head_i (writing ? head_write_q : want_head_q),
    .we_i   (writing),
    .re_i   (reading),
    .wdata_i({word_i[31:16], head_write_q ? head_i : word_i[15:0]}),
    .rdata_o(rdata)
`ifdef FORMAL
    , .f_addr_i(f_number[Aw-1:0]), .f_word_o(f_slot_word), .f_head_o(f_slot_head)
`endif
  );

  always_ff @(posedge clk_i) begin
    idle_o       <= idle;
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
    if (push_watermark_i && idle) begin
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

  assign idle        = !unsent && !valid_q && !writing;
  assign acked_o     = acked_q;
  assign next_o      = written_q;
  assign rec_valid_o = valid_q;
  assign rec_data_o  = {word_q, sent_q, head_q};

`ifdef FORMAL
  // Counts that never wrap stand beside the sequence numbers, and one arbitrary record is followed.
  // Proved in rtl/formal: records leave in sequence, none twice and none left out except where a
  // resume says so; what leaves is what came in; nothing kept is overwritten; acknowledgements and
  // resumes outside the window do nothing.
  logic [19:0] f_written_q = '0, f_sent_q = '0, f_oldest_q = '0;   // numbers of records
  (* anyconst *) logic [31:0] f_word;
  (* anyconst *) logic [15:0] f_head;
  logic       f_past_valid_q = 1'b0;
  logic [1:0] f_wait_q = '0;             // clocks until the recorder may push again
  logic [15:0] f_head_was_q;
  // The stream a clock ago: offered; offered and neither taken nor withdrawn
  logic        f_was_valid_q = 1'b0, f_was_held_q = 1'b0;
  logic [63:0] f_was_data_q;
  logic       f_kept;
  assign f_kept = f_number >= f_oldest_q && f_number < f_written_q;

  // How far back from the next record seq lies, as the host counts
  logic [15:0] f_back;
  logic        f_ack_ok, f_resume_ok;
  assign f_back      = written_q - seq_i;
  assign f_ack_ok    = 20'(f_back) <= f_written_q - f_oldest_q && 20'(f_back) > f_written_q - f_sent_q;
  assign f_resume_ok = 20'(f_back) <= f_written_q - f_oldest_q;

  always_ff @(posedge clk_i) begin
    f_past_valid_q <= 1'b1;
    f_head_was_q  <= head_i;
    f_was_valid_q <= rec_valid_o;
    f_was_held_q  <= rec_valid_o && !rec_ready_i && !resume_i && !rst_i;
    f_was_data_q  <= rec_data_o;
    f_wait_q <= (push_i || push_watermark_i) ? 2'd3 : (f_wait_q == '0) ? '0 : f_wait_q - 2'd1;
    if (head_write_q) f_written_q <= f_written_q + 20'd1;
    if (ack_i && !resume_i && f_ack_ok) f_oldest_q <= f_written_q - 20'(f_back) + 20'd1;
    if (resume_i && f_resume_ok) f_sent_q <= f_written_q - 20'(f_back);
    else if (rec_valid_o && rec_ready_i && !watermark_q) f_sent_q <= f_sent_q + 20'd1;
    if (rst_i) begin
      f_written_q <= '0;
      f_sent_q    <= '0;
      f_oldest_q  <= '0;
      f_wait_q    <= '0;
    end
  end

  // What tm_recorder guarantees (proved there)
  always_comb begin
    if (!f_past_valid_q) assume (rst_i);
    if (push_i || push_watermark_i) assume (f_wait_q == '0);
    assume (!(push_i && push_watermark_i));
    if (push_i) assume (!full_o);
    if (head_write_q) assume (head_i == f_head_was_q);
    if (push_i && f_written_q == f_number) assume (word_i == f_word && head_i == f_head);
    assume (f_written_q < 20'hF0000);
  end

  // ---- Claims
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q && !rst_i) begin
      a_window: assert (f_oldest_q <= f_sent_q && f_sent_q <= f_written_q
                        && f_written_q - f_oldest_q <= 20'(Depth));
      a_kept:   assert (full_o == (f_written_q - f_oldest_q == 20'(Depth)));
      a_room:   assert (!room_o || f_written_q - f_oldest_q <= 20'(Depth - 8));
      a_counts: assert (next_o == f_written_q[15:0] && 16'(acked_o + 16'd1) == f_oldest_q[15:0]);
      if (rec_valid_o && !watermark_q) begin
        a_sequence: assert (rec_data_o[31:16] == f_sent_q[15:0] && f_sent_q < f_written_q);
        if (f_sent_q == f_number) a_data: assert (rec_data_o == {f_word, f_sent_q[15:0], f_head});
      end
      // A watermark is offered only when no record is left to give out before it
      if (!f_was_valid_q && rec_valid_o && watermark_q)
        a_watermark: assert (f_sent_q == f_written_q);
      if (f_was_held_q) a_stable: assert (rec_valid_o && rec_data_o == f_was_data_q);
    end
  end

  // ---- Inductive invariants
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q && !rst_i) begin
      i_written: assert (written_q == f_written_q[15:0] && sent_q == f_sent_q[15:0]);
      i_acked:   assert (16'(acked_q + 16'd1) == f_oldest_q[15:0]);
      if (f_kept) i_memory: assert (f_slot_word == f_word
                                    && f_slot_head == f_head);
      i_reader: assert (!(got_word_q && got_head_q) && (!got_head_q || !want_head_q)
                        && (!got_word_q || want_head_q) && (!valid_q || (!want_head_q && !got_head_q)));
      if (f_sent_q == f_number) begin
        if (got_word_q) i_word_read: assert (rdata == f_word);
        if (got_head_q) i_head_read: assert (rdata[15:0] == f_head);
        if ((want_head_q && !got_word_q) || got_head_q) i_word_held: assert (word_q == f_word);
      end
      if ((valid_q && !watermark_q) || got_head_q || want_head_q) i_unsent: assert (unsent);
    end
    if (head_write_q && f_past_valid_q && !rst_i) begin
      i_writer: assert (f_wait_q == 2'd3 && !full_o);
      if (f_written_q == f_number)
        i_half: assert (f_slot_word == f_word && head_i == f_head);
    end
  end
`endif

endmodule
`default_nettype wire
