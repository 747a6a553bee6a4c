// command_test.cpp - the console's commands are read strictly
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/command.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace {

using namespace touchmove;
using serve::parse_command;

// `rest` holds the members that follow "do", quotes written as '.
Result<serve::Command> read(std::string rest) {
    for (char& c : rest)
        c = c == '\'' ? '"' : c;
    return parse_command(R"({"id":4,"board":"TM-0001","do":)" + rest + "}");
}

template <class T>
T input(const std::string& rest) {
    auto command = read(rest);
    INFO((command ? "" : command.error().message()));
    REQUIRE(command);
    CHECK(command->id == 4);
    CHECK(command->board == "TM-0001");
    return std::get<T>(std::get<laws::Input>(command->what));
}

std::string refusal(const std::string& text) {
    const auto command = parse_command(text);
    REQUIRE_FALSE(command);
    return command.error().message();
}

}  // namespace

TEST_CASE("each command becomes its input", "[serve]") {
    using laws::Color;
    CHECK(input<laws::Resigned>("'resign','side':'black'").side == Color::black);
    CHECK(input<laws::DrawOffered>("'offer','side':'white'").side == Color::white);
    CHECK(input<laws::DrawAccepted>("'accept','side':'white'").side == Color::white);
    CHECK(input<laws::DrawDeclined>("'decline','side':'white'").side == Color::white);
    CHECK(input<laws::AdjustAnnounced>("'adjust','side':'white'").side == Color::white);
    CHECK(input<laws::AdjustEnded>("'adjust_end','side':'white'").side == Color::white);
    const auto claim =
        input<laws::DrawClaimed>("'claim','side':'white','what':'threefold','move':'g1f3'");
    CHECK(claim.what == laws::ClaimKind::threefold);
    CHECK(claim.move == laws::Move::parse_uci("g1f3"));
    CHECK_FALSE(input<laws::DrawClaimed>("'claim','side':'white','what':'fifty'").move);
    CHECK_FALSE(input<laws::ClocksPaused>("'pause','by':'arbiter'").by);
    CHECK(input<laws::ClocksResumed>("'resume','by':'black'").by == Color::black);
    const auto named = input<laws::PromotionNamed>("'promote','side':'black','to':'n'");
    CHECK(named.side == Color::black);
    CHECK(named.kind == chess::Kind::knight);
    CHECK(input<laws::MoveChosen>("'choose','move':'a7a8q'").move.uci() == "a7a8q");
    const auto upheld = input<laws::ClaimUpheld>("'uphold','side':'white','article':'4.3.1'");
    CHECK(upheld.article == "4.3.1");
    (void)input<laws::PositionRestored>("'restored'");
    CHECK(input<laws::ClockCorrected>("'correct_clock','side':'white','left_ms':61000").left ==
          Millis{61'000});
    CHECK(input<laws::FlagFell>("'flag','side':'black'").side == Color::black);
    const auto fresh = read("'new_game','white':'Ada','round':'3'");
    REQUIRE(fresh);
    CHECK(std::get<serve::NewGame>(fresh->what).white == "Ada");
    CHECK(std::get<serve::NewGame>(fresh->what).black.empty());
}

TEST_CASE("what is missing, unknown or of the wrong type is named", "[serve]") {
    CHECK(refusal("").find("not JSON") != std::string::npos);
    CHECK(refusal("{\"id\":1").find("not JSON") != std::string::npos);
    CHECK(refusal("[]") == "A command is a JSON object.");
    CHECK(refusal("{}") == "\"id\" is missing.");
    CHECK(refusal(R"({"id":1.5})") == "\"id\" must be a whole number from 0 to 9007199254740992.");
    CHECK(refusal(R"({"id":-1})").find("\"id\" must be") == 0);
    CHECK(refusal(R"({"id":1,"do":"restored"})") == "\"board\" is missing.");
    CHECK(refusal(R"({"id":1,"board":7,"do":"restored"})") == "\"board\" must be a string.");
    CHECK(refusal(R"({"id":1,"board":"b","do":"castle"})") == "\"do\" is not a known command.");
    CHECK(refusal(R"({"id":1,"board":"b","do":"restored","side":"white"})") ==
          "A member is not known here.");
    CHECK(refusal(R"({"id":1,"board":"b","do":"resign","side":"green"})") ==
          "\"side\" must be \"white\" or \"black\".");
    CHECK(refusal(R"({"id":1,"board":"b","do":"choose","move":"Nf3"})") ==
          "\"move\" must be a move such as \"e2e4\" or \"a7a8q\".");
    CHECK(
        refusal(R"({"id":1,"board":"b","do":"promote","side":"white","to":"k"})").find("\"to\"") ==
        0);
    CHECK(refusal(R"({"id":1,"board":"b","do":"correct_clock","side":"white","left_ms":-5})") ==
          "\"left_ms\" must be a whole number from 0 to 360000000.");
    CHECK(refusal(R"({"id":1,"board":"a\u0007b","do":"restored"})") ==
          "\"board\" holds a control character.");
    CHECK(refusal(R"({"id":1,"board":")" + std::string(300, 'x') + R"(","do":"restored"})") ==
          "\"board\" is longer than 200 bytes.");
    CHECK(refusal(std::string(5000, ' ')) == "A command is at most 4096 bytes long.");
    CHECK(refusal(std::string(100, '[')).find("not JSON") != std::string::npos);
}
