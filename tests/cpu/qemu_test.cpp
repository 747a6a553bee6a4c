// qemu_test.cpp - random programs on the core and on qemu-riscv32: same registers, same memory
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "tests/cpu/core.hpp"
#include "tests/cpu/programs.hpp"

namespace touchmove::cpu_test {
namespace {

// A static ELF file: one segment, the whole memory from address 0 on.
Memory elf_of(const Memory& memory) {
    constexpr Word header = 52, segment = 32, at = 0x1000;
    Memory file(at, 0);
    const auto half = [&](Word to, Word value) {
        file[to] = static_cast<std::uint8_t>(value);
        file[to + 1] = static_cast<std::uint8_t>(value >> 8);
    };
    store_word(file, 0, 0x464C457F);  // \177ELF
    store_word(file, 4, 0x00010101);  // 32 bits, little endian, version 1
    half(16, 2);                      // executable
    half(18, 243);                    // RISC-V
    store_word(file, 20, 1);
    store_word(file, 24, code_at);
    store_word(file, 28, header);
    half(40, header);
    half(42, segment);
    half(44, 1);
    store_word(file, header, 1);  // PT_LOAD
    store_word(file, header + 4, at);
    store_word(file, header + 8, 0);
    store_word(file, header + 12, 0);
    store_word(file, header + 16, memory_bytes);
    store_word(file, header + 20, memory_bytes);
    store_word(file, header + 24, 7);
    store_word(file, header + 28, 0x1000);
    file.insert(file.end(), memory.begin(), memory.end());
    return file;
}

class Qemu {
  public:
    Qemu()
        : file_(std::filesystem::temp_directory_path() / ("tm_cpu_" + std::to_string(getpid()))) {}
    ~Qemu() {
        std::error_code ignored;
        std::filesystem::remove(file_, ignored);
    }
    Qemu(const Qemu&) = delete;
    Qemu& operator=(const Qemu&) = delete;

    /// What lies from dump_at to result_end at the end; empty if the program failed.
    std::vector<std::uint8_t> run(const Image& image) {
        const Memory elf = elf_of(image.memory());
        std::filesystem::remove(file_);
        std::ofstream(file_, std::ios::binary)
            .write(reinterpret_cast<const char*>(elf.data()),
                   static_cast<std::streamsize>(elf.size()));
        std::filesystem::permissions(file_, std::filesystem::perms::owner_all);
        const std::string command = std::string(TOUCHMOVE_QEMU) + " " + file_.string();
        std::vector<std::uint8_t> got(result_end - dump_at + 1);
        FILE* pipe = popen(command.c_str(), "r");
        if (pipe == nullptr) return {};
        got.resize(std::fread(got.data(), 1, got.size(), pipe));
        if (pclose(pipe) != 0) return {};
        return got;
    }

  private:
    std::filesystem::path file_;
};

void compare(std::uint32_t first, std::uint32_t programs, unsigned length) {
    Qemu qemu;
    for (std::uint32_t seed = first; seed < first + programs; ++seed) {
        INFO("seed " << seed << ", " << length << " instructions");
        const Image image = Programs(seed).make(length);
        Memory got = image.memory();
        Core core(seed);
        REQUIRE(core.run(got));
        const std::vector<std::uint8_t> expected = qemu.run(image);
        REQUIRE(expected.size() == result_end - dump_at);
        for (Word reg = 0; reg < 32; ++reg) {
            INFO("x" << reg);
            REQUIRE(load_word(got, dump_at + 4 * reg) == load_word(expected, 4 * reg));
        }
        REQUIRE(std::equal(expected.begin(), expected.end(), got.begin() + dump_at));
    }
}

// TOUCHMOVE_SEED starts elsewhere.
std::uint32_t first_seed() {
    const char* chosen = std::getenv("TOUCHMOVE_SEED");
    return chosen != nullptr ? static_cast<std::uint32_t>(std::strtoul(chosen, nullptr, 0)) : 1000;
}

}  // namespace

TEST_CASE("random programs leave the registers and memory that qemu-riscv32 leaves", "[cpu]") {
    compare(first_seed(), 200, 400);
}

TEST_CASE("ten thousand random programs leave what qemu-riscv32 leaves", "[cpu][.long]") {
    compare(first_seed() + 100'000, 10'000, 250);
}

}  // namespace touchmove::cpu_test
