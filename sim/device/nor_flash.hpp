// nor_flash.hpp - the two flash sectors of a simulated board
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include "host/base/result.hpp"

extern "C" {
#include "fw/tm_flash.h"
}

namespace touchmove::device {

/// Obeys the rules of NOR flash. Survives power cuts of its board; a file makes it survive the
/// simulator.
class NorFlash {
  public:
    NorFlash() { cells_.fill(0xFF); }
    NorFlash(const NorFlash&) = delete;
    NorFlash& operator=(const NorFlash&) = delete;

    /// The flash as the firmware sees it; points at this object.
    [[nodiscard]] tm_flash interface();

    /// As kept by save(); a file that does not exist is an erased flash.
    [[nodiscard]] Result<void> load(const std::filesystem::path& file);
    [[nodiscard]] Result<void> save(const std::filesystem::path& file) const;

    /// The next power-up will start session `session`, settings as from the factory.
    void prepare_session(std::uint32_t session);

    /// Counts erases and programs: whether there is something new to save.
    [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

  private:
    std::array<std::uint8_t, TM_FLASH_SECTOR_BYTES * TM_FLASH_SECTORS> cells_{};
    std::uint64_t changes_ = 0;
};

}  // namespace touchmove::device
