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

  // ---- Is a record made in this tick?
  logic make;
  always_comb begin
    unique case (state_q)
      StSession, StGap: make = free;
      StStamp:          make = free && (epoch_due || frame_start_i);
      StLow:            make = visit_i && index_i == LastLow;
      StHigh:           make = visit_i && index_i == LastSquare;
      StAux:            make = visit_i && index_i == LastOfAux;
      StRun:            make = edge_i || chatter_i || (free && (epoch_due || watermark_due));
      default:          make = 1'b0;
    endcase
  end

  // ---- What cannot be kept is counted
  logic watermark, lose;
  assign watermark = state_q == StRun && watermark_due && !epoch_due;
  assign lose      = (full_i || lossy_q) && !watermark && state_q != StGap;

  // ---- Word: a four-way choice, spelled out as such because it is the widest one here
  logic from_sweep, from_counter;
  logic [15:0] counter;
  logic [TimeW-1:0] stamp;
  assign from_sweep   = sweep || state_q == StPre;
  assign from_counter = state_q == StGap || state_q == StPre || (epoch_due && !sweep);
  assign counter      = (state_q == StGap) ? lost_q : epoch_i;
  assign stamp        = (state_q == StStamp || watermark_due) ? oldest_i : stamp_i;

  always_ff @(posedge clk_i) begin
    if (tick_i && (sweep || (make && state_q != StSession)) || (!run_i && session_we_i)) begin
      unique case ({from_sweep, from_counter})
        // The aux levels are followed by zeros
        2'b10:   word_q <= {level_i && (index_i[6] || state_q != StAux), word_q[31:1]};
        2'b11:   word_q <= session_i;
        2'b01:   word_q <= 32'(counter);
        default: word_q <= {stamp, 3'b000};
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    push_q           <= 1'b0;
    push_watermark_q <= 1'b0;
    if (snapshot_i) snapshot_q <= 1'b1;
    if (tick_i) begin
      if (wait_q != '0) wait_q <= wait_q - 2'd1;
      if (visit_i && held_i) held_q <= 1'b1;

      // Watermarks: every 8.2 ms, and within 1.1 ms of an edge
      if (frame_start_i) begin
        mark8_q <= frame_i[13-tm_pkg::UnitLog2];
        mark1_q <= frame_i[10-tm_pkg::UnitLog2];
        if (mark8_q != frame_i[13-tm_pkg::UnitLog2]) late_q <= 1'b1;
        if (mark1_q != frame_i[10-tm_pkg::UnitLog2] && edges_q) soon_q <= 1'b1;
      end

      if (make) begin
        push_q           <= !watermark && !lose;
        push_watermark_q <= watermark;
        wait_q           <= 2'(tm_pkg::PushTicks - 1);
        if (lose) begin
          lossy_q <= 1'b1;
          if (lost_q != '1) lost_q <= lost_q + 16'd1;
        end
        kind_q   <= tm_pkg::KindSnapshot;
        count_q  <= '0;
        number_q <= '0;
        unique case (state_q)
          StSession: begin
            state_q  <= StStamp;
            kind_q   <= tm_pkg::KindSession;
            parity_q <= epoch_i[0];
          end
          StGap: begin
            state_q  <= StStamp;
            kind_q   <= tm_pkg::KindGap;
            parity_q <= epoch_i[0];
            lossy_q  <= 1'b0;
            lost_q   <= '0;
          end
          StLow: begin
            state_q  <= StHigh;
            number_q <= 7'd1;
          end
          StHigh: begin
            state_q  <= StAux;
            number_q <= 7'd2;
          end
          StAux: begin
            state_q  <= StRun;
            number_q <= 7'd3;
          end
          default: begin   // StStamp, StRun
            if (epoch_due) begin
              kind_q   <= tm_pkg::KindEpoch;
              parity_q <= epoch_i[0];
              if (!lose) epoch_q <= 1'b0;
            end else if (state_q == StStamp || watermark_due) begin
              parity_q <= oldest_parity_i;
              if (state_q == StStamp) begin
                state_q    <= StLow;
                snapshot_q <= snapshot_i;
              end else begin
                kind_q  <= tm_pkg::KindWatermark;
                late_q  <= 1'b0;
                soon_q  <= 1'b0;
                edges_q <= 1'b0;
              end
            end else begin
              kind_q   <= chatter_i  ? tm_pkg::KindFault
                        : index_i[6] ? (level_i ? tm_pkg::KindInputDown : tm_pkg::KindInputUp)
                                     : (level_i ? tm_pkg::KindPlace : tm_pkg::KindLift);
              count_q  <= chatter_i ? tm_pkg::FaultChatter : count_i;
              number_q <= {index_i[6] && chatter_i, index_i[5:0]};
              parity_q <= parity_i;
              edges_q  <= 1'b1;
            end
          end
        endcase
      end

      if (wrap_i) epoch_q <= 1'b1;

      if (frame_end) begin
        held_q <= 1'b0;
        unique case (state_q)
          StPre:   state_q <= StAdopt;
          StAdopt: state_q <= StWarm;
          StWarm:  if (!held_q && !held_i) state_q <= StSession;
          StRun:   if (room_i && (lossy_q || snapshot_q)) state_q <= lossy_q ? StGap : StStamp;
          default: ;
        endcase
      end
    end
    if (!run_i) begin
      state_q          <= StPre;
      push_q           <= 1'b0;
      push_watermark_q <= 1'b0;
      wait_q           <= '0;
      held_q           <= 1'b0;
      snapshot_q       <= 1'b0;
      epoch_q          <= 1'b0;
      late_q           <= 1'b0;
      soon_q           <= 1'b0;
      edges_q          <= 1'b0;
      mark8_q          <= 1'b0;
      mark1_q          <= 1'b0;
      lossy_q          <= 1'b0;
      lost_q           <= '0;
    end
  end

  assign push_o           = push_q;
  assign push_watermark_o = push_watermark_q;
  assign lossy_o          = lossy_q;
  assign word_o = word_q;
  assign head_o = {parity_q, number_q, kind_q, count_q};

endmodule
`default_nettype wire
