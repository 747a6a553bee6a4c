// fen_test.cpp - positions as text, and what is wrong with text that is none
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <fstream>
#include <string>

#include "host/chess/position.hpp"
#include "tests/chess/random_positions.hpp"
#include "tests/chess/standard_positions.hpp"

using namespace touchmove::chess;

TEST_CASE("a FEN that says nothing superfluous comes back letter by letter", "[chess]") {
    for (const StandardPosition& standard : standard_positions) {
        CHECK(Position::parse_fen(standard.fen)->fen() == standard.fen);
    }
    for (const std::string_view fen :
         {"8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/8/8 b - - 0 0",
          "P6p/8/3KKK2/8/8/2kkk3/8/p6P b - - 149 9999", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9"}) {
        const auto p = Position::parse_fen(fen);
        REQUIRE(p);
        CHECK(p->fen() == fen);
    }
    Random random(51);
    for (int i = 0; i < 500; ++i) {
        const Position p = wild_position(random);
        CAPTURE(p.fen());
        const auto again = Position::parse_fen(p.fen());
        REQUIRE(again);
        CHECK(again->fen() == p.fen());
        CHECK(again->same_as(p));
    }
}

TEST_CASE("what a FEN claims in vain is dropped", "[chess]") {
    const auto fen = [](std::string_view text) { return Position::parse_fen(text)->fen(); };
    // Rights without rook or king; in any order.
    CHECK(fen("4k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 1") == "4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1");
    CHECK(fen("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1") == "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    CHECK(fen("3k4/8/8/8/8/8/8/R2K3R w KQ - 0 1") == "3k4/8/8/8/8/8/8/R2K3R w - - 0 1");
    // No pawn that passed, none that can take it, squares behind it not free, pinned.
    CHECK(fen("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1") == "4k3/8/8/4P3/8/8/8/4K3 w - - 0 1");
    CHECK(fen("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1") == "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1");
    CHECK(fen("4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1") == "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1");
    CHECK(fen("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1") == "4k3/8/3n4/3pP3/8/8/8/4K3 w - - 0 1");
    CHECK(fen("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1") == "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1");
    // Four fields, and blanks where there are too many.
    CHECK(fen("4k3/8/8/8/8/8/8/4K3 b - -") == "4k3/8/8/8/8/8/8/4K3 b - - 0 1");
    CHECK(fen("  4k3/8/8/8/8/8/8/4K3  b\t- -  3 4\r\n") == "4k3/8/8/8/8/8/8/4K3 b - - 3 4");
}

TEST_CASE("a malformed FEN is refused in a sentence that names the field", "[chess]") {
    const auto [fen, sentence] = GENERATE(table<std::string, std::string>({
        {"", "FEN has 0 fields; it must have 4 or 6"},
        {"8/8/8/8/8/8/8/8 w - - 0", "FEN has 5 fields; it must have 4 or 6"},
        {"8/8/8/8/8/8/8/8 w - - 0 1 2", "FEN has 7 fields; it must have 4 or 6"},
        {"8/8/8/8/8/8/8 w - -", "FEN field 1 (men): there are 7 ranks instead of 8"},
        {"8/8/8/8/8/8/8/8/8 w - -", "FEN field 1 (men): there are more than 8 ranks"},
        {"8/8/8/7/8/8/8/8 w - -", "FEN field 1 (men): rank 5 has 7 squares instead of 8"},
        {"8/8/8/8/8/8/8/7 w - -", "FEN field 1 (men): rank 1 has 7 squares instead of 8"},
        {"8/8/8/54/8/8/8/8 w - -", "FEN field 1 (men): rank 5 has more than 8 squares"},
        {"8/8/ppppppppp/8/8/8/8/8 w - -", "FEN field 1 (men): rank 6 has more than 8 squares"},
        {"8/8/8/9/8/8/8/8 w - -",
         "FEN field 1 (men): '9' is neither a man nor a digit from 1 to 8"},
        {"8/8/8/x7/8/8/8/8 w - -",
         "FEN field 1 (men): 'x' is neither a man nor a digit from 1 to 8"},
        {"8/8/8/\xc3\xa4\x37/8/8/8/8 w - -",
         "FEN field 1 (men): '?' is neither a man nor a digit from 1 to 8"},
        {"8/8/8/8/8/8/8/8 W - -", "FEN field 2 (side to move): 'W' is neither 'w' nor 'b'"},
        {"8/8/8/8/8/8/8/8 w KK -",
         "FEN field 3 (castling): 'KK' is neither '-' nor letters of KQkq, each at most once"},
        {"8/8/8/8/8/8/8/8 w HAha -",
         "FEN field 3 (castling): 'HAha' is neither '-' nor letters of KQkq, each at most once"},
        {"8/8/8/8/8/8/8/8 w - e3",
         "FEN field 4 (en passant): 'e3' is neither '-' nor a square on rank 6, where White to "
         "move "
         "could capture"},
        {"8/8/8/8/8/8/8/8 b - e9",
         "FEN field 4 (en passant): 'e9' is neither '-' nor a square on rank 3, where Black to "
         "move "
         "could capture"},
        {"8/8/8/8/8/8/8/8 w - - -1 1",
         "FEN field 5 (half-move clock): '-1' is not a number from 0 to 9999"},
        {"8/8/8/8/8/8/8/8 w - - 1x 1",
         "FEN field 5 (half-move clock): '1x' is not a number from 0 to 9999"},
        {"8/8/8/8/8/8/8/8 w - - 0 10000",
         "FEN field 6 (move number): '10000' is not a number from 0 to 9999"},
        {"8/8/8/8/8/8/8/8 w - - 0 99999999999999999999",
         "FEN field 6 (move number): '99999999999999999999' is not a number from 0 to 9999"},
    }));
    CAPTURE(fen);
    const auto p = Position::parse_fen(fen);
    REQUIRE_FALSE(p);
    CHECK(p.error().message() == sentence);
}

TEST_CASE("the positions of the unwinnability vectors are all read", "[chess]") {
    for (const char* name : {"hard.txt", "flagfall.txt"}) {
        std::ifstream file(std::string(TOUCHMOVE_DATA) + "/unwinnability/" + name);
        if (!file) {
            WARN("skipped: no " << name << " in " TOUCHMOVE_DATA);
            continue;
        }
        std::size_t read = 0;
        for (std::string line; std::getline(file, line); ++read) {
            const auto p = Position::parse_fen(line.substr(3));
            INFO(line);
            REQUIRE(p);
            REQUIRE(Position::parse_fen(p->fen())->same_as(*p));
        }
        CHECK(read > 1000);
    }
}
