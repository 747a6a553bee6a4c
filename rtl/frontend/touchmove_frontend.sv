// touchmove_frontend.sv - sensor frontend: scan, debounce, record queue, registers
// SPDX-License-Identifier: Apache-2.0
// What stands behind the registers and how to start a session: docs/registers.md. Inside, all is
// timed in ticks of 1 us, so that records do not depend on the clock.
`default_nettype none
module touchmove_frontend #(
  // tm_pkg::StyleMatrix (8x8, driven rows) or tm_pkg::StyleChain (eight 74HC165)
  parameter  int unsigned Style      = tm_pkg::StyleMatrix,
  // Clocks to a microsecond: 1 at 1 MHz, 24 at 24 MHz; the chain needs at least 2
  parameter  int unsigned ClkPerTick = 24,
  // Records that the queue holds: a power of two, 16 to 16384; 8192 at most with UseSpram
  parameter  int unsigned Depth      = 8192,
  // Keep the queue in three SPRAM blocks of UP5K
  parameter  bit          UseSpram   = 1'b0,
  // Let the register bus take records too (otherwise only the stream does)
  parameter  bit          BusRecords = 1'b1,
  // Device time one frame before the first frame; other than 0 only to test a wrap
  parameter  logic [31:0] StartUs    = 32'd0,
  localparam int unsigned AddrW      = tm_pkg::RegAddrW
) (
  input  logic             clk_i,
  input  logic             rst_i,

  // Matrix: one row (rank) driven high, columns (files) high where occupied
  output logic [7:0]       row_o,
  input  logic [7:0]       col_i,
  // Chain: the first bit out is a1, high where occupied
  output logic             sr_clk_o,
  output logic             sr_load_n_o,
  input  logic             sr_data_i,
  // Levers, buttons
  input  logic [7:0]       aux_i,

  // Register bus, word addresses. Read data are valid in the clock of the address; reg_re_i matters
  // only where reading has an effect.
  input  logic [AddrW-1:0] reg_addr_i,
  input  logic             reg_we_i,
  input  logic             reg_re_i,
  input  logic [31:0]      reg_wdata_i,
  output logic [31:0]      reg_rdata_o,

  // Record stream: bytes 0 to 7 of a record from the low end; a transfer moves the send pointer. With
  // UseSpram and without BusRecords rec_valid_o pauses for a clock when a record is written; then the
  // same is offered again.
  output logic             rec_valid_o,
  output logic [63:0]      rec_data_o,
  input  logic             rec_ready_i
);

  if (ClkPerTick < 1) $error("touchmove_frontend: ClkPerTick must be at least 1");

  // ---- Tick
  logic tick, run;
  if (ClkPerTick == 1) begin : g_every_clock
    assign tick = 1'b1;
  end else begin : g_prescaler
    localparam int unsigned PrescaleW = $clog2(ClkPerTick);
    logic [PrescaleW-1:0] prescale_q;
    always_ff @(posedge clk_i) begin
      prescale_q <= tick ? '0 : prescale_q + PrescaleW'(1);
      if (!run) prescale_q <= '0;
    end
    assign tick = prescale_q == PrescaleW'(ClkPerTick - 1);
  end

  logic snapshot, session_we, ack, resume, bus_pop;
  logic [7:0] settle, aux_invert;
  logic eager;
  logic [tm_pkg::ThresholdW-1:0] lift, place;
  logic snapshot_pending, ready, lossy;
  logic [15:0] next_seq, acked_seq;

  logic visit, sample, frame_start, wrap;
  logic [6:0] index, next_index;
  logic [7:0] raw;
  logic [tm_pkg::TimeW-1:0] frame;
  logic [tm_pkg::EpochW-1:0] epoch;

  logic adopt, follow, grant, level, held, is_edge, chatter, parity, want_oldest;
  logic [tm_pkg::TimeW-1:0] stamp;
  logic [tm_pkg::CountW-1:0] count;

  logic push, push_watermark, full, room, idle;
  logic [31:0] word;
  logic [15:0] head;

  tm_registers #(.Style(Style), .Depth(Depth), .BusRecords(BusRecords)) u_registers (
    .clk_i, .rst_i,
    .reg_addr_i, .reg_we_i, .reg_re_i, .reg_wdata_i, .reg_rdata_o,
    .run_o             (run),
    .snapshot_o        (snapshot),
    .session_we_o      (session_we),
    .ack_o             (ack),
    .resume_o          (resume),
    .pop_o             (bus_pop),
    .settle_o          (settle),
    .aux_invert_o      (aux_invert),
    .eager_o           (eager),
    .lift_o            (lift),
    .place_o           (place),
    .snapshot_pending_i(snapshot_pending),
    .ready_i           (ready),
    .lossy_i           (lossy),
    .frame_i           (frame),
    .epoch_i           (epoch),
    .index_i           (index),
    .raw_i             (raw),
    .next_i            (next_seq),
    .acked_i           (acked_seq),
    .rec_valid_i       (rec_valid_o),
    .rec_data_i        (rec_data_o)
  );

  tm_scan #(.Style(Style), .ClkPerTick(ClkPerTick), .StartUs(StartUs)) u_scan (
    .clk_i,
    .tick_i       (tick),
    .run_i        (run),
    .row_o, .col_i, .sr_clk_o, .sr_load_n_o, .sr_data_i, .aux_i,
    .settle_i     (settle),
    .aux_invert_i (aux_invert),
    .visit_o      (visit),
    .index_o      (index),
    .sample_o     (sample),
    .raw_o        (raw),
    .next_index_o (next_index),
    .frame_start_o(frame_start),
    .frame_o      (frame),
    .epoch_o      (epoch),
    .wrap_o       (wrap)
  );

  tm_debounce #(.Staged(ClkPerTick > 1)) u_debounce (
    .clk_i,
    .tick_i         (tick),
    .visit_i        (visit),
    .index_i        (index),
    .sample_i       (sample),
    .next_index_i   (next_index),
    .frame_start_i  (frame_start),
    .frame_i        (frame),
    .epoch_parity_i (epoch[0]),
    .adopt_i        (adopt),
    .follow_i       (follow),
    .grant_i        (grant),
    .oldest_i       (want_oldest),
    .eager_i        (eager),
    .lift_i         (lift),
    .place_i        (place),
    .level_o        (level),
    .held_o         (held),
    .edge_o         (is_edge),
    .chatter_o      (chatter),
    .stamp_o        (stamp),
    .parity_o       (parity),
    .count_o        (count)
  );

  tm_recorder u_recorder (
    .clk_i,
    .tick_i            (tick),
    .run_i             (run),
    .session_we_i      (session_we),
    .session_i         (reg_wdata_i),
    .snapshot_i        (snapshot),
    .snapshot_pending_o(snapshot_pending),
    .ready_o           (ready),
    .visit_i           (visit),
    .index_i           (index),
    .frame_start_i     (frame_start),
    .frame_i           (frame),
    .epoch_i           (epoch),
    .wrap_i            (wrap),
    .level_i           (level),
    .held_i            (held),
    .edge_i            (is_edge),
    .chatter_i         (chatter),
    .stamp_i           (stamp),
    .parity_i          (parity),
    .count_i           (count),
    .adopt_o           (adopt),
    .follow_o          (follow),
    .grant_o           (grant),
    .oldest_o          (want_oldest),
    .push_o            (push),
    .push_watermark_o  (push_watermark),
    .word_o            (word),
    .head_o            (head),
    .full_i            (full),
    .room_i            (room),
    .idle_i            (idle),
    .lossy_o           (lossy)
  );

  tm_queue #(.Depth(Depth), .UseSpram(UseSpram), .Hold(BusRecords)) u_queue (
    .clk_i,
    .rst_i           (!run),
    .push_i          (push),
    .push_watermark_i(push_watermark),
    .word_i          (word),
    .head_i          (head),
    .full_o          (full),
    .room_o          (room),
    .idle_o          (idle),
    .ack_i           (ack),
    .resume_i        (resume),
    .seq_i           (reg_wdata_i[15:0]),
    .acked_o         (acked_seq),
    .next_o          (next_seq),
    .rec_valid_o,
    .rec_data_o,
    .rec_ready_i     (rec_ready_i || bus_pop)
  );

endmodule
`default_nettype wire
