// console_client_test.cpp - what the simulated players say is what the console understands
// SPDX-License-Identifier: Apache-2.0
#include "sim/app/console_client.hpp"

#include <catch2/catch.hpp>

#include "host/serve/command.hpp"

using namespace touchmove;
using bench::Said;
using chess::Color;

namespace {

serve::Command read_back(const app::Spoken& what) {
    auto command = serve::parse_command(app::console_command(7, "TM-SIM-1", what));
    REQUIRE(command);
    CHECK(command->id == 7);
    CHECK(command->board == "TM-SIM-1");
    return *std::move(command);
}

template <class Input>
Input input(const Said& said) {
    return std::get<Input>(std::get<laws::Input>(read_back(said).what));
}

}  // namespace

TEST_CASE("the console reads what the players say", "[sim][app]") {
    const auto game = std::get<serve::NewGame>(read_back(app::GameNamed{"A \"B\"", "C"}).what);
    CHECK(game.white == "A \"B\"");
    CHECK(game.black == "C");
    for (const Color side : {Color::white, Color::black}) {
        CHECK(input<laws::Resigned>({0, Said::What::resigns, side}).side == side);
        CHECK(input<laws::DrawOffered>({0, Said::What::offers_draw, side}).side == side);
        CHECK(input<laws::DrawAccepted>({0, Said::What::accepts_draw, side}).side == side);
        for (const auto kind :
             {chess::Kind::queen, chess::Kind::rook, chess::Kind::bishop, chess::Kind::knight}) {
            const auto named =
                input<laws::PromotionNamed>({0, Said::What::promoted_piece, side, kind});
            CHECK(named.side == side);
            CHECK(named.kind == kind);
        }
    }
}
