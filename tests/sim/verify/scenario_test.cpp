// scenario_test.cpp - inputs are written in the words of the scenario format
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/scenario.hpp"

#include <catch2/catch.hpp>

using namespace touchmove;
using namespace touchmove::verify;

TEST_CASE("inputs become events with milliseconds, session records none", "[verify]") {
    const bench::Script script =
        bench::make_script(chess::parse_pgn("1. e4 *\n").at(0));
    const std::vector<TimedInput> inputs{
        {device_time(0), laws::BoardSeen{0}},
        {device_time(1'000'088), laws::SquareLifted{*chess::Square::parse("e2")}},
        {device_time(1'200'000), laws::SquarePlaced{*chess::Square::parse("e4")}},
        {device_time(1'300'000), laws::LeverPressed{chess::Color::white}},
        {device_time(1'400'000),
         laws::PromotionNamed{chess::Color::black, chess::Kind::knight}}};
    const std::string text = scenario_text("g", script, inputs);
    CHECK(text.find("{\"at\": 1000.088, \"lift\": \"e2\"}") != std::string::npos);
    CHECK(text.find("{\"at\": 1200.000, \"place\": \"e4\"}") != std::string::npos);
    CHECK(text.find("{\"at\": 1300.000, \"press\": \"white\"}") != std::string::npos);
    CHECK(text.find("\"promote\": {\"side\": \"black\", \"to\": \"n\"}") != std::string::npos);
    CHECK(text.find("\"at\": 0.000") == std::string::npos);
    CHECK(text.find("\"moves\": [\"e2e4\"]") != std::string::npos);
}
