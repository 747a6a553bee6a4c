// san.hpp - Standard Algebraic Notation (Laws, Appendix C; PGN standard, 8.2.3)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "host/base/result.hpp"
#include "host/chess/position.hpp"

namespace touchmove::chess {

/// "Nbd7", "exd6", "O-O", "a8=Q+", "Qh7#". An illegal move, which a record must be able to hold
/// (A.5.2), is written with both squares: "Ke1-e3". A man must stand on its from-square.
[[nodiscard]] std::string to_san(const Position& p, Move m);

/// Reads a move as people and programs write it: check marks and !? suffixes are optional, zeros
/// for O in castling, superfluous disambiguation and a missing '=' are accepted. Fails with one
/// sentence when no legal move or more than one fits.
[[nodiscard]] Result<Move> parse_san(const Position& p, std::string_view text);

}  // namespace touchmove::chess
