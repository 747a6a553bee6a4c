// model.hpp - RV32I in plain C++, from the text of the specification: what the core is held to
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "tests/cpu/image.hpp"

namespace touchmove::cpu_test {

class Model {
  public:
    std::array<Word, 32> x{};
    Word pc = 0;

    /// One instruction. False: ECALL, EBREAK or unknown; nothing changed.
    bool step(Memory& memory) {
        const Word word = load_word(memory, pc);
        const Word rd = word >> 7 & 31;
        const Word f3 = word >> 12 & 7;
        const Word a = x[word >> 15 & 31];
        const Word b = x[word >> 20 & 31];
        const auto imm_i = static_cast<Word>(static_cast<std::int32_t>(word) >> 20);
        Word next = pc + 4;
        switch (word & 0x7F) {
            case op_lui:
                set(rd, word & 0xFFFFF000U);
                break;
            case op_auipc:
                set(rd, pc + (word & 0xFFFFF000U));
                break;
            case op_jal: {
                const Word offset = (word >> 31 != 0 ? 0xFFF00000U : 0) | (word & 0xFF000U) |
                                    (word >> 9 & 0x800U) | (word >> 20 & 0x7FEU);
                set(rd, next);
                next = pc + offset;
                break;
            }
            case op_jalr:
                set(rd, pc + 4);
                next = (a + imm_i) & ~1U;
                break;
            case op_branch:
                if (holds(f3, a, b)) {
                    next = pc + ((word >> 31 != 0 ? 0xFFFFF000U : 0) | (word << 4 & 0x800U) |
                                 (word >> 20 & 0x7E0U) | (word >> 7 & 0x1EU));
                }
                break;
            case op_load:
                set(rd, read(memory, f3, a + imm_i));
                break;
            case op_store: {
                const Word at = a + ((imm_i & ~31U) | rd);
                for (Word i = 0; i < (1U << f3); ++i) {
                    memory[(at + i) % memory_bytes] = static_cast<std::uint8_t>(b >> 8 * i);
                }
                break;
            }
            case op_imm:
                set(rd, compute(f3, a, imm_i, f3 == 5 && (word >> 30 & 1) != 0));
                break;
            case op_reg:
                set(rd, compute(f3, a, b, (word >> 30 & 1) != 0));
                break;
            case op_fence:
                break;
            default:
                return false;
        }
        pc = next & 0xFFFF;
        return true;
    }

  private:
    void set(Word rd, Word value) {
        if (rd != 0) x[rd] = value;
    }
    static bool holds(Word f3, Word a, Word b) {
        const auto sa = static_cast<std::int32_t>(a);
        const auto sb = static_cast<std::int32_t>(b);
        switch (f3) {
            case 0:
                return a == b;
            case 1:
                return a != b;
            case 4:
                return sa < sb;
            case 5:
                return sa >= sb;
            case 6:
                return a < b;
            default:
                return a >= b;
        }
    }
    static Word compute(Word f3, Word a, Word b, bool other) {
        const auto sa = static_cast<std::int32_t>(a);
        switch (f3) {
            case 0:
                return other ? a - b : a + b;
            case 1:
                return a << (b & 31);
            case 2:
                return sa < static_cast<std::int32_t>(b) ? 1 : 0;
            case 3:
                return a < b ? 1 : 0;
            case 4:
                return a ^ b;
            case 5:
                return other ? static_cast<Word>(sa >> (b & 31)) : a >> (b & 31);
            case 6:
                return a | b;
            default:
                return a & b;
        }
    }
    static Word read(const Memory& memory, Word f3, Word at) {
        Word value = 0;
        const Word bytes = 1U << (f3 & 3);
        for (Word i = 0; i < bytes; ++i)
            value |= Word{memory[(at + i) % memory_bytes]} << 8 * i;
        if (f3 == 0) return static_cast<Word>(static_cast<std::int8_t>(value));
        if (f3 == 1) return static_cast<Word>(static_cast<std::int16_t>(value));
        return value;
    }
};

}  // namespace touchmove::cpu_test
