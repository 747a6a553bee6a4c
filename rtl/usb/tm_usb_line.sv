// tm_usb_line.sv - line receiver: finds the bits on D+ and D- with four samples to a bit
// SPDX-License-Identifier: Apache-2.0
// 48 MHz. Every edge of D+ sets the phase anew, so clocks may differ by far more than the 2 x 0.25 %
// of USB 2.0, 7.1.11 over the seven bits that stuffing leaves without an edge (7.1.9).
//
//   D+     ____/"""""""""""""""\____     first sample that shows an edge: 0
//   sample     0   1   2   3   0         taken: 1, that is 21 to 42 ns behind the edge
//
// An edge may therefore come 20.8 ns late (it is then seen at sample 1, and taken at once) or 41 ns
// early; 20 ns are asked for (7.1.15.1: 18.5 ns, and 1.5 ns for the clock's own error).
// SE0 has no edge of D+ where K stands before it, and may last only 82 ns (table 7-9, TFEOPR); it sets
// the phase too, and is taken at its third sample, so less than 40 ns of it is no SE0.
// A bit is given out as two registered clocks of strobe_o, in one of which, and only one, an edge of the
// 24 MHz clock falls (tm_usb_cross).
`default_nettype none
module tm_usb_line (
  input  logic clk48_i,
  input  logic dp_i,
  input  logic dn_i,
  // Two clocks for each bit
  output logic strobe_o,
  // The sample, from the first clock of strobe_o to the next bit: D+, and whether both lines are low
  output logic level_o,
  output logic se0_o
);

  logic [1:0] dp_q, dn_q;   // synchronisers
  logic       last_q, last_se0_q;
  logic [1:0] phase_q;
  logic       is_edge, se0, take, take_q;

  assign is_edge = dp_q[1] != last_q;
  assign se0     = !dp_q[1] && !dn_q[1];
  // Not twice in a row: an edge so late that it was taken at once sets the phase like any other
  assign take    = phase_q == 2'd1 && !take_q;

  always_ff @(posedge clk48_i) begin
    dp_q    <= {dp_q[0], dp_i};
    dn_q    <= {dn_q[0], dn_i};
    last_q     <= dp_q[1];
    last_se0_q <= se0;
    phase_q    <= phase_q + 2'd1;
    if (is_edge) phase_q <= 2'd1;   // this clock is sample 0
    if (se0 && !last_se0_q) phase_q <= 2'd0;
    take_q   <= take;
    strobe_o <= take || take_q;
    if (take) begin
      level_o <= dp_q[1];
      se0_o   <= se0 && last_se0_q;
    end
  end

`ifdef FORMAL
  // A clock of 24 MHz looks at every second edge, at either of the two. Proved in rtl/formal: it sees each
  // bit that was taken once, none twice, and with the sample that was taken (tm_usb_cross).
  (* anyconst *) logic f_phase;
  logic f_past_valid_q = 1'b0;
  logic f_second_q = 1'b0;
  logic f_waits_q = 1'b0;      // a bit was taken and not yet seen
  logic f_level_q, f_se0_q, f_sees;
  assign f_sees = f_second_q == f_phase && strobe_o;
  always_ff @(posedge clk48_i) begin
    f_past_valid_q <= 1'b1;
    f_second_q     <= !f_second_q;
    if (f_sees) f_waits_q <= 1'b0;
    if (take) begin
      f_waits_q <= 1'b1;
      f_level_q <= dp_q[1];
      f_se0_q   <= se0 && last_se0_q;
    end
  end
  // Before the first bit there is none
  always_comb if (!f_past_valid_q) assume (!strobe_o && !take_q);

  // ---- Claims
  always_ff @(posedge clk48_i) begin
    if (f_sees) begin
      a_once:  assert (f_waits_q);
      a_level: assert (level_o == f_level_q);
      a_se0:   assert (se0_o == f_se0_q);
    end
    if (take) a_seen: assert (!f_waits_q || f_sees);
    if (f_past_valid_q && take) a_apart: assert (!take_q);
  end

  // ---- Inductive invariants
  always_ff @(posedge clk48_i) begin
    if (take_q) i_first: assert (f_waits_q && strobe_o);
    if (f_waits_q && !take_q) i_second: assert (f_second_q == f_phase);
    if (strobe_o && !take_q && f_second_q == f_phase) i_open: assert (f_waits_q);
    if (f_waits_q) i_held: assert (strobe_o && level_o == f_level_q && se0_o == f_se0_q);
  end
`endif

endmodule
`default_nettype wire
