// hands_test.cpp - no style breaks the Laws or the physics of a board
// SPDX-License-Identifier: Apache-2.0
#include "sim/bench/hands.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <catch2/catch.hpp>

#include "sim/bench/ending.hpp"
#include "tests/sim/bench/games.hpp"

using namespace touchmove;
using namespace touchmove::bench;
using chess::Bitboard;
using chess::Move;
using chess::Position;
using chess::Square;

namespace {

constexpr BenchUs ms = 1000;

Position position(std::string_view fen) { return Position::parse_fen(fen).value(); }

Square square(std::string_view name) { return *Square::parse(name); }

/// Every ply of every test game, with every style and several seeds.
template <class Check>
void for_each_plan(Check check) {
    for (const chess::PgnGame& game : test::games()) {
        REQUIRE_FALSE(game.broken_off);
        for (const Style& style : styles()) {
            for (std::uint64_t seed = 0; seed < 8; ++seed) {
                Position before = game.start;
                for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
                    const Move move = game.moves[ply].move;
                    Rng rng = Rng::derived(seed, ply);
                    const Plan plan = plan_move(style, before, move, {true, 1000}, rng);
                    CAPTURE(style.name, seed, ply, move.uci(), before.fen());
                    check(style, before, move, plan);
                    before.make(move);
                }
            }
        }
    }
}

/// The order of lifts and places as text: "-e2 +e4".
std::string order_of(const Plan& plan) {
    std::string text;
    for (const MagnetAct& act : plan.magnets) {
        const bool comes = act.motion == Motion::set_down || act.motion == Motion::slide_in;
        (text += comes ? " +" : " -") += act.square.name();
    }
    return text;
}

std::set<std::string> orders_of(const Style& style, const Position& before, Move move) {
    std::set<std::string> orders;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Rng rng(seed);
        orders.insert(order_of(plan_move(style, before, move, {}, rng)));
    }
    return orders;
}

const Style& style(std::string_view name) { return *parse_hands(name)->style; }

}  // namespace

TEST_CASE("men leave squares where they stand and come to squares that are empty", "[bench]") {
    for_each_plan([](const Style&, const Position& before, Move move, const Plan& plan) {
        Bitboard stands = before.occupied();
        BenchUs last = 0;
        for (const MagnetAct& act : plan.magnets) {
            REQUIRE(act.at >= last);
            last = act.at;
            const bool leaves = act.motion == Motion::lift_off || act.motion == Motion::slide_out;
            REQUIRE(chess::contains(stands, act.square) == leaves);
            if (act.motion != Motion::pass_over) stands ^= act.square.bit();
        }
        REQUIRE(stands == before.after(move).occupied());
        REQUIRE(occupied_after(plan, before.occupied()) == stands);
        REQUIRE(plan.released >= last + 30 * ms);
        REQUIRE(plan.placed <= plan.released);
    });
}

TEST_CASE("a man shown on another square never stands there long enough to be released",
          "[bench]") {
    for_each_plan([](const Style&, const Position& before, Move move, const Plan& plan) {
        std::map<Square, BenchUs> came;
        for (const MagnetAct& act : plan.magnets) {
            if (act.motion == Motion::set_down || act.motion == Motion::slide_in) {
                came[act.square] = act.at;
            } else if (came.contains(act.square)) {
                const BenchUs stood = act.at + act.lasts - came[act.square];
                // Where it came from it may stand as long as it likes; so may the pawn that is
                // about to be exchanged, and the man that only is straightened.
                const bool at_home = chess::contains(before.occupied(), act.square);
                const bool arrived = act.square == move.to();
                if (!at_home && !arrived) REQUIRE(stood < 400 * ms);
            }
        }
    });
}

TEST_CASE("without an announcement only the men of the move are touched", "[bench]") {
    for_each_plan([](const Style&, const Position& before, Move move, const Plan& plan) {
        std::set<Square> touchable{move.from(), move.to()};
        if (const auto victim = before.captured_square(move)) touchable.insert(*victim);
        if (const auto side = before.castling(move)) {
            const bool king_side = *side == chess::CastlingSide::king_side;
            touchable.insert(Square(king_side ? 7U : 0U, move.from().rank()));
            touchable.insert(Square(king_side ? 5U : 3U, move.from().rank()));
        }
        bool announced = false;
        std::size_t next_switch = 0;
        for (const MagnetAct& act : plan.magnets) {
            while (next_switch < plan.switches.size() &&
                   plan.switches[next_switch].at <= act.at) {
                announced = plan.switches[next_switch++].down;
            }
            const bool lifts = act.motion == Motion::lift_off || act.motion == Motion::slide_out;
            if (lifts && !announced && chess::contains(before.occupied(), act.square)) {
                REQUIRE(touchable.contains(act.square));
            }
        }
    });
}

TEST_CASE("the king is touched before the rook, by at least five milliseconds", "[bench]") {
    const Position before =
        position("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 9");
    for (const Style& habit : styles()) {
        for (const std::string_view uci : {"e1g1", "e1c1"}) {
            for (std::uint64_t seed = 0; seed < 100; ++seed) {
                CAPTURE(habit.name, uci, seed);
                Rng rng(seed);
                const Move move = *Move::parse_uci(uci);
                const Plan plan = plan_move(habit, before, move, {}, rng);
                BenchUs king = device::never_us;
                BenchUs rook = device::never_us;
                for (const MagnetAct& act : plan.magnets) {
                    if (act.square == square("e1")) king = std::min(king, act.at);
                    if (act.square == square(uci == "e1g1" ? "h1" : "a1")) {
                        rook = std::min(rook, act.at);
                    }
                }
                REQUIRE(king + 5 * ms <= rook);
            }
        }
    }
}

TEST_CASE("captures are made in each of their orders", "[bench]") {
    const Position before = position("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
    const Move move = *Move::parse_uci("e4d5");
    const std::string victim_first = " -d5 -e4 +d5";
    const std::string captor_first = " -e4 -d5 +d5";
    CHECK(orders_of(style("victim-first"), before, move) == std::set{victim_first});
    CHECK(orders_of(style("captor-first"), before, move) == std::set{captor_first});
    CHECK(orders_of(style("careful"), before, move) == std::set{victim_first, captor_first});
    CHECK(orders_of(style("two-handed"), before, move) == std::set{victim_first, captor_first});
}

TEST_CASE("a man is taken in passing in all three orders", "[bench]") {
    const Position before = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2");
    CHECK(orders_of(style("careful"), before, *Move::parse_uci("e5d6")) ==
          std::set<std::string>{" -e5 +d6 -d5", " -d5 -e5 +d6", " -e5 -d5 +d6"});
}

TEST_CASE("castling goes king first, with one or both men in hand", "[bench]") {
    const Position before = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    const Move move = *Move::parse_uci("e1g1");
    CHECK(orders_of(style("careful"), before, move) == std::set<std::string>{" -e1 +g1 -h1 +f1"});
    CHECK(orders_of(style("captor-first"), before, move) ==
          std::set<std::string>{" -e1 +g1 -h1 +f1", " -e1 -h1 +g1 +f1"});
    CHECK(orders_of(style("two-handed"), before, move) ==
          std::set<std::string>{" -e1 -h1 +g1 +f1"});
}

TEST_CASE("a pawn is exchanged before and after it reaches the last rank, and the kind is said",
          "[bench]") {
    const Position before = position("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    CHECK(orders_of(style("careful"), before, *Move::parse_uci("a7a8r")) ==
          std::set<std::string>{" -a7 +a8 -a8 +a8", " -a7 +a8", " +a8 -a7"});
    CHECK(orders_of(style("victim-first"), before, *Move::parse_uci("a7b8n")) ==
          std::set<std::string>{" -b8 -a7 +b8 -b8 +b8", " -b8 -a7 +b8", " -b8 +b8 -a7"});
    Rng rng(1);
    const Plan plan = plan_move(style("careful"), before, *Move::parse_uci("a7a8r"), {}, rng);
    REQUIRE(plan.said.size() == 1);
    CHECK(plan.said[0].what == Said::What::promoted_piece);
    CHECK(plan.said[0].piece == chess::Kind::rook);
    CHECK(plan.said[0].side == chess::Color::white);
}

TEST_CASE("announcements frame what they excuse, and are left out when they are not in order",
          "[bench]") {
    const Position before = Position::initial();
    const Move move = *Move::parse_uci("e2e4");
    unsigned announced = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        CAPTURE(seed);
        Rng rng(seed);
        const Plan plan = plan_move(style("adjuster"), before, move, {true, 1000}, rng);
        if (!plan.switches.empty()) {
            ++announced;
            REQUIRE(plan.switches.size() == 2);
            CHECK(plan.switches[0].input == BoardInput::white_adjust);
            CHECK(plan.switches[0].down);
            CHECK_FALSE(plan.switches[1].down);
            CHECK(plan.switches[0].at < plan.magnets.front().at);
        }
        Rng again(seed);
        CHECK(plan_move(style("adjuster"), before, move, {false, 1000}, again).switches.empty());
    }
    CHECK(announced > 20);
}

TEST_CASE("a press moves both ends of the rocker", "[bench]") {
    Plan plan;
    Rng rng(3);
    add_press(plan, chess::Color::black, 5000, rng);
    REQUIRE(plan.switches.size() == 2);
    CHECK(plan.switches[0].input == BoardInput::black_lever);
    CHECK(plan.switches[0].down);
    CHECK(plan.switches[1].input == BoardInput::white_lever);
    CHECK_FALSE(plan.switches[1].down);
    CHECK(plan.pressed == 5000);
}

TEST_CASE("the kings come to free centre squares, and the men back to the initial array",
          "[bench]") {
    for (const chess::PgnGame& game : test::games()) {
        Position end = game.start;
        for (const chess::PgnMove& ply : game.moves) end.make(ply.move);
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            CAPTURE(end.fen(), seed);
            Rng rng(seed);
            Bitboard occupied = end.occupied();
            if (const auto kings = plan_kings_to_centre(end, game.result, rng)) {
                REQUIRE(kings->magnets.size() == 4);
                occupied = occupied_after(*kings, occupied);
                const Bitboard centre = square("d4").bit() | square("e4").bit() |
                                        square("d5").bit() | square("e5").bit();
                REQUIRE(chess::size(occupied & centre) ==
                        chess::size(end.occupied() & centre) + 2);
            }
            const Plan back = plan_men_back(occupied, rng);
            REQUIRE(occupied_after(back, occupied) == Position::initial().occupied());
        }
    }
}

TEST_CASE("every style is found by its name, and no other", "[bench]") {
    for (const Style& habit : styles()) CHECK(parse_hands(habit.name)->style == &habit);
    CHECK(parse_hands("dealt")->style == nullptr);
    CHECK_FALSE(parse_hands("three-handed"));
    CHECK(hands_names().find("no-lever") != std::string::npos);
}
