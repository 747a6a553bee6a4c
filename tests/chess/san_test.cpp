// san_test.cpp - moves written exactly and read as people write them
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "host/chess/san.hpp"
#include "tests/chess/random_positions.hpp"

using namespace touchmove::chess;

namespace {

Position fen(std::string_view text) {
    const auto p = Position::parse_fen(text);
    REQUIRE(p);
    return *p;
}

}  // namespace

TEST_CASE("moves are written as the PGN standard says", "[chess]") {
    const auto [position, move, san] = GENERATE(table<std::string, std::string, std::string>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "Nf3"},
        // By file, by rank, by both; no more than needed.
        {"4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1", "c3e4", "Nce4"},
        {"4k3/8/8/2N5/8/2N5/8/4K3 w - - 0 1", "c3e4", "N3e4"},
        {"4k3/8/8/2N3N1/8/2N5/8/4K3 w - - 0 1", "c3e4", "N3e4"},
        {"4k3/8/8/2N5/8/2N3N1/8/4K3 w - - 0 1", "c3e4", "Nc3e4"},
        {"6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"},
        // A pinned man is no other: no hint is due.
        {"4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"},
        // Pawns name their file when they capture, and what they become.
        {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"},
        {"3n4/2P5/8/8/8/k7/8/4K3 w - - 0 1", "c7d8q", "cxd8=Q"},
        {"8/2P5/8/8/8/k7/8/4K3 w - - 0 1", "c7c8n", "c8=N"},
        // Castling, check, mate.
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "O-O-O"},
        {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
        {"rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"},
        {"4k3/8/8/8/8/8/8/3RK3 w - - 0 1", "d1d8", "Rd8+"},
        // Stalemate has no sign.
        {"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1f7", "Qf7"},
        // Not legal: both squares in full.
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e3", "Ke1-e3"},
        {"4k3/8/8/3p4/8/8/3P4/4K3 w - - 0 1", "d2d5", "d2xd5"},
        {"4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "a2a8q", "a2-a8=Q+"},
    }));
    CAPTURE(position, move);
    CHECK(to_san(fen(position), *Move::parse_uci(move)) == san);
}

TEST_CASE("moves are read in all the forms in which they are met", "[chess]") {
    const auto [position, text, move] = GENERATE(table<std::string, std::string, std::string>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4!?", "e2e4"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e2e4"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2-e4", "e2e4"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Pe4", "e2e4"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Ng1f3", "g1f3"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Ng1-f3", "g1f3"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "g1f3", "g1f3"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Nf3+", "g1f3"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "e1g1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "o-o-o", "e1c1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Kg1", "e1g1"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1g1"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6e.p.", "e5d6"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed6", "e5d6"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5:d6", "e5d6"},
        {"3n4/2P5/8/8/8/k7/8/4K3 w - - 0 1", "cxd8Q", "c7d8q"},
        {"3n4/2P5/8/8/8/k7/8/4K3 w - - 0 1", "cxd8=(Q)", "c7d8q"},
        {"3n4/2P5/8/8/8/k7/8/4K3 w - - 0 1", "c8(R)", "c7c8r"},
        {"3n4/2P5/8/8/8/k7/8/4K3 w - - 0 1", "c8/R", "c7c8r"},
        {"3n4/2P5/8/8/8/k7/8/4K3 w - - 0 1", "c7d8n", "c7d8n"},
        // A small b is a file, a capital one a bishop.
        {"4k3/8/8/2p5/1P1B4/8/8/4K3 w - - 0 1", "bxc5", "b4c5"},
        {"4k3/8/8/2p5/1P1B4/8/8/4K3 w - - 0 1", "Bxc5", "d4c5"},
        {"4k3/8/8/2p5/1P1B4/8/8/4K3 w - - 0 1", "Bc5", "d4c5"},
    }));
    CAPTURE(position, text);
    const auto m = parse_san(fen(position), text);
    REQUIRE(m);
    CHECK(m->uci() == move);
}

TEST_CASE("text that is no legal move is refused in a sentence that says why", "[chess]") {
    const auto [position, text, sentence] = GENERATE(table<std::string, std::string, std::string>({
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "", "'' is not a move"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "x", "'x' is not a move"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Nf9", "'Nf9' is not a move"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "--", "'--' is not a move"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4=K",
         "'e4=K' is not legal here"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4=Q",
         "'e4=Q' is not legal here"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e5",
         "'e5' is not legal here"},
        {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "O-O",
         "'O-O' is not legal here"},
        {"4k3/8/8/8/8/2N3N1/8/4K3 w - - 0 1", "Ne4", "'Ne4' can be Nce4 or Nge4"},
        {"8/2P5/8/8/8/k7/8/4K3 w - - 0 1", "c8", "'c8' does not say what the pawn becomes"},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "a very long text that is no move",
         "'a?very?long?text?tha...' is not a move"},
    }));
    CAPTURE(position, text);
    const auto m = parse_san(fen(position), text);
    REQUIRE_FALSE(m);
    CHECK(m.error().message() == sentence);
}

TEST_CASE("every legal move has a text of its own that reads back as it", "[chess]") {
    const auto seed = GENERATE(61U, 62U, 63U);
    CAPTURE(seed);
    Random random(seed);
    for (int i = 0; i < 200; ++i) {
        Position p = i % 2 == 0 ? Position::initial() : wild_position(random);
        for (int ply = 0; ply < (i % 2 == 0 ? 40 : 3) && p.has_legal_move(); ++ply) {
            std::set<std::string> texts;
            CAPTURE(p.fen());
            for (const Move m : p.legal_moves()) {
                const std::string san = to_san(p, m);
                CAPTURE(san, m.uci());
                REQUIRE(texts.insert(san).second);
                const auto read = parse_san(p, san);
                REQUIRE(read);
                REQUIRE(*read == m);
                REQUIRE(*parse_san(p, m.uci()) == m);
                const Position after = p.after(m);
                const char last = san.back();
                REQUIRE((last == '+' || last == '#') == after.in_check());
                REQUIRE((last == '#') == (after.in_check() && !after.has_legal_move()));
            }
            p.make(any_of(p.legal_moves(), random));
        }
    }
}
