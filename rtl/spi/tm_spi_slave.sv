// tm_spi_slave.sv - a register bus behind four SPI wires, for boards with a microcontroller
// SPDX-License-Identifier: Apache-2.0
// Mode 0 (clock idles low, data are sampled on the rising edge), most significant bit first, bytes of
// a register from the low end: docs/spi.md.
//
//   chip select  \_______________________________________________________________________/
//   MOSI            | W 000 addr |  (write) 4 bytes | 4 bytes ...
//   MOSI            | 0 000 addr |  any     | any
//   MISO            | CONTROL    |  0       | (read) 4 bytes | 4 bytes ...
//                                ^ gap, also between two records
//
// The serial clock is sampled by clk_i: at most clk_i / 8. MISO follows a falling edge by three
// clocks.
`default_nettype none
module tm_spi_slave #(
  localparam int unsigned AddrW = tm_pkg::RegAddrW
) (
  input  logic             clk_i,
  input  logic             rst_i,

  // Pins
  input  logic             spi_cs_n_i,
  input  logic             spi_sck_i,
  input  logic             spi_mosi_i,
  output logic             spi_miso_o,

  // Register bus (touchmove_frontend)
  output logic [AddrW-1:0] reg_addr_o,
  output logic             reg_we_o,
  output logic             reg_re_o,
  output logic [31:0]      reg_wdata_o,
  input  logic [31:0]      reg_rdata_i
);

  typedef enum logic [1:0] {StCommand, StGap, StData, StDeaf} stage_e;

  // A register's bytes in the order in which they cross the wires, and back
  function automatic logic [31:0] swap_bytes(input logic [31:0] word);
    swap_bytes = {word[7:0], word[15:8], word[23:16], word[31:24]};
  endfunction

  // ---- Pins into clk_i
  logic [1:0] cs_n_q, mosi_q;
  logic [2:0] sck_q;
  always_ff @(posedge clk_i) begin
    cs_n_q <= {cs_n_q[0], spi_cs_n_i};
    mosi_q <= {mosi_q[0], spi_mosi_i};
    sck_q  <= {sck_q[1:0], spi_sck_i};
  end
  logic selected, rise, fall;
  assign selected = !cs_n_q[1];
  assign rise     = selected && sck_q[2:1] == 2'b01;
  assign fall     = selected && sck_q[2:1] == 2'b10;

  // ---- State
  stage_e           stage_q;
  logic [4:0]       left_q;      // bits of the stage after this one
  logic [31:0]      shift_q;     // out at the top, in at the bottom
  logic             bit_q;       // sampled, not yet shifted in
  logic [AddrW-1:0] addr_q;
  logic             write_q;
  logic             load_q;      // the next falling edge begins a word to be read
  logic             offered_q;   // the RECORD_HEAD just given out was that of a record

  logic             last;
  logic [31:0]      got;         // with the bit of this clock
  assign last = rise && left_q == '0;
  assign got  = {shift_q[30:0], mosi_q[1]};

  always_ff @(posedge clk_i) begin
    if (rise) begin
      bit_q  <= mosi_q[1];
      left_q <= left_q - 5'd1;
    end
    if (fall) begin
      shift_q <= load_q ? swap_bytes(reg_rdata_i) : {shift_q[30:0], bit_q};
      load_q  <= 1'b0;
      if (load_q && addr_q == tm_pkg::RegRecordHead) offered_q <= reg_rdata_i[7:4] != '0;
    end
    if (last) begin
      unique case (stage_q)
        StCommand: begin
          addr_q  <= got[AddrW-1:0];
          write_q <= got[7];
          left_q  <= got[7] ? 5'd31 : 5'd7;
          stage_q <= got[7] ? StData : StGap;
          if (got[6:4] != '0) stage_q <= StDeaf;
        end
        StGap: begin
          stage_q <= StData;
          left_q  <= 5'd31;
          load_q  <= 1'b1;
        end
        StData: begin
          // Of most registers the next one follows. Records are read in a row, with a gap between
          // them in which the queue fetches the next
          addr_q <= addr_q + AddrW'(1);
          left_q <= 5'd31;
          load_q <= !write_q;
          if (!write_q && addr_q == tm_pkg::RegRecordWord) begin
            stage_q <= StGap;
            addr_q  <= tm_pkg::RegRecordHead;
            left_q  <= 5'd7;
            load_q  <= 1'b0;
          end
        end
        default: ;
      endcase
    end
    if (!selected || rst_i) begin
      stage_q   <= StCommand;
      left_q    <= 5'd7;
      shift_q   <= swap_bytes(reg_rdata_i);   // of CONTROL
      addr_q    <= tm_pkg::RegControl;
      load_q    <= 1'b0;
      offered_q <= 1'b0;
    end
  end

  assign spi_miso_o  = shift_q[31] && (stage_q == StCommand || (stage_q == StData && !write_q));

  assign reg_addr_o  = addr_q;
  assign reg_wdata_o = swap_bytes(got);
  assign reg_we_o    = last && stage_q == StData && write_q;
  // A record is taken once all of it has crossed the wires, and only if its head did before
  assign reg_re_o    = last && stage_q == StData && !write_q && offered_q
                       && addr_q == tm_pkg::RegRecordWord;

endmodule
`default_nettype wire
