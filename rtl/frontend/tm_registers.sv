// tm_registers.sv - the register bus: settings, control, counters (docs/registers.md)
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module tm_registers #(
  parameter  int unsigned Style      = tm_pkg::StyleMatrix,
  parameter  int unsigned Depth      = 8192,
  // Let the bus take records too; without it the record registers read 0
  parameter  bit          BusRecords = 1'b1,
  localparam int unsigned AddrW      = tm_pkg::RegAddrW,
  localparam int unsigned ThresholdW = tm_pkg::ThresholdW
) (
  input  logic                      clk_i,
  input  logic                      rst_i,

  input  logic [AddrW-1:0]          reg_addr_i,
  input  logic                      reg_we_i,
  input  logic                      reg_re_i,
  input  logic [31:0]               reg_wdata_i,
  output logic [31:0]               reg_rdata_o,

  output logic                      run_o,
  output logic                      snapshot_o,
  output logic                      session_we_o,
  output logic                      ack_o,
  output logic                      resume_o,
  output logic                      pop_o,

  output logic [7:0]                settle_o,
  output logic [7:0]                aux_invert_o,
  output logic                      eager_o,
  // In units of 8 us
  output logic [ThresholdW-1:0]     lift_o,
  output logic [ThresholdW-1:0]     place_o,

  input  logic                      snapshot_pending_i,
  input  logic                      ready_i,
  input  logic                      lossy_i,
  input  logic [tm_pkg::TimeW-1:0]  frame_i,
  input  logic [tm_pkg::EpochW-1:0] epoch_i,
  input  logic [6:0]                index_i,
  input  logic [7:0]                raw_i,
  input  logic [15:0]               next_i,
  input  logic [15:0]               acked_i,
  input  logic                      rec_valid_i,
  input  logic [63:0]               rec_data_i
);

  // Shorter than 10 us (chain) or 8 us (matrix), without the carry chain that a comparison would take
  localparam logic [7:0] SettleMin = (Style == tm_pkg::StyleChain) ? 8'd10 : 8'd8;
  logic short_settle;
  assign short_settle = reg_wdata_i[7:4] == '0
                        && !(reg_wdata_i[3] && (!SettleMin[1] || reg_wdata_i[2:1] != '0));

  // ---- Write
  assign snapshot_o   = reg_we_i && reg_addr_i == tm_pkg::RegControl
                        && reg_wdata_i[tm_pkg::ControlSnapshot];
  assign session_we_o = reg_we_i && reg_addr_i == tm_pkg::RegSession;
  assign ack_o        = reg_we_i && reg_addr_i == tm_pkg::RegAck;
  assign resume_o     = reg_we_i && reg_addr_i == tm_pkg::RegResume;

  always_ff @(posedge clk_i) begin
    if (reg_we_i) begin
      unique case (reg_addr_i)
        tm_pkg::RegControl: run_o <= reg_wdata_i[tm_pkg::ControlRun];
        tm_pkg::RegScan: begin
          settle_o     <= short_settle ? SettleMin : reg_wdata_i[7:0];
          eager_o      <= reg_wdata_i[tm_pkg::ScanEager];
          aux_invert_o <= reg_wdata_i[23:16];
        end
        tm_pkg::RegLiftUs:  lift_o  <= reg_wdata_i[19:3];
        tm_pkg::RegPlaceUs: place_o <= reg_wdata_i[19:3];
        default: ;
      endcase
    end
    if (rst_i) begin
      run_o        <= 1'b0;
      settle_o     <= 8'(tm_pkg::DefaultSettleUs);
      eager_o      <= 1'b0;
      aux_invert_o <= '0;
      lift_o       <= ThresholdW'(tm_pkg::DefaultLiftUs >> tm_pkg::UnitLog2);
      place_o      <= ThresholdW'(tm_pkg::DefaultPlaceUs >> tm_pkg::UnitLog2);
    end
  end

  // ---- Read
  logic [5:0] control;
  always_comb begin
    control = '0;
    control[tm_pkg::ControlRun]      = run_o;
    control[tm_pkg::ControlSnapshot] = snapshot_pending_i;
    control[tm_pkg::ControlReady]    = ready_i;
    control[tm_pkg::ControlLossy]    = lossy_i;
    control[tm_pkg::ControlRecord]   = rec_valid_i;
    control[tm_pkg::ControlStyle]    = Style == tm_pkg::StyleChain;
  end
  // Offsets 8 and above are written only; to decode their top bit would cost 32 LUT inputs
  always_comb begin
    unique case (reg_addr_i[2:0])
      tm_pkg::RegId[2:0]:         reg_rdata_o = {16'(Depth), tm_pkg::GatewareVersion};
      tm_pkg::RegControl[2:0]:    reg_rdata_o = 32'(control);
      tm_pkg::RegQueue[2:0]:      reg_rdata_o = {acked_i, next_i};
      tm_pkg::RegTimeLow[2:0]:    reg_rdata_o = {frame_i, 3'b000};
      tm_pkg::RegTimeHigh[2:0]:   reg_rdata_o = 32'(epoch_i);
      tm_pkg::RegRecordHead[2:0]: reg_rdata_o = (BusRecords && rec_valid_i) ? rec_data_i[31:0] : '0;
      tm_pkg::RegRecordWord[2:0]: reg_rdata_o = BusRecords ? rec_data_i[63:32] : '0;
      tm_pkg::RegRaw[2:0]:        reg_rdata_o = {17'd0, index_i, raw_i};
      default:                    reg_rdata_o = '0;
    endcase
  end
  assign pop_o = BusRecords && reg_re_i && reg_addr_i == tm_pkg::RegRecordWord;

  logic unused;
  assign unused = ^reg_wdata_i[31:24];

endmodule
`default_nettype wire
