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
  output logic              adopt_o,
  output logic              follow_o,
  output logic              grant_o,
  output logic              oldest_o,

  // To the queue: high for the clock after a record was made, not sooner than four clocks after the
  // last time; word and head are valid in that clock.
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
  assign oldest_o = state_q == StStamp || watermark_due;
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
  assign from_sweep   = sweep || state_q == StPre;
  assign from_counter = state_q == StGap || state_q == StPre || (epoch_due && !sweep);
  assign counter      = (state_q == StGap) ? lost_q : epoch_i;

  always_ff @(posedge clk_i) begin
    if (tick_i && (sweep || (make && state_q != StSession)) || (!run_i && session_we_i)) begin
      unique case ({from_sweep, from_counter})
        // The aux levels are followed by zeros
        2'b10:   word_q <= {level_i && (index_i[6] || state_q != StAux), word_q[31:1]};
        2'b11:   word_q <= session_i;
        2'b01:   word_q <= 32'(counter);
        default: word_q <= {stamp_i, 3'b000};
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
              parity_q <= parity_i;
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

`ifdef FORMAL
  // Proved in rtl/formal: a record that the debouncer made is pushed or counted; after a loss nothing
  // is pushed before a gap record with that count; session and gap records are followed by a snapshot
  // (an epoch record may come first), whose four records stand together and hold the levels of the
  // visits; pushes are four ticks apart and never meet a full queue.
  logic        f_past_valid_q = 1'b0;
  logic [16:0] f_lost_q = '0;      // made by the debouncer or due, and not pushed, since a gap record
  logic [13:0] f_room_q = '0;      // records that fit
  logic [2:0]  f_ticks_q = '0;     // since the last record, up to 4
  logic [2:0]  f_snapshot_q = '0;  // 1 to 4: that many records of a snapshot are due
  logic        f_event_q = 1'b0, f_epoch_q = 1'b0;
  logic        f_wrap_q = 1'b0;    // the time wrapped, and its record was not yet followed by an edge
  logic [6:0]  f_index_q;
  logic [15:0] f_lost_word;
  (* anyseq *)   logic [13:0] f_freed;   // by acknowledgements
  (* anyconst *) logic [6:0]  f_input;   // one arbitrary input
  logic        f_level_q;                // its level at its last visit
  assign f_lost_word = f_lost_q[16] ? '1 : f_lost_q[15:0];

  always_ff @(posedge clk_i) begin
    f_past_valid_q <= 1'b1;
    f_event_q <= run_i && tick_i && (edge_i || chatter_i);
    f_epoch_q <= run_i && tick_i && make && state_q == StRun && epoch_due;
    f_room_q  <= f_room_q - 14'(push_o) + f_freed;
    if (state_q == StRun && !epoch_q) f_wrap_q <= 1'b0;
    if (tick_i && wrap_i) f_wrap_q <= 1'b1;
    if (tick_i) begin
      f_ticks_q <= make ? '0 : (f_ticks_q == 3'd4) ? f_ticks_q : f_ticks_q + 3'd1;
      if (visit_i) begin
        f_index_q <= index_i;
        if (index_i == f_input) f_level_q <= level_i;
      end
    end
    if ((f_event_q || f_epoch_q) && !push_o && !f_lost_q[16]) f_lost_q <= f_lost_q + 17'd1;
    if (push_o && kind_q == tm_pkg::KindGap) f_lost_q <= '0;
    if (push_o && (kind_q == tm_pkg::KindGap || kind_q == tm_pkg::KindSession)) f_snapshot_q <= 3'd4;
    if (push_o && kind_q == tm_pkg::KindSnapshot)
      f_snapshot_q <= (number_q == '0) ? 3'd3 : f_snapshot_q - 3'd1;
    if (!run_i) begin
      f_lost_q     <= '0;
      f_room_q     <= 14'd16;
      f_ticks_q    <= 3'd4;
      f_snapshot_q <= '0;
      f_event_q    <= 1'b0;
      f_epoch_q    <= 1'b0;
      f_wrap_q     <= 1'b0;
      f_index_q    <= 7'd55;
    end
  end

  always_comb begin
    if (!f_past_valid_q) assume (!run_i);
    // The queue
    assume (full_i == (f_room_q == '0) && room_i == (f_room_q >= 14'd8));
    assume (f_freed <= 14'd1000 && f_room_q <= 14'd8000);
    // The scanner visits in order, and a frame starts before the first visit of an aux input
    if (visit_i) assume (index_i == ((f_index_q == 7'd71) ? 7'd0 : f_index_q + 7'd1));
    if (frame_start_i) assume (f_index_q == 7'd63);
    // The next wrap is 71 minutes away
    if (wrap_i) assume (!f_wrap_q);
    assume (f_input <= 7'd71 && index_i <= 7'd71);
    // The debouncer makes a record only in a visit that was granted
    if (edge_i || chatter_i) assume (visit_i && grant_o);
    assume (!(edge_i && chatter_i));
  end

  // ---- Claims
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q && run_i) begin
      if (push_o) a_room: assert (f_room_q != '0);
      if (push_o && f_lost_q != '0)
        a_gap_first: assert (kind_q == tm_pkg::KindGap && word_o == 32'(f_lost_word));
      if (push_o && kind_q == tm_pkg::KindGap) a_gap_loss: assert (f_lost_q != '0);
      if (f_event_q) a_kept_or_lossy: assert (push_o || lossy_q);
      if (push_o && f_snapshot_q != '0)
        a_together: assert ((kind_q == tm_pkg::KindSnapshot && number_q == 7'd4 - 7'(f_snapshot_q))
                            || (f_snapshot_q == 3'd4 && kind_q == tm_pkg::KindEpoch));
      if (push_o && kind_q == tm_pkg::KindSnapshot && f_snapshot_q == '0)
        a_from_start: assert (number_q == '0);
      if (push_o && kind_q == tm_pkg::KindSnapshot && f_input[6:5] + 2'd1 == number_q[1:0]
          && number_q != '0)
        a_levels: assert (word_o[f_input[4:0]] == f_level_q);
      if (push_o && kind_q == tm_pkg::KindSnapshot && number_q == 7'd3)
        a_aux_only: assert (word_o[31:8] == '0);
      a_exclusive: assert (!(push_o && push_watermark_o));
      if (tick_i && make && state_q != StRun) a_whole: assert (!lose);
      if (tick_i && make) a_spaced: assert (f_ticks_q >= 3'd3);
    end
  end

  // ---- Inductive invariants
  logic        f_pushing_gap;
  logic [16:0] f_lost_next;
  logic [2:0]  f_due;        // records of a snapshot still to be made
  logic [13:0] f_avail;      // records that still can be made
  logic [6:0]  f_swept;      // visits since the one of f_input, where it came in this sweep
  logic        f_in_sweep, f_early;
  assign f_pushing_gap = push_o && kind_q == tm_pkg::KindGap;
  assign f_lost_next   = f_pushing_gap ? '0
                       : f_lost_q + 17'((f_event_q || f_epoch_q) && !push_o && !f_lost_q[16]);
  assign f_avail       = f_room_q - 14'(push_o);
  assign f_early       = f_index_q >= 7'd63;
  always_comb begin
    f_due = f_snapshot_q;
    if (push_o && (kind_q == tm_pkg::KindGap || kind_q == tm_pkg::KindSession)) f_due = 3'd4;
    if (push_o && kind_q == tm_pkg::KindSnapshot)
      f_due = (number_q == '0) ? 3'd3 : f_snapshot_q - 3'd1;
    f_swept    = f_index_q - f_input;
    f_in_sweep = f_input <= f_index_q;
    unique case (state_q)
      StLow:  f_in_sweep = !f_early && f_input <= f_index_q;
      StHigh: f_in_sweep = f_input >= 7'd32 && f_input <= f_index_q;
      StAux: begin
        f_in_sweep = f_input >= 7'd64 && (!f_early || f_input <= f_index_q);
        if (!f_early) f_swept = f_index_q + 7'd72 - f_input;
      end
      default: f_in_sweep = 1'b0;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (f_past_valid_q && run_i) begin
      i_lost:   assert (lost_q == (f_lost_next[16] ? '1 : f_lost_next[15:0]));
      i_lossy:  assert (lossy_q == (lost_q != '0) && f_lost_q <= 17'h10000);
      if (f_event_q || f_epoch_q || push_q || push_watermark_q) i_fresh: assert (wait_q == 2'd3);
      i_wait:   assert (wait_q == ((f_ticks_q >= 3'd3) ? 2'd0 : 2'(3'd3 - f_ticks_q)));
      i_ticks:  assert (f_ticks_q <= 3'd4 && f_index_q <= 7'd71);
      i_number: assert (!push_q || kind_q != tm_pkg::KindSnapshot || number_q <= 7'd3);
      i_due:    assert (f_due == ((state_q == StLow) ? 3'd3 : (state_q == StHigh) ? 3'd2
                                  : (state_q == StAux) ? 3'd1 : (state_q == StStamp) ? f_due : 3'd0));
      i_stamp:  assert (state_q != StStamp || f_due == 3'd4 || f_due == 3'd0);
      i_state:  assert (state_q <= StGap);
      if (state_q == StGap) i_gap: assert (lossy_q && f_avail >= 14'd7);
      else if (state_q != StRun) i_clean: assert (!lossy_q);
      if (state_q < StStamp) i_new: assert (f_avail >= 14'd8 && !push_q);
      if (state_q == StStamp)
        i_stamp_room: assert (f_avail >= ((f_wrap_q && !epoch_q) ? 14'd4 : 14'd5));
      if (epoch_q) i_wrap: assert (f_wrap_q);
      unique case (state_q)
        StLow: begin
          i_low: assert (f_avail >= 14'd3 && (f_early || f_index_q <= 7'd30));
          i_low_ticks: assert (f_ticks_q == 3'd4 || (f_early && f_index_q <= 7'd64 + 7'(f_ticks_q)));
        end
        StHigh: begin
          i_high: assert (f_avail >= 14'd2 && f_index_q >= 7'd31 && f_index_q <= 7'd62);
          i_high_ticks: assert (f_ticks_q == 3'd4 || f_index_q <= 7'd31 + 7'(f_ticks_q));
        end
        StAux: begin
          i_aux: assert (f_avail >= 14'd1 && (f_early || f_index_q <= 7'd22));
          i_aux_ticks: assert (f_ticks_q == 3'd4 || (f_early && f_index_q <= 7'd63 + 7'(f_ticks_q)));
          if (!f_early) i_aux_zero: assert ((word_q >> (7'd31 - f_index_q)) == '0);
        end
        default: ;
      endcase
      if (f_in_sweep) i_word: assert (word_q[5'(7'd31 - f_swept)] == f_level_q);
    end
  end
`endif

endmodule
`default_nettype wire
