// nor_flash.cpp - the two flash sectors of a simulated board
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/nor_flash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <fstream>

#include "fw/regs.h"
extern "C" {
#include "fw/tm_store.h"
}

namespace touchmove::device {

tm_flash NorFlash::interface() {
    tm_flash flash{};
    flash.context = this;
    flash.read = [](void* context, std::uint32_t at, std::uint8_t* to, std::uint32_t bytes) {
        const auto& cells = static_cast<NorFlash*>(context)->cells_;
        assert(at + bytes <= cells.size());
        std::copy_n(cells.begin() + at, bytes, to);
    };
    flash.erase = [](void* context, std::uint32_t sector) {
        auto& self = *static_cast<NorFlash*>(context);
        assert(sector < TM_FLASH_SECTORS);
        std::fill_n(self.cells_.begin() + sector * TM_FLASH_SECTOR_BYTES, TM_FLASH_SECTOR_BYTES,
                    std::uint8_t{0xFF});
        ++self.changes_;
    };
    flash.program = [](void* context, std::uint32_t at, const std::uint8_t* from,
                       std::uint32_t bytes) {
        auto& self = *static_cast<NorFlash*>(context);
        assert(at / TM_FLASH_PAGE_BYTES == (at + bytes - 1) / TM_FLASH_PAGE_BYTES);
        for (std::uint32_t i = 0; i < bytes; ++i) self.cells_[at + i] &= from[i];
        ++self.changes_;
    };
    flash.busy = [](void*) { return false; };
    return flash;
}

Result<void> NorFlash::load(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    std::ifstream in(file, std::ios::binary);
    decltype(cells_) read{};
    in.read(reinterpret_cast<char*>(read.data()), static_cast<std::streamsize>(read.size()));
    if (in.gcount() != static_cast<std::streamsize>(read.size()) ||
        in.peek() != std::ifstream::traits_type::eof()) {
        return Error(std::errc::io_error, fmt::format("{} is not a flash image of {} bytes",
                                                      file.string(), read.size()));
    }
    cells_ = read;
    return {};
}

Result<void> NorFlash::save(const std::filesystem::path& file) const {
    // Written beside it and renamed: a killed simulator leaves the old image, not half of one.
    const std::filesystem::path fresh = file.string() + ".new";
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(cells_.data()),
              static_cast<std::streamsize>(cells_.size()));
    out.close();
    std::error_code failed;
    if (out) std::filesystem::rename(fresh, file, failed);
    if (!out || failed) {
        return Error(std::errc::io_error, fmt::format("cannot write {}", file.string()));
    }
    return {};
}

void NorFlash::prepare_session(std::uint32_t session) {
    const tm_flash io = interface();
    const tm_stored factory{
        session - 1,
        {TM_DEFAULT_SETTLE_US, 0, 0, 0, TM_DEFAULT_LIFT_US, TM_DEFAULT_PLACE_US}};
    tm_store store{};
    (void)tm_store_load(&store, &io, &factory);
    tm_store_save(&store, &factory);
    while (tm_store_poll(&store)) {}
}

}  // namespace touchmove::device
