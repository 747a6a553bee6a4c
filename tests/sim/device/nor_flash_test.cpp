// nor_flash_test.cpp - a board's flash outlives the simulator
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/nor_flash.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

extern "C" {
#include "fw/tm_store.h"
}

using touchmove::device::NorFlash;

namespace {

std::uint32_t session_in(NorFlash& flash) {
    const tm_flash io = flash.interface();
    const tm_stored fallback{};
    tm_store store{};
    return tm_store_load(&store, &io, &fallback) ? store.state.session : 0;
}

std::filesystem::path scratch() {
    return std::filesystem::temp_directory_path() / "touchmove_nor_flash_test.bin";
}

}  // namespace

TEST_CASE("a prepared flash makes the next power-up start that session", "[sim][flash]") {
    NorFlash flash;
    flash.prepare_session(1000);
    CHECK(session_in(flash) == 999);
}

TEST_CASE("a saved flash is loaded again; a missing file is an erased flash", "[sim][flash]") {
    std::filesystem::remove(scratch());
    NorFlash flash;
    REQUIRE(flash.load(scratch()));
    CHECK(session_in(flash) == 0);
    flash.prepare_session(42);
    REQUIRE(flash.save(scratch()));
    NorFlash other;
    REQUIRE(other.load(scratch()));
    CHECK(session_in(other) == 41);
    std::filesystem::remove(scratch());
}

TEST_CASE("a file of another size is refused and changes nothing", "[sim][flash]") {
    for (const int bytes : {0, 100, 8193}) {
        std::ofstream(scratch(), std::ios::binary)
            << std::string(static_cast<std::size_t>(bytes), 'x');
        NorFlash flash;
        flash.prepare_session(7);
        const auto loaded = flash.load(scratch());
        REQUIRE_FALSE(loaded);
        CHECK(loaded.error().message().find("8192 bytes") != std::string::npos);
        CHECK(session_in(flash) == 6);
    }
    std::filesystem::remove(scratch());
    CHECK_FALSE(NorFlash{}.save("/nowhere/at/all"));
}
