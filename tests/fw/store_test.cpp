// store_test.cpp - a power cut at any byte costs at most the write under way
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <random>

extern "C" {
#include "fw/tm_store.h"
}

namespace {

constexpr std::uint32_t flash_bytes = TM_FLASH_SECTOR_BYTES * TM_FLASH_SECTORS;
constexpr std::uint32_t unlimited = std::numeric_limits<std::uint32_t>::max();

/// NOR flash that obeys its rules, breaks at will, and loses power after a given number of bytes.
struct Flash {
    std::array<std::uint8_t, flash_bytes> cells{};
    std::uint32_t bytes_until_cut = unlimited;
    int busy_polls = 0;         // how long each operation takes
    bool worn[TM_FLASH_SECTORS] = {};
    std::uint32_t erases[TM_FLASH_SECTORS] = {};
    int busy_left = 0;

    Flash() { cells.fill(0xFF); }

    bool spend() {
        if (bytes_until_cut == 0) return false;
        if (bytes_until_cut != unlimited) --bytes_until_cut;
        return true;
    }
    static Flash& self(void* context) { return *static_cast<Flash*>(context); }
    static void read(void* context, std::uint32_t at, std::uint8_t* to, std::uint32_t bytes) {
        if (self(context).busy_left != 0) FAIL("the flash was read while busy");
        if (at + bytes > flash_bytes) FAIL("read past the end");
        for (std::uint32_t i = 0; i < bytes; ++i) to[i] = self(context).cells[at + i];
    }
    static void erase(void* context, std::uint32_t sector) {
        Flash& f = self(context);
        REQUIRE(f.busy_left == 0);
        REQUIRE(sector < TM_FLASH_SECTORS);
        ++f.erases[sector];
        f.busy_left = f.busy_polls;
        for (std::uint32_t i = 0; i < TM_FLASH_SECTOR_BYTES; ++i) {
            if (!f.spend()) return;
            f.cells[sector * TM_FLASH_SECTOR_BYTES + i] = 0xFF;
        }
    }
    static void program(void* context, std::uint32_t at, const std::uint8_t* from,
                        std::uint32_t bytes) {
        Flash& f = self(context);
        REQUIRE(f.busy_left == 0);
        REQUIRE(at / TM_FLASH_PAGE_BYTES == (at + bytes - 1) / TM_FLASH_PAGE_BYTES);
        f.busy_left = f.busy_polls;
        if (f.worn[at / TM_FLASH_SECTOR_BYTES]) return;
        for (std::uint32_t i = 0; i < bytes; ++i) {
            if (!f.spend()) return;
            f.cells[at + i] = static_cast<std::uint8_t>(f.cells[at + i] & from[i]);
        }
    }
    static bool busy(void* context) {
        Flash& f = self(context);
        if (f.busy_left == 0) return false;
        --f.busy_left;
        return true;
    }
    tm_flash interface() { return {&read, &erase, &program, &busy, this}; }
};

constexpr tm_settings defaults = {5, 0, 0, 0, 20000, 20000};

tm_stored state_number(std::uint32_t n) {
    tm_stored state{n, defaults};
    state.settings.lift_us = n % 1000 + 1;
    return state;
}

tm_stored loaded(Flash& flash, bool* found = nullptr) {
    const tm_flash io = flash.interface();
    const tm_stored fallback{0, defaults};
    tm_store store{};
    const bool any = tm_store_load(&store, &io, &fallback);
    if (found != nullptr) *found = any;
    return store.state;
}

/// Loads as a starting board does, keeps `state`, and tells whether the flash took it.
bool keep(Flash& flash, const tm_stored& state) {
    const tm_flash io = flash.interface();
    const tm_stored fallback{0, defaults};
    tm_store store{};
    (void)tm_store_load(&store, &io, &fallback);
    tm_store_save(&store, &state);
    int turns = 0;
    while (tm_store_poll(&store)) REQUIRE(++turns < 10000);
    return !store.failed;
}

bool same(const tm_stored& a, const tm_stored& b) {
    return a.session == b.session && a.settings.lift_us == b.settings.lift_us;
}

}  // namespace

TEST_CASE("an empty flash gives the fallback", "[fw][store]") {
    Flash flash;
    bool found = true;
    CHECK(loaded(flash, &found).session == 0);
    CHECK_FALSE(found);
}

TEST_CASE("a board without flash runs on what it was given", "[fw][store]") {
    const tm_stored fallback{0, defaults};
    tm_store store{};
    CHECK_FALSE(tm_store_load(&store, nullptr, &fallback));
    const tm_stored next = state_number(3);
    tm_store_save(&store, &next);
    CHECK_FALSE(tm_store_poll(&store));
    CHECK(same(store.state, next));
}

TEST_CASE("the newest state is found after any number of starts", "[fw][store]") {
    Flash flash;
    for (std::uint32_t n = 1; n <= 1000; ++n) {
        REQUIRE(keep(flash, state_number(n)));
        bool found = false;
        REQUIRE(same(loaded(flash, &found), state_number(n)));
        REQUIRE(found);
    }
    // 128 entries to a sector: wear is spread evenly.
    CHECK(flash.erases[0] == 4);
    CHECK(flash.erases[1] == 4);
}

TEST_CASE("a write torn at any byte leaves the state before it, and the next one is kept",
          "[fw][store]") {
    // 126 to 130 entries: in the middle of a sector and over the step into the next one.
    for (const std::uint32_t before : {1U, 2U, 126U, 127U, 128U, 129U, 255U, 256U, 257U}) {
        Flash prepared;
        for (std::uint32_t n = 1; n <= before; ++n) REQUIRE(keep(prepared, state_number(n)));
        const bool erases = before % 128 == 0;
        const std::uint32_t work = TM_STORE_ENTRY_BYTES + (erases ? TM_FLASH_SECTOR_BYTES : 0);
        for (std::uint32_t cut = 0; cut <= work; ++cut) {
            Flash flash = prepared;
            flash.bytes_until_cut = cut;
            (void)keep(flash, state_number(before + 1));
            INFO("after " << before << " entries, cut at byte " << cut);
            const tm_stored seen = loaded(flash);
            REQUIRE(same(seen, state_number(cut < work ? before : before + 1)));
            flash.bytes_until_cut = unlimited;
            REQUIRE(keep(flash, state_number(before + 2)));
            REQUIRE(same(loaded(flash), state_number(before + 2)));
        }
    }
}

TEST_CASE("power cuts at random, one after the other, never bring back an older state",
          "[fw][store]") {
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Flash flash;
    std::uint32_t last = 0;
    for (std::uint32_t n = 1; n <= 3000; ++n) {
        flash.bytes_until_cut =
            random() % 4 == 0 ? static_cast<std::uint32_t>(random() % 4200) : unlimited;
        const bool whole = keep(flash, state_number(n)) && flash.bytes_until_cut != 0;
        const std::uint32_t seen = loaded(flash).session;
        if (whole) REQUIRE(seen == n);
        REQUIRE((seen == n || seen == last));
        last = seen;
    }
}

TEST_CASE("a flipped bit anywhere in the newest entry is noticed", "[fw][store]") {
    Flash prepared;
    REQUIRE(keep(prepared, state_number(7)));
    REQUIRE(keep(prepared, state_number(8)));
    for (std::uint32_t bit = 0; bit < 8 * TM_STORE_ENTRY_BYTES; ++bit) {
        Flash flash = prepared;
        flash.cells[TM_STORE_ENTRY_BYTES + bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        REQUIRE(same(loaded(flash), state_number(7)));
    }
}

TEST_CASE("generations may wrap", "[fw][store]") {
    Flash flash;
    const tm_flash io = flash.interface();
    const tm_stored fallback{0, defaults};
    tm_store store{};
    (void)tm_store_load(&store, &io, &fallback);
    store.generation = 0xFFFFFFFE;
    for (std::uint32_t n = 1; n <= 4; ++n) {
        const tm_stored state = state_number(n);
        tm_store_save(&store, &state);
        while (tm_store_poll(&store)) {}
    }
    CHECK(same(loaded(flash), state_number(4)));
}

TEST_CASE("a worn sector is said, and the last good state survives it", "[fw][store]") {
    Flash flash;
    for (std::uint32_t n = 1; n <= 128; ++n) REQUIRE(keep(flash, state_number(n)));
    flash.worn[1] = true;
    for (std::uint32_t n = 129; n <= 200; ++n) {
        CHECK_FALSE(keep(flash, state_number(n)));
        REQUIRE(same(loaded(flash), state_number(128)));
    }
}

TEST_CASE("however often a worn sector is tried, the good one is not erased", "[fw][store]") {
    Flash flash;
    for (std::uint32_t n = 1; n <= 128; ++n) REQUIRE(keep(flash, state_number(n)));
    flash.worn[1] = true;
    const tm_flash io = flash.interface();
    const tm_stored fallback{0, defaults};
    tm_store store{};
    REQUIRE(tm_store_load(&store, &io, &fallback));
    for (std::uint32_t n = 129; n <= 200; ++n) {
        const tm_stored state = state_number(n);
        tm_store_save(&store, &state);
        while (tm_store_poll(&store)) {}
        CHECK(store.failed);
    }
    CHECK(flash.erases[0] == 1);
    CHECK(same(loaded(flash), state_number(128)));
}

TEST_CASE("a slow flash is polled, never waited for, and the latest of several saves wins",
          "[fw][store]") {
    Flash flash;
    flash.busy_polls = 50;
    const tm_flash io = flash.interface();
    const tm_stored fallback{0, defaults};
    tm_store store{};
    (void)tm_store_load(&store, &io, &fallback);
    for (std::uint32_t n = 1; n <= 5; ++n) {
        const tm_stored state = state_number(n);
        tm_store_save(&store, &state);
        for (int turn = 0; turn < 20; ++turn) (void)tm_store_poll(&store);
    }
    while (tm_store_poll(&store)) {}
    flash.busy_left = 0;
    CHECK(same(loaded(flash), state_number(5)));
}
