// host_input.cpp - what people said through the host's interfaces, as text in the journal
// SPDX-License-Identifier: Apache-2.0
#include "host/app/host_input.hpp"

#include <boost/json.hpp>
#include <cassert>
#include <utility>

#include "host/serve/command.hpp"

namespace touchmove::app {
namespace {

namespace json = boost::json;
using chess::Color;

std::string_view side_name(Color side) { return side == Color::white ? "white" : "black"; }
std::string_view side_name(std::optional<Color> side) {
    return side ? side_name(*side) : std::string_view("arbiter");
}

std::string_view letter_of(chess::Kind kind) {
    switch (kind) {
        case chess::Kind::queen: return "q";
        case chess::Kind::rook: return "r";
        case chess::Kind::bishop: return "b";
        case chess::Kind::knight: return "n";
        case chess::Kind::pawn:
        case chess::Kind::king: return "p";
    }
    return "p";
}

json::object verb(std::string_view what) { return {{"do", what}}; }
json::object verb(std::string_view what, Color side) {
    return {{"do", what}, {"side", side_name(side)}};
}

struct ToJson {
    json::object operator()(const laws::AdjustAnnounced& i) const { return verb("adjust", i.side); }
    json::object operator()(const laws::AdjustEnded& i) const { return verb("adjust_end", i.side); }
    json::object operator()(const laws::DrawOffered& i) const { return verb("offer", i.side); }
    json::object operator()(const laws::DrawAccepted& i) const { return verb("accept", i.side); }
    json::object operator()(const laws::DrawDeclined& i) const { return verb("decline", i.side); }
    json::object operator()(const laws::Resigned& i) const { return verb("resign", i.side); }
    json::object operator()(const laws::DrawClaimed& i) const {
        json::object out = verb("claim", i.side);
        out["what"] = i.what == laws::ClaimKind::threefold ? "threefold" : "fifty";
        if (i.move) out["move"] = i.move->uci();
        return out;
    }
    json::object operator()(const laws::ClocksPaused& i) const {
        return {{"do", "pause"}, {"by", side_name(i.by)}};
    }
    json::object operator()(const laws::ClocksResumed& i) const {
        return {{"do", "resume"}, {"by", side_name(i.by)}};
    }
    json::object operator()(const laws::PromotionNamed& i) const {
        json::object out = verb("promote", i.side);
        out["to"] = letter_of(i.kind);
        return out;
    }
    json::object operator()(const laws::MoveChosen& i) const {
        return {{"do", "choose"}, {"move", i.move.uci()}};
    }
    json::object operator()(const laws::ClaimUpheld& i) const {
        json::object out = verb("uphold", i.side);
        out["article"] = i.article;
        return out;
    }
    json::object operator()(const laws::PositionRestored&) const { return verb("restored"); }
    json::object operator()(const laws::ClockCorrected& i) const {
        json::object out = verb("correct_clock", i.side);
        out["left_ms"] = i.left.count();
        return out;
    }
    json::object operator()(const laws::FlagFell& i) const { return verb("flag", i.side); }
    template <class Sensed>
    json::object operator()(const Sensed&) const {
        assert(!"sensor events are journalled as the records they came in");
        return {};
    }
};

Error unreadable(std::string_view why) {
    return {std::errc::bad_message,
            std::string("a host input cannot be read: ") + std::string(why)};
}

}  // namespace

std::string to_json(const HostSaid& said) {
    if (const auto* begun = std::get_if<GameBegun>(&said)) {
        return json::serialize(json::object{{"do", "new_game"}, {"game", to_json(begun->config)}});
    }
    return json::serialize(std::visit(ToJson{}, std::get<laws::Input>(said)));
}

Result<HostSaid> parse_host_input(std::string_view text) {
    boost::system::error_code failed;
    json::value value = json::parse({text.data(), text.size()}, failed);
    if (failed || !value.is_object()) return unreadable("it is no JSON object");
    json::object& object = value.as_object();
    const json::value* what = object.if_contains("do");
    if (what != nullptr && what->is_string() && what->as_string() == "new_game") {
        const json::value* game = object.if_contains("game");
        if (game == nullptr || !game->is_object())
            return unreadable("a new game without its rules");
        auto config = game_config_from_json(game->as_object());
        if (!config) return unreadable(config.error().message());
        return HostSaid{GameBegun{*std::move(config)}};
    }
    // The rest is a console command without its address.
    object["id"] = 0;
    object["board"] = "";
    auto command = serve::parse_command(json::serialize(object));
    if (!command) return unreadable(command.error().message());
    return HostSaid{std::get<laws::Input>(std::move(command->what))};
}

}  // namespace touchmove::app
