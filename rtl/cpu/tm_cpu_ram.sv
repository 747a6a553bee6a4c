// tm_cpu_ram.sv - block RAM of the core: the firmware image, its data and its stack
// SPDX-License-Identifier: Apache-2.0
// Depth 2048 lets each RAM4K hold two bits of every word (2048 x 2), so that nothing has to be
// selected behind them. Answers in the clock after the request.
`default_nettype none
module tm_cpu_ram #(
  // 32-bit words; 2048 is 16 RAM4K
  parameter  int unsigned Depth = 2048,
  // $readmemh file of 32-bit words, as fw/ builds it; "" leaves the memory unset
  parameter               Init  = "",
  localparam int unsigned Aw    = $clog2(Depth)
) (
  input  logic          clk_i,
  input  logic          valid_i,
  output logic          ready_o,
  input  logic [Aw-1:0] addr_i,   // of a word
  input  logic [3:0]    wstrb_i,  // bytes to write; 0 reads
  input  logic [31:0]   wdata_i,
  output logic [31:0]   rdata_o
);
  // What a write returns on the read port is nobody's business
  (* no_rw_check *) logic [31:0] mem [Depth];
  initial if (Init != "") $readmemh(Init, mem);

  initial ready_o = 1'b0;
  always_ff @(posedge clk_i) ready_o <= valid_i && !ready_o;

  always_ff @(posedge clk_i) begin
    rdata_o <= mem[addr_i];
    for (int i = 0; i < 4; i++) begin
      if (valid_i && wstrb_i[i]) mem[addr_i][8*i +: 8] <= wdata_i[8*i +: 8];
    end
  end
endmodule
`default_nettype wire
