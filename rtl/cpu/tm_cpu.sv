// tm_cpu.sv - RV32I core, a byte at a time; the registers lie in one block RAM
// SPDX-License-Identifier: Apache-2.0
// Drawing, cycles, what illegal instructions do: docs/cpu.md
`default_nettype none
module tm_cpu
`ifdef FORMAL
#(
  // The instructions that the proof is about
  parameter logic [6:0] Opcode = 7'h33,
  parameter logic [2:0] Funct3 = 3'd0,
  // By when they are done
  parameter int unsigned Clocks = 16
)
`endif
(
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
  // One flip-flop a state: nothing has to be decoded
  localparam int unsigned StReset  = 0,   // pc <- 0
                          StNext   = 1,   // pc <- pc + 4
                          StTaken  = 2,   // pc <- pc + offset, if the comparison says so
                          StJump   = 3,   // pc <- tmp
                          StExec   = 4,   // what the instruction computes first
                          StLink   = 5,   // rd <- pc + 4
                          StCopy   = 6,   // tmp <- rs2, laid out as the bus wants it
                          StGather = 7,   // instruction register <- tmp
                          StShift  = 8,   // tmp <- rs1 or tmp, shifted by one
                          StFinish = 9,   // rd <- rs1 or tmp, or the outcome of a comparison
                          StLoad   = 10,  // rd <- what was read
                          StFetch  = 11,
                          StBus    = 12,
                          StHalt   = 13,
                          States   = 14;

  // --- state -----------------------------------------------------------------------------------
  logic [States-1:0] st_q, st_d;
  logic [3:0]  step_q;   // of a pass: see below
  logic [31:0] ir_q;     // instruction; then the word to be written, or that was read
  logic [15:0] addr_q;   // for the bus; after it bits 15..8 keep funct3 and rd
  logic [3:0]  wstrb_q;
  logic [7:0]  b_q;      // second operand
  logic        carry_q;  // between bytes; after a comparison: not less
  logic        zero_q;   // all bytes were zero
  logic [4:0]  count_q;  // bits still to be shifted
  logic        first_q;  // none has been shifted yet
`ifndef FORMAL
  // As iCE40 starts: so nothing is written before the first reset
  initial begin
    st_q   = States'(1) << StReset;
    step_q = 4'd0;
  end
`endif

  // Address of a byte: pc | tmp | register | byte number. Where pc or tmp is set, the register is 0
  logic [8:0]  raddr, waddr;
  logic [7:0]  a;
  logic        file_we;
  logic [7:0]  result;
`ifndef FORMAL
  (* no_rw_check *) logic [7:0] file [512];
  initial for (int i = 0; i < 512; i++) file[i] = 8'd0;
  always_ff @(posedge clk_i) begin
    a <= file[raddr];
    if (file_we) file[waddr] <= result;
  end
`else
  // x0 to x3, pc, tmp: the proofs use no other registers
  logic [7:0] file [24];
  logic [4:0] f_raddr, f_waddr;
  assign f_raddr = raddr[8] ? {3'd4, raddr[1:0]} : raddr[7] ? {3'd5, raddr[1:0]}
                                                            : {1'b0, raddr[3:0]};
  assign f_waddr = waddr[8] ? {3'd4, waddr[1:0]} : waddr[7] ? {3'd5, waddr[1:0]}
                                                            : {1'b0, waddr[3:0]};
  always_ff @(posedge clk_i) begin
    a <= file[f_raddr];
    if (file_we) file[f_waddr] <= result;
  end
`endif

  // --- decoder ---------------------------------------------------------------------------------
  // The opcode, of which only these ten are known:
  //   load 00000  fence 00011  imm 00100  auipc 00101  store 01000
  //   reg  01100  lui   01101  branch 11000  jalr 11001  jal 11011
  // Whatever is not is found out before it does anything, so the rest need not care.
  logic [4:0] op;
  logic [2:0] f3;
  logic       known, exec, alu, upper, branch, is_shift, is_less, is_short;
  assign op       = ir_q[6:2];
  assign f3       = ir_q[14:12];
  always_comb begin
    case (op)
      5'b00000, 5'b00011, 5'b00100, 5'b00101, 5'b01000,
      5'b01100, 5'b01101, 5'b11000, 5'b11001, 5'b11011: known = ir_q[1:0] == 2'b11;
      default: known = 1'b0;
    endcase
  end
  assign exec     = st_q[StExec];
  assign alu      = exec && op[2] && !op[0];
  assign upper    = exec && op[2] && op[0];
  assign branch   = exec && op[4] && !op[0];
  assign is_shift = f3[1:0] == 2'b01;
  assign is_less  = f3[2:1] == 2'b01;
  // Only an address, or a shift's amount, comes of it
  assign is_short = exec && (op[2] ? !op[0] && is_shift : !op[4] || op[0]);

  // --- a pass ----------------------------------------------------------------------------------
  // step    0     1     2     3     4     5     6     7     8
  // reads   b0    a0    b1    a1    b2    a2    b3    a3
  // loads         b0          b1          b2          b3
  // writes              0           1           2           3
  logic       pc_pass, pass, last, write;
  logic [1:0] k;
  assign pc_pass = st_q[StReset] || st_q[StNext] || st_q[StTaken] || st_q[StJump];
  assign pass    = !(st_q[StFetch] || st_q[StBus] || st_q[StHalt]);
  assign last    = step_q[3] || (step_q[2] && (pc_pass || is_short));
  assign write   = !step_q[0] && step_q[3:1] != 3'd0;
  assign k       = step_q[2:1];

  logic       right;
  logic [1:0] byte_read, byte_write;
  assign right      = st_q[StShift] && f3[2];
  assign byte_read  = {k[1] && !(st_q[StCopy] && !f3[1]),
                       k[0] && !(st_q[StCopy] && f3[1:0] == 2'b00)} ^ {2{right}};
  assign byte_write = {k[1] ^ !k[0], !k[0]} ^ {2{right}};

  // Which registers
  logic from_pc, from_tmp, from_none, to_tmp, shifted;
  logic [4:0] rs, rd;
  assign shifted   = (st_q[StShift] || (st_q[StFinish] && is_shift));
  assign from_pc   = st_q[StNext] || st_q[StTaken] || st_q[StLink] ||
                     (exec && (op[4] ? op[1] : !op[3] && op[2] && op[0]));
  assign from_tmp  = st_q[StJump] || st_q[StGather] || (shifted && !first_q);
  assign from_none = from_pc || from_tmp || st_q[StReset] || st_q[StLoad] ||
                     (st_q[StCopy] && step_q[0]) || upper || (st_q[StFinish] && !is_shift);
  assign rs        = from_none ? 5'd0 : (step_q[0] || st_q[StShift]) ? ir_q[19:15] : ir_q[24:20];
  assign raddr     = {from_pc, from_tmp, rs, byte_read};

  assign to_tmp  = st_q[StCopy] || st_q[StGather] || st_q[StShift] || is_short || branch ||
                   (alu && is_less);
  assign rd      = (pc_pass || to_tmp) ? 5'd0 : st_q[StLoad] ? addr_q[12:8] : ir_q[11:7];
  assign waddr   = {pc_pass, to_tmp, rd, byte_write};
  assign file_we = write && (pc_pass || to_tmp || rd != 5'd0);

  // --- second operand --------------------------------------------------------------------------
  logic       invert, sign, whole, b_reg, b_part, b_part_high, b_low, b_low_i, b_low_s, b_mid, b_fill;
  logic       store_like;
  logic [7:0] b, part;
  logic [1:0] part_number;
  // Lower address bits of half-words and words are not looked at
  assign part_number = st_q[StLoad] ? {addr_q[14] ? k[1] : addr_q[1],
                                       addr_q[14:13] == 2'b00 ? addr_q[0] : k[0]} : k;
  assign part = ir_q[8*part_number +: 8];
  // of a load: the byte exists
  assign whole  = k == 2'd0 || addr_q[14] || (!k[1] && addr_q[13]);
  assign sign   = st_q[StLoad] ? b_q[7] && !addr_q[15] : ir_q[31];
  assign invert = branch || (alu && (is_less || (f3 == 3'b000 && op[3] && ir_q[30])));
  // Which fields of the instruction make the byte
  logic imm;
  assign b_reg  = st_q[StCopy] || st_q[StShift] || (exec && op[3] && !op[0] && (op[2] || op[4]));
  assign imm    = (exec && !op[2] && !(op[4] && !op[0])) || (exec && op[2] && !op[0] && !op[3]);
  assign store_like = st_q[StTaken] || (exec && op[3] && !op[4]);
  assign b_part      = (st_q[StLoad] && whole) || (upper && k[1]);
  assign b_part_high = b_part || ((upper || (imm && op[4] && op[1])) && k == 2'd1);
  assign b_low   = (imm || st_q[StTaken]) && k == 2'd0;
  assign b_low_i = b_low && !store_like;
  assign b_low_s = b_low && store_like;
  assign b_mid   = (imm || st_q[StTaken]) && k == 2'd1;
  assign b_fill  = sign && (st_q[StLoad] ? !whole : (imm && k[1]));
  always_comb begin
    b = ({8{b_reg}} & a) | ({{4{b_part_high}}, {4{b_part}}} & part) | {8{b_fill}};
    b[7:5] |= {3{b_low}} & ir_q[27:25];
    b[4:0] |= ({5{b_low_i}} & ir_q[24:20]) | ({5{b_low_s}} & ir_q[11:7]);
    if (st_q[StTaken] || (op[4] && op[1])) b[0] = b[0] & !b_low;
    if (b_mid) begin
      b[2:0] |= ir_q[30:28];
      if (!(imm && op[4] && op[1])) b[7:4] |= {4{sign}};
      b[3] |= st_q[StTaken] ? ir_q[7] : (op[4] && op[1]) ? ir_q[20] : sign;
    end
    b[2] |= (st_q[StNext] || st_q[StLink]) && k == 2'd0;
  end

  // --- arithmetic ------------------------------------------------------------------------------
  logic [8:0] sum;
  logic       use_bits;
  logic [7:0] bits;
  assign sum      = {1'b0, a} + {1'b0, b_q} + 9'(carry_q);
  assign use_bits = alu && f3[2];
  always_comb begin
    case (f3[1:0])
      2'b10: bits = a | b_q;
      2'b11: bits = a & b_q;
      default: bits = a ^ b_q;
    endcase
    result = right ? {carry_q, a[7:1]} : use_bits ? bits : sum[7:0];
    if (st_q[StJump] && k[0]) result[0] = 1'b0;
  end

  // Signed comparison: where the signs differ, the outcome is that of the unsigned one turned round
  logic is_signed, carry_start;
  assign is_signed   = exec && step_q[3] && (op[4] ? !f3[1] : !f3[0]);
  assign carry_start = invert || (st_q[StFinish] && !is_shift && !carry_q) ||
                       (right && ir_q[30] && a[7]);
  always_ff @(posedge clk_i) begin
    if (step_q[0]) begin
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
  assign valid_o = st_q[StFetch] || st_q[StBus];
  assign got     = valid_o && ready_i;
  always_ff @(posedge clk_i) begin
    if (got || (st_q[StGather] && write)) ir_q <= st_q[StGather] ? {a, ir_q[31:8]} : rdata_i;

    if (got || (write && (pc_pass || is_short))) begin
      addr_q[15:8] <= valid_o ? {f3, ir_q[11:7]} : result;
    end
    if (write && (pc_pass || is_short)) addr_q[7:0] <= addr_q[15:8];

    if (st_q[StCopy]) begin
      wstrb_q[0] <= f3[1] || (!addr_q[1] && (f3[0] || !addr_q[0]));
      wstrb_q[1] <= f3[1] || (!addr_q[1] && (f3[0] || addr_q[0]));
      wstrb_q[2] <= f3[1] || (addr_q[1] && (f3[0] || !addr_q[0]));
      wstrb_q[3] <= f3[1] || (addr_q[1] && (f3[0] || addr_q[0]));
    end
    if (pc_pass) wstrb_q <= 4'd0;
  end
  assign addr_o  = addr_q;
  assign wdata_o = ir_q;
  assign wstrb_o = wstrb_q;
  assign halt_o  = st_q[StHalt];

  // --- sequence --------------------------------------------------------------------------------
  // advance: the state is left, for the one that st_d says
  logic taken, begins, done, advance;
  assign taken   = f3[0] ^ (f3[2] ? !carry_q : zero_q);
  assign begins  = step_q == 4'd0;
  assign done    = exec && !begins;
  assign advance = last || got ||
                   (begins && ((exec && !known) || (st_q[StTaken] && !taken) ||
                               (st_q[StShift] && count_q == 5'd0)));
  always_comb begin
    st_d           = '0;
    st_d[StNext]   = (st_q[StTaken] && begins) || (st_q[StBus] && wstrb_q != 4'd0) ||
                     st_q[StFinish] || st_q[StLoad] ||
                     (done && (op[2] ? op[0] || (!is_less && !is_shift) : !op[4] && op[0]));
    st_d[StTaken]  = done && op[4] && !op[0];
    st_d[StJump]   = st_q[StLink];
    st_d[StExec]   = st_q[StFetch];
    st_d[StLink]   = done && op[4] && op[0];
    st_d[StCopy]   = done && !op[4] && op[3] && !op[2];
    st_d[StGather] = st_q[StCopy];
    st_d[StShift]  = (done && op[2] && !op[0] && is_shift) || (st_q[StShift] && !begins);
    st_d[StFinish] = (done && op[2] && !op[0] && is_less) || (st_q[StShift] && begins);
    st_d[StLoad]   = st_q[StBus] && wstrb_q == 4'd0;
    st_d[StFetch]  = pc_pass && !begins;
    st_d[StBus]    = (done && !op[4] && !op[3] && !op[2] && !op[0]) || st_q[StGather];
    st_d[StHalt]   = exec && begins;
  end
  always_ff @(posedge clk_i) begin
    step_q <= step_q + 4'd1;
    if (!pass || advance) step_q <= 4'd0;
    if (advance) st_q <= st_d;
    if (exec && step_q[1]) count_q <= b_q[4:0];
    if (st_q[StShift] && last) count_q <= count_q - 5'd1;
    if (exec) first_q <= 1'b1;
    if (st_q[StShift] && last) first_q <= 1'b0;
    if (rst_i) begin
      st_q   <= States'(1) << StReset;
      step_q <= 4'd0;
    end
  end

`ifdef FORMAL
  // One instruction, from any content of the registers between two instructions to the fetch of
  // the next one: what it leaves is what the specification says, and is again such a state. So it
  // holds for all programs. Taken: registers x0 to x3, a bus that answers at once, and shifts by
  // up to one; the tests have the rest.
  (* anyconst *) logic [31:0] f_free;
  logic [31:0] f_ir;
  logic [5:0]  f_time_q;
  logic        f_over_q;
  logic [31:0] f_x1_q, f_x2_q, f_x3_q, f_a_q, f_b_q, f_data_q, f_wdata_q;
  logic [15:0] f_pc_q, f_bus_addr_q;
  logic [3:0]  f_wstrb_q;
  logic [1:0]  f_accesses_q;
  logic [31:0] f_x0, f_x1, f_x2, f_x3, f_pc;
  assign f_ir = {f_free[31:15], Funct3, f_free[11:7], Opcode};
  assign f_x0 = {file[3], file[2], file[1], file[0]};
  assign f_x1 = {file[7], file[6], file[5], file[4]};
  assign f_x2 = {file[11], file[10], file[9], file[8]};
  assign f_x3 = {file[15], file[14], file[13], file[12]};
  assign f_pc = {file[19], file[18], file[17], file[16]};
  assign f_a_q = (f_ir[16:15] == 2'd0) ? 32'd0 : (f_ir[16:15] == 2'd1) ? f_x1_q :
                 (f_ir[16:15] == 2'd2) ? f_x2_q : f_x3_q;
  assign f_b_q = (f_ir[21:20] == 2'd0) ? 32'd0 : (f_ir[21:20] == 2'd1) ? f_x1_q :
                 (f_ir[21:20] == 2'd2) ? f_x2_q : f_x3_q;

  // The instruction, as the specification has it
  logic [6:0]  f_op;
  logic [2:0]  f_f3;
  logic [31:0] f_imm_i, f_imm_s, f_imm_b, f_imm_u, f_imm_j, f_second, f_out, f_next, f_at, f_shown;
  logic        f_writes, f_stores, f_loads, f_holds, f_stops, f_less, f_under;
  logic [4:0]  f_lane;
  assign f_op    = f_ir[6:0];
  assign f_f3    = f_ir[14:12];
  assign f_imm_i = {{20{f_ir[31]}}, f_ir[31:20]};
  assign f_imm_s = {{20{f_ir[31]}}, f_ir[31:25], f_ir[11:7]};
  assign f_imm_b = {{20{f_ir[31]}}, f_ir[7], f_ir[30:25], f_ir[11:8], 1'b0};
  assign f_imm_u = {f_ir[31:12], 12'd0};
  assign f_imm_j = {{12{f_ir[31]}}, f_ir[19:12], f_ir[20], f_ir[30:21], 1'b0};
  assign f_second = (f_op == 7'h13) ? f_imm_i : f_b_q;
  assign f_less   = $signed(f_a_q) < $signed(f_second);
  assign f_under  = f_a_q < f_second;
  assign f_at     = f_a_q + ((f_op == 7'h23) ? f_imm_s : f_imm_i);
  assign f_lane   = (f_f3[1:0] == 2'd0) ? {f_at[1:0], 3'd0} :
                    (f_f3[1:0] == 2'd1) ? {f_at[1], 4'd0} : 5'd0;
  assign f_shown  = f_data_q >> f_lane;
  always_comb begin
    f_out    = 32'd0;
    f_next   = 32'(f_pc_q) + 32'd4;
    f_writes = f_ir[11:7] != 5'd0;
    f_loads  = 1'b0;
    f_stores = 1'b0;
    f_stops  = 1'b0;
    case (f_f3)
      3'd0: f_holds = f_a_q == f_b_q;
      3'd1: f_holds = f_a_q != f_b_q;
      3'd4: f_holds = f_less;
      3'd5: f_holds = !f_less;
      3'd6: f_holds = f_under;
      default: f_holds = !f_under;
    endcase
    case (f_op)
      7'h37: f_out = f_imm_u;
      7'h17: f_out = 32'(f_pc_q) + f_imm_u;
      7'h6F: begin
        f_out  = f_next;
        f_next = 32'(f_pc_q) + f_imm_j;
      end
      7'h67: begin
        f_out  = f_next;
        f_next = (f_a_q + f_imm_i) & ~32'd1;
      end
      7'h63: begin
        f_writes = 1'b0;
        if (f_holds) f_next = 32'(f_pc_q) + f_imm_b;
      end
      7'h03: begin
        f_loads = 1'b1;
        case (f_f3)
          3'd0: f_out = {{24{f_shown[7]}}, f_shown[7:0]};
          3'd1: f_out = {{16{f_shown[15]}}, f_shown[15:0]};
          3'd4: f_out = {24'd0, f_shown[7:0]};
          3'd5: f_out = {16'd0, f_shown[15:0]};
          default: f_out = f_shown;
        endcase
      end
      7'h23: begin
        f_writes = 1'b0;
        f_stores = 1'b1;
      end
      7'h0F: f_writes = 1'b0;
      7'h13, 7'h33:
        case (f_f3)
          3'd0: f_out = (f_op == 7'h33 && f_ir[30]) ? f_a_q - f_second : f_a_q + f_second;
          3'd1: f_out = f_a_q << f_second[4:0];
          3'd2: f_out = {31'd0, f_less};
          3'd3: f_out = {31'd0, f_under};
          3'd4: f_out = f_a_q ^ f_second;
          3'd5: f_out = f_ir[30] ? 32'($signed(f_a_q) >>> f_second[4:0]) : f_a_q >> f_second[4:0];
          3'd6: f_out = f_a_q | f_second;
          default: f_out = f_a_q & f_second;
        endcase
      default: f_stops = 1'b1;
    endcase
  end

  logic f_no_rs1, f_rs2, f_few;
  assign f_no_rs1 = f_op == 7'h37 || f_op == 7'h17 || f_op == 7'h6F;
  assign f_rs2    = f_op == 7'h33 || f_op == 7'h63 || f_op == 7'h23;
  assign f_few    = (f_no_rs1 || f_ir[19:17] == 3'd0) && (!f_rs2 || f_ir[24:22] == 3'd0) &&
                    (!f_writes || f_ir[11:9] == 3'd0) &&
                    (!(f_op == 7'h13 || f_op == 7'h33) || f_f3[1:0] != 2'd1 || f_second[4:0] < 5'd2);
  initial assume (f_time_q == 6'd0);
  always_ff @(posedge clk_i) begin
    f_time_q <= f_time_q + 6'd1;
    assume (!rst_i && ready_i);
    if (f_time_q == 6'd0) begin
      assume (st_q == States'(1) << StFetch && step_q == 4'd0 && wstrb_q == 4'd0);
      assume (f_x0 == 32'd0 && f_pc[31:16] == 16'd0 && !f_pc[0] && f_pc[15:0] == addr_q);
      assume (rdata_i == f_ir);
      f_x1_q       <= f_x1;
      f_x2_q       <= f_x2;
      f_x3_q       <= f_x3;
      f_pc_q       <= f_pc[15:0];
      f_accesses_q <= 2'd0;
      a_fetch: assert (valid_o && wstrb_o == 4'd0 && addr_o == f_pc[15:0]);
    end else begin
      assume (f_few);
      if (st_q[StBus]) begin
        f_accesses_q <= f_accesses_q + 2'd1;
        f_data_q     <= rdata_i;
        f_bus_addr_q <= addr_o;
        f_wstrb_q    <= wstrb_o;
        f_wdata_q    <= wdata_o;
      end
      // What is written is never read in the same clock
      if (file_we) a_apart: assert (raddr != waddr);
      if (!f_over_q && st_q[StFetch]) begin
        a_known: assert (!f_stops);
        a_pc:    assert (f_pc == {16'd0, f_next[15:0]} && addr_q == f_next[15:0]);
        a_even:  assert (!f_pc[0]);
        a_x0:    assert (f_x0 == 32'd0);
        a_x1:    assert (f_x1 == ((f_writes && f_ir[11:7] == 5'd1) ? f_out : f_x1_q));
        a_x2:    assert (f_x2 == ((f_writes && f_ir[11:7] == 5'd2) ? f_out : f_x2_q));
        a_x3:    assert (f_x3 == ((f_writes && f_ir[11:7] == 5'd3) ? f_out : f_x3_q));
        a_calm:  assert (wstrb_q == 4'd0 && step_q == 4'd0 && st_q == States'(1) << StFetch);
        a_once:  assert (f_accesses_q == ((f_loads || f_stores) ? 2'd1 : 2'd0));
        if (f_loads || f_stores) a_address: assert (f_bus_addr_q[15:2] == f_at[15:2]);
        if (f_loads) a_read: assert (f_wstrb_q == 4'd0);
        if (f_stores) begin
          a_strobes: assert (f_wstrb_q == ((f_f3 == 3'd0) ? 4'b0001 << f_lane[4:3] :
                                           (f_f3 == 3'd1) ? 4'b0011 << f_lane[4:3] : 4'b1111));
          a_byte: assert (f_wdata_q[8*f_lane[4:3] +: 8] == f_b_q[7:0]);
          if (f_f3 != 3'd0) a_half: assert (f_wdata_q[16*f_lane[4] +: 16] == f_b_q[15:0]);
          if (f_f3 == 3'd2) a_word: assert (f_wdata_q == f_b_q);
        end
      end
      if (f_stops) a_stop: assert (!file_we && f_accesses_q == 2'd0);
      // It is over in time, or stands still
      if (f_time_q == 6'(Clocks)) a_ends: assert (f_over_q || (f_stops && halt_o));
    end
    f_over_q <= (f_time_q != 6'd0) && (f_over_q || st_q[StFetch]);
  end
`endif
endmodule
`default_nettype wire
