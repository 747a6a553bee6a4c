// programs.hpp - random programs: every instruction, any registers, edge values, short loops
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <random>

#include "tests/cpu/image.hpp"

namespace touchmove::cpu_test {

constexpr std::array<Word, 18> edges = {0,          1,          2,          3,          0x7F,
                                        0x80,       0xFF,       0x100,      0x7FFF,     0x8000,
                                        0xFFFF,     0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF,
                                        0xFFFFFFFE, 0xFFFFFF80, 0x12345678};

/// The same seed gives the same program.
class Programs {
  public:
    explicit Programs(std::uint32_t seed) : random_(seed) {}

    Image make(unsigned length) {
        Image image;
        for (Word at = scratch_at; at < result_end; at += 4)
            image.put(at, value());
        for (Word reg = 1; reg < 32; ++reg)
            image.set(reg, value());
        while (length > 0) {
            const unsigned body = length < 8 ? length : 1 + draw(8);
            if (draw(8) == 0) {
                loop(image, body);
            } else {
                for (unsigned i = 0; i < body; ++i)
                    one(image);
            }
            length -= body;
        }
        image.finish();
        return image;
    }

  private:
    Word draw(Word below) { return static_cast<Word>(random_() % below); }
    Word reg() { return draw(4) == 0 ? draw(4) : draw(32); }  // often the same few
    Word value() {
        switch (draw(3)) {
            case 0:
                return edges[draw(edges.size())];
            case 1:
                return static_cast<Word>(random_());
            default:
                return edges[draw(edges.size())] ^ (1U << draw(32));
        }
    }

    // A loop counts in a register that its body does not write.
    void loop(Image& image, unsigned body) {
        kept_ = 1 + draw(31);
        image.emit(addi(kept_, 0, 1 + draw(4)));
        const Word top = image.here();
        for (unsigned i = 0; i < body; ++i)
            one(image);
        image.emit(addi(kept_, kept_, ~0U));
        image.emit(b_type(top - image.here(), 0, kept_, 1));
        kept_ = 0;
    }

    Word target() {
        Word rd = reg();
        while (rd == kept_ && rd != 0)
            rd = draw(32);
        return rd;
    }

    void one(Image& image) {
        const Word rd = target();
        const Word f3 = draw(8);
        switch (draw(12)) {
            case 0:
                image.emit(lui(rd, value()));
                break;
            case 1:
                image.emit(auipc(rd, value()));
                break;
            case 2:
            case 3:
                immediate(image, f3, rd);
                break;
            case 4:
            case 5:
            case 6: {
                const bool other = (f3 == 0 || f3 == 5) && draw(2) == 0;
                image.emit(r_type(other ? 0x20 : 0, reg(), reg(), f3, rd));
                break;
            }
            case 7:
                branch(image);
                break;
            case 8:
                jump(image, rd);
                break;
            case 9:
            case 10:
                access(image, rd);
                break;
            default:
                draw(8) == 0 ? image.emit(fence) : image.set(rd, value());
                break;
        }
    }

    void immediate(Image& image, Word f3, Word rd) {
        if (f3 == 1 || f3 == 5) {
            const bool other = f3 == 5 && draw(2) == 0;
            image.emit(r_type(other ? 0x20 : 0, draw(32), reg(), f3, rd, op_imm));
        } else {
            image.emit(i_type(value(), reg(), f3, rd));
        }
    }

    // Branches and jumps skip up to three instructions, which may be any.
    void branch(Image& image) {
        constexpr std::array<Word, 6> kinds = {0, 1, 4, 5, 6, 7};
        const Word skipped = draw(4);
        image.emit(b_type(4 + 4 * skipped, reg(), reg(), kinds[draw(6)]));
        for (Word i = 0; i < skipped; ++i)
            image.emit(i_type(value(), reg(), 0, target()));
    }
    void jump(Image& image, Word rd) {
        const Word skipped = draw(4);
        const Word base = target();
        if (base == 0 || draw(2) == 0) {
            image.emit(jal(rd, 4 + 4 * skipped));
        } else {
            const Word off = draw(0x700);
            image.emit(auipc(base, 0));
            image.emit(addi(base, base, 0U - off));
            // Bit 0 of the sum is dropped
            image.emit(jalr(rd, base, off + 12 + 4 * skipped + draw(2)));
        }
        for (Word i = 0; i < skipped; ++i)
            image.emit(addi(target(), reg(), value()));
    }

    void access(Image& image, Word rd) {
        constexpr std::array<Word, 5> loads = {0, 1, 2, 4, 5};
        const Word base = target();
        if (base == 0) {
            image.emit(fence);
            return;
        }
        const bool load = draw(2) == 0;
        const Word f3 = load ? loads[draw(5)] : draw(3);
        const Word bytes = 1U << (f3 & 3);
        const Word at = scratch_at + draw(scratch_bytes / bytes) * bytes;
        const Word imm = draw(4) == 0 ? 0 : draw(0x1000);
        const Word offset = imm >= 0x800 ? imm - 0x1000 : imm;
        image.set(base, at - offset);
        image.emit(load ? i_type(imm, base, f3, rd, op_load) : s_type(imm, reg(), base, f3));
    }

    std::mt19937 random_;
    Word kept_ = 0;
};

}  // namespace touchmove::cpu_test
