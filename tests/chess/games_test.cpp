// games_test.cpp - real games: every move of a big file, and Stockfish's opinion of them
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "host/chess/pgn.hpp"
#include "host/chess/san.hpp"
#include "tests/chess/stockfish.hpp"

using namespace touchmove::chess;

namespace {

/// Nothing, with a message, where the data is not there.
std::vector<PgnGame> games_of(const std::string& name) {
    auto games = read_pgn_file(std::string(TOUCHMOVE_DATA) + "/games/" + name);
    if (games) return *games;
    WARN("skipped: " << games.error().message());
    return {};
}

}  // namespace

TEST_CASE("all games of the World Cup file are read to their end and come back", "[chess]") {
    const auto games = games_of("worldcup2025.pgn");
    if (games.empty()) return;
    CHECK(games.size() == 328);
    std::size_t plies = 0;
    std::size_t without_clk = 0;
    std::size_t without_emt = 0;
    std::string all;
    for (const PgnGame& g : games) {
        CAPTURE(g.line);
        CHECK_FALSE(g.broken_off);
        CHECK(g.result == g.tag("Result"));
        plies += g.moves.size();
        for (const PgnMove& m : g.moves) {
            without_clk += m.clk ? 0 : 1;
            without_emt += m.emt ? 0 : 1;
            CHECK(m.comment.empty());
        }
        all += write_pgn(g) + "\n";
    }
    CHECK(plies == 30162);
    CHECK(without_clk == 282);
    CHECK(without_emt == 684);

    const auto again = parse_pgn(all);
    REQUIRE(again.size() == games.size());
    for (std::size_t i = 0; i < games.size(); ++i) {
        CAPTURE(i);
        CHECK(again[i].tags == games[i].tags);
        CHECK(again[i].result == games[i].result);
        REQUIRE(again[i].moves.size() == games[i].moves.size());
        for (std::size_t j = 0; j < games[i].moves.size(); ++j) {
            REQUIRE(again[i].moves[j].move == games[i].moves[j].move);
            REQUIRE(again[i].moves[j].clk == games[i].moves[j].clk);
            REQUIRE(again[i].moves[j].emt == games[i].moves[j].emt);
        }
    }
}

TEST_CASE("of the odd endings three break off where a king is put down illegally", "[chess]") {
    const auto games = games_of("worldcup2025-odd-endings.pgn");
    if (games.empty()) return;
    CHECK(games.size() == 32);
    std::vector<std::string> reasons;
    for (const PgnGame& g : games) {
        if (!g.broken_off) continue;
        reasons.push_back(std::to_string(g.moves.size()) + " plies. " + *g.broken_off);
    }
    CHECK(reasons == std::vector<std::string>{
                         "86 plies. Move 44 of White: 'Ke4' is not legal here.",
                         "119 plies. Move 60 of Black: 'Ke5+' is not legal here.",
                         "118 plies. Move 60 of White: 'Ke4+' is not legal here.",
                     });
}

TEST_CASE("legal moves are Stockfish's along fifty games", "[chess]") {
    const auto games = games_of("worldcup2025.pgn");
    if (games.empty()) return;
    const auto engine = Stockfish::start();
    if (!engine) {
        WARN("skipped: Stockfish is not installed");
        return;
    }
    std::size_t compared = 0;
    for (std::size_t i = 0; i < 50; ++i) {
        const PgnGame& g = games[i * games.size() / 50];
        Position p = g.start;
        for (std::size_t ply = 0; ply <= g.moves.size(); ++ply) {
            std::vector<std::string> ours;
            for (const Move m : p.legal_moves())
                ours.push_back(m.uci());
            std::sort(ours.begin(), ours.end());
            std::vector<std::string> theirs;
            for (const auto& [move, nodes] : engine->perft(p.fen(), 1).by_move)
                theirs.push_back(move);
            CAPTURE(g.line, p.fen());
            REQUIRE(ours == theirs);
            ++compared;
            if (ply < g.moves.size()) p.make(g.moves[ply].move);
        }
    }
    CHECK(compared > 4000);
}
