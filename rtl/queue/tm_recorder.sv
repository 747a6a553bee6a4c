// tm_recorder.sv - decides which record is written next, and makes it
// SPDX-License-Identifier: Apache-2.0
//
//   run --> StPre --> StAdopt --> StWarm --> StSession --> StStamp --> StLow --> StHigh --> StAux
//          (until the    (one      (until no                 ^  \______ the snapshot's four ___/ |
//         first frame)  frame)   input is held)              |         records 0 1 2 3           v
//                                                          StGap <--------------------------- StRun
//
// In StRun edges become records as the debouncer accepts them. In all other states no edge is
// accepted: it waits as an open run. So nothing stands between the records of a snapshot, and they
// agree with each other. A snapshot is gathered from the debouncer's visits, in a shift register
// that is also the record's word; no other copy of the occupancy exists.
`default_nettype none
module tm_recorder #(
  localparam int unsigned TimeW  = tm_pkg::TimeW,
  localparam int unsigned EpochW = tm_pkg::EpochW
) (
  input  logic              clk_i,
  input  logic              tick_i,
  input  logic              run_i,

  // Number of the session, taken while run_i is low
  input  logic              session_we_i,
  input  logic [31:0]       session_i,
  input  logic              snapshot_i,
  output logic              snapshot_pending_o,
  output logic              ready_o,

  // The visit of this tick (tm_scan, tm_debounce)
  input  logic              visit_i,
  input  logic [6:0]        index_i,
  input  logic              frame_start_i,
  input  logic [TimeW-1:0]  frame_i,
  input  logic [EpochW-1:0] epoch_i,
  input  logic              wrap_i,
  input  logic              level_i,
  input  logic              held_i,
  input  logic              edge_i,
  input  logic              chatter_i,
  input  logic [TimeW-1:0]  stamp_i,
  input  logic              parity_i,
  input  logic [3:0]        count_i,
  input  logic [TimeW-1:0]  oldest_i,
  input  logic              oldest_parity_i,
  output logic              adopt_o,
  output logic              follow_o,
  output logic              grant_o,

  // To the queue: high for the clock after a record was made, not sooner than four clocks after the
  // last time. The word is valid in that clock, the head in that and the next.
  output logic              push_o,
  output logic              push_watermark_o,
  output logic [31:0]       word_o,
  output logic [15:0]       head_o,
  // From the queue: nothing fits; there is room for a gap record and all that follows it
  input  logic              full_i,
  input  logic              room_i,
  // The stream has given out all that is written
  input  logic              idle_i,
  // Records are being lost, since the queue was full and until the gap record stands in their place
  output logic              lossy_o
);

  typedef enum logic [3:0] {
    StPre, StAdopt, StWarm, StSession, StStamp, StLow, StHigh, StAux, StRun, StGap
  } state_e;
  state_e state_q;

  localparam logic [6:0] LastLow    = 7'd31;   // h4
  localparam logic [6:0] LastSquare = 7'd63;   // h8
  // The eight aux levels are moved to the low end of the word by the 24 visits after them
  localparam logic [6:0] LastOfAux  = 7'd23;

  logic [31:0] word_q;
  logic [3:0]  kind_q, count_q;
  logic        parity_q;
  logic [6:0]  number_q;
  logic        push_q;
  logic [1:0]  wait_q;         // ticks until a record may be made again
  logic        held_q;         // an input was held in this frame
  logic        snapshot_q;     // a snapshot is wanted
  logic        epoch_q;        // an epoch record is due
  logic        soon_q, late_q; // a watermark is due: soon after an edge, or after long silence
  logic        edges_q;        // edges were written since the last watermark
  logic        mark8_q, mark1_q;
  logic        lossy_q, push_watermark_q;
  logic [15:0] lost_q;         // saturates

  logic free, frame_end, watermark_due, epoch_due, sweep;
  assign free          = wait_q == '0;
  assign frame_end     = visit_i && index_i == LastSquare;
  assign epoch_due     = epoch_q && !lossy_q;
  assign watermark_due = frame_start_i && state_q == StRun && idle_i && (late_q || soon_q);
  assign sweep         = visit_i && (state_q == StLow || state_q == StHigh || state_q == StAux);

  assign adopt_o  = state_q == StPre || state_q == StAdopt;
  assign follow_o = state_q == StWarm;
  assign grant_o  = state_q == StRun && free && !epoch_due && !watermark_due;
  assign ready_o  = state_q == StRun || state_q == StGap;
  assign snapshot_pending_o = snapshot_q;

  // ---- The record of this tick
  logic        make;
  logic [3:0]  kind, count;
  logic        parity;
  logic [6:0]  number;
  logic [31:0] word;
  always_comb begin
    make   = 1'b0;
    kind   = tm_pkg::KindSnapshot;
    count  = '0;
    parity = epoch_i[0];
    number = '0;
    word   = {stamp_i, 3'b000};
    unique case (state_q)
      StSession: begin
        make = free;
        kind = tm_pkg::KindSession;
        word = word_q;
      end
      StStamp: begin
        make   = free && (epoch_due || frame_start_i);
        kind   = epoch_due ? tm_pkg::KindEpoch : tm_pkg::KindSnapshot;
        parity = epoch_due ? epoch_i[0] : oldest_parity_i;
        word   = epoch_due ? 32'(epoch_i) : {oldest_i, 3'b000};
      end
      StLow, StHigh, StAux: begin
        parity = parity_q;
        number = {5'd0, state_q == StHigh || state_q == StAux, state_q == StLow || state_q == StAux};
        word   = {level_i && (index_i[6] || state_q != StAux), word_q[31:1]};
        make   = visit_i && index_i == ((state_q == StLow)  ? LastLow
                                      : (state_q == StHigh) ? LastSquare : LastOfAux);
      end
      StGap: begin
        make = free;
        kind = tm_pkg::KindGap;
        word = 32'(lost_q);
      end
      StRun: begin
        make = edge_i || chatter_i || (free && (epoch_due || watermark_due));
        if (epoch_due || watermark_due) begin
          kind   = epoch_due ? tm_pkg::KindEpoch : tm_pkg::KindWatermark;
          parity = epoch_due ? epoch_i[0] : oldest_parity_i;
          word   = epoch_due ? 32'(epoch_i) : {oldest_i, 3'b000};
        end else begin
          kind   = chatter_i ? tm_pkg::KindFault
                 : index_i[6] ? (level_i ? tm_pkg::KindInputDown : tm_pkg::KindInputUp)
                              : (level_i ? tm_pkg::KindPlace : tm_pkg::KindLift);
          count  = chatter_i ? tm_pkg::FaultChatter : count_i;
          number = (index_i[6] && !chatter_i) ? {4'd0, index_i[2:0]} : index_i;
          parity = parity_i;
        end
      end
      default: ;
    endcase
  end

  // ---- What cannot be written is counted
  logic lose, keep;
  assign lose = make && kind != tm_pkg::KindWatermark && state_q != StGap && (full_i || lossy_q);
  assign keep = make && kind != tm_pkg::KindWatermark && !lose;

  always_ff @(posedge clk_i) begin
    push_q           <= 1'b0;
    push_watermark_q <= 1'b0;
    if (snapshot_i) snapshot_q <= 1'b1;
    if (tick_i) begin
      if (wait_q != '0) wait_q <= wait_q - 2'd1;
      if (make || sweep) word_q <= word;
      if (make) begin
        wait_q   <= 2'(tm_pkg::PushTicks - 1);
        kind_q   <= kind;
        count_q  <= count;
        parity_q <= parity;
        number_q <= number;
        push_q           <= keep;
        push_watermark_q <= kind == tm_pkg::KindWatermark;
        if (lose) begin
          lossy_q <= 1'b1;
          if (lost_q != '1) lost_q <= lost_q + 16'd1;
        end
        if (state_q == StGap) begin
          lossy_q <= 1'b0;
          lost_q  <= '0;
        end
      end

      // Watermarks: every 8.2 ms, and within 1.1 ms of an edge
      if (frame_start_i) begin
        mark8_q <= frame_i[13-tm_pkg::UnitLog2];
        mark1_q <= frame_i[10-tm_pkg::UnitLog2];
        if (mark8_q != frame_i[13-tm_pkg::UnitLog2]) late_q <= 1'b1;
        if (mark1_q != frame_i[10-tm_pkg::UnitLog2] && edges_q) soon_q <= 1'b1;
      end
      if (make && kind == tm_pkg::KindWatermark) begin
        late_q  <= 1'b0;
        soon_q  <= 1'b0;
        edges_q <= 1'b0;
      end
      if (edge_i) edges_q <= 1'b1;

      held_q <= !frame_end && (held_q || (visit_i && held_i));
      if (keep && kind == tm_pkg::KindEpoch) epoch_q <= 1'b0;
      if (wrap_i) epoch_q <= 1'b1;

      unique case (state_q)
        StPre:     if (frame_end) state_q <= StAdopt;
        StAdopt:   if (frame_end) state_q <= StWarm;
        StWarm:    if (frame_end && !held_q && !held_i) state_q <= StSession;
        StSession: if (make) state_q <= StStamp;
        StStamp: begin
          if (make && !epoch_due) begin
            state_q    <= StLow;
            snapshot_q <= snapshot_i;
          end
        end
        StLow:     if (make) state_q <= StHigh;
        StHigh:    if (make) state_q <= StAux;
        StAux:     if (make) state_q <= StRun;
        StRun: begin
          if (frame_end && room_i) begin
            if (lossy_q) state_q <= StGap;
            else if (snapshot_q) state_q <= StStamp;
          end
        end
        StGap:     if (make) state_q <= StStamp;
        default:   state_q <= StPre;
      endcase
    end
    if (!run_i) begin
      state_q    <= StPre;
      push_q           <= 1'b0;
      push_watermark_q <= 1'b0;
      lossy_q    <= 1'b0;
      lost_q     <= '0;
      mark8_q    <= 1'b0;
      mark1_q    <= 1'b0;
      held_q     <= 1'b0;
      wait_q     <= '0;
      snapshot_q <= 1'b0;
      epoch_q    <= 1'b0;
      late_q     <= 1'b0;
      soon_q     <= 1'b0;
      edges_q    <= 1'b0;
      if (session_we_i) word_q <= session_i;
    end
  end

  assign push_o           = push_q;
  assign push_watermark_o = push_watermark_q;
  assign lossy_o          = lossy_q;
  assign word_o = word_q;
  assign head_o = {parity_q, number_q, kind_q, count_q};

endmodule
`default_nettype wire
