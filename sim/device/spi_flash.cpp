// spi_flash.cpp - the configuration flash at its pins: serial commands around the NOR cells
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/spi_flash.hpp"

#include "fw/core/spi_flash.h"

namespace touchmove::device {
namespace {

enum Command : std::uint8_t {
    page_program = 0x02,
    read_data = 0x03,
    read_status = 0x05,
    write_enable = 0x06,
    sector_erase = 0x20,
    read_id = 0x9F,
    wake = 0xAB
};

/// Maker, type, 2^20 bytes: a W25Q80.
constexpr std::array<std::uint8_t, 3> id{0xEF, 0x40, 0x14};

constexpr std::uint32_t store_bytes = TM_FLASH_SECTOR_BYTES * TM_FLASH_SECTORS;

bool in_store(std::uint32_t address) {
    return address >= TM_FLASH_STORE_AT && address < TM_FLASH_STORE_AT + store_bytes;
}

}  // namespace

bool SpiFlash::pins(bool cs_n, bool sck, bool mosi) {
    if (cs_n && !cs_n_) deselect();
    if (!cs_n && cs_n_) bits_ = bytes_ = 0;
    if (!cs_n && sck && !sck_) {
        in_ = static_cast<std::uint8_t>(in_ << 1 | (mosi ? 1 : 0));
        if (++bits_ == 8) {
            bits_ = 0;
            byte(in_);
            ++bytes_;
        }
    }
    // Data leave at the falling edge
    if (!cs_n && !sck && sck_) {
        miso_ = (out_ & 0x80U) != 0;
        out_ = static_cast<std::uint8_t>(out_ << 1);
    }
    cs_n_ = cs_n;
    sck_ = sck;
    return miso_;
}

std::uint8_t SpiFlash::read(std::uint32_t address) const {
    std::uint8_t value = 0xFF;
    if (in_store(address)) cells_.read(cells_.context, address - TM_FLASH_STORE_AT, &value, 1);
    const std::uint32_t at = address - TM_FLASH_SERIAL_AT;
    if (at < serial_.size()) value = static_cast<std::uint8_t>(serial_[at]);
    return value;
}

void SpiFlash::byte(std::uint8_t got) {
    if (bytes_ == 0) {
        command_ = got;
        const bool deaf = asleep_ ? got != wake : busy_ > 0 && got != read_status;
        const bool known = got == page_program || got == read_data || got == read_status ||
                           got == write_enable || got == sector_erase || got == read_id ||
                           got == wake;
        if (deaf || !known) {
            ++refused_;
            command_ = 0;
        }
    } else if (bytes_ <= 3) {
        address_ = (address_ << 8 | got) & 0xFFFFFU;
    }
    switch (command_) {
        case read_data:
            if (bytes_ >= 3) out_ = read(address_ + bytes_ - 3);
            break;
        case read_status:
            out_ = static_cast<std::uint8_t>((busy_ > 0 ? 1 : 0) | (enabled_ ? 2 : 0));
            if (bytes_ == 0 && busy_ > 0) --busy_;
            break;
        case read_id:
            if (bytes_ < id.size()) out_ = id[bytes_];
            break;
        case page_program:
            if (bytes_ >= 4) page_[(bytes_ - 4) % page_.size()] = got;
            break;
        default: break;
    }
}

void SpiFlash::deselect() {
    const bool changes = command_ == page_program || command_ == sector_erase;
    if (bytes_ == 0 || bits_ != 0) return;
    if (command_ == wake) asleep_ = false;
    if (command_ == write_enable) enabled_ = true;
    if (!changes) return;
    if (!enabled_ || !in_store(address_) || bytes_ < 4) {
        ++refused_;
        return;
    }
    const std::uint32_t at = address_ - TM_FLASH_STORE_AT;
    if (command_ == sector_erase) cells_.erase(cells_.context, at / TM_FLASH_SECTOR_BYTES);
    if (command_ == page_program) cells_.program(cells_.context, at, page_.data(), bytes_ - 4);
    enabled_ = false;
    busy_ = busy_polls_;
}

}  // namespace touchmove::device
