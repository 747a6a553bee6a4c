// legal_moves_test.cpp - every generator against a slow and obvious one
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "host/chess/generate.hpp"
#include "host/chess/position.hpp"
#include "tests/chess/mailbox.hpp"
#include "tests/chess/random_positions.hpp"
#include "tests/chess/standard_positions.hpp"

using namespace touchmove::chess;

namespace {

std::vector<std::string> sorted_uci(const MoveList& moves) {
    std::vector<std::string> texts;
    for (const Move m : moves)
        texts.push_back(m.uci());
    std::sort(texts.begin(), texts.end());
    return texts;
}

std::vector<std::string> legal(std::string_view fen) {
    const auto p = Position::parse_fen(fen);
    REQUIRE(p);
    return sorted_uci(p->legal_moves());
}

bool has(const std::vector<std::string>& moves, const std::string& move) {
    return std::find(moves.begin(), moves.end(), move) != moves.end();
}

/// All ways to the legal moves give those of the mailbox.
void check_all_generators(const Position& p) {
    const std::vector<std::string> expected = mailbox_moves(p.fen());
    for (const detail::Generator* generator : detail::generators()) {
        CAPTURE(generator->name);
        MoveList moves;
        generator->list(p.state(), moves);
        REQUIRE(sorted_uci(moves) == expected);
        REQUIRE(generator->count(p.state()) == expected.size());
    }
    MoveList tried;
    detail::list_by_trial(p.state(), tried);
    REQUIRE(sorted_uci(tried) == expected);
    REQUIRE(p.has_legal_move() == !expected.empty());
}

}  // namespace

TEST_CASE("legal moves are those of the slow generator along random games", "[chess]") {
    const auto seed = GENERATE(1U, 2U, 3U, 4U);
    CAPTURE(seed);
    Random random(seed);
    for (const StandardPosition& standard : standard_positions) {
        for (int game = 0; game < 4; ++game) {
            Position p = *Position::parse_fen(standard.fen);
            for (int ply = 0; ply < 80 && p.has_legal_move(); ++ply) {
                INFO(p.fen());
                check_all_generators(p);
                p.make(any_of(p.legal_moves(), random));
            }
        }
    }
}

TEST_CASE("legal moves are those of the slow generator on boards that no game reaches", "[chess]") {
    // The first of them: kings side by side, each giving check to the other.
    check_all_generators(*Position::parse_fen("r5Br/8/N7/2r5/3N4/8/3P4/R2kK2R w KQ - 0 1"));
    const auto seed = GENERATE(11U, 12U, 13U, 14U);
    CAPTURE(seed);
    Random random(seed);
    for (int i = 0; i < 1500; ++i) {
        Position p = wild_position(random);
        INFO(p.fen());
        check_all_generators(p);
        // And a few moves on, legal or not.
        for (int ply = 0; ply < 3 && p.occupied() != 0; ++ply) {
            p.make(wild_move(p, random));
            INFO(p.fen());
            check_all_generators(p);
        }
    }
}

TEST_CASE("is_legal says yes to the legal moves and to no other", "[chess]") {
    Random random(21);
    for (int i = 0; i < 60; ++i) {
        const Position p = wild_position(random);
        CAPTURE(p.fen());
        const std::vector<std::string> expected = mailbox_moves(p.fen());
        std::size_t found = 0;
        for (unsigned bits = 0; bits < 1U << 15U; ++bits) {
            const Move m = Move::from_bits(static_cast<std::uint16_t>(bits));
            if ((bits >> 12U) > 4 || m.from() == m.to()) continue;
            if (p.is_legal(m)) {
                ++found;
                REQUIRE(std::binary_search(expected.begin(), expected.end(), m.uci()));
            }
        }
        CHECK(found == expected.size());
    }
}

TEST_CASE("a pawn is not taken in passing if that uncovers a check", "[chess]") {
    // Both pawns leave the fifth rank: the rook then gives check along it.
    CHECK_FALSE(has(legal("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1"), "e5d6"));
    CHECK(has(legal("8/8/8/3pP2r/K7/8/8/4k3 w - d6 0 1"), "e5d6"));
    // The captured pawn itself uncovers a bishop.
    CHECK_FALSE(has(legal("b7/8/8/3pP3/8/8/6K1/4k3 w - d6 0 1"), "e5d6"));
    // Both pawns cover the file again.
    const auto moves = legal("3r4/8/8/2PpP3/8/8/8/3K2k1 w - d6 0 1");
    CHECK(has(moves, "c5d6"));
    CHECK(has(moves, "e5d6"));
    // Of two pawns one is pinned.
    const auto one = legal("4r1k1/8/8/2PpP3/8/8/8/4K3 w - d6 0 1");
    CHECK(has(one, "c5d6"));
    CHECK_FALSE(has(one, "e5d6"));
    // The pawn that gives check may be taken in passing.
    CHECK(has(legal("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1"), "e4d3"));
}

TEST_CASE("castling needs the right, free squares, and no attack on the king's way", "[chess]") {
    const auto free = legal("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    CHECK(has(free, "e1g1"));
    CHECK(has(free, "e1c1"));
    CHECK_FALSE(has(legal("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1"), "e1g1"));
    CHECK_FALSE(has(legal("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1"), "e1g1"));
    CHECK_FALSE(has(legal("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1"), "e1g1"));
    CHECK(has(legal("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1"), "e1c1"));
    CHECK_FALSE(has(legal("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1"), "e1g1"));
    // Only the rook passes b1.
    CHECK(has(legal("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), "e1c1"));
    CHECK_FALSE(has(legal("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1"), "e1c1"));
}

TEST_CASE("nothing is check without a king, and every one of several kings must be safe",
          "[chess]") {
    CHECK(legal("8/8/8/8/8/8/8/R6r w - - 0 1").size() == 14);
    CHECK(legal("8/8/8/8/8/8/8/8 w - - 0 1").empty());
    // Two kings on the rook's lines: no single move saves both.
    CHECK(legal("8/8/8/K6r/8/8/8/7K w - - 0 1").empty());
    // A king is never captured (1.4.1).
    CHECK_FALSE(has(legal("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"), "e7e8"));
}

TEST_CASE("a pawn on its first rank steps once, on the last rank not at all", "[chess]") {
    CHECK(legal("k7/8/8/8/8/8/8/K3P3 w - - 0 1").size() == 4);
    CHECK_FALSE(has(legal("k7/8/8/8/8/8/8/K3P3 w - - 0 1"), "e1e3"));
    CHECK(has(legal("k7/8/8/8/8/8/8/K3P3 w - - 0 1"), "e1e2"));
    CHECK(legal("k3P3/8/8/8/8/8/8/K7 w - - 0 1").size() == 3);
    CHECK(legal("k7/8/8/8/8/8/8/K3p3 b - - 0 1").size() == 3);
}

TEST_CASE("the list holds the moves of a board full of queens", "[chess]") {
    Position p;
    for (unsigned s = 0; s < 64; ++s) {
        const bool target = (s % 8) % 2 == 1 && (s / 8) % 2 == 1;
        if (!target) p.put(Square(s), {Color::white, Kind::queen});
    }
    const MoveList moves = p.legal_moves();
    CHECK(moves.size() > 100);
    CHECK(sorted_uci(moves) == mailbox_moves(p.fen()));
    const MoveList copy = moves;  // NOLINT(performance-unnecessary-copy-initialization)
    CHECK(sorted_uci(copy) == sorted_uci(moves));
}
