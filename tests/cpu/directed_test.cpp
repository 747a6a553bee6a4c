// directed_test.cpp - every instruction with edge operands, against the plain model
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "tests/cpu/core.hpp"
#include "tests/cpu/model.hpp"
#include "tests/cpu/programs.hpp"

namespace touchmove::cpu_test {
namespace {

struct Outcome {
    Memory memory;
    std::uint64_t clocks;
};

Outcome run_core(const Image& image, std::uint32_t seed = 1, unsigned most_wait = 2) {
    Core core(seed, most_wait);
    Outcome outcome{image.memory(), 0};
    REQUIRE(core.run(outcome.memory));
    outcome.clocks = core.clocks();
    return outcome;
}

Memory run_model(const Image& image) {
    Model model;
    Memory memory = image.memory();
    unsigned steps = 0;
    while (model.step(memory))
        REQUIRE(++steps < 100'000);
    return memory;
}

void check(const Image& image, std::uint32_t seed = 1) {
    const Memory got = run_core(image, seed).memory;
    const Memory expected = run_model(image);
    for (Word reg = 0; reg < 32; ++reg) {
        INFO("x" << reg);
        REQUIRE(load_word(got, dump_at + 4 * reg) == load_word(expected, dump_at + 4 * reg));
    }
    REQUIRE(got == expected);
}

// Places of rd, rs1 and rs2: apart, the same, x0
const std::vector<std::tuple<Word, Word, Word>> places = {
    {5, 6, 7}, {6, 6, 7}, {7, 6, 7}, {6, 6, 6}, {0, 6, 7}, {5, 0, 7}, {5, 6, 0}, {31, 30, 1}};

}  // namespace

TEST_CASE("register and immediate arithmetic gives what the model says, whatever the registers",
          "[cpu]") {
    const Word f3 = GENERATE(range(0U, 8U));
    const bool other = GENERATE(false, true);
    const bool immediate = GENERATE(false, true);
    // Without a meaning: all but SUB and SRA in registers, SRAI
    if (other && f3 != 5 && (f3 != 0 || immediate)) return;
    const Word f7 = other ? 0x20 : 0;
    for (const auto& [rd, rs1, rs2] : places) {
        Image image;
        for (const Word a : edges) {
            for (const Word b : edges) {
                image.set(rs1 == 0 ? 4 : rs1, a);
                image.set(rs2 == 0 ? 4 : rs2, b);
                if (!immediate) {
                    image.emit(r_type(f7, rs2, rs1, f3, rd));
                } else if (f3 == 1 || f3 == 5) {
                    image.emit(r_type(f7, b & 31, rs1, f3, rd, op_imm));
                } else {
                    image.emit(i_type(b, rs1, f3, rd));
                }
                // A sum of all outcomes that tells their order
                image.emit(i_type(1, 10, 1, 11));
                image.emit(r_type(0, 11, rd, 0, 10));
                image.emit(i_type(1, 10, 5, 11));
                image.emit(r_type(0, 11, 10, 4, 10));
            }
        }
        image.finish();
        INFO("funct3 " << f3 << " rd " << rd << " rs1 " << rs1 << " rs2 " << rs2);
        check(image);
    }
}

TEST_CASE("shifts are right for every amount", "[cpu]") {
    const Word f3 = GENERATE(1U, 5U);
    const bool arithmetic = GENERATE(false, true);
    if (arithmetic && f3 == 1) return;
    Image image;
    Word at = scratch_at;
    image.set(6, GENERATE(0x80000001U, 0xA5C3F00FU, 0x7FFFFFFFU));
    for (Word amount = 0; amount < 32; ++amount) {
        image.set(7, amount | 0xFFFFFFE0U);  // only five bits count
        image.emit(r_type(arithmetic ? 0x20 : 0, 7, 6, f3, 8));
        image.emit(sw(8, 0, at));
        image.emit(r_type(arithmetic ? 0x20 : 0, amount, 6, f3, 8, op_imm));
        image.emit(sw(8, 0, at + 4));
        at += 8;
    }
    image.finish();
    check(image);
}

TEST_CASE("branches go where the comparison says, forwards and backwards", "[cpu]") {
    const Word f3 = GENERATE(0U, 1U, 4U, 5U, 6U, 7U);
    Image image;
    for (const Word a : edges) {
        for (const Word b : edges) {
            image.set(6, a);
            image.set(7, b);
            image.emit(i_type(1, 10, 1, 10));      // x10 <<= 1
            image.emit(b_type(8, 7, 6, f3));       // taken: over the next
            image.emit(i_type(1, 10, 4, 10));      // x10 ^= 1
            image.emit(r_type(0, 11, 10, 4, 11));  // x11 ^= x10
        }
    }
    // Backwards, over more than 2 KiB
    const Word back = image.here() + 8;
    image.emit(jal(0, 0x904));
    image.emit(ebreak);
    image.emit(addi(12, 12, 5));
    const Word on = image.here();
    while (image.here() < back - 4 + 0x900 - 4)
        image.emit(ebreak);
    image.set(6, 0);
    image.emit(b_type(back - 4 + 4 - image.here(), 0, 6, 0));
    image.finish();
    const Word end = image.here();
    image.put(on, jal(0, on + 0x8F8 + 8 - on));
    (void)end;
    check(image);
}

TEST_CASE("jumps link and land anywhere, and JALR drops bit 0", "[cpu]") {
    Image image;
    image.emit(jal(1, 8));
    image.emit(ebreak);
    image.emit(auipc(5, 0));
    image.emit(jalr(5, 5, 13));  // the same register; odd
    image.emit(ebreak);
    image.emit(auipc(6, 0x12345000));
    image.emit(lui(7, 0xFEDCB000));
    image.emit(jal(0, 0x800));  // far forwards
    const Word middle = image.here();
    image.emit(addi(9, 9, 1));
    image.emit(jal(8, 0xFFC));
    while (image.here() < middle - 4 + 0x800)
        image.emit(ebreak);
    image.emit(jal(9, middle - image.here()));  // far backwards
    while (image.here() < middle + 4 + 0xFFC)
        image.emit(ebreak);
    image.finish();
    check(image);
}

TEST_CASE("loads and stores reach every byte and extend as their kind says", "[cpu]") {
    Image image;
    for (Word i = 0; i < 64; ++i)
        image.put(scratch_at + 4 * i, 0x83A27F01U * (2 * i + 1));
    image.set(20, scratch_at + 0x80);
    Word at = scratch_at + 0x200;
    for (const Word f3 : {0U, 1U, 2U, 4U, 5U}) {
        for (Word offset = 0; offset < 8; offset += 1U << (f3 & 3)) {
            for (const Word sign : {0U, 0x70U}) {
                image.emit(i_type(offset - sign, 20, f3, 21, op_load));
                image.emit(sw(21, 0, at));
                at += 4;
            }
        }
    }
    image.set(22, 0x9ABCDEF1);
    for (const Word f3 : {0U, 1U, 2U}) {
        for (Word offset = 0; offset < 4; offset += 1U << f3) {
            image.emit(s_type(0x40 + 16 * f3 + 4 * offset + offset, 22, 20, f3));
            image.emit(s_type(offset - 0x60 - 16 * f3, 22, 20, f3));
        }
    }
    image.emit(i_type(0, 20, 2, 20, op_load));    // rd = rs1
    image.emit(i_type(0x600, 0, 2, 0, op_load));  // to x0
    image.set(23, scratch_at + 0x100);
    image.emit(sw(23, 23, 0));  // rs2 = rs1
    image.finish();
    REQUIRE(at <= result_end);
    check(image);
}

TEST_CASE("low address bits of half-words and words are not looked at", "[cpu]") {
    Image image;
    image.put(scratch_at, 0x44332211);
    image.set(6, scratch_at + 3);
    image.emit(lw(7, 6, 0));
    image.emit(i_type(0, 6, 5, 8, op_load));
    image.set(9, 0xAABBCCDD);
    image.emit(s_type(4, 9, 6, 2));
    image.emit(s_type(8, 9, 6, 1));
    image.finish();
    const Memory got = run_core(image).memory;
    CHECK(load_word(got, dump_at + 4 * 7) == 0x44332211);
    CHECK(load_word(got, dump_at + 4 * 8) == 0x4433);
    CHECK(load_word(got, scratch_at + 4) == 0xAABBCCDD);
    CHECK(load_word(got, scratch_at + 8) == 0xCCDD0000);
}

TEST_CASE("the core stands still at what it does not know, and nothing is written", "[cpu]") {
    const Word bad = GENERATE(0x00000000U, 0xFFFFFFFFU, ecall, ebreak, 0x0000402FU /* atomic */,
                              0x00001073U /* CSRRW */, 0x00000013U & ~1U, 0x00000007U, 0x0000001BU);
    Image image;
    image.set(5, 7);
    image.emit(sw(5, 0, scratch_at));
    image.emit(bad);
    image.emit(sw(0, 0, scratch_at));
    image.finish();
    Memory got = image.memory();
    Core core;
    REQUIRE(core.run(got));
    Memory expected = image.memory();
    store_word(expected, scratch_at, 7);
    CHECK(got == expected);
    CHECK(core.run(got, 1000));  // still
    CHECK(got == expected);
}

TEST_CASE("random programs give what the model says, whatever the memory's delays", "[cpu]") {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        INFO("seed " << seed);
        check(Programs(seed).make(150), seed);
    }
}

TEST_CASE("each instruction takes the clocks that docs/cpu.md says", "[cpu]") {
    const auto clocks = [](const std::vector<Word>& instructions) {
        constexpr Word times = 16;
        const auto run = [&](bool with) {
            Image image;
            image.set(6, scratch_at);
            image.set(7, 0xFFFFFFE5);
            for (Word i = 0; i < (with ? times : 0); ++i) {
                for (const Word instruction : instructions)
                    image.emit(instruction);
            }
            image.finish();
            return run_core(image, 1, 0).clocks;
        };
        return (run(true) - run(false)) / times;
    };
    // With a memory that answers at once; the block RAM takes one clock more an access.
    CHECK(clocks({addi(5, 6, 1)}) == 15);
    CHECK(clocks({r_type(0, 7, 6, 7, 5)}) == 15);
    CHECK(clocks({lui(5, 0x1000)}) == 15);
    CHECK(clocks({fence}) == 11);
    CHECK(clocks({i_type(1, 6, 2, 5)}) == 24);
    CHECK(clocks({b_type(4, 7, 6, 0)}) == 16);
    CHECK(clocks({b_type(4, 7, 6, 1)}) == 15);
    CHECK(clocks({jal(5, 4)}) == 20);
    CHECK(clocks({lw(5, 6, 0)}) == 21);
    CHECK(clocks({sw(5, 6, 0)}) == 30);
    CHECK(clocks({i_type(0, 6, 1, 5)}) == 21);
    CHECK(clocks({i_type(1, 6, 1, 5)}) == 30);
    CHECK(clocks({i_type(5, 6, 5, 5)}) == 66);
}

}  // namespace touchmove::cpu_test
