// fuzz_pgn.cpp - any text as PGN; what was understood must survive writing and reading
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/chess/pgn.hpp"

using namespace touchmove::chess;

namespace {

void require(bool claim) {
    if (!claim) std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::size_t line = 0;
    for (const PgnGame& g : parse_pgn({reinterpret_cast<const char*>(data), size})) {
        require(g.line >= line && g.line > 0);
        line = g.line;
        require(!g.broken_off || !g.broken_off->empty());
        const std::string text = write_pgn(g);
        const auto again = parse_pgn(text);
        require(again.size() == 1);
        require(again[0].moves.size() == g.moves.size());
        for (std::size_t i = 0; i < g.moves.size(); ++i) {
            const PgnMove& a = g.moves[i];
            const PgnMove& b = again[0].moves[i];
            require(a.move == b.move && a.clk == b.clk && a.emt == b.emt && a.comment == b.comment);
        }
        require(again[0].result == g.result);
        require(write_pgn(again[0]) == text);
    }
    return 0;
}
