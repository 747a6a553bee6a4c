// comparison_test.cpp - every way in which published moves can be wrong is noticed
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/comparison.hpp"

#include <catch2/catch.hpp>

using namespace touchmove;
using namespace touchmove::verify;
using chess::Move;
using laws::Decision;

namespace {

bench::Script script_of(std::string_view pgn) {
    return bench::make_script(chess::parse_pgn(pgn).at(0));
}

const bench::Script& three_plies() {
    static const bench::Script script = script_of("1. e4 e5 2. Nf3 *\n");
    return script;
}

const bench::Script& promotion() {
    static const bench::Script script = script_of(
        "[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. a8=R *\n");
    return script;
}

laws::RecordedMove recorded(std::string_view uci, bool kind_known = true) {
    laws::RecordedMove move{*Move::parse_uci(uci)};
    move.kind_known = kind_known;
    return move;
}

Decision published(std::size_t ply, std::string_view uci, bool kind_known = true) {
    return {device_time(static_cast<std::int64_t>(ply) * 1000),
            laws::MovePublished{ply, recorded(uci, kind_known)}};
}

Decision ended(std::string reason) {
    return {device_time(0),
            laws::GameEnded{{laws::Score::draw, std::move(reason), "5.2.1", false}}};
}

/// An initializer list of so many variants draws false warnings from g++ 12.
template <class... More>
std::vector<Decision> decided(More... more) {
    std::vector<Decision> decisions;
    (decisions.push_back(std::move(more)), ...);
    return decisions;
}

Decision corrected(std::string_view uci) {
    return {device_time(9), laws::MoveCorrected{0, recorded(uci)}};
}

Decision named(std::string_view uci) {
    return {device_time(5), laws::PromotionKnown{0, recorded(uci)}};
}

/// The first difference after these decisions, as text; "none" if there is none.
std::string difference(const bench::Script& script, const std::vector<Decision>& decisions) {
    Comparison comparison(script);
    comparison.take(decisions);
    comparison.finish();
    return comparison.difference() ? comparison.difference()->what : "none";
}

}  // namespace

TEST_CASE("the moves as they were played are no difference", "[verify]") {
    CHECK(difference(three_plies(), decided(published(0, "e2e4"), published(1, "e7e5"),
                                            published(2, "g1f3"))) == "none");
}

TEST_CASE("a wrong, missing, doubled, skipped or surplus move is a difference", "[verify]") {
    CHECK(difference(three_plies(), decided(published(0, "e2e3"))) ==
          "1. e4 was played, e2e3 published");
    CHECK(difference(three_plies(), decided(published(0, "e2e4"), published(1, "e7e5"))) ==
          "2. Nf3 was never published");
    CHECK(difference(three_plies(), decided(published(0, "e2e4"), published(0, "e2e4"))) ==
          "1. e4 was published a second time, as e2e4");
    CHECK(difference(three_plies(), decided(published(0, "e2e4"), published(2, "g1f3"))) ==
          "1... e5 was left out: the next published move is g1f3");
    CHECK(difference(three_plies(), decided(published(0, "e2e4"), published(1, "e7e5"),
                                            published(2, "g1f3"), published(3, "b8c6"))) ==
          "b8c6 was published after the last move");
}

TEST_CASE("a published move may not be changed or taken back", "[verify]") {
    CHECK(difference(three_plies(), decided(published(0, "e2e4"), corrected("e2e3"))) ==
          "the published 1. e4 was changed to e2e3");
    CHECK(difference(three_plies(),
                     decided(published(0, "e2e4"),
                             Decision{device_time(9), laws::RecordShortened{0}})) ==
          "the record was cut off before 1. e4");
}

TEST_CASE("moves that are only shown do not count", "[verify]") {
    CHECK(difference(three_plies(),
                     decided(Decision{device_time(1), laws::MoveShown{0, recorded("e2e3")}},
                             Decision{device_time(2), laws::ShownWithdrawn{0}},
                             published(0, "e2e4"), published(1, "e7e5"),
                             published(2, "g1f3"))) == "none");
}

TEST_CASE("a promotion may be published before its piece is known, but the piece must come",
          "[verify]") {
    CHECK(difference(promotion(), decided(published(0, "a7a8r"))) == "none");
    CHECK(difference(promotion(), decided(published(0, "a7a8q", false), named("a7a8r"))) ==
          "none");
    CHECK(difference(promotion(), decided(published(0, "a7a8q", false))) ==
          "1. a8=R was published without its piece");
    CHECK(difference(promotion(), decided(published(0, "a7a8q", false), named("a7a8q"))) ==
          "1. a8=R was played, a7a8q published");
    CHECK(difference(promotion(), decided(published(0, "a7a8q"))) ==
          "1. a8=R was played, a7a8q published");
}

TEST_CASE("the end of the game by the Laws must be found, by its reason", "[verify]") {
    const bench::Script stalemate = script_of(
        "[FEN \"7k/5K2/8/8/8/8/8/6Q1 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Qg6 1/2-1/2\n");
    REQUIRE(stalemate.ends_by == bench::LawsEnd::stalemate);
    CHECK(difference(stalemate, decided(published(0, "g1g6"), ended("stalemate"))) == "none");
    CHECK(difference(stalemate, decided(published(0, "g1g6"))) ==
          "the game ended by stalemate, the referee says nothing");
    CHECK(difference(stalemate, decided(published(0, "g1g6"), ended("dead_position"))) ==
          "the game ended by stalemate, the referee says dead_position");
}

TEST_CASE("nothing is looked at after the first difference, and its place is told", "[verify]") {
    Comparison comparison(three_plies());
    comparison.take(
        decided(published(0, "e2e4"), published(1, "e7e6"), published(0, "a2a3")));
    comparison.finish();
    REQUIRE(comparison.difference());
    CHECK(comparison.difference()->ply == 1);
    CHECK(comparison.difference()->at == device_time(1000));
    CHECK(comparison.published() == 1);
}

TEST_CASE("reports are counted by kind, and accusations told from hints", "[verify]") {
    Comparison comparison(three_plies());
    const auto report = [](laws::ReportKind kind) {
        laws::Report r{};
        r.kind = kind;
        return Decision{device_time(0), laws::Reported{r}};
    };
    comparison.take(decided(report(laws::ReportKind::two_hands),
                            report(laws::ReportKind::touch_move),
                            report(laws::ReportKind::two_hands)));
    CHECK(comparison.reports().at(laws::ReportKind::two_hands) == 2);
    CHECK(comparison.reports().at(laws::ReportKind::touch_move) == 1);
    CHECK(is_unfounded(laws::ReportKind::touch_move));
    CHECK(is_unfounded(laws::ReportKind::illegal_move));
    CHECK_FALSE(is_unfounded(laws::ReportKind::two_hands));
}
