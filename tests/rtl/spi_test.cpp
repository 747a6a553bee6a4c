// spi_test.cpp - the frontend behind SPI: the driver's C code bit by bit against the gateware
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "Vfrontend_matrix_4mhz.h"
#include "Vspi_matrix.h"
#include "fw/regs.h"
#include "tests/rtl/frontend.hpp"
extern "C" {
#include "fw/tm_spi.h"
}

using namespace touchmove::rtl_test;

namespace {

constexpr int clocks_per_us = 4;
constexpr int shortest_half_clocks = 4;  // of the serial clock: an eighth of clk_i
constexpr std::uint64_t start_position = 0xFFFF'0000'0000'FFFFu;
constexpr tm_settings as_shipped{TM_DEFAULT_SETTLE_US, 0, 0, 0, TM_DEFAULT_LIFT_US,
                                 TM_DEFAULT_PLACE_US};

/// A microcontroller's SPI port, wired to touchmove_spi under contacts.
class SpiBoard {
  public:
    SpiBoard() {
        model_.spi_cs_n_i = 1;
        model_.rst_i = 1;
        clocks(4);
        model_.rst_i = 0;
        clocks(4);
    }

    std::uint64_t squares = start_position;
    /// Clocks of every half of the serial clock; asked anew for each.
    std::function<int()> half_clocks = [] { return shortest_half_clocks; };
    /// What the contacts do, called before every clock of a session.
    std::function<void(std::int64_t since_run)> on_clock = [](std::int64_t) {};

    tm_spi spi{[](void* context, const std::uint8_t* out, std::uint8_t* in, std::uint32_t bytes) {
                   static_cast<SpiBoard*>(context)->transfer(out, in, bytes);
               },
               this};

    void start(std::uint32_t session = 7) { tm_spi_start(&spi, &as_shipped, session); }
    void us(std::int64_t n) { clocks(n * clocks_per_us); }
    [[nodiscard]] bool irq() const { return model_.irq_o != 0; }
    [[nodiscard]] std::vector<Record> take(std::uint32_t most = 64) {
        std::vector<std::uint8_t> bytes(std::size_t{most} * TM_RECORD_BYTES);
        const std::uint32_t count = tm_spi_take(&spi, bytes.data(), most);
        std::vector<Record> records;
        for (std::uint32_t i = 0; i < count; ++i) {
            std::uint64_t bits = 0;
            for (unsigned k = 0; k < TM_RECORD_BYTES; ++k) {
                bits |= std::uint64_t{bytes[i * TM_RECORD_BYTES + k]} << (8 * k);
            }
            records.push_back(unpack(bits));
        }
        return records;
    }

    /// Chip select, `bits` bits of `out`, chip deselect.
    void transfer_bits(const std::uint8_t* out, std::uint8_t* in, std::uint32_t bits) {
        model_.spi_cs_n_i = 0;
        clocks(half_clocks());
        for (std::uint32_t i = 0; i < bits; ++i) {
            const unsigned bit = 7 - i % 8;
            model_.spi_mosi_i = (out[i / 8] >> bit) & 1U;
            clocks(half_clocks());
            if (in != nullptr) {
                in[i / 8] = static_cast<std::uint8_t>(in[i / 8] & ~(1U << bit));
                in[i / 8] = static_cast<std::uint8_t>(in[i / 8] | (model_.spi_miso_o << bit));
            }
            model_.spi_sck_i = 1;
            // RUN takes effect with the rising edge of its last bit, three clocks on.
            if (is_run(out, bits) && i + 1 == bits) since_run_ = -3;
            clocks(half_clocks());
            model_.spi_sck_i = 0;
        }
        clocks(half_clocks());
        model_.spi_cs_n_i = 1;
        clocks(half_clocks() + 4);
    }

  private:
    static bool is_run(const std::uint8_t* out, std::uint32_t bits) {
        return bits == 40 && out[0] == (0x80 | TM_REG_CONTROL) && out[1] == TM_CONTROL_RUN;
    }

    void transfer(const std::uint8_t* out, std::uint8_t* in, std::uint32_t bytes) {
        transfer_bits(out, in, 8 * bytes);
    }

    void clocks(std::int64_t n) {
        for (std::int64_t i = 0; i < n; ++i) {
            if (since_run_ >= 0) on_clock(since_run_);
            ++since_run_;
            std::uint8_t columns = 0;
            for (unsigned row = 0; row < 8; ++row) {
                if ((model_.row_o >> row & 1U) != 0) {
                    columns |= static_cast<std::uint8_t>(squares >> (8 * row));
                }
            }
            model_.col_i = columns;
            model_.clk_i = 0;
            model_.eval();
            model_.clk_i = 1;
            model_.eval();
        }
    }

    Vspi_matrix model_;
    std::int64_t since_run_ = std::numeric_limits<std::int64_t>::min() / 2;  // clocks
};

/// Squares that change, each long enough to count, never near the edge of a scan frame.
struct Change {
    std::int64_t at_us;
    unsigned square;
};
std::vector<Change> random_changes(std::mt19937_64& rng, unsigned count) {
    std::vector<Change> changes;
    std::int64_t at = 20'000;
    for (unsigned i = 0; i < count; ++i) {
        at += std::uniform_int_distribution<std::int64_t>(2, 200)(rng) * 88;
        changes.push_back({at + 30, std::uniform_int_distribution<unsigned>(0, 63)(rng)});
    }
    return changes;
}

bool is_watermark(const Record& r) {
    return r.kind == TM_KIND_WATERMARK;
}

}  // namespace

TEST_CASE("the driver finds the gateware, and its registers", "[rtl][spi]") {
    SpiBoard board;
    CHECK(tm_spi_present(&board.spi));
    CHECK(tm_spi_read(&board.spi, TM_REG_ID) >> 16 == 8192);
    CHECK(tm_spi_read(&board.spi, TM_REG_CONTROL) == 0);
    board.start();
    CHECK((tm_spi_read(&board.spi, TM_REG_CONTROL) & TM_CONTROL_RUN) != 0);
    board.us(12'000);
    CHECK((tm_spi_read(&board.spi, TM_REG_CONTROL) & TM_CONTROL_READY) != 0);
    const std::uint32_t time_us = tm_spi_hw_read(&board.spi, 4 * TM_REG_TIME_LOW);
    CHECK(time_us > 12'000);
    CHECK(time_us < 12'500);
}

TEST_CASE("no gateware answers on lines that are stuck", "[rtl][spi]") {
    for (const std::uint8_t level : {std::uint8_t{0x00}, std::uint8_t{0xFF}}) {
        std::uint8_t stuck = level;
        const tm_spi spi{
            [](void* context, const std::uint8_t*, std::uint8_t* in, std::uint32_t bytes) {
                std::fill_n(in, bytes, *static_cast<std::uint8_t*>(context));
            },
            &stuck};
        CHECK_FALSE(tm_spi_present(&spi));
    }
}

TEST_CASE("the same contacts give the same records as over the stream", "[rtl][spi]") {
    std::mt19937_64 rng(1);
    const std::vector<Change> changes = random_changes(rng, 60);
    const std::int64_t whole_us = changes.back().at_us + 40'000;

    Frontend<Vfrontend_matrix_4mhz, clocks_per_us> plain;
    plain.squares = start_position;
    plain.start({});
    std::size_t next = 0;
    for (std::int64_t us = 0; us < whole_us; ++us) {
        for (; next < changes.size() && changes[next].at_us == us; ++next) {
            plain.squares ^= std::uint64_t{1} << changes[next].square;
        }
        plain.us();
    }

    SpiBoard board;
    next = 0;
    board.on_clock = [&](std::int64_t clock) {
        for (; next < changes.size() && changes[next].at_us * clocks_per_us == clock; ++next) {
            board.squares ^= std::uint64_t{1} << changes[next].square;
        }
    };
    board.start();
    std::vector<Record> records;
    while (next < changes.size() || board.irq()) {
        board.us(700);
        for (const Record& r : board.take()) {
            if (!is_watermark(r)) records.push_back(r);
        }
    }
    board.us(20'000);
    for (const Record& r : board.take()) {
        if (!is_watermark(r)) records.push_back(r);
    }
    REQUIRE(records.size() > 50);
    CHECK(records == plain.records);
}

TEST_CASE("whatever the host's clock and pauses, records come once and in order", "[rtl][spi]") {
    const unsigned seed = GENERATE(range(0u, 4u));
    CAPTURE(seed);
    std::mt19937_64 rng(seed);
    const auto between = [&](int from, int to) {
        return std::uniform_int_distribution<int>(from, to)(rng);
    };
    SpiBoard board;
    const std::vector<Change> changes = random_changes(rng, 40);
    std::size_t next = 0;
    board.on_clock = [&](std::int64_t clock) {
        for (; next < changes.size() && changes[next].at_us * clocks_per_us <= clock; ++next) {
            board.squares ^= std::uint64_t{1} << changes[next].square;
        }
    };
    board.half_clocks = [&] { return between(shortest_half_clocks, 11); };
    board.start();
    std::vector<Record> records;
    for (int quiet = 0; quiet < 30;) {
        board.us(between(0, 900));
        // A read that breaks off anywhere takes nothing that was not wholly read.
        if (between(0, 3) == 0) {
            const std::uint8_t out[10] = {TM_REG_RECORD_HEAD};
            board.transfer_bits(out, nullptr, static_cast<std::uint32_t>(between(0, 79)));
        }
        for (const Record& r : board.take(static_cast<std::uint32_t>(between(1, 9)))) {
            if (!is_watermark(r)) records.push_back(r);
        }
        if (next == changes.size()) ++quiet;
    }
    REQUIRE(records.size() > 40);
    for (std::size_t i = 0; i < records.size(); ++i)
        REQUIRE(records[i].seq == i);
}

TEST_CASE("what was taken comes again until it is acknowledged", "[rtl][spi]") {
    SpiBoard board;
    board.start();
    board.us(12'000);
    const auto first = board.take(5);
    REQUIRE(first.size() == 5);
    tm_spi_resume(&board.spi, 2);
    board.us(10);
    CHECK(board.take(1).at(0) == first[2]);
    tm_spi_acknowledge(&board.spi, 2);
    CHECK(tm_spi_read(&board.spi, TM_REG_QUEUE) >> 16 == 2);
    tm_spi_resume(&board.spi, 1);  // is gone
    board.us(10);
    CHECK(board.take(1).at(0) == first[3]);
}

TEST_CASE("the interrupt says that something waits", "[rtl][spi]") {
    SpiBoard board;
    CHECK_FALSE(board.irq());
    board.start();
    board.us(1'000);
    CHECK_FALSE(board.irq());
    board.us(12'000);
    CHECK(board.irq());
    CHECK_FALSE(board.take().empty());
    CHECK_FALSE(board.irq());
    board.squares &= ~std::uint64_t{1};
    board.us(9'000);
    CHECK(board.irq());
    const auto records = board.take();
    REQUIRE_FALSE(records.empty());
    CHECK(std::any_of(records.begin(), records.end(),
                      [](const Record& r) { return r.kind == TM_KIND_LIFT && r.index == 0; }));
}

TEST_CASE("a command that is unknown or breaks off does nothing", "[rtl][spi]") {
    SpiBoard board;
    const std::uint8_t reserved[5] = {0x80 | 0x10 | TM_REG_CONTROL, TM_CONTROL_RUN};
    board.transfer_bits(reserved, nullptr, 40);
    CHECK(tm_spi_read(&board.spi, TM_REG_CONTROL) == 0);
    const std::uint8_t run[5] = {0x80 | TM_REG_CONTROL, TM_CONTROL_RUN};
    board.transfer_bits(run, nullptr, 39);
    CHECK(tm_spi_read(&board.spi, TM_REG_CONTROL) == 0);
    board.transfer_bits(run, nullptr, 40);
    CHECK(tm_spi_read(&board.spi, TM_REG_CONTROL) == TM_CONTROL_RUN);
}
