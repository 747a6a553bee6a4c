// material_test.cpp - the rules of thumb about men, and what breaks them
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/material.hpp"

#include <catch2/catch.hpp>
#include <string_view>

#include "host/chess/position.hpp"

using namespace touchmove;
using chess::Color;

namespace {

/// "WB", "W-", ...: who has the men to mate.
std::string who(std::string_view men) {
    const auto position = chess::Position::parse_fen(std::string(men) + " w - - 0 1");
    REQUIRE(position);
    std::string answer = "--";
    if (mate::material_can_mate(position->state(), Color::white)) answer[0] = 'W';
    if (mate::material_can_mate(position->state(), Color::black)) answer[1] = 'B';
    return answer;
}

}  // namespace

TEST_CASE("which men can make up a mate", "[mate]") {
    CHECK(who("8/8/8/4k3/8/8/8/4K3") == "--");
    CHECK(who("8/8/8/4k3/8/8/8/3NK3") == "--");
    CHECK(who("8/8/8/4k3/8/8/3B1B2/4K3") == "--");
    CHECK(who("8/8/8/4k3/8/8/8/1NNK4") == "W-");
    CHECK(who("8/8/8/4k3/8/8/4P3/4K3") == "W-");
    CHECK(who("8/2b5/8/4k3/8/8/5B2/4K3") == "--");
    CHECK(who("8/2b5/8/4k3/8/8/6B1/4K3") == "WB");
    CHECK(who("8/8/3r4/5k2/8/8/8/B3K3") == "-B");
    CHECK(who("8/8/3q4/5k2/8/8/8/3NK3") == "-B");
    CHECK(who("8/8/3r4/4k3/8/8/8/3NK3") == "WB");
    CHECK(who("8/8/3n4/5k2/8/8/8/B3K3") == "WB");
    CHECK(who("8/8/3p4/5k2/8/8/8/B3K3") == "WB");
}
