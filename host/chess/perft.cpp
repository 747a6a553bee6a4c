// perft.cpp - counting the move tree
// SPDX-License-Identifier: Apache-2.0
#include "host/chess/perft.hpp"

#include <fmt/format.h>

#include "host/base/cpu_time.hpp"
#include "host/chess/generate.hpp"
#include "host/chess/position.hpp"

namespace touchmove::chess {

namespace {

constexpr unsigned deepest = 20;  // 2e28 nodes from the initial position: nobody waits for more

}  // namespace

std::uint64_t perft(const Position& p, unsigned depth, bool bulk) noexcept {
    return detail::generator().perft(p.state(), depth, bulk);
}

Result<std::string> perft_line(std::string_view fen, unsigned depth, bool bulk) {
    const auto position = Position::parse_fen(fen);
    if (!position) return position.error();
    if (depth > deepest) {
        return Error(std::errc::invalid_argument,
                     fmt::format("The depth {} is over {}.", depth, deepest));
    }
    const double before = thread_cpu_seconds();
    const std::uint64_t nodes = perft(*position, depth, bulk);
    return fmt::format("{} {:.6f}", nodes, thread_cpu_seconds() - before);
}

}  // namespace touchmove::chess
