// wiring.hpp - what the columns of the sensor matrix carry while some rows are driven
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace touchmove::device {

/// How the 64 contacts are wired. Row r = rank r + 1, column c = file c (a = 0). Asked only when
/// the driven rows or the contacts change, so it may think.
class Wiring {
  public:
    virtual ~Wiring() = default;
    /// The columns that carry current, bit c = file c, when the rows in `rows` are driven.
    [[nodiscard]] virtual std::uint8_t columns(std::uint64_t squares, std::uint8_t rows) const = 0;
};

/// A diode in every square: a column carries current only from a driven row.
class DiodeWiring final : public Wiring {
  public:
    [[nodiscard]] std::uint8_t columns(std::uint64_t squares, std::uint8_t rows) const override;
};

/// No diodes: current also runs backwards through closed contacts, so three occupied corners of a
/// rectangle show a ghost on the fourth.
class BareWiring final : public Wiring {
  public:
    [[nodiscard]] std::uint8_t columns(std::uint64_t squares, std::uint8_t rows) const override;
};

}  // namespace touchmove::device
