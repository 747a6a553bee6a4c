// tm_record_ram.sv - one-port memory of the queue: 48 bits for each record, and a slot for a watermark
// SPDX-License-Identifier: Apache-2.0
// One record is written or read each clock; read data come one clock later. UseSpram: three SPRAM
// blocks of UP5K side by side; else block RAM.
`default_nettype none
module tm_record_ram #(
  // A power of two
  parameter  int unsigned Depth    = 8192,
  // Instantiate SB_SPRAM256KA: Depth at most 8192
  parameter  bit          UseSpram = 1'b0,
  // Read data stay until the next read, whatever is written meanwhile. Block RAM does that by itself;
  // for SPRAM it costs 96 cells. Without it SPRAM is to be read again after each write.
  parameter  bit          Hold     = 1'b0,
  localparam int unsigned Aw       = $clog2(Depth)
) (
  input  logic          clk_i,
  input  logic [Aw-1:0] addr_i,
  // The watermark's slot, not a record's; the address stays the same from its write to its read
  input  logic          mark_i,
  input  logic          we_i,
  // Only without we_i
  input  logic          re_i,
  input  logic [47:0]   wdata_i,
  output logic [47:0]   rdata_o
`ifdef FORMAL
  , input  logic [Aw-1:0] f_addr_i
  , input  logic [Aw-1:0] f_sent_addr_i
  , output logic [47:0]   f_record_o
  , output logic [47:0]   f_sent_o
  , output logic [47:0]   f_mark_o
`endif
);

  if (UseSpram) begin : g_spram
    if (Depth > 8192) $error("tm_record_ram: three SPRAM blocks hold 8192 records");
    // Reads in every clock in which it is not written
    logic [13:0] addr;
    logic [47:0] rdata;
    assign addr = {mark_i, 13'(addr_i)};
`ifdef FORMAL
    // What the blocks do; they read anything while they are written
    (* anyseq *) logic [47:0] f_any;
    logic [47:0] f_records [2 * Depth];
    always_ff @(posedge clk_i) begin
      rdata <= we_i ? f_any : f_records[{mark_i, addr_i}];
      if (we_i) f_records[{mark_i, addr_i}] <= wdata_i;
    end
    assign f_record_o = f_records[{1'b0, f_addr_i}];
    assign f_sent_o   = f_records[{1'b0, f_sent_addr_i}];
    assign f_mark_o   = f_records[{1'b1, f_sent_addr_i}];
`else
    for (genvar i = 0; i < 3; i++) begin : g_part
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
        .DATAOUT   (rdata[16*i +: 16])
      );
    end
`endif
    if (Hold) begin : g_hold
      logic        fresh_q;
      logic [47:0] rdata_q;
      always_ff @(posedge clk_i) begin
        fresh_q <= re_i;
        if (fresh_q) rdata_q <= rdata;
      end
      assign rdata_o = fresh_q ? rdata : rdata_q;
    end else begin : g_volatile
      assign rdata_o = rdata;
      logic unused_re;
      assign unused_re = re_i;
    end
  end else begin : g_bram
    logic [47:0] records [Depth];
    logic [47:0] record_q, mark_q;
    logic        is_mark_q;
    always_ff @(posedge clk_i) begin
      if (we_i && !mark_i) records[addr_i] <= wdata_i;
      if (re_i) record_q <= records[addr_i];
    end
    // A power of two is full: the slot beyond it is a register
    always_ff @(posedge clk_i) begin
      if (we_i && mark_i) mark_q <= wdata_i;
      if (re_i) is_mark_q <= mark_i;
    end
`ifdef FORMAL
    assign f_record_o = records[f_addr_i];
    assign f_sent_o   = records[f_sent_addr_i];
    assign f_mark_o   = mark_q;
`endif
    assign rdata_o = is_mark_q ? mark_q : record_q;
  end

endmodule
`default_nettype wire
