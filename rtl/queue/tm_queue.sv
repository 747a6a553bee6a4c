// tm_queue.sv - keeps every record until the host acknowledges it, and gives it out again on demand
// SPDX-License-Identifier: Apache-2.0
// A ring; the 16-bit sequence numbers are its counters and their low bits its addresses.
//
//        acked + 1         sent_q            written_q
//             v               v                  v
//   ... free | kept, given out | kept, not given | free ...
//
// Invariant: acked + 1 <= sent_q <= written_q <= acked + 1 + Depth (modulo 2^16).
`default_nettype none
module tm_queue #(
  // Records held: a power of two, 16 to 16384
  parameter  int unsigned Depth    = 8192,
  parameter  bit          UseSpram = 1'b0,
  // With UseSpram: offer a record without a pause until it is taken (tm_record_ram)
  parameter  bit          Hold     = 1'b0,
  localparam int unsigned Aw       = $clog2(Depth)
) (
  input  logic        clk_i,
  input  logic        rst_i,

  // Records in: none when full (tm_recorder)
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

  // Records out; rec_data_o = bytes 0 to 7 from the low end (tm_proto.h). What was offered stays until
  // it is taken or a resume withdraws it; with UseSpram and without Hold rec_valid_o pauses for a clock
  // when a record is written.
  output logic        rec_valid_o,
  output logic [63:0] rec_data_o,
  input  logic        rec_ready_i
);

  if (Depth < 16 || Depth > 16384 || (Depth & (Depth - 1)) != 0)
    $error("tm_queue: Depth must be a power of two from 16 to 16384");

  // acked_n_q: the last acknowledged number, inverted, as it is only ever subtracted
  logic [15:0] written_q, sent_q, acked_n_q;

  // ---- Counters
  logic [15:0] kept;
  logic        unsent, pop, idle;
  assign kept   = written_q + acked_n_q;   // written - acked - 1
  assign unsent = sent_q != written_q;
  assign full_o = kept[Aw];
  assign room_o = !kept[Aw] && !(&kept[Aw-1:3]);

  // acked < seq < sent, or acked < seq <= written for a resume. Two distances that are not negative
  // then, and together less than half of the number range: seq - acked - 1, and the inverse of the other
  logic [15:0] upper, below, above_n;
  logic        in_window, unused_distance;
  assign upper     = resume_i ? written_q : sent_q;
  assign below     = seq_i + acked_n_q;
  assign above_n   = seq_i + ~upper + 16'(!resume_i);
  assign in_window = !below[15] && above_n[15];
  assign unused_distance = ^{below[14:0], above_n[14:0]};

  // ---- Memory: written where something comes in, else read where something is to be given out. A
  // watermark waits in a slot of its own, as no number is its own.
  localparam bit Volatile = UseSpram && !Hold;
  logic        valid_q;       // what is to be given out next has been read
  logic        watermark_q;   // a watermark is
  logic        mark, writing, pending, reading;
  logic [47:0] rdata;
  assign mark    = push_watermark_i && idle;
  assign writing = push_i || mark;
  assign pending = unsent || watermark_q;
  assign reading = pending && !writing && (Volatile || !valid_q);
  assign pop     = valid_q && rec_ready_i;
  assign idle    = !pending;

`ifdef FORMAL
  (* anyconst *) logic [19:0] f_number;   // of the record that is followed
  logic [47:0] f_slot, f_sent_slot, f_mark_slot;
`endif
  tm_record_ram #(.Depth(Depth), .UseSpram(UseSpram), .Hold(Hold)) u_ram (
    .clk_i,
    .addr_i (writing ? written_q[Aw-1:0] : sent_q[Aw-1:0]),
    .mark_i (writing ? push_watermark_i : watermark_q),
    .we_i   (writing),
    .re_i   (reading),
    .wdata_i({head_i, word_i}),
    .rdata_o(rdata)
`ifdef FORMAL
    , .f_addr_i(f_number[Aw-1:0]), .f_sent_addr_i(sent_q[Aw-1:0])
    , .f_record_o(f_slot), .f_sent_o(f_sent_slot), .f_mark_o(f_mark_slot)
`endif
  );

  always_ff @(posedge clk_i) begin
    idle_o <= idle && !writing;
    if (push_i) written_q <= written_q + 16'd1;
    if (mark) watermark_q <= 1'b1;
    valid_q <= reading || (valid_q && !Volatile);
    if (pop) begin
      valid_q     <= 1'b0;
      watermark_q <= 1'b0;
      if (!watermark_q) sent_q <= sent_q + 16'd1;
    end

    if ((ack_i || resume_i) && in_window) begin
      if (resume_i) begin
        sent_q      <= seq_i;
        valid_q     <= 1'b0;
        watermark_q <= 1'b0;
      end else begin
        acked_n_q <= ~seq_i;
      end
    end

    if (rst_i) begin
      written_q   <= '0;
      sent_q      <= '0;
      acked_n_q   <= '0;
      valid_q     <= 1'b0;
      watermark_q <= 1'b0;
    end
  end

  assign acked_o     = ~acked_n_q;
  assign next_o      = written_q;
  assign rec_valid_o = valid_q;
  assign rec_data_o  = {rdata[31:0], sent_q, rdata[47:32]};

`ifdef FORMAL
  // Counts that never wrap stand beside the sequence numbers, and one arbitrary record is followed.
  // Proved in rtl/formal: records leave in sequence, none twice and none left out except where a
  // resume says so; what leaves is what came in; nothing kept is overwritten; acknowledgements and
  // resumes outside the window do nothing.
  logic [19:0] f_written_q = '0, f_sent_q = '0, f_oldest_q = '0;   // numbers of records
  (* anyconst *) logic [31:0] f_word;
  (* anyconst *) logic [15:0] f_head;
  logic       f_past_valid_q = 1'b0;
  logic [47:0] f_mark_q;                 // the last watermark that was accepted, and
  logic [19:0] f_marked_q;               // the number of records written before it
  // What was offered has neither been taken nor withdrawn
  logic        f_was_held_q = 1'b0, f_wrote_q = 1'b0;
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
    f_wrote_q     <= writing;
    f_was_held_q  <= (rec_valid_o ? !rec_ready_i : f_was_held_q) && !resume_i && !rst_i;
    if (rec_valid_o) f_was_data_q <= rec_data_o;
    if (push_watermark_i && idle) begin
      f_mark_q   <= {head_i, word_i};
      f_marked_q <= f_written_q;
    end
    if (push_i) f_written_q <= f_written_q + 20'd1;
    if (ack_i && !resume_i && f_ack_ok) f_oldest_q <= f_written_q - 20'(f_back) + 20'd1;
    if (resume_i && f_resume_ok) f_sent_q <= f_written_q - 20'(f_back);
    else if (rec_valid_o && rec_ready_i && !watermark_q) f_sent_q <= f_sent_q + 20'd1;
    if (rst_i) begin
      f_written_q <= '0;
      f_sent_q    <= '0;
      f_oldest_q  <= '0;
    end
  end

  // What tm_recorder guarantees (proved there)
  always_comb begin
    if (!f_past_valid_q) assume (rst_i);
    assume (!(push_i && push_watermark_i));
    if (push_i) assume (!full_o);
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
      // A watermark is offered when all that was written before it was given out, and nothing since
      if (rec_valid_o && watermark_q) begin
        a_watermark: assert (f_sent_q == f_marked_q);
        a_mark: assert (rec_data_o == {f_mark_q[31:0], f_sent_q[15:0], f_mark_q[47:32]});
      end
      if (f_was_held_q) begin
        a_offered: assert (rec_valid_o || (Volatile && f_wrote_q));
        a_stable:  assert (!rec_valid_o || rec_data_o == f_was_data_q);
      end
    end
  end

  // ---- Inductive invariants
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q && !rst_i) begin
      i_written: assert (written_q == f_written_q[15:0] && sent_q == f_sent_q[15:0]);
      i_acked:   assert (16'(acked_o + 16'd1) == f_oldest_q[15:0]);
      if (f_kept) i_memory: assert (f_slot == {f_head, f_word});
      if (watermark_q) i_mark: assert (f_mark_slot == f_mark_q && f_sent_q == f_marked_q);
      if (valid_q) begin
        i_pending: assert (pending);
        if (watermark_q) i_mark_read: assert (rdata == f_mark_q);
        else if (f_sent_q == f_number) i_read: assert (rdata == {f_head, f_word});
      end
      if (f_was_held_q) i_held: assert (pending && f_was_data_q[31:16] == f_sent_q[15:0]);
      if (f_was_held_q)
        i_held_slot: assert ({f_was_data_q[15:0], f_was_data_q[63:32]}
                             == (watermark_q ? f_mark_q : f_sent_slot));
      if (valid_q && !watermark_q) i_read_slot: assert (rdata == f_sent_slot);
      if (f_was_held_q && valid_q) i_held_data: assert (rec_data_o == f_was_data_q);
    end
  end
`endif

endmodule
`default_nettype wire
