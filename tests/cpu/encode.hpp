// encode.hpp - RV32I instructions as words (Unprivileged ISA, chapter 2 and table 24.2)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace touchmove::cpu_test {

using Word = std::uint32_t;

/// Opcode fields, bits 6..0.
enum Opcode : Word {
    op_load = 0x03,
    op_fence = 0x0F,
    op_imm = 0x13,
    op_auipc = 0x17,
    op_store = 0x23,
    op_reg = 0x33,
    op_lui = 0x37,
    op_branch = 0x63,
    op_jalr = 0x67,
    op_jal = 0x6F,
    op_system = 0x73
};

constexpr Word field(Word value, int from, int bits, int to) {
    return (value >> from & ((1U << bits) - 1)) << to;
}

constexpr Word r_type(Word f7, Word rs2, Word rs1, Word f3, Word rd, Word op = op_reg) {
    return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
constexpr Word i_type(Word imm, Word rs1, Word f3, Word rd, Word op = op_imm) {
    return field(imm, 0, 12, 20) | rs1 << 15 | f3 << 12 | rd << 7 | op;
}
constexpr Word s_type(Word imm, Word rs2, Word rs1, Word f3) {
    return field(imm, 5, 7, 25) | rs2 << 20 | rs1 << 15 | f3 << 12 | field(imm, 0, 5, 7) | op_store;
}
constexpr Word b_type(Word offset, Word rs2, Word rs1, Word f3) {
    return field(offset, 12, 1, 31) | field(offset, 5, 6, 25) | rs2 << 20 | rs1 << 15 | f3 << 12 |
           field(offset, 1, 4, 8) | field(offset, 11, 1, 7) | op_branch;
}
constexpr Word u_type(Word imm, Word rd, Word op) {
    return (imm & 0xFFFFF000U) | rd << 7 | op;
}
constexpr Word j_type(Word offset, Word rd) {
    return field(offset, 20, 1, 31) | field(offset, 1, 10, 21) | field(offset, 11, 1, 20) |
           field(offset, 12, 8, 12) | rd << 7 | op_jal;
}

constexpr Word addi(Word rd, Word rs1, Word imm) {
    return i_type(imm, rs1, 0, rd);
}
constexpr Word lui(Word rd, Word imm) {
    return u_type(imm, rd, op_lui);
}
constexpr Word auipc(Word rd, Word imm) {
    return u_type(imm, rd, op_auipc);
}
constexpr Word jal(Word rd, Word offset) {
    return j_type(offset, rd);
}
constexpr Word jalr(Word rd, Word rs1, Word imm) {
    return i_type(imm, rs1, 0, rd, op_jalr);
}
constexpr Word lw(Word rd, Word rs1, Word imm) {
    return i_type(imm, rs1, 2, rd, op_load);
}
constexpr Word sw(Word rs2, Word rs1, Word imm) {
    return s_type(imm, rs2, rs1, 2);
}
constexpr Word fence = 0x0FF0000F;
constexpr Word ecall = 0x00000073;
constexpr Word ebreak = 0x00100073;

}  // namespace touchmove::cpu_test
