// figures_test.cpp - a run is told in plain words
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/figures.hpp"

#include <catch2/catch.hpp>

using namespace touchmove;
using namespace touchmove::verify;
using Catch::Matchers::Contains;

TEST_CASE("a good game is told in two words, a cut one with its reason", "[verify]") {
    GameReport report;
    report.plies = 12;
    CHECK(describe(7, report, "again") == "game 7: ok");
    report.cut = "7. Kd4 is not legal";
    report.kings_shown = true;
    CHECK(describe(7, report, "again") ==
          "game 7: ok; played 12 plies: 7. Kd4 is not legal; kings put in the centre");
}

TEST_CASE("a bad game is told with ply, time, hands and how to see it again", "[verify]") {
    GameReport report;
    report.difference = Difference{4, device_time(83'456'789), "3. e4 was played, e2e3 published"};
    report.style = "slider";
    CHECK_THAT(describe(2, report, "touchmove-sim verify x"),
               Contains("game 2: FAIL: 3. e4 was played, e2e3 published (ply 5, device time "
                        "0:01:23.456789; slider hands, reed sensors, levers)") &&
                   Contains("again: touchmove-sim verify x"));
    GameReport broken;
    broken.error = "the board has no power";
    CHECK_THAT(describe(2, broken, "x"), Contains("FAIL: the board has no power"));
}

TEST_CASE("figures add up and compare with the empty loop", "[verify]") {
    Figures figures;
    GameReport good;
    good.plies = 80;
    good.simulated_us = 40'000'000;
    good.cpu_ns = 2'000'000'000;
    good.records = 500;
    good.reports[laws::ReportKind::two_hands] = 2;
    GameReport bad = good;
    bad.difference = Difference{0, std::nullopt, "x"};
    bad.reports[laws::ReportKind::touch_move] = 1;
    figures.add(good);
    figures.add(bad);
    figures.empty_simulated_us = 25'000'000;
    figures.empty_cpu_ns = 1'000'000'000;
    CHECK(figures.passed() == 1);
    CHECK(figures.failed == 1);
    CHECK(figures.speed() == Approx(20.0));
    CHECK(figures.empty_speed() == Approx(25.0));
    CHECK(figures.unfounded_reports() == 1);
    CHECK_THAT(describe(figures, 4.0, 2),
               Contains("2 games, 160 plies, 80.0 s simulated in 4.0 s on 2 threads") &&
                   Contains("20.0 simulated s a wall second; 20.0 a core second") &&
                   Contains("80 % of it") && Contains("1000 records, 0 gaps") &&
                   Contains("touch_move 1, two_hands 4; without cause: 1"));
}

TEST_CASE("under --strict an accusation without cause fails a game that is right otherwise",
          "[verify]") {
    GameReport report;
    report.reports[laws::ReportKind::two_hands] = 1;
    accuse_unfounded(report);
    CHECK(report.ok());
    report.reports[laws::ReportKind::released] = 2;
    accuse_unfounded(report);
    REQUIRE(report.difference);
    CHECK(report.difference->what == "the referee reported released 2 times without cause");
}
