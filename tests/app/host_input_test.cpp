// host_input_test.cpp - what people say is read back from the journal as they said it
// SPDX-License-Identifier: Apache-2.0
#include "host/app/host_input.hpp"

#include <catch2/catch.hpp>

using namespace touchmove;
using namespace touchmove::app;
using chess::Color;

TEST_CASE("every input that a person can give survives the journal", "[app]") {
    const auto e2e4 = chess::Move::parse_uci("e2e4").value();
    const std::vector<laws::Input> inputs{
        laws::AdjustAnnounced{Color::white},
        laws::AdjustEnded{Color::black},
        laws::DrawOffered{Color::white},
        laws::DrawAccepted{Color::black},
        laws::DrawDeclined{Color::white},
        laws::Resigned{Color::black},
        laws::DrawClaimed{Color::white, laws::ClaimKind::threefold, e2e4},
        laws::DrawClaimed{Color::black, laws::ClaimKind::fifty, std::nullopt},
        laws::ClocksPaused{std::nullopt},
        laws::ClocksPaused{Color::white},
        laws::ClocksResumed{std::nullopt},
        laws::ClocksResumed{Color::black},
        laws::PromotionNamed{Color::white, chess::Kind::knight},
        laws::PromotionNamed{Color::black, chess::Kind::pawn},
        laws::MoveChosen{e2e4},
        laws::ClaimUpheld{Color::white, "4.3.1"},
        laws::PositionRestored{},
        laws::ClockCorrected{Color::black, Millis{123456}},
        laws::FlagFell{Color::white},
        laws::FlagFell{Color::black},
    };
    std::vector<std::string> texts;
    for (const auto& input : inputs) {
        const std::string text = to_json(HostSaid{input});
        INFO(text);
        const auto again = parse_host_input(text);
        REQUIRE(again);
        REQUIRE(std::holds_alternative<laws::Input>(*again));
        CHECK(std::get<laws::Input>(*again).index() == input.index());
        CHECK(to_json(*again) == text);
        texts.push_back(text);
    }
    // Different inputs have different texts, so nothing of them is dropped.
    std::sort(texts.begin(), texts.end());
    CHECK(std::adjacent_find(texts.begin(), texts.end()) == texts.end());
}

TEST_CASE("a new game carries its configuration", "[app]") {
    GameConfig config;
    config.event = "Club";
    const auto again = parse_host_input(to_json(GameBegun{config}));
    REQUIRE(again);
    REQUIRE(std::holds_alternative<GameBegun>(*again));
    CHECK(std::get<GameBegun>(*again).config.event == "Club");
}

TEST_CASE("what cannot be read is refused with a sentence", "[app]") {
    for (const char* text : {"", "7", "{", "{}", R"({"do":"sneeze"})", R"({"do":"resign"})",
                             R"({"do":"new_game"})", R"({"do":"new_game","game":{}})"}) {
        INFO(text);
        const auto read = parse_host_input(text);
        REQUIRE_FALSE(read);
        CHECK_FALSE(read.error().message().empty());
    }
}
