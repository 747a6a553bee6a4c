// tm_clocks.sv - 48 and 24 MHz in phase from the board's crystal, and the reset that follows them
// SPDX-License-Identifier: Apache-2.0
// Never the internal oscillator of UP5K: its 10 % are forty times what full speed allows (USB 2.0,
// 7.1.11). The phase detector runs at the crystal's rate, the VCO at 768 MHz.
`default_nettype none
module tm_clocks #(
  // The crystal times (Multiplier + 1) is 768 MHz: 63 for 12 MHz, 47 for 16 MHz
  parameter logic [6:0] Multiplier = 7'd63,
  // The crystal's pin is the PLL's own; otherwise the clock reaches it through the fabric
  parameter bit         Pad        = 1'b1
) (
  input  logic pin_i,
  output logic clk_o,
  output logic clk48_o,
  output logic rst_o
);
  logic lock;
  if (Pad) begin : g_pad
    SB_PLL40_2F_PAD #(
      .FEEDBACK_PATH       ("SIMPLE"),
      .DIVR                (4'd0),
      .DIVF                (Multiplier),
      .DIVQ                (3'd4),
      .FILTER_RANGE        (3'd1),
      .PLLOUT_SELECT_PORTA ("GENCLK"),
      .PLLOUT_SELECT_PORTB ("GENCLK_HALF")
    ) u_pll (
      .PACKAGEPIN    (pin_i),
      .PLLOUTGLOBALA (clk48_o),
      .PLLOUTGLOBALB (clk_o),
      .LOCK          (lock),
      .RESETB        (1'b1),
      .BYPASS        (1'b0)
    );
  end else begin : g_core
    SB_PLL40_2F_CORE #(
      .FEEDBACK_PATH       ("SIMPLE"),
      .DIVR                (4'd0),
      .DIVF                (Multiplier),
      .DIVQ                (3'd4),
      .FILTER_RANGE        (3'd1),
      .PLLOUT_SELECT_PORTA ("GENCLK"),
      .PLLOUT_SELECT_PORTB ("GENCLK_HALF")
    ) u_pll (
      .REFERENCECLK  (pin_i),
      .PLLOUTGLOBALA (clk48_o),
      .PLLOUTGLOBALB (clk_o),
      .LOCK          (lock),
      .RESETB        (1'b1),
      .BYPASS        (1'b0)
    );
  end

  // Block RAM of UP5K cannot be read in the first microseconds after configuration
  logic [7:0] wait_q = '0;
  always_ff @(posedge clk_o) begin
    if (!lock) wait_q <= '0;
    else if (!wait_q[7]) wait_q <= wait_q + 8'd1;
  end
  assign rst_o = !wait_q[7];
endmodule
`default_nettype wire
