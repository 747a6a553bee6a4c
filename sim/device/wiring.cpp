// wiring.cpp - what the columns of the sensor matrix carry while some rows are driven
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/wiring.hpp"

namespace touchmove::device {
namespace {

std::uint8_t row_of(std::uint64_t squares, unsigned row) {
    return static_cast<std::uint8_t>(squares >> (8 * row));
}

}  // namespace

std::uint8_t DiodeWiring::columns(std::uint64_t squares, std::uint8_t rows) const {
    unsigned live = 0;
    for (unsigned row = 0; row < 8; ++row) {
        if ((rows >> row & 1U) != 0) live |= row_of(squares, row);
    }
    return static_cast<std::uint8_t>(live);
}

std::uint8_t BareWiring::columns(std::uint64_t squares, std::uint8_t rows) const {
    // Current spreads from a live row to its closed columns and from a live column to the rows that
    // it touches, until nothing new becomes live: at most eight rounds, one per row.
    unsigned live_rows = rows;
    unsigned live_columns = 0;
    for (bool spread = true; spread;) {
        spread = false;
        for (unsigned row = 0; row < 8; ++row) {
            const unsigned closed = row_of(squares, row);
            const bool live = (live_rows >> row & 1U) != 0;
            if (live && (closed & ~live_columns) != 0) {
                live_columns |= closed;
                spread = true;
            } else if (!live && (closed & live_columns) != 0) {
                live_rows |= 1U << row;
                spread = true;
            }
        }
    }
    return static_cast<std::uint8_t>(live_columns);
}

}  // namespace touchmove::device
