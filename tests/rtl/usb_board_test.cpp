// usb_board_test.cpp - frontend and USB device in RTL, the whole firmware between them, on wires
// SPDX-License-Identifier: Apache-2.0
#include <Vfrontend_matrix_24mhz.h>

#include <catch2/catch.hpp>

#include "tests/rtl/usb_bench.hpp"

extern "C" {
#include "fw/regs.h"
#include "fw/tm_board.h"
#include "fw/tm_bytes.h"
}

using namespace touchmove::rtl_test;
using namespace touchmove::wire;

namespace {

constexpr std::uint64_t start_squares = 0xFFFF'0000'0000'FFFFULL;

/// Both blocks on one clock of 24 MHz, their stream joined.
class BoardOnWires final : public LineDevice {
  public:
    BoardOnWires() {
        frontend_->rst_i = usb_->rst_i = 1;
        for (int i = 0; i < 8; ++i)
            clock(false, false);
        frontend_->rst_i = usb_->rst_i = 0;
        tm_board_init(&board, &hw_, nullptr, &options_);
    }

    Pins clock(bool dp, bool dn) override {
        usb_->dp_i = dp;
        usb_->dn_i = dn;
        usb_->clk48_i = 0;
        second_ = !second_;
        if (second_) {
            unsigned columns = 0;
            for (unsigned row = 0; row < 8; ++row) {
                if ((frontend_->row_o >> row & 1U) != 0) columns |= squares >> 8 * row & 0xFFU;
            }
            frontend_->col_i = static_cast<std::uint8_t>(columns);
            frontend_->clk_i = usb_->clk_i = 0;
            frontend_->eval();
        }
        usb_->rec_valid_i = frontend_->rec_valid_o;
        usb_->rec_data_i = frontend_->rec_data_o;
        usb_->eval();
        usb_->clk48_i = 1;
        if (second_) {
            frontend_->rec_ready_i = usb_->rec_ready_o;
            frontend_->eval();
            if (usb_->reg_ready_o != 0) data_ = usb_->reg_rdata_o;
            if (frontend_->reg_re_i != 0) data_ = frontend_->reg_rdata_o;
            const bool done = usb_->reg_ready_o != 0;
            frontend_->clk_i = usb_->clk_i = 1;
            frontend_->eval();
            usb_->eval();
            frontend_->reg_we_i = frontend_->reg_re_i = 0;
            if (done) usb_->reg_we_i = usb_->reg_re_i = 0;
        } else {
            usb_->eval();
        }
        if (sleep_ > 0) {
            --sleep_;
        } else if (started_ && !busy()) {
            firmware_.resume();
        }
        return {usb_->dp_o != 0, usb_->dn_o != 0, usb_->oe_o != 0, usb_->pullup_o != 0};
    }

    /// From now on the firmware runs.
    void start() { started_ = true; }

    std::uint64_t squares = start_squares, lamps = 0;
    tm_board board{};

  private:
    [[nodiscard]] bool busy() const {
        return (usb_->reg_we_i | usb_->reg_re_i | frontend_->reg_we_i | frontend_->reg_re_i) != 0;
    }
    void wait(unsigned clocks) {
        sleep_ = clocks;
        firmware_.give_way();
    }
    std::uint32_t access(std::uint32_t offset, std::uint32_t value, bool write) {
        wait(20);
        if (offset >= TM_USB_BASE) {
            usb_->reg_addr_i = static_cast<std::uint16_t>((offset - TM_USB_BASE) / 4);
            usb_->reg_wdata_i = static_cast<std::uint16_t>(value & 0x3FFU);
            (write ? usb_->reg_we_i : usb_->reg_re_i) = 1;
        } else {
            frontend_->reg_addr_i = static_cast<std::uint8_t>(offset / 4);
            frontend_->reg_wdata_i = value;
            (write ? frontend_->reg_we_i : frontend_->reg_re_i) = 1;
        }
        firmware_.give_way();
        return data_;
    }
    static std::uint32_t read_hw(void* context, std::uint32_t offset) {
        return static_cast<BoardOnWires*>(context)->access(offset, 0, false);
    }
    static void write_hw(void* context, std::uint32_t offset, std::uint32_t value) {
        static_cast<BoardOnWires*>(context)->access(offset, value, true);
    }

    std::unique_ptr<Vfrontend_matrix_24mhz> frontend_ = std::make_unique<Vfrontend_matrix_24mhz>();
    std::unique_ptr<Vusb_device> usb_ = std::make_unique<Vusb_device>();
    bool second_ = false, started_ = false;
    unsigned sleep_ = 0;
    std::uint32_t data_ = 0;
    tm_hw hw_{&read_hw, &write_hw, this};
    tm_board_options options_{.name = "wires",
                              .serial = "TM-0001",
                              .self_powered = true,
                              .milliamperes = 2,
                              .lamps = 64,
                              .show_lamps = [](void* context, const std::uint32_t* lit) {
                                  static_cast<BoardOnWires*>(context)->lamps =
                                      std::uint64_t{lit[1]} << 32 | lit[0];
                              },
                              .lamps_context = this};
    Fiber firmware_{[this] {
        for (;;) {
            tm_board_poll(&board);
            wait(100);
        }
    }};
};

/// Powered, reset, address 7, configured.
void enumerate(BoardOnWires& board, Host& host) {
    Bus& bus = host.bus();
    board.start();
    bus.run_for(fs_per_ms);
    REQUIRE(bus.pins().pullup);  // the session has begun
    host.bus_reset(fs_per_ms / 20);
    bus.run_for(fs_per_ms / 20);
    REQUIRE(host.control({{0, 5, 7, 0, 0, 0, 0, 0}}).answer == Answer::ack);
    bus.run_for(fs_per_ms / 20);
    host.address = 7;
    REQUIRE(host.control({{0, 9, 1, 0, 0, 0, 0, 0}}).answer == Answer::ack);
}

struct Seen {
    unsigned kind, index;
    std::uint16_t seq;
    friend bool operator==(const Seen&, const Seen&) = default;
};

/// What the host reads until `until`, each millisecond; one ACK in `lose` gets lost.
std::vector<Seen> read(Host& host, Fs until, unsigned lose) {
    std::vector<Seen> seen;
    unsigned packets = 0;
    while (host.bus().now() < until) {
        host.start_of_frame();
        for (;;) {
            const bool lost = lose != 0 && ++packets % lose == 0;
            const Reply reply = host.in(1, {.acknowledge = !lost});
            if (reply.answer != Answer::data) break;
            if (reply.repeated) continue;
            for (std::size_t at = 0; at < reply.data.size(); at += TM_RECORD_BYTES) {
                const std::uint8_t* b = reply.data.data() + at;
                const unsigned kind = b[0] >> 4;
                if (kind == TM_KIND_WATERMARK) continue;
                seen.push_back({kind, b[1] & TM_INDEX_MASK, tm_get16(b + 2)});
            }
        }
        host.bus().run_for(fs_per_ms / 4);
    }
    return seen;
}

}  // namespace

TEST_CASE("a suspended bus puts the lamps out, and the next packet lights them again (7.1.7.6)",
          "[usb]") {
    BoardOnWires board;
    Bus bus(board);
    Host host(bus, 5);
    enumerate(board, host);
    const Bytes lamps = {1, 2, 3, 4, 5, 6, 7, 8};
    REQUIRE(host.control({{0x40, TM_REQ_LAMPS, 0, 0, 0, 0, TM_LAMPS_BYTES, 0}}, lamps).answer ==
            Answer::ack);
    for (int frame = 0; frame < 20; ++frame) {
        host.start_of_frame();
        bus.run_for(fs_per_ms);
        REQUIRE(board.lamps == 0x0807060504030201);
    }
    bus.run_for(2 * fs_per_ms);  // with the frame before, 3 ms
    CHECK(board.lamps == 0x0807060504030201);
    bus.run_for(7 * fs_per_ms);
    CHECK(board.lamps == 0);
    CHECK(bus.pins().pullup);
    host.start_of_frame();
    bus.run_for(fs_per_ms / 2);
    CHECK(board.lamps == 0x0807060504030201);
    // Address and configuration are as before (9.1.1.6)
    CHECK(host.control({{0x80, 8, 0, 0, 0, 0, 1, 0}}).data == Bytes{1});
}

TEST_CASE("records travel from the squares to the host over D+ and D-", "[usb]") {
    BoardOnWires board;
    Bus bus(board);
    Host host(bus, 3);
    CHECK_FALSE(bus.pins().pullup);
    enumerate(board, host);
    const auto info = host.control({{0xC0, TM_REQ_INFO, 0, 0, 0, 0, TM_INFO_BYTES, 0}});
    REQUIRE(info.data.size() == TM_INFO_BYTES);
    // No flash: the host names the session
    const Bytes session = {0x44, 0x33, 0x22, 0x11};
    REQUIRE(host.control({{0x40, TM_REQ_NAME_SESSION, 0, 0, 0, 0, 4, 0}}, session).answer ==
            Answer::ack);

    // Session record and snapshot, once every square has held still for a threshold; then e2 lifted
    std::vector<Seen> seen = read(host, bus.now() + 10 * fs_per_ms, 3);
    const unsigned e2 = 12;
    board.squares &= ~(1ULL << e2);
    const std::vector<Seen> lift =
        read(host, bus.now() + (TM_DEFAULT_LIFT_US / 1000 + 2) * fs_per_ms, 3);
    seen.insert(seen.end(), lift.begin(), lift.end());
    REQUIRE(seen.size() >= 2);
    CHECK(seen.front().kind == TM_KIND_SESSION);
    for (std::size_t i = 0; i < seen.size(); ++i)
        CHECK(seen[i].seq == i);
    CHECK(seen.back().kind == TM_KIND_LIFT);
    CHECK(seen.back().index == e2);

    // The same again, from 1 on, asked for while packets are on their way
    for (const bool lost_ack : {false, true}) {
        CAPTURE(lost_ack);
        board.squares ^= 1ULL << 28;
        bus.run_for((TM_DEFAULT_PLACE_US / 1000 + 3) * fs_per_ms);
        if (lost_ack) (void)host.in(1, {.acknowledge = false});
        const Bytes from_one = {0x44, 0x33, 0x22, 0x11, 1, 0};
        static_assert(TM_RESUME_BYTES == 6);
        REQUIRE(host.control({{0x40, TM_REQ_RESUME, 0, 0, 0, 0, TM_RESUME_BYTES, 0}}, from_one)
                    .answer == Answer::ack);
        const std::vector<Seen> again = read(host, bus.now() + 3 * fs_per_ms, 4);
        REQUIRE(again.size() >= seen.size());
        for (std::size_t i = 0; i < again.size(); ++i)
            CHECK(again[i].seq == i + 1);
        CHECK(std::equal(seen.begin() + 1, seen.end(), again.begin()));
        seen.resize(1);
        seen.insert(seen.end(), again.begin(), again.end());
    }

    // Acknowledged up to the third: what is kept begins behind it
    const Bytes ack = {TM_OUT_ACK, 0, 2, 0, 0x44, 0x33, 0x22, 0x11};
    REQUIRE(host.out(1, ack).answer == Answer::ack);
    bus.run_for(fs_per_ms / 5);
    const auto later = host.control({{0xC0, TM_REQ_INFO, 0, 0, 0, 0, TM_INFO_BYTES, 0}});
    REQUIRE(later.data.size() == TM_INFO_BYTES);
    CHECK(tm_get16(later.data.data() + 8) == 3);
    CHECK(tm_get16(later.data.data() + 10) == seen.size());
    CHECK(bus.collisions() == 0);
}
