// tm_record_ram.sv - one-port memory of the queue: a 32-bit word and a 16-bit head for each record
// SPDX-License-Identifier: Apache-2.0
// One half of a record is written or read each clock; read data come one clock later and are valid
// for that clock. UseSpram: two SPRAM blocks of UP5K side by side; else block RAM, in which only
// the 48 bits that a record needs are stored.
`default_nettype none
module tm_record_ram #(
  // A power of two
  parameter  int unsigned Depth    = 8192,
  // Instantiate SB_SPRAM256KA: Depth at most 8192
  parameter  bit          UseSpram = 1'b0,
  localparam int unsigned Aw       = $clog2(Depth)
) (
  input  logic          clk_i,
  input  logic [Aw-1:0] addr_i,
  // High: the head, in bits 15..0, the others arbitrary; low: the word
  input  logic          head_i,
  input  logic          we_i,
  input  logic          re_i,
  input  logic [31:0]   wdata_i,
  output logic [31:0]   rdata_o
`ifdef FORMAL
  , input  logic [Aw-1:0] f_addr_i
  , output logic [31:0]   f_word_o
  , output logic [15:0]   f_head_o
`endif
);

  if (UseSpram) begin : g_spram
    if (Depth > 8192) $error("tm_record_ram: two SPRAM blocks hold 8192 records");
    logic [13:0] addr;
    assign addr = 14'({addr_i, head_i});
    for (genvar i = 0; i < 2; i++) begin : g_half
      SB_SPRAM256KA u_spram (
        .ADDRESS   (addr),
        .DATAIN    (wdata_i[16*i +: 16]),
        .MASKWREN  (4'b1111),
        .WREN      (we_i),
        .CHIPSELECT(1'b1),
        .CLOCK     (clk_i),
        .STANDBY   (1'b0),
        .SLEEP     (1'b0),
        .POWEROFF  (1'b1),
        .DATAOUT   (rdata_o[16*i +: 16])
      );
    end
    logic unused_re;
    assign unused_re = re_i;
  end else begin : g_bram
    logic [31:0] words [Depth];
    logic [15:0] heads [Depth];
    logic [31:0] word_q;
    logic [15:0] head_q;
    logic        is_head_q;
    always_ff @(posedge clk_i) begin
      if (we_i && !head_i) words[addr_i] <= wdata_i;
      if (re_i) word_q <= words[addr_i];
    end
    always_ff @(posedge clk_i) begin
      if (we_i && head_i) heads[addr_i] <= wdata_i[15:0];
      if (re_i) head_q <= heads[addr_i];
    end
    always_ff @(posedge clk_i) is_head_q <= head_i;
`ifdef FORMAL
    assign f_word_o = words[f_addr_i];
    assign f_head_o = heads[f_addr_i];
`endif
    assign rdata_o = is_head_q ? {16'd0, head_q} : word_q;
  end

endmodule
`default_nettype wire
