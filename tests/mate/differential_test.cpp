// differential_test.cpp - boards made at random: the solver, and what the checker makes of it
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <string>

#include "host/mate/solver.hpp"
#include "tests/mate/boards.hpp"
#include "tests/mate/checker.hpp"

using namespace touchmove;
using chess::Color;
using chess::Kind;
using chess::Position;
using chess::Square;
using mate_test::below;
using mate_test::parse;
using mate_test::Verdict;

namespace {

/// After so many legal moves, or fewer where they end.
Position wander(Position position, std::mt19937& random, unsigned moves) {
    for (; moves > 0; --moves) {
        const auto list = position.legal_moves();
        if (list.empty()) break;
        position =
            position.after(*(list.begin() + below(random, static_cast<unsigned>(list.size()))));
    }
    return position;
}

/// The board turned by half, colours changed: the same questions, with other sides and squares.
/// Without castling and captures in passing.
Position turn(const Position& position) {
    Position turned;
    for (const Square s : chess::squares(position.occupied())) {
        const auto man = *position.man_at(s);
        turned.put(Square(63 - s.index()), {~man.color, man.kind});
    }
    turned.set_side_to_move(~position.side_to_move());
    return turned;
}

/// Three to six men, on the whole board or all near one corner, castling and captures in passing
/// now and then among what can follow. None if a king could be taken.
std::optional<Position> few_men(std::mt19937& random) {
    Position position;
    const unsigned wide = below(random, 2) == 0 ? 8 : 4;
    const unsigned file = below(random, 2) * (8 - wide), rank = below(random, 2) * (8 - wide);
    const auto drop = [&](Color color, Kind kind) {
        mate_test::drop_within(position, random, {color, kind}, file, rank, wide);
    };
    drop(Color::white, Kind::king);
    drop(Color::black, Kind::king);
    const bool minor = below(random, 2) == 0;  // mates with these are rare
    for (unsigned men = 1 + below(random, 4); men > 0; --men) {
        const Color color = below(random, 2) == 0 ? Color::white : Color::black;
        drop(color, static_cast<Kind>(below(random, minor ? 3 : 5)));
    }
    position.set_side_to_move(below(random, 2) == 0 ? Color::white : Color::black);
    for (const Color color : {Color::white, Color::black}) {
        for (const auto side : {chess::CastlingSide::king_side, chess::CastlingSide::queen_side}) {
            position.set_castling(color, side, true);
        }
    }
    if (!mate_test::in_turn(position)) return std::nullopt;
    return wander(position, random, below(random, 3));
}

/// `count` boards of few men against exhaustion, up to `limit` positions.
void few_men_agree(std::uint32_t seed, unsigned count, std::size_t limit) {
    std::mt19937 random(seed);
    mate::Solver solver;
    unsigned asked = 0, compared = 0, never = 0, undecided = 0;
    for (unsigned i = 0; i < count; ++i) {
        const auto position = few_men(random);
        if (!position) continue;
        for (const Color side : {Color::white, Color::black}) {
            const auto answer = solver.full(*position, side);
            const auto quick = mate::fast(*position, side);
            INFO(position->fen() << " side " << chess::index_of(side) << ", " << describe(answer));
            ++asked;
            if (std::holds_alternative<mate::Undecided>(answer)) {
                ++undecided;
                WARN("undecided: " << position->fen() << " side " << chess::index_of(side));
            }
            const bool can = std::holds_alternative<mate::Winnable>(answer);
            if (can) CHECK(mate_test::check(*position, side, answer, 0) == Verdict::confirmed);
            CHECK_FALSE((can && mate::is_unwinnable(quick)));
            CHECK(mate_test::check(*position, side, quick, 0) != Verdict::wrong);
            const auto truth = mate_test::can_mate(*position, side, limit);
            if (!truth) continue;
            ++compared;
            never += *truth ? 0 : 1;
            if (*truth) {
                CHECK_FALSE(mate::is_unwinnable(answer));
                CHECK_FALSE(mate::is_unwinnable(quick));
            } else {
                CHECK_FALSE(std::holds_alternative<mate::Winnable>(answer));
                CHECK_FALSE(std::holds_alternative<mate::Winnable>(quick));
            }
        }
    }
    WARN("few men: asked " << asked << ", compared " << compared << ", of these " << never
                           << " without a mate; undecided " << undecided);
    CHECK(compared * 3 > asked);
    CHECK(never > 10);
    CHECK(undecided == 0);
}

/// `count` boards of locked pawns and their mutants; proofs walked again up to `limit` positions.
void locked_pawns_hold(std::uint32_t seed, unsigned count, std::size_t budget, std::size_t limit) {
    std::mt19937 random(seed);
    mate::Solver solver;
    unsigned lines = 0, undecided = 0;
    std::array<unsigned, 7> proofs{}, confirmed{};
    for (unsigned i = 0; i < count; ++i) {
        Position position = i % 2 == 0 ? mate_test::random_blockade(random)
                                       : parse(mate_test::closed_boards[i / 2 % 7]);
        for (unsigned n = below(random, 5); n > 0; --n)
            mate_test::mutate(position, random);
        if (!mate_test::in_turn(position)) continue;
        for (const Color side : {Color::white, Color::black}) {
            const auto answer = solver.full(position, side, budget);
            INFO(position.fen() << " side " << chess::index_of(side) << ", " << describe(answer));
            const auto verdict = mate_test::check(position, side, answer, limit);
            const auto turned = solver.full(turn(position), ~side, budget);
            CHECK(mate::is_unwinnable(answer) <= !std::holds_alternative<mate::Winnable>(turned));
            CHECK(mate::is_unwinnable(turned) <= !std::holds_alternative<mate::Winnable>(answer));
            CHECK(verdict != Verdict::wrong);
            const auto quick = mate::fast(position, side);
            if (std::holds_alternative<mate::Winnable>(answer)) {
                ++lines;
                CHECK_FALSE(mate::is_unwinnable(quick));
            } else if (const auto* never = std::get_if<mate::Unwinnable>(&answer)) {
                const auto proof = static_cast<std::size_t>(never->proof);
                ++proofs[proof];
                confirmed[proof] += verdict == Verdict::confirmed ? 1 : 0;
                if (verdict == Verdict::wrong && never->proof == mate::Proof::blockade) {
                    FAIL_CHECK(mate_test::fault_of_blockade(position, side, never->invariant));
                }
                CHECK_FALSE(std::holds_alternative<mate::Winnable>(quick));
                if (verdict != Verdict::open) continue;
                // No mate follows what follows, either.
                for (unsigned walk = 0; walk < 2; ++walk) {
                    const Position later = wander(position, random, 1 + below(random, 40));
                    INFO("then " << later.fen());
                    const auto then = solver.full(later, side, budget);
                    CHECK_FALSE(std::holds_alternative<mate::Winnable>(then));
                }
            } else {
                ++undecided;
            }
        }
    }
    std::string figures;
    for (std::size_t i = 0; i < proofs.size(); ++i) {
        figures += fmt::format(" {}/{}", confirmed[i], proofs[i]);
    }
    WARN(
        "locked pawns, confirmed of ended, material, forced, blockade, layers, projection, closure:"
        << figures << "; " << lines << " lines, " << undecided << " undecided");
    CHECK(lines * 5 > count);
    CHECK(undecided * 20 < count);
}

}  // namespace

TEST_CASE("few men: no difference from exhaustion, either way", "[mate]") {
    few_men_agree(3456, 3'000, 30'000);
}

TEST_CASE("locked pawns: every answer stands up to the checker", "[mate]") {
    locked_pawns_hold(9091, 1'500, 50'000, 3'000);
}

TEST_CASE("at length: few men", "[mate][.long]") {
    few_men_agree(3457, 10'000, 300'000);
}

TEST_CASE("at length: locked pawns", "[mate][.long]") {
    locked_pawns_hold(9092, 15'000, 500'000, 100'000);
}
