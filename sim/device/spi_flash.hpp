// spi_flash.hpp - the configuration flash at its pins: serial commands around the NOR cells
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/device/nor_flash.hpp"

namespace touchmove::device {

/// A chip of 1 MiB in mode 0, of which only the sectors of the store (at 0xF0000) and the serial
/// number (at 0xF2000) are kept; the rest reads as erased. Starts in power-down. Answers nothing
/// but its status while it erases or programs, and refuses both without a write enable before.
class SpiFlash {
  public:
    /// `nor` must outlive this. `busy_polls`: status reads that an erase or program outlasts.
    SpiFlash(NorFlash& nor, std::string serial, unsigned busy_polls = 3)
        : cells_(nor.interface()), serial_(std::move(serial)), busy_polls_(busy_polls) {}

    /// The pins as they now are; returns MISO. Call on every change.
    bool pins(bool cs_n, bool sck, bool mosi);

    /// Commands that the chip did not understand, or came when it was busy, asleep or not enabled.
    [[nodiscard]] unsigned refused() const noexcept { return refused_; }

  private:
    void byte(std::uint8_t got);
    void deselect();
    std::uint8_t read(std::uint32_t address) const;

    tm_flash cells_;
    std::string serial_;
    unsigned busy_polls_;
    unsigned busy_ = 0;
    bool asleep_ = true, enabled_ = false;
    bool cs_n_ = true, sck_ = false, miso_ = false;
    std::uint8_t in_ = 0, out_ = 0xFF;
    unsigned bits_ = 0, bytes_ = 0;
    std::uint8_t command_ = 0;
    std::uint32_t address_ = 0;
    std::array<std::uint8_t, TM_FLASH_PAGE_BYTES> page_{};
    unsigned refused_ = 0;
};

}  // namespace touchmove::device
