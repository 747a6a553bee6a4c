// shipped_games_test.cpp - the games in games/ are what they say
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "host/chess/pgn.hpp"

using namespace touchmove::chess;

namespace {

std::string text_of(const std::string& name) {
    std::ifstream file(std::string(TOUCHMOVE_GAMES) + "/" + name);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Checks that the file is one that we could have written, and gives its games.
std::vector<PgnGame> exact_games(const std::string& name) {
    const std::string text = text_of(name);
    auto games = parse_pgn(text);
    std::string written;
    for (const PgnGame& g : games) {
        CAPTURE(g.line);
        REQUIRE_FALSE(g.broken_off);
        CHECK(g.result == g.tag("Result"));
        if (!written.empty()) written += '\n';
        written += write_pgn(g);
    }
    CHECK((written == text || written + "\n" == text));
    return games;
}

struct Ending {
    Position position;
    std::size_t repeated = 0;  ///< how often the last position stood on the board
};

Ending ending_of(const PgnGame& g) {
    Ending ending{g.start};
    std::map<std::uint64_t, std::size_t> seen{{g.start.key(), 1}};
    for (const PgnMove& m : g.moves) {
        ending.position.make(m.move);
        ending.repeated = ++seen[ending.position.key()];
    }
    return ending;
}

std::string winner(const Position& mated) {
    return mated.side_to_move() == Color::white ? "0-1" : "1-0";
}

}  // namespace

TEST_CASE("the historic games are legal, and mate where they say so", "[chess]") {
    const auto games = exact_games("historic.pgn");
    CHECK(games.size() == 13);
    std::size_t mates = 0;
    for (const PgnGame& g : games) {
        CAPTURE(g.tag("White"));
        const Position last = ending_of(g).position;
        if (last.has_legal_move()) continue;
        ++mates;
        CHECK(last.in_check());
        CHECK(g.result == winner(last));
    }
    // Immortal, Evergreen, Opera, Reti, Edward Lasker, Byrne against Fischer.
    CHECK(mates == 6);
}

TEST_CASE("the games of self-play end as their tags say and hold all kinds of moves", "[chess]") {
    const auto games = exact_games("selfplay.pgn");
    CHECK(games.size() == 22);
    std::map<std::string, std::size_t> endings;
    std::size_t castlings = 0;
    std::size_t passed = 0;
    std::map<Kind, std::size_t> promotions;
    for (const PgnGame& g : games) {
        const std::string how = g.tag("Termination");
        CAPTURE(g.tag("Round"), how);
        ++endings[how];
        Position p = g.start;
        for (const PgnMove& m : g.moves) {
            CHECK(m.clk);
            CHECK(m.emt);
            castlings += p.castling(m.move) ? 1 : 0;
            passed += p.en_passant() == m.move.to() && p.captured_square(m.move) != m.move.to() &&
                              p.captured_square(m.move)
                          ? 1
                          : 0;
            if (m.move.promotion()) ++promotions[*m.move.promotion()];
            p.make(m.move);
        }
        const Ending end = ending_of(g);
        const bool over = !end.position.has_legal_move();
        CHECK((how == "checkmate") == (over && end.position.in_check()));
        CHECK((how == "threefold repetition") == (end.repeated == 3));
        CHECK((how == "fifty moves") == (end.position.halfmove_clock() >= 100));
        if (how == "dead position") CHECK(size(end.position.occupied()) <= 3);
        CHECK(g.result == (how == "checkmate" ? winner(end.position) : "1/2-1/2"));
    }
    CHECK(endings["checkmate"] >= 5);
    CHECK(endings["threefold repetition"] >= 1);
    CHECK(endings["fifty moves"] >= 1);
    CHECK(endings["dead position"] >= 1);
    CHECK(castlings >= 30);
    CHECK(passed >= 1);
    CHECK(promotions[Kind::queen] >= 1);
    CHECK(promotions[Kind::knight] >= 1);
}
