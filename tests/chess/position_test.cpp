// position_test.cpp - moves made, legal or not; keys; editing
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <unordered_map>

#include "host/chess/position.hpp"
#include "tests/chess/random_positions.hpp"
#include "tests/chess/standard_positions.hpp"

using namespace touchmove::chess;

namespace {

Position fen(std::string_view text) {
    const auto p = Position::parse_fen(text);
    REQUIRE(p);
    return *p;
}

Move uci(std::string_view text) {
    const auto m = Move::parse_uci(text);
    REQUIRE(m);
    return *m;
}

std::string after(std::string_view text, std::string_view move) {
    return fen(text).after(uci(move)).fen();
}

/// Men, side, rights and legal en-passant square: what 9.2.3 compares.
std::string identity(const Position& p) {
    const std::string text = p.fen();
    return text.substr(0, text.rfind(' ', text.rfind(' ') - 1));
}

}  // namespace

TEST_CASE("a position fits in 48 bytes", "[chess]") {
    STATIC_REQUIRE(sizeof(Position) == 48);
    STATIC_REQUIRE(std::is_trivially_copyable_v<Position>);
}

TEST_CASE("moves change men, rights, clocks and turn as the Laws say", "[chess]") {
    const std::string start = Position::initial().fen();
    CHECK(start == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    CHECK(after(start, "g1f3") == "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1");
    // No black pawn can take on e3, so the FEN names no square.
    CHECK(after(start, "e2e4") == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    CHECK(after("4k3/8/8/8/3p4/8/4P3/4K3 w - - 5 9", "e2e4") ==
          "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9");
    CHECK(after("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9", "d4e3") == "4k3/8/8/8/8/4p3/8/4K3 w - - 0 10");
    CHECK(after("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 7", "e1g1") ==
          "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 7");
    CHECK(after("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 7", "e8c8") ==
          "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 4 8");
    CHECK(after("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 7", "h1h8") ==
          "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 7");
    CHECK(after("8/P6k/8/8/8/8/8/K7 w - - 9 40", "a7a8n") == "N7/7k/8/8/8/8/8/K7 b - - 0 40");
    CHECK(after("1r5k/P7/8/8/8/8/8/K7 w - - 9 40", "a7b8q") == "1Q5k/8/8/8/8/8/8/K7 b - - 0 40");
}

TEST_CASE("moves that are not legal are made as the hand made them", "[chess]") {
    const std::string start = Position::initial().fen();
    // A rook through a pawn onto its own bishop.
    CHECK(after(start, "a1c1") == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NRQKBNR b Kkq - 0 1");
    // The other side's man: the turn passes all the same.
    CHECK(after(start, "e7e5") == "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    // A king may be taken, a pawn left on the last rank.
    CHECK(after("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "e7e8") == "4R3/8/8/8/8/8/8/4K3 b - - 0 1");
    CHECK(after("8/P6k/8/8/8/8/8/K7 w - - 9 40", "a7a8") == "P7/7k/8/8/8/8/8/K7 b - - 0 40");
    // Castling without the right, and out of check: the rook comes along.
    CHECK(after("4k3/8/8/8/4r3/8/8/R3K2R w Q - 0 1", "e1g1") ==
          "4k3/8/8/8/4r3/8/8/R4RK1 b - - 1 1");
    // Not castling: a man stands between.
    CHECK(after("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", "e1g1") == "4k3/8/8/8/8/8/8/5BKR b - - 1 1");
    // Taken in passing although the king is then in check; a pawn that is not taken so stays.
    const std::string pinned = "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1";
    const Position passed = fen(pinned).after(uci("e2e4"));
    CHECK_FALSE(passed.en_passant());
    CHECK(passed.captured_square(uci("d4e3")) == Square::parse("e4"));
    CHECK(passed.after(uci("d4e3")).fen() == "8/8/8/8/k6R/4p3/8/4K3 w - - 0 2");
    CHECK(passed.after(uci("d4c3")).fen() == "8/8/8/8/k3P2R/2p5/8/4K3 w - - 0 2");
    // A pawn that jumped over a man cannot be taken in passing.
    CHECK_FALSE(fen("4k3/8/8/8/3p4/4N3/4P3/4K3 w - - 0 1").after(uci("e2e4")).en_passant());
}

TEST_CASE("captures and castling are known from the move", "[chess]") {
    const Position p = fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    CHECK(p.captured_square(uci("e5d6")) == Square::parse("d5"));
    CHECK(p.captured_square(uci("h1h8")) == Square::parse("h8"));
    CHECK_FALSE(p.captured_square(uci("e5e6")));
    CHECK_FALSE(p.captured_square(uci("e1g1")));
    CHECK(p.castling(uci("e1g1")) == CastlingSide::king_side);
    CHECK(p.castling(uci("e1c1")) == CastlingSide::queen_side);
    CHECK(p.castling(uci("e8c8")) == CastlingSide::queen_side);
    CHECK_FALSE(p.castling(uci("e1f1")));
    CHECK_FALSE(p.castling(uci("a1c1")));
}

TEST_CASE("keys follow the position whatever is played", "[chess]") {
    const auto seed = GENERATE(31U, 32U, 33U);
    CAPTURE(seed);
    Random random(seed);
    std::unordered_map<std::uint64_t, std::string> by_key;
    std::unordered_map<std::string, std::uint64_t> by_identity;
    std::size_t repeated = 0;
    const auto meet = [&](const Position& p) {
        const std::string id = identity(p);
        const auto [known, is_new] = by_key.emplace(p.key(), id);
        REQUIRE(known->second == id);  // equal keys, same position
        REQUIRE(by_identity.emplace(id, p.key()).first->second == p.key());
        repeated += is_new ? 0 : 1;
        // Reckoned move by move and from nothing: the same.
        const auto again = Position::parse_fen(p.fen());
        REQUIRE(again);
        REQUIRE(again->key() == p.key());
        REQUIRE(again->same_as(p));
        REQUIRE(again->fen() == p.fen());
    };
    for (int game = 0; game < 150; ++game) {
        // Few men, so that positions come back.
        Position p = game % 3 == 0   ? fen("r3k3/2p5/8/1P6/8/8/3P4/4K2R w Kq - 0 1")
                     : game % 3 == 1 ? Position::initial()
                                     : wild_position(random);
        for (int ply = 0; ply < 60 && p.has_legal_move(); ++ply) {
            INFO(p.fen());
            meet(p);
            p.make(any_of(p.legal_moves(), random));
        }
        for (int ply = 0; ply < 20 && p.occupied() != 0; ++ply) {
            INFO(p.fen());
            meet(p);
            p.make(wild_move(p, random));
        }
    }
    CHECK(repeated > 100);
}

TEST_CASE("positions that differ in one thing differ in key and by same_as", "[chess]") {
    const Position p = fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1");
    for (const std::string_view other :
         {"r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
          "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk d6 0 1", "r3k2r/8/8/3pP3/8/8/8/R3K2R w Qkq d6 0 1",
          "r3k2r/8/8/3pP3/8/8/8/R3K1R1 w Qkq d6 0 1", "r3k2r/8/8/3pB3/8/8/8/R3K2R w KQkq - 0 1"}) {
        CAPTURE(other);
        CHECK(fen(other).key() != p.key());
        CHECK_FALSE(fen(other).same_as(p));
    }
    // Counters are no part of a position, and a right that cannot be used is none (9.2.3).
    CHECK(fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 7 99").same_as(p));
    CHECK(
        fen("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1").same_as(fen("8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1")));
    CHECK(Position().key() == 0);
}

TEST_CASE("the checks of a position", "[chess]") {
    const Position p = fen("4k3/8/8/8/7b/8/3r4/R3K3 w Q - 0 1");
    CHECK(p.in_check());
    CHECK(p.attacked(*Square::parse("e1"), Color::black));
    CHECK(p.attacked(*Square::parse("d1"), Color::white));
    CHECK_FALSE(p.attacked(*Square::parse("e8"), Color::white));
    // A pinned man attacks (3.1.2).
    CHECK(fen("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1").attacked(*Square::parse("a2"), Color::white));
    CHECK_FALSE(Position::initial().in_check());
    CHECK_FALSE(fen("8/8/8/8/8/8/8/R6r w - - 0 1").in_check());
}

TEST_CASE("editing keeps key, rights and men together", "[chess]") {
    Position p = fen("r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 4 20");
    p.put(*Square::parse("c3"), {Color::black, Kind::queen});
    CHECK(p.fen() == "r3k2r/8/8/3pP3/8/2q5/8/R3K2R w KQkq - 4 20");  // no longer the move's result
    p.remove(*Square::parse("h1"));
    CHECK(p.fen() == "r3k2r/8/8/3pP3/8/2q5/8/R3K3 w Qkq - 4 20");
    p.set_castling(Color::white, CastlingSide::king_side, true);  // without a rook
    CHECK_FALSE(p.may_castle(Color::white, CastlingSide::king_side));
    p.put(*Square::parse("h1"), {Color::white, Kind::rook});
    CHECK_FALSE(p.may_castle(Color::white, CastlingSide::king_side));
    p.set_castling(Color::white, CastlingSide::king_side, true);
    p.set_castling(Color::black, CastlingSide::queen_side, false);
    p.set_side_to_move(Color::black);
    CHECK(p.fen() == "r3k2r/8/8/3pP3/8/2q5/8/R3K2R b KQk - 4 20");
    CHECK(p.key() == fen(p.fen()).key());
    CHECK(p.men(Color::black, Kind::queen) == Square::parse("c3")->bit());
    CHECK(p.man_at(*Square::parse("c3")) == Man{Color::black, Kind::queen});
    CHECK(p.king(Color::white) == Square::parse("e1"));
    p.put(*Square::parse("a3"), {Color::white, Kind::king});
    CHECK_FALSE(p.king(Color::white));
    for (unsigned s = 0; s < 64; ++s)
        p.remove(Square(s));
    p.set_side_to_move(Color::white);
    CHECK(p.key() == 0);
    CHECK(p.same_as(Position()));
}

TEST_CASE("the sets of men agree with the men on the squares", "[chess]") {
    Random random(41);
    for (int i = 0; i < 300; ++i) {
        const Position p = wild_position(random);
        CAPTURE(p.fen());
        Bitboard all = 0;
        for (const Color c : {Color::white, Color::black}) {
            Bitboard of_color = 0;
            for (std::size_t k = 0; k < kind_count; ++k) {
                for (const Square s : squares(p.men(c, static_cast<Kind>(k)))) {
                    REQUIRE(p.man_at(s) == Man{c, static_cast<Kind>(k)});
                    of_color |= s.bit();
                }
            }
            CHECK(of_color == p.men(c));
            all |= of_color;
        }
        CHECK(all == p.occupied());
        for (const Square s : squares(~all))
            REQUIRE_FALSE(p.man_at(s));
    }
}

TEST_CASE("squares and moves are read from their names and from nothing else", "[chess]") {
    CHECK(Square::parse("e4") == Square(4, 3));
    CHECK(Square(63U).name() == "h8");
    for (const std::string_view bad : {"", "e", "e9", "i1", "e0", "e44", "E4"}) {
        CHECK_FALSE(Square::parse(bad));
    }
    CHECK(uci("e7e8q").promotion() == Kind::queen);
    CHECK(uci("e7e8q").uci() == "e7e8q");
    for (const std::string_view bad :
         {"", "e2", "e2e", "e2e9", "e7e8k", "e7e8p", "e7e8Q", "e2e2", "0000", "e7e8qq"}) {
        CHECK_FALSE(Move::parse_uci(bad));
    }
}
