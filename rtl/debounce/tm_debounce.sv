// tm_debounce.sv - one debouncer for all 72 inputs, its state in block RAM
// SPDX-License-Identifier: Apache-2.0
// An input that reads unlike its accepted level opens a run; the word keeps the run's first stamp.
//
//   word   24..22         21..18    17..0
//          hold open lvl  bounces   stamp, units of 8 us
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
  localparam int unsigned TimeW      = tm_pkg::TimeW,
  localparam int unsigned RunW       = tm_pkg::RunW,
  localparam int unsigned CountW     = tm_pkg::CountW,
  localparam int unsigned ThresholdW = tm_pkg::ThresholdW
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
  output logic [CountW-1:0]     count_o,
  // In the first tick of a frame: no run was open with an earlier stamp at the end of the last
  // frame, and every run opened since is stamped later
  output logic [TimeW-1:0]      oldest_o,
  output logic                  oldest_parity_o
);

  localparam int unsigned WordW  = 3 + CountW + RunW;
  localparam logic [CountW-1:0] CountMax = '1;

  logic [WordW-1:0] mem [128];
  logic [WordW-1:0] word_q, word_next;
  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      word_q <= mem[next_index_i];
      if (visit_i) mem[index_i] <= word_next;
    end
  end

  logic              hold, open, level;
  logic [CountW-1:0] bounces;
  logic [RunW-1:0]   stamp;
  assign {hold, open, level, bounces, stamp} = word_q;

  // ---- Age of the stamp
  logic [RunW-1:0]       age;
  logic                  borrow;      // the stamp lies below a wrap of its own width
  logic [ThresholdW-1:0] threshold;
  logic                  old_enough, held, unlike, first, run, is_edge, ends;
  assign {borrow, age} = {1'b0, frame_i[RunW-1:0]} - {1'b0, stamp};
  // The edge in hand goes to !level; the edge that is held went to level
  assign threshold  = (level == hold) ? place_i : lift_i;
  assign old_enough = age >= RunW'(threshold);

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
  assign word_next = {hold_next, open_next, level_next, bounces_next, stamp_next};

  // ---- Record
  logic [TimeW-RunW-1:0] run_high;
  logic                  run_parity;
  assign {run_parity, run_high} = {epoch_parity_i, frame_i[TimeW-1:RunW]}
                                  - (TimeW-RunW+1)'(borrow && run);
  assign level_o   = level_next;
  assign held_o    = held;
  assign edge_o    = visit_i && is_edge;
  assign chatter_o = visit_i && chatter;
  assign stamp_o   = {run_high, stamp_next};
  assign parity_o  = run_parity;
  assign count_o   = bounces;

  // ---- Oldest open run of the frame
  logic [TimeW-1:0] oldest_q;
  logic             oldest_parity_q;
  logic             older;
  logic [RunW-1:0]  lead;   // of the run over the oldest so far
  assign lead  = oldest_q[RunW-1:0] - stamp;
  assign older = visit_i && open_next && run && (frame_start_i || !lead[RunW-1]);
  always_ff @(posedge clk_i) begin
    if (tick_i && (frame_start_i || older)) begin
      oldest_q        <= older ? {run_high, stamp} : frame_i;
      oldest_parity_q <= older ? run_parity : epoch_parity_i;
    end
  end
  assign oldest_o        = oldest_q;
  assign oldest_parity_o = oldest_parity_q;

endmodule
`default_nettype wire
