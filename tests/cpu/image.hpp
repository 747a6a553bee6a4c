// image.hpp - a program for the core with its memory, and where things lie in it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tests/cpu/encode.hpp"

namespace touchmove::cpu_test {

constexpr Word memory_bytes = 0x8000;
using Memory = std::vector<std::uint8_t>;  // memory_bytes long

constexpr Word dump_at = 0x400;     // registers x0 to x31 at the end
constexpr Word scratch_at = 0x600;  // loads and stores
constexpr Word scratch_bytes = 0x600;
constexpr Word result_end = scratch_at + scratch_bytes;  // of what is compared
constexpr Word code_at = 0x1000;

inline Word load_word(const Memory& memory, Word at) {
    return memory[at] | memory[at + 1] << 8 | memory[at + 2] << 16 | Word{memory[at + 3]} << 24;
}
inline void store_word(Memory& memory, Word at, Word value) {
    for (Word i = 0; i < 4; ++i)
        memory[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
}

/// Collects instructions from code_at on; address 0, where the core starts, jumps there.
class Image {
  public:
    Image() : memory_(memory_bytes, 0) { store_word(memory_, 0, jal(0, code_at)); }

    void emit(Word instruction) {
        store_word(memory_, here_, instruction);
        here_ += 4;
    }
    [[nodiscard]] Word here() const { return here_; }
    void put(Word at, Word value) { store_word(memory_, at, value); }

    /// rd = value, in two instructions.
    void set(Word rd, Word value) {
        emit(lui(rd, value + 0x800));
        emit(addi(rd, rd, value));
    }
    /// Stores the registers where they can be compared, and calls the system: the core halts, Linux
    /// writes the memory from dump_at to result_end to the standard output and ends.
    void finish() {
        for (Word reg = 0; reg < 32; ++reg)
            emit(sw(reg, 0, dump_at + 4 * reg));
        emit(addi(17, 0, 64));  // write(1, dump_at, ...)
        emit(addi(10, 0, 1));
        emit(addi(11, 0, dump_at));
        set(12, result_end - dump_at);
        emit(ecall);
        emit(addi(17, 0, 93));  // exit(0)
        emit(addi(10, 0, 0));
        emit(ecall);
    }
    [[nodiscard]] const Memory& memory() const { return memory_; }

  private:
    Memory memory_;
    Word here_ = code_at;
};

}  // namespace touchmove::cpu_test
