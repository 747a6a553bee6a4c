// proofs_test.cpp - each kind of proof by itself, on boards that it only just closes
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <iterator>
#include <optional>
#include <random>

#include "host/mate/blockade.hpp"
#include "host/mate/exploration.hpp"
#include "host/mate/frontier.hpp"
#include "host/mate/layers.hpp"
#include "host/mate/projection.hpp"
#include "tests/mate/boards.hpp"
#include "tests/mate/checker.hpp"

using namespace touchmove;
using chess::Color;
using chess::Kind;
using chess::Position;
using chess::Square;
using mate_test::below;

namespace {

constexpr Color colors[] = {Color::white, Color::black};

enum class Means { blockade, layers, frontier, projection };
constexpr const char* names[] = {"blockade", "layers", "frontier", "projection"};

class Proofs {
  public:
    bool rule_out(Means means, const Position& position, Color winner) {
        const auto& state = position.state();
        switch (means) {
            case Means::blockade:
                return mate::Blockade(state).rules_out(winner);
            case Means::layers:
                return layers_.rule_out(state, winner, 200);
            case Means::frontier:
                return frontier_.rule_out(state, winner, 30, 300);
            case Means::projection:
                return projection_.rule_out(state, winner, 20'000);
        }
        return false;
    }

  private:
    mate::Layers layers_;
    mate::Frontier frontier_;
    mate::Projection projection_;
};

/// One man more, less, of another kind, a step aside or anywhere; the other side to move; rights to
/// castle.
void change(Position& position, std::mt19937& random) {
    const auto any = [&] { return Square(below(random, 64)); };
    const auto put = [&](Square s, chess::Man man) {
        const auto there = position.man_at(s);
        if (there && there->kind == Kind::king) return false;
        if (man.kind == Kind::pawn && (s.rank() == 0 || s.rank() == 7)) return false;
        position.put(s, man);
        return true;
    };
    const auto some_man = [&] {
        auto skip = below(random, chess::size(position.occupied()));
        for (const Square s : chess::squares(position.occupied())) {
            if (skip-- == 0) return s;
        }
        return Square(0);
    };
    const Square from = some_man();
    const auto man = *position.man_at(from);
    switch (below(random, 8)) {
        case 0:
            position.set_side_to_move(~position.side_to_move());
            break;
        case 1:
            if (man.kind != Kind::king) position.remove(from);
            break;
        case 2:
            if (man.kind != Kind::king) put(from, {man.color, static_cast<Kind>(below(random, 5))});
            break;
        case 3:
        case 4:
            put(any(), {colors[below(random, 2)], static_cast<Kind>(below(random, 5))});
            break;
        case 5:
            for (const Color color : colors) {
                for (const auto side :
                     {chess::CastlingSide::king_side, chess::CastlingSide::queen_side}) {
                    position.set_castling(color, side, true);
                }
            }
            break;
        case 6: {
            const unsigned file = from.file() + below(random, 3),
                           rank = from.rank() + below(random, 3);
            if (file < 1 || file > 8 || rank < 1 || rank > 8) break;
            const Square to(file - 1, rank - 1);
            if (to != from && put(to, man)) position.remove(from);
            break;
        }
        default:
            if (const Square to = any(); to != from && put(to, man)) position.remove(from);
    }
}

/// Goes from board to board by small changes, `count` times, and never leaves those that this proof
/// closes: so it comes to where the proof only just holds. Searches of `budget` positions look for
/// the mate that must not be there.
void never_contradicted(Means means, std::uint32_t seed, unsigned count, std::size_t budget) {
    const char* const starts[] = {
        "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
        "4k3/8/8/p2p2p1/P2P2P1/8/8/4K3 b - - 0 1",
        "8/8/p3b3/P1p5/K1p1b3/1pP5/1P6/1bk5 w - - 0 1",
        "4k3/2b5/1p1p1p1p/1PpP1P1P/2P5/3B4/4K3/8 w - - 0 1",
        "6k1/p5P1/2p1p1PB/6P1/8/4P3/PKP5/8 w - - 0 1",
        "b7/1Q2B3/2kB4/1p1p1p1p/1P1P1P1P/8/8/3K4 b - - 0 1",
        "8/5r2/4q3/7b/5ppp/Q4pkb/5pnq/5K1n b - - 0 1",
        "8/p7/4q3/8/5ppp/Q4pkb/5pnq/5K1n w - - 0 1",
        "r3k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 b q - 0 1",
        "r3k2r/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 b kq - 0 1",
    };
    std::mt19937 random(seed);
    Proofs proofs;
    mate::Exploration exploration;
    unsigned closed = 0, ended = 0, mates = 0;
    std::optional<Position> at;
    Color winner = Color::white;
    for (unsigned tries = 0; closed < count && tries < 100 * count; ++tries) {
        if (!at || below(random, 300) == 0) {
            at = mate_test::parse(starts[below(random, std::size(starts))]);
            winner = colors[below(random, 2)];
            if (!proofs.rule_out(means, *at, winner)) {
                at.reset();
                continue;
            }
        }
        Position next = *at;
        for (unsigned n = 1 + below(random, 3); n > 0; --n)
            change(next, random);
        if (!mate_test::in_turn(next) || !next.has_legal_move()) continue;
        if (mate_test::material_is_dead(next, winner)) continue;
        if (!proofs.rule_out(means, next, winner)) continue;
        // Few positions are no news.
        if (mate_test::can_mate(next, winner, 100) == false) continue;
        at = next;
        ++closed;
        INFO(next.fen() << " side " << chess::index_of(winner));
        const mate::Order orders[] = {
            {mate::Taste::captures},
            {mate::Taste::hunt, mate::Order::By::novelty},
            {mate::Taste::balanced, mate::Order::By::backwards},
        };
        for (const auto& order : orders) {
            const auto found = exploration.run(next.state(), winner, budget, order);
            if (std::holds_alternative<mate::Winnable>(found)) {
                ++mates;
                FAIL_CHECK(describe(found));
                at.reset();
                break;
            }
            if (mate::is_unwinnable(found)) {
                ++ended;
                break;
            }
        }
    }
    CHECK(mates == 0);
    CHECK(closed == count);
    WARN(names[static_cast<std::size_t>(means)] << ": " << closed
                                                << " boards, every position seen of " << ended);
}

constexpr Means all_means[] = {Means::blockade, Means::layers, Means::frontier, Means::projection};

}  // namespace

TEST_CASE("proofs that only just hold are not contradicted by a mate", "[mate]") {
    for (const auto means : all_means)
        never_contradicted(means, 515, 400, 1'000);
}

TEST_CASE("at length: proofs that only just hold", "[mate][.long]") {
    for (const auto means : all_means)
        never_contradicted(means, 516, 10'000, 10'000);
}
