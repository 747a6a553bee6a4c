// tm_debounce.sv - one debouncer for all 72 inputs, its state in block RAM
// SPDX-License-Identifier: Apache-2.0
// An input that reads unlike its accepted level opens a run; the word keeps the run's first stamp.
//
//   word   24..22         21..18    17..0
//          hold open lvl  bounces   stamp, units of 8 us, inverted: to be subtracted as it is
//
//   lvl    accepted level
//   open   read unlike lvl at the last visit: the stamp is that of the run's first sample,
//          except under hold
//   hold   edge accepted in eager mode: ignored until the stamp is a threshold old
//
// Deferred: a run that is still unlike and as old as the threshold of its direction is an edge.
// Eager: the first unlike sample is. A run that ends before counts as a bounce. An edge that is due
// while grant_i is low stays an open run and is accepted at a later visit, its stamp unchanged.
`default_nettype none
module tm_debounce #(
  // Ticks are two clocks apart or more: ages are compared in the clocks between, which shortens the
  // longest path and changes nothing else
  parameter  bit          Staged     = 1'b0,
  // Widths of time, of a run's stamp and of a threshold; others than these only in proofs
  parameter  int unsigned TimeW      = tm_pkg::TimeW,
  parameter  int unsigned RunW       = tm_pkg::RunW,
  parameter  int unsigned ThresholdW = tm_pkg::ThresholdW,
  localparam int unsigned CountW     = tm_pkg::CountW
) (
  input  logic                  clk_i,
  input  logic                  tick_i,

  // The visit of this tick (tm_scan)
  input  logic                  visit_i,
  input  logic [6:0]            index_i,
  input  logic                  sample_i,
  input  logic [6:0]            next_index_i,
  input  logic                  frame_start_i,
  input  logic [TimeW-1:0]      frame_i,
  input  logic                  epoch_parity_i,

  // Take every sample for the level, and hold each input for a threshold from now on
  input  logic                  adopt_i,
  // Take every sample for the level; holds run out
  input  logic                  follow_i,
  // A record may be made in this tick
  input  logic                  grant_i,
  // In the first tick of a frame, without grant_i: the stamp wanted is the oldest. No run was open
  // with an earlier one at the end of the last frame, and every run opened since is stamped later.
  input  logic                  oldest_i,

  // Settings; thresholds in units of 8 us
  input  logic                  eager_i,
  input  logic [ThresholdW-1:0] lift_i,
  input  logic [ThresholdW-1:0] place_i,

  // The accepted level after this visit
  output logic                  level_o,
  // The visited input is held
  output logic                  held_o,
  // An edge was accepted, or chatter was found; only with grant_i
  output logic                  edge_o,
  output logic                  chatter_o,
  // Its stamp with the parity of its epoch, and the bounces counted
  output logic [TimeW-1:0]      stamp_o,
  output logic                  parity_o,
  output logic [CountW-1:0]     count_o
);

  localparam int unsigned WordW  = 3 + CountW + RunW;
  localparam logic [CountW-1:0] CountMax = '1;

  logic [WordW-1:0] word_q, word_next;
`ifdef FORMAL
  // The word of one arbitrary input is kept; those of all others are anything at every visit
  (* anyconst *) logic [6:0] f_index;
  (* anyseq *) logic [WordW-1:0] f_any_word;
  logic [WordW-1:0] f_word_q;
  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      word_q <= (next_index_i == f_index) ? f_word_q : f_any_word;
      if (visit_i && index_i == f_index) f_word_q <= word_next;
    end
  end
`else
  logic [WordW-1:0] mem [128];
  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      word_q <= mem[next_index_i];
      if (visit_i) mem[index_i] <= word_next;
    end
  end
`endif

  logic              hold, open, level;
  logic [CountW-1:0] bounces;
  logic [RunW-1:0]   stamp, stamp_n;
  assign {hold, open, level, bounces, stamp_n} = word_q;
  assign stamp = ~stamp_n;

  // ---- Age of the stamp
  logic [RunW-1:0]       age, unused_rest;
  logic                  below, borrow;   // the stamp lies below a wrap of its own width
  logic                  young;
  logic [ThresholdW-1:0] threshold;
  logic                  old_enough, held, unlike, first, run, is_edge, ends;
  assign {below, age} = {1'b0, frame_i[RunW-1:0]} - {1'b0, stamp};
  // The edge in hand goes to !level; the edge that is held went to level
  assign threshold  = (level == hold) ? place_i : lift_i;
  // Spelled out as a difference: age is a sum, and to invert it would take a LUT for each bit
  assign {young, unused_rest} = {1'b0, age} - (RunW+1)'(threshold);
  if (Staged) begin : g_staged
    always_ff @(posedge clk_i) begin
      old_enough <= !young;
      borrow     <= below;
    end
  end else begin : g_direct
    assign old_enough = !young;
    assign borrow     = below;
  end

  assign held    = hold && !old_enough;
  assign unlike  = sample_i != level;
  assign run     = open && !hold;
  assign first   = unlike && !held && !run;
  assign is_edge = unlike && !held && (eager_i || (run && old_enough)) && grant_i;
  assign ends    = open && !unlike;

  // The last bounce before saturation waits until its fault record can be written
  logic last_bounce, chatter;
  assign last_bounce = bounces == CountMax - CountW'(1);
  assign chatter     = ends && run && last_bounce && grant_i;

  // ---- Next word
  logic              hold_next, open_next, level_next;
  logic [CountW-1:0] bounces_next;
  logic [RunW-1:0]   stamp_next;
  logic              plain;
  assign plain = adopt_i || follow_i;
  always_comb begin
    stamp_next   = (first || adopt_i) ? frame_i[RunW-1:0] : stamp;
    level_next   = (is_edge || plain) ? sample_i : level;
    open_next    = unlike && !is_edge && !plain;
    hold_next    = adopt_i || held || (is_edge && eager_i);
    bounces_next = bounces;
    if (ends && bounces != CountMax && (!last_bounce || chatter)) bounces_next = bounces + CountW'(1);
    if (is_edge || plain) bounces_next = '0;
  end
  assign word_next = {hold_next, open_next, level_next, bounces_next, ~stamp_next};

  // ---- Oldest open run of the frame, to the lowest bit above a run's stamp
  logic [RunW:0]   oldest_q;
  logic            older, wraps;
  logic [RunW-1:0] lead;   // of the run over the oldest so far
  assign wraps = borrow && run;
  assign lead  = oldest_q[RunW-1:0] - stamp;
  assign older = visit_i && open_next && run && (frame_start_i || !lead[RunW-1]);
  always_ff @(posedge clk_i) begin
    if (tick_i && (frame_start_i || older)) begin
      oldest_q <= older ? {frame_i[RunW] ^ wraps, stamp} : frame_i[RunW:0];
    end
  end

  // ---- Record: a stamp lies in the present turn of its width, or in the one before
  logic earlier;
  assign earlier    = oldest_i ? frame_i[RunW] ^ oldest_q[RunW] : wraps;
  assign level_o   = level_next;
  assign held_o    = held;
  assign edge_o    = visit_i && is_edge;
  assign chatter_o = visit_i && chatter;
  assign {parity_o, stamp_o[TimeW-1:RunW]} = {epoch_parity_i, frame_i[TimeW-1:RunW]}
                                             - (TimeW-RunW+1)'(earlier);
  assign stamp_o[RunW-1:0] = oldest_i ? oldest_q[RunW-1:0] : stamp_next;
  assign count_o   = bounces;

`ifdef FORMAL
  // One arbitrary input is followed by a second, plain account of its samples, with stamps as wide as
  // time itself. Proved in rtl/formal: an edge is reported only after every sample since the run's
  // first differed from the level and that first one is a threshold old (deferred); its stamp is that
  // sample's; edges alternate; no record is stamped below a watermark stated before.
  localparam int unsigned FullW = TimeW + 1;   // the epoch's parity on top
  localparam logic [FullW-1:0] FrameMax = 1 << (RunW - 3);
  localparam logic [FullW-1:0] AgeMax   = 1 << (RunW - 1);
  localparam logic [FullW-1:0] AgeWrap  = 1 << RunW;
  // How long before `now`; a function, as only that fixes the width
  function automatic logic [FullW-1:0] f_ago(input logic [FullW-1:0] now, input logic [FullW-1:0] at);
    f_ago = now - at;
  endfunction
  logic [FullW-1:0] f_now, f_stamp, f_oldest;
  logic             f_visit;
  assign f_now    = {epoch_parity_i, frame_i};
  assign f_stamp  = {parity_o, stamp_o};
  // The oldest stamp in full
  logic [FullW-1:0] f_oldest_q;
  assign f_oldest = f_oldest_q;
  assign f_visit  = tick_i && visit_i && index_i == f_index;

  logic             f_known_q  = 1'b0;   // the level has been adopted
  logic             f_level_q;
  logic             f_run_q    = 1'b0;   // all samples since f_first_q differed from the level
  logic [FullW-1:0] f_first_q;
  logic             f_hold_q   = 1'b0;   // eager: ignored since f_hold_at_q
  logic [FullW-1:0] f_hold_at_q;
  logic             f_seen_q   = 1'b0;   // visited in this frame
  logic             f_stated_q = 1'b0;   // a watermark has been stated
  logic [FullW-1:0] f_stated_at_q;
  logic             f_ticked_q = 1'b0;
  logic             f_started_q = 1'b0;  // a frame has begun
  logic [FullW-1:0] f_now_q;
  logic [6:0]       f_fetched_q;
  logic             f_held, f_first_sample;
  logic [ThresholdW-1:0] f_threshold;
  assign f_threshold    = sample_i ? place_i : lift_i;
  assign f_held         = f_hold_q && f_ago(f_now, f_hold_at_q) < FullW'(f_level_q ? place_i : lift_i);
  assign f_first_sample = sample_i != f_level_q && !f_held && !f_run_q;

  // The newest watermark, that of this tick included
  logic             f_stated;
  logic [FullW-1:0] f_stated_at;
  assign f_stated    = f_stated_q || (frame_start_i && f_started_q);
  assign f_stated_at = (frame_start_i && f_started_q) ? f_oldest : f_stated_at_q;

  always_ff @(posedge clk_i) begin
    if (tick_i && (frame_start_i || older)) f_oldest_q <= older ? f_now - FullW'(age) : f_now;
    if (tick_i) begin
      f_ticked_q  <= 1'b1;
      f_now_q     <= f_now;
      f_fetched_q <= next_index_i;
      if (frame_start_i) begin
        f_seen_q    <= 1'b0;
        f_started_q <= 1'b1;
        f_stated_q    <= f_started_q;
        f_stated_at_q <= f_stated_at;
      end
      if (f_visit) begin
        f_seen_q <= 1'b1;
        if (plain) begin
          f_known_q <= f_known_q || adopt_i;
          f_level_q <= sample_i;
          f_run_q   <= 1'b0;
          f_hold_q  <= adopt_i || f_held;
          if (adopt_i) f_hold_at_q <= f_now;
        end else begin
          if (!f_held) f_hold_q <= 1'b0;
          if (f_first_sample) f_first_q <= f_now;
          if (!f_held) f_run_q <= sample_i != f_level_q;
          if (edge_o) begin
            f_level_q <= sample_i;
            f_run_q   <= 1'b0;
            f_hold_q  <= eager_i;
            f_hold_at_q <= f_first_sample ? f_now : f_first_q;
          end
        end
      end
    end
  end

  // What tm_scan guarantees (proved there): the word fetched is that of the next visit, a frame
  // visits every input once, and time stands still within it
  always_comb begin
    if (tick_i) begin
      assume (!visit_i || next_index_i != index_i);
      if (f_ticked_q) assume (index_i == f_fetched_q);
      if (f_started_q && !frame_start_i) assume (f_now == f_now_q);
      if (f_started_q && frame_start_i) assume (f_ago(f_now, f_now_q) < FrameMax && f_now != f_now_q);
      if (f_started_q && frame_start_i) assume (f_seen_q);
      if (f_visit && f_seen_q) assume (frame_start_i);
      if (!f_started_q) assume (!visit_i || frame_start_i);
    end
    // What tm_recorder guarantees: no input is left unadopted, none of them while records are made;
    // and no due edge waits so long that stamps become ambiguous (tm_pkg::RunW)
    if (grant_i) assume (f_known_q && !plain && !oldest_i);
    if (!f_known_q && tick_i && visit_i) assume (adopt_i);
    assume (!adopt_i || !follow_i);
    if (visit_i && run) assume (!age[RunW-1]);
    // What is proved below (i_stated) of the input that is followed holds for the others alike
    if (visit_i && run && index_i != f_index && f_stated)
      assume (FullW'(age) <= f_ago(f_now, f_stated_at));
    if (f_run_q) assume (f_ago(f_now, f_first_q) < AgeMax);
    if (f_hold_q) assume (f_ago(f_now, f_hold_at_q) < AgeMax);
  end

  // ---- Claims
  always_ff @(posedge clk_i) begin
    if (f_visit && edge_o) begin
      a_differs:   assert (sample_i != f_level_q);
      a_alternate: assert (level_o == !f_level_q);
      a_stamp:     assert (f_stamp == (f_first_sample ? f_now : f_first_q));
      a_ignored:   assert (!f_held);
      if (!eager_i) begin
        a_run:       assert (f_run_q);
        a_threshold: assert (f_ago(f_now, f_first_q) >= FullW'(f_threshold));
      end
    end
    if (f_visit && !plain) a_level: assert (level_o == (edge_o ? sample_i : f_level_q));
    if (f_visit && (edge_o || chatter_o) && f_stated)
      a_watermark: assert (f_ago(f_now, f_stamp) <= f_ago(f_now, f_stated_at));
    if (tick_i && frame_start_i && f_started_q && oldest_i) a_oldest: assert (f_stamp == f_oldest);
    if (tick_i && frame_start_i && f_stated_q)
      a_monotone: assert (f_ago(f_now, f_oldest) <= f_ago(f_now, f_stated_at_q));
  end

  // ---- Inductive invariants: the word says what the plain account says
  always_ff @(posedge clk_i) begin
    if (f_known_q) begin
      i_level: assert (f_word_q[WordW-3] == f_level_q);
      i_hold:  assert (f_word_q[WordW-1] == f_hold_q);
      i_open:  assert ((f_word_q[WordW-2] && !f_word_q[WordW-1]) == f_run_q);
      if (f_run_q)  i_first:   assert (f_word_q[RunW-1:0] == ~f_first_q[RunW-1:0]);
      if (f_hold_q) i_hold_at: assert (f_word_q[RunW-1:0] == ~f_hold_at_q[RunW-1:0]);
    end else begin
      i_unknown: assert (!f_run_q && !f_hold_q);
    end
    i_exclusive: assert (!(f_run_q && f_hold_q));
    if (f_ticked_q && f_fetched_q == f_index) i_fetched: assert (word_q == f_word_q);
    if (f_stated_q) i_started: assert (f_started_q);
    if (f_known_q || f_started_q || f_seen_q) i_ticked: assert (f_ticked_q);
    if (f_started_q) begin
      i_oldest: assert (f_ago(f_now_q, f_oldest) < AgeMax && oldest_q == f_oldest[RunW:0]);
      if (f_run_q && f_seen_q)
        i_oldest_covers: assert (f_ago(f_now_q, f_first_q) <= f_ago(f_now_q, f_oldest));
    end
    if (f_stated_q) i_rises: assert (f_ago(f_now_q, f_oldest) <= f_ago(f_now_q, f_stated_at_q));
    if (f_stated_q && f_run_q) i_stated: assert (f_ago(f_now_q, f_first_q) <= f_ago(f_now_q, f_stated_at_q));
    if (f_stated_q) i_stated_age: assert (f_ago(f_now_q, f_stated_at_q) < AgeWrap);
  end
`endif

endmodule
`default_nettype wire
