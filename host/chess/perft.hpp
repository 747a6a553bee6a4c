// perft.hpp - counting the move tree with a stopwatch, for the command line
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "host/base/result.hpp"

namespace touchmove::chess {

/// What `touchmove perft [--bulk] FEN DEPTH` prints: "NODES SECONDS", in CPU time of this thread.
/// Fails in one sentence if the FEN is malformed or the depth is over 20.
[[nodiscard]] Result<std::string> perft_line(std::string_view fen, unsigned depth, bool bulk);

}  // namespace touchmove::chess
