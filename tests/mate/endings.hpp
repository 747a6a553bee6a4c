// endings.hpp - who can still mate, for every place that a few men can have
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/chess/position.hpp"

namespace touchmove::mate_test {

/// Bit 0: White can still mate, bit 1: Black can.
using Mates = std::uint8_t;

/// Endings without pawns, solved by going through all their positions until nothing changes. Kept
/// up to the symmetries of the board; the white king stands on one of ten squares.
class Endings {
  public:
    /// An ending is named by its men, White's in capitals: "KRkn".
    void solve(const std::string& name);
    /// Of a position whose ending has been solved, no king in check out of turn.
    [[nodiscard]] Mates mates(const chess::Position& position) const;
    /// Positions of an ending by number, up to size(); none where no legal move can have led.
    [[nodiscard]] static std::size_t size(const std::string& name);
    [[nodiscard]] static std::optional<chess::Position> position(const std::string& name,
                                                                 std::size_t number);

  private:
    [[nodiscard]] static std::string name_of(const chess::Position& position);
    [[nodiscard]] static std::size_t number_of(const std::string& name,
                                               const chess::Position& position);
    [[nodiscard]] bool pass(const std::string& name, bool backwards, Mates all);

    std::map<std::string, std::vector<Mates>> tables_;
};

}  // namespace touchmove::mate_test
