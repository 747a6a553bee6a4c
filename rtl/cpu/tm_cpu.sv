// tm_cpu.sv - RV32I core, a byte at a time; the registers lie in one block RAM
// SPDX-License-Identifier: Apache-2.0
// Drawing, cycles, what illegal instructions do: docs/cpu.md
`default_nettype none
module tm_cpu (
  input  logic        clk_i,
  input  logic        rst_i,
  // Bus: a request stands until the clock in which ready is high; read data count in that clock
  output logic        valid_o,
  input  logic        ready_i,
  output logic [15:0] addr_o,
  output logic [3:0]  wstrb_o,  // bytes to write; 0 reads
  output logic [31:0] wdata_o,
  input  logic [31:0] rdata_i,
  // An instruction that the core does not know, ECALL or EBREAK: it stands still until reset
  output logic        halt_o
);
  // opcode[6:2]
  localparam logic [4:0] OpLoad = 5'b00000, OpFence = 5'b00011, OpImm    = 5'b00100,
                         OpAuipc = 5'b00101, OpStore = 5'b01000, OpReg   = 5'b01100,
                         OpLui  = 5'b01101, OpBranch = 5'b11000, OpJalr  = 5'b11001,
                         OpJal  = 5'b11011;

  typedef enum logic [3:0] {
    StReset,   // pc <- 0
    StNext,    // pc <- pc + 4
    StTaken,   // pc <- pc + branch offset, if the comparison says so
    StJump,    // pc <- tmp
    StExec,    // rd or tmp or address <- what the instruction computes first
    StLink,    // rd <- pc + 4
    StCopy,    // tmp <- rs2, laid out as the bus wants it
    StGather,  // instruction register <- tmp
    StShift,   // tmp <- tmp shifted by one
    StFinish,  // rd <- tmp, or the outcome of a comparison
    StLoad,    // rd <- what was read
    StFetch,
    StBus,
    StHalt
  } state_e;

  // --- state -----------------------------------------------------------------------------------
  state_e      state_q;
  logic [3:0]  step_q;   // of a pass: see below
  logic [31:0] ir_q;     // instruction; then the word to be written, or that was read
  logic [15:0] addr_q;   // for the bus; after it bits 15..8 keep funct3 and rd
  logic [3:0]  wstrb_q;
  logic [7:0]  b_q;      // second operand
  logic        carry_q;  // between bytes; after a comparison: not less
  logic        zero_q;   // all bytes were zero
  logic [4:0]  count_q;  // bits still to be shifted

  // As iCE40 starts: so nothing is written before the first reset
  initial begin
    state_q = StReset;
    step_q  = 4'd0;
  end

  // Address of a byte: pc | tmp | register | byte number. Where pc or tmp is set, the register is 0
  (* no_rw_check *) logic [7:0] file [512];
  logic [8:0]  raddr, waddr;
  logic [7:0]  a;
  logic        file_we;
  logic [7:0]  result;
  initial for (int i = 0; i < 512; i++) file[i] = 8'd0;
  always_ff @(posedge clk_i) begin
    a <= file[raddr];
    if (file_we) file[waddr] <= result;
  end

  // --- decoder ---------------------------------------------------------------------------------
  logic [4:0] op;
  logic [2:0] f3;
  logic       known, is_alu, is_shift, is_less, is_sub, is_short;
  assign op       = ir_q[6:2];
  assign f3       = ir_q[14:12];
  assign is_alu   = op == OpImm || op == OpReg;
  assign is_shift = f3[1:0] == 2'b01;
  assign is_less  = f3[2:1] == 2'b01;
  assign is_sub   = op == OpReg && ir_q[30] && f3 == 3'b000;
  // Only an address comes of it
  assign is_short = op == OpLoad || op == OpStore || op == OpJal || op == OpJalr || op == OpFence;
  assign known    = ir_q[1:0] == 2'b11 &&
                    (is_short || is_alu || op == OpAuipc || op == OpLui || op == OpBranch);

  // --- a pass ----------------------------------------------------------------------------------
  // step    0     1     2     3     4     5     6     7     8
  // reads   b0    a0    b1    a1    b2    a2    b3    a3
  // loads         b0          b1          b2          b3
  // writes              0           1           2           3
  logic pass, pc_pass, exec, last, load_b, write;
  assign exec    = state_q == StExec;
  assign pc_pass = state_q == StReset || state_q == StNext || state_q == StTaken ||
                   state_q == StJump;
  assign pass    = state_q != StFetch && state_q != StBus && state_q != StHalt;
  assign last    = step_q == ((pc_pass || (exec && is_short)) ? 4'd4 : 4'd8);
  assign load_b  = step_q[0];
  assign write   = pass && !step_q[0] && step_q != 4'd0;

  logic       right, down;
  logic [1:0] byte_read, byte_write, k;
  assign right      = state_q == StShift && f3[2];
  assign k          = step_q[2:1];
  assign byte_write = (k - 2'd1) ^ {2{right}};
  assign down       = right;
  always_comb begin
    byte_read = k ^ {2{down}};
    if (state_q == StCopy) byte_read = k & {f3[1], |f3[1:0]};
  end

  // Which registers
  logic from_pc, from_tmp, from_x0;
  always_comb begin
    from_pc  = state_q == StNext || state_q == StTaken || state_q == StLink ||
               (exec && (op == OpAuipc || op == OpJal));
    from_tmp = state_q == StJump || state_q == StGather || state_q == StShift ||
               (state_q == StFinish && is_shift);
    from_x0  = state_q == StReset || state_q == StLoad || (state_q == StCopy && step_q[0]) ||
               (exec && op == OpLui) || (state_q == StFinish && !is_shift);
    raddr    = {from_pc, from_tmp,
                (from_pc || from_tmp || from_x0) ? 5'd0 : step_q[0] ? ir_q[19:15] : ir_q[24:20],
                byte_read};
  end

  logic       to_pc, to_tmp;
  logic [4:0] rd;
  always_comb begin
    rd     = state_q == StLoad ? addr_q[12:8] : ir_q[11:7];
    to_pc  = pc_pass;
    to_tmp = state_q == StCopy || state_q == StGather || state_q == StShift ||
             (exec && (is_short || op == OpBranch || (is_alu && (is_shift || is_less))));
    waddr  = {to_pc, to_tmp, (to_pc || to_tmp) ? 5'd0 : rd, byte_write};
    file_we = write && (to_pc || to_tmp || rd != 5'd0);
  end

  // --- second operand --------------------------------------------------------------------------
  logic       invert, fill;
  logic [7:0] b, part;
  logic [1:0] part_number;
  assign invert = exec && (op == OpBranch || (is_alu && (is_less || is_sub)));
  // Lower address bits of half-words and words are not looked at
  assign part_number = state_q == StLoad ? {addr_q[14] ? k[1] : addr_q[1],
                                            addr_q[14:13] == 2'b00 ? addr_q[0] : k[0]} : k;
  assign part = ir_q[8*part_number +: 8];
  assign fill = state_q == StLoad ? b_q[7] && !addr_q[15] : ir_q[31];
  always_comb begin
    b = 8'd0;
    case (state_q)
      StNext, StLink: if (k == 2'd0) b = 8'd4;
      StTaken: b = (k[0] == 1'b0) ? {ir_q[27:25], ir_q[11:8], 1'b0}
                                  : {{4{fill}}, ir_q[7], ir_q[30:28]};
      StCopy, StShift: b = a;
      StLoad: b = (k == 2'd0 || addr_q[14] || (k == 2'd1 && addr_q[13])) ? part : {8{fill}};
      StExec:
        case (op)
          OpReg, OpBranch: b = a;
          OpLui, OpAuipc: b = (k == 2'd0) ? 8'd0 : (k == 2'd1) ? {part[7:4], 4'd0} : part;
          default:
            if (k == 2'd0) begin
              b = {ir_q[27:25], op == OpStore ? ir_q[11:7] : ir_q[24:20]};
              if (op == OpJal) b[0] = 1'b0;
            end else if (k == 2'd1) begin
              b = {op == OpJal ? {part[7:4], ir_q[20]} : {5{fill}}, ir_q[30:28]};
            end else begin
              b = {8{fill}};
            end
        endcase
      default: b = 8'd0;
    endcase
  end

  // --- arithmetic ------------------------------------------------------------------------------
  logic [8:0] sum;
  assign sum = {1'b0, a} + {1'b0, b_q} + 9'(carry_q);
  always_comb begin
    result = sum[7:0];
    if (exec && is_alu) begin
      case (f3)
        3'b100: result = a ^ b_q;
        3'b110: result = a | b_q;
        3'b111: result = a & b_q;
        3'b001, 3'b101: result = a;
        default: ;
      endcase
    end
    if (right) result = {carry_q, a[7:1]};
    if (state_q == StJump && k == 2'd1) result[0] = 1'b0;
  end

  // Signed comparison: where the signs differ, the outcome is that of the unsigned one turned round
  logic is_signed, carry_start;
  assign is_signed   = exec && last && (op == OpBranch ? !f3[1] : is_alu && !f3[0]);
  assign carry_start = invert || (state_q == StFinish && !is_shift && !carry_q) ||
                       (right && ir_q[30] && a[7]);
  always_ff @(posedge clk_i) begin
    if (load_b) begin
      b_q <= b ^ {8{invert}};
      if (k == 2'd0) begin
        carry_q <= carry_start;
        zero_q  <= 1'b1;
      end
    end
    if (write) begin
      carry_q <= right ? a[0] : sum[8] ^ (is_signed && a[7] == b_q[7]);
      if (sum[7:0] != 8'd0) zero_q <= 1'b0;
    end
  end

  // --- instruction, address, data --------------------------------------------------------------
  logic got;
  assign got = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    if (got) ir_q <= rdata_i;
    else if (state_q == StGather && write) ir_q <= {a, ir_q[31:8]};

    if (got) addr_q[15:8] <= {f3, ir_q[11:7]};
    else if (write && (pc_pass || (exec && is_short))) addr_q <= {result, addr_q[15:8]};

    if (pc_pass) begin
      wstrb_q <= 4'd0;
    end else if (state_q == StCopy) begin
      wstrb_q[0] <= f3[1] || (!addr_q[1] && (f3[0] || !addr_q[0]));
      wstrb_q[1] <= f3[1] || (!addr_q[1] && (f3[0] || addr_q[0]));
      wstrb_q[2] <= f3[1] || (addr_q[1] && (f3[0] || !addr_q[0]));
      wstrb_q[3] <= f3[1] || (addr_q[1] && (f3[0] || addr_q[0]));
    end
  end
  assign valid_o = state_q == StFetch || state_q == StBus;
  assign addr_o  = addr_q;
  assign wdata_o = ir_q;
  assign wstrb_o = wstrb_q;
  assign halt_o  = state_q == StHalt;

  // --- sequence --------------------------------------------------------------------------------
  logic taken;
  assign taken = f3[0] ^ (f3[2] ? !carry_q : zero_q);
  always_ff @(posedge clk_i) begin
    step_q <= (!pass || last) ? 4'd0 : step_q + 4'd1;
    if (exec && step_q == 4'd2) count_q <= b_q[4:0];
    case (state_q)
      StTaken:
        if (step_q == 4'd0 && !taken) state_q <= StNext;
        else if (last) state_q <= StFetch;
      StReset, StNext, StJump: if (last) state_q <= StFetch;
      StFetch: if (ready_i) state_q <= StExec;
      StExec:
        if (!known) begin
          state_q <= StHalt;
        end else if (last) begin
          state_q <= StNext;
          case (op)
            OpLoad: state_q <= StBus;
            OpStore: state_q <= StCopy;
            OpBranch: state_q <= StTaken;
            OpJal, OpJalr: state_q <= StLink;
            OpImm, OpReg: begin
              if (is_less) state_q <= StFinish;
              if (is_shift) state_q <= StShift;
            end
            default: ;
          endcase
        end
      StLink: if (last) state_q <= StJump;
      StCopy: if (last) state_q <= StGather;
      StGather: if (last) state_q <= StBus;
      StBus: if (ready_i) state_q <= (wstrb_q != 4'd0) ? StNext : StLoad;
      StShift: begin
        if (step_q == 4'd0 && count_q == 5'd0) begin
          state_q <= StFinish;
          step_q  <= 4'd0;
        end
        if (last) count_q <= count_q - 5'd1;
      end
      StFinish, StLoad: if (last) state_q <= StNext;
      default: ;
    endcase
    if (rst_i) begin
      state_q <= StReset;
      step_q  <= 4'd0;
    end
  end
endmodule
`default_nettype wire
