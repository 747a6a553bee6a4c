// tm_scan.sv - reads 64 squares and 8 aux inputs, hands on one input a tick, frame after frame
// SPDX-License-Identifier: Apache-2.0
// A frame is nine slots. The first eight drive a row (or shift eight bits out of the chain) for
// `settle` ticks; the ninth is 8 ticks long and reads the aux inputs. What a slot has read is
// visited in the last 8 ticks of the slot after it:
//
//   slot     8 (aux) | 0 (rank 1) | 1 (rank 2) | ... | 7 (rank 8) | 8 (aux) | 0 (rank 1)
//   visits   rank 8  | aux        | rank 1     | ... | rank 7     | rank 8  | aux
//                    ^ frame start: aux inputs read, chain loaded           ^ next frame
//
// Both styles keep this schedule to the tick, so the same contacts give the same records.
`default_nettype none
module tm_scan #(
  // tm_pkg::StyleMatrix or tm_pkg::StyleChain
  parameter  int unsigned Style      = tm_pkg::StyleMatrix,
  // Clocks to a tick of 1 us; the chain needs at least 2, as it shifts a bit each tick
  parameter  int unsigned ClkPerTick = 1,
  // Device time one frame before the first frame; other than 0 only to test a wrap
  parameter  logic [31:0] StartUs    = 32'd0,
  localparam int unsigned TimeW      = tm_pkg::TimeW,
  localparam int unsigned EpochW     = tm_pkg::EpochW
) (
  input  logic              clk_i,
  input  logic              tick_i,
  // Low: everything stands still at the start
  input  logic              run_i,

  // Matrix: one row driven high; columns high where occupied
  output logic [7:0]        row_o,
  input  logic [7:0]        col_i,
  // Chain of eight 74HC165: the first bit out is a1, high where occupied
  output logic              sr_clk_o,
  output logic              sr_load_n_o,
  input  logic              sr_data_i,
  input  logic [7:0]        aux_i,

  // Ticks that a row is driven before it is read: 8 or more, 10 with the chain; in force from the
  // next frame on
  input  logic [7:0]        settle_i,
  input  logic [7:0]        aux_invert_i,

  // The visit of this tick: input and its level
  output logic              visit_o,
  output logic [6:0]        index_o,
  output logic              sample_o,
  // Eight inputs as they were read last; bit 0 is input index_o, the others follow in a circle
  // within the same rank (or the aux inputs)
  output logic [7:0]        raw_o,
  // The input that will be visited next after this tick
  output logic [6:0]        next_index_o,
  // First tick of a frame, and the time at which it began: in units of 8 us, with its epoch
  output logic              frame_start_o,
  output logic [TimeW-1:0]  frame_o,
  output logic [EpochW-1:0] epoch_o,
  // With frame_start_o: the time has wrapped
  output logic              wrap_o
);

  if (Style == tm_pkg::StyleChain && ClkPerTick < 2)
    $error("tm_scan: the shift chain needs ClkPerTick of at least 2");

  localparam logic [6:0] LastAux    = 7'd71;
  localparam logic [6:0] FirstRank8 = 7'd56;

  logic [7:0] left_q;     // ticks left of this slot, this one included
  logic [3:0] slot_q;     // 0..8
  logic [7:0] settle_q;   // of this frame
  logic [7:0] sample_q;   // read by the slot before; bit 0 is visited next
  logic [6:0] index_q;
  logic       frame_start_q, wrap_q;
  logic [TimeW-1:0]  frame_q;
  logic [EpochW-1:0] epoch_q;

  logic       aux_slot, slot_end, visit;
  logic [7:0] levels;     // read by this slot; valid in its last tick
  logic [TimeW:0] frame_next;
  assign aux_slot = slot_q[3];
  assign slot_end = left_q == 8'd1;
  assign visit    = (left_q[7:3] == '0) || (left_q == 8'd8);
  assign frame_next = {1'b0, frame_q} + (TimeW+1)'(settle_q) + (TimeW+1)'(1);

  assign next_index_o  = !visit ? index_q : (index_q == LastAux) ? '0 : index_q + 7'd1;
  assign visit_o       = visit;
  assign index_o       = index_q;
  assign sample_o      = sample_q[0];
  assign raw_o         = sample_q;
  assign frame_start_o = frame_start_q;
  assign frame_o       = frame_q;
  assign epoch_o       = epoch_q;
  assign wrap_o        = wrap_q;

  always_ff @(posedge clk_i) begin
    if (tick_i) begin
      left_q        <= left_q - 8'd1;
      index_q       <= next_index_o;
      frame_start_q <= 1'b0;
      wrap_q        <= 1'b0;
      if (visit) sample_q <= slot_end ? levels : {sample_q[0], sample_q[7:1]};
      if (slot_end) begin
        slot_q   <= aux_slot ? 4'd0 : slot_q + 4'd1;
        left_q   <= (slot_q == 4'd7) ? 8'd8 : aux_slot ? settle_i : settle_q;
        if (aux_slot) begin
          settle_q          <= settle_i;
          frame_start_q     <= 1'b1;
          {wrap_q, frame_q} <= frame_next;
          epoch_q           <= epoch_q + EpochW'(frame_next[TimeW]);
        end
      end
    end
    if (!run_i) begin
      // The aux slot, so that the first frame has aux inputs to visit
      left_q        <= 8'd8;
      slot_q        <= 4'd8;
      index_q       <= FirstRank8;
      settle_q      <= settle_i;
      frame_start_q <= 1'b0;
      wrap_q        <= 1'b0;
      frame_q       <= StartUs[31:tm_pkg::UnitLog2];
      epoch_q       <= '0;
    end
  end

  // Synchronisers run at the tick's rate: their delay is 2 us whatever the clock, so records do not
  // depend on it
  if (Style == tm_pkg::StyleMatrix) begin : g_matrix
    // One for columns and aux inputs: a slot is longer than the delay
    logic [7:0] meta_q, sync_q, row_q;
    always_ff @(posedge clk_i) begin
      if (tick_i) begin
        meta_q <= aux_slot ? aux_i ^ aux_invert_i : col_i;
        sync_q <= meta_q;
        if (slot_end) row_q <= {row_q[6:0], aux_slot};
      end
      if (!run_i) row_q <= '0;
    end
    assign levels      = sync_q;
    assign row_o       = row_q;
    assign sr_clk_o    = 1'b0;
    assign sr_load_n_o = 1'b1;
    logic unused_chain;
    assign unused_chain = sr_data_i;
  end else begin : g_chain
    // A bit leaves the synchroniser two ticks after the edge of the serial clock that ended it, so
    // the eight clocks of a slot come two ticks before the eight captures that end with the slot.
    localparam int unsigned HalfW = $clog2(ClkPerTick);
    logic       data_meta_q, data_sync_q, clk_q, load_n_q, advance, half_tick;
    logic [7:1] shift_q;
    logic [7:0] squares, aux_meta_q, aux_sync_q;
    logic [HalfW-1:0] since_q;   // clocks since the tick
    assign half_tick = since_q == HalfW'(ClkPerTick / 2 - 1);
    assign advance = !aux_slot && (left_q >= 8'd3) && (left_q <= 8'd10);
    assign squares = {data_sync_q, shift_q};
    assign levels  = aux_slot ? aux_sync_q ^ aux_invert_i : squares;
    always_ff @(posedge clk_i) begin
      since_q <= tick_i ? '0 : since_q + HalfW'(1);
      // High for the first half of a tick
      if (half_tick) clk_q <= 1'b0;
      if (tick_i) begin
        data_meta_q <= sr_data_i;
        data_sync_q <= data_meta_q;
        aux_meta_q  <= aux_i;
        aux_sync_q  <= aux_meta_q;
        clk_q       <= advance;
        load_n_q    <= !aux_slot || slot_end;
        if (visit) shift_q <= squares[7:1];
      end
      if (!run_i) begin
        clk_q    <= 1'b0;
        load_n_q <= 1'b0;
      end
    end
    assign row_o       = '0;
    assign sr_clk_o    = clk_q;
    assign sr_load_n_o = load_n_q;
    logic unused_matrix;
    assign unused_matrix = ^col_i;
  end

`ifdef FORMAL
  // Proved in rtl/formal: every input is visited once a frame, in order, with the next one announced a
  // tick ahead; the time moves at frame starts only, by the ticks that have passed; a row is driven
  // alone, for at least the settle time before it is read.
  logic        f_past_valid_q = 1'b0;
  logic [11:0] f_ticks_q = '0;       // since the frame started
  logic [7:0]  f_driven_q = '0;      // ticks that the present slot has lasted
  logic [6:0]  f_visits_q = '0;      // in this frame
  logic        f_framed_q = 1'b0;    // a frame has started
  logic        f_announced_q = 1'b0;
  logic [6:0]  f_next_q;
  logic [TimeW-1:0] f_frame_q;       // the frame before and its settle time
  logic [7:0]  f_settle_q;
  logic [11:0] f_length, f_elapsed;
  // Ticks from the start of the frame to the present tick, from the schedule
  assign f_length  = {1'b0, settle_q, 3'b000} + 12'd8;
  assign f_elapsed = aux_slot ? {1'b0, settle_q, 3'b000} + 12'd8 - 12'(left_q)
                              : 12'(settle_q) * 12'(slot_q) + 12'(settle_q) - 12'(left_q);
  always_ff @(posedge clk_i) begin
    f_past_valid_q <= 1'b1;
    if (tick_i) begin
      f_driven_q    <= slot_end ? '0 : f_driven_q + 8'd1;
      f_ticks_q     <= (slot_end && aux_slot) ? '0 : f_ticks_q + 12'd1;
      f_visits_q    <= (slot_end && aux_slot) ? '0 : f_visits_q + 7'(visit);
      f_announced_q <= 1'b1;
      f_next_q      <= next_index_o;
      if (slot_end && aux_slot) begin
        f_framed_q <= 1'b1;
        f_frame_q  <= frame_q;
        f_settle_q <= settle_q;
      end
    end
    if (!run_i) begin
      f_driven_q    <= '0;
      f_ticks_q     <= '0;
      f_visits_q    <= '0;
      f_framed_q    <= 1'b0;
      f_announced_q <= 1'b0;
    end
  end
  always_comb begin
    if (!f_past_valid_q) assume (!run_i);
    assume (settle_i >= 8'd8);
  end

  // ---- Claims
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q && run_i) begin
      if (f_announced_q) a_announced: assert (index_o == f_next_q);
      if (tick_i && slot_end && aux_slot && f_framed_q) begin
        a_visits: assert (f_visits_q == 7'd71 && visit && index_o == 7'd63);
        a_time:   assert (f_ticks_q + 12'd1 == f_length);
      end
      if (frame_start_o) begin
        a_first: assert (index_o == 7'd64 && f_visits_q == '0);
        a_amount: assert (frame_o == f_frame_q + TimeW'(f_settle_q) + TimeW'(1));
      end
      if (f_framed_q && $past(f_framed_q && run_i) && frame_o != $past(frame_o))
        a_still: assert (frame_start_o);
      if (tick_i && slot_end && !aux_slot) a_settle: assert (f_driven_q + 8'd1 >= settle_q);
      if (visit_o && slot_q != '0) a_rank: assert (index_o[6:3] == slot_q - 4'd1);
      a_alone: assert ((row_o & (row_o - 8'd1)) == '0);
    end
  end

  // ---- Inductive invariants
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q && run_i) begin
      i_slot: assert (slot_q <= 4'd8 && settle_q >= 8'd8 && left_q != '0
                      && left_q <= (aux_slot ? 8'd8 : settle_q));
      i_index: assert (index_q <= 7'd71);
      // The slot before is what is visited; eight visits lie in its last eight ticks
      i_order: assert (index_q == (visit ? 7'(slot_q == '0 ? 7'd64 : {slot_q - 4'd1, 3'b000})
                                           + 7'd8 - 7'(left_q)
                                         : (slot_q == '0 ? 7'd64 : {slot_q - 4'd1, 3'b000})));
      if (f_framed_q) begin
        i_ticks:  assert (f_ticks_q == f_elapsed);
        i_visits: assert (f_visits_q == ((index_q >= 7'd64) ? index_q - 7'd64 : index_q + 7'd8));
      end else begin
        i_unframed: assert (slot_q == 4'd8);
      end
      i_driven: assert (f_driven_q == (aux_slot ? 8'd8 : settle_q) - left_q);
      i_row:    assert (row_o == (aux_slot ? 8'd0 : 8'd1 << slot_q[2:0]));
      if (frame_start_q) i_start: assert (slot_q == '0 && left_q == settle_q && f_framed_q);
    end
  end
`endif

endmodule
`default_nettype wire
