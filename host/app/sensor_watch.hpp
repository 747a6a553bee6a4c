// sensor_watch.hpp - what the raw inputs of a board did while somebody went over its squares
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "fw/tm_proto.h"

namespace touchmove::app {

enum class SensorVerdict : std::uint8_t {
    good,       ///< opened and closed
    untouched,  ///< open all the time
    stuck,      ///< closed all the time
    chattering  ///< changed faster than hands can move
};

/// Gathers the reports of a board that come every `window`. The board is meant to be empty at
/// first, and then one man to be set on every square and lifted again.
class SensorWatch {
  public:
    static constexpr std::chrono::milliseconds window{250};
    /// So many changes in one window are more than a man makes who comes and goes, bounce
    /// included: the firmware looks once a millisecond, and a contact bounces for one. In two
    /// windows they are no accident.
    static constexpr unsigned busy_changes = 8;
    static constexpr unsigned busy_windows = 2;

    void take(const tm_sensor_report& report);

    /// `input`: 0..63 = a1..h8, 64..71 = aux inputs.
    [[nodiscard]] SensorVerdict verdict(unsigned input) const;
    /// Are any stuck or chattering?
    [[nodiscard]] bool faulty() const;

    /// The board as it reads now, ten lines: '#' occupied, '.' empty, then the aux inputs.
    [[nodiscard]] std::string picture() const;
    /// The verdicts, in the same form: '+' good, '.' untouched, 'X' stuck, '!' chattering.
    [[nodiscard]] std::string verdicts() const;

  private:
    static constexpr unsigned inputs = 8 * TM_SENSOR_GROUPS;

    [[nodiscard]] bool closed(unsigned input) const {
        return (raw_[input / 8] >> input % 8 & 1) != 0;
    }

    bool any_ = false;
    std::array<std::uint8_t, TM_SENSOR_GROUPS> raw_{};
    std::array<bool, inputs> changed_{};
    std::array<unsigned, inputs> busy_{};
};

}  // namespace touchmove::app
