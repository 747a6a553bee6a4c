// scenario.cpp - a game's inputs as a scenario file for `touchmove referee`
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/scenario.hpp"

#include <variant>

#include <fmt/format.h>

namespace touchmove::verify {
namespace {

std::string_view name_of(chess::Color side) {
    return side == chess::Color::white ? "white" : "black";
}

char letter_of(chess::Kind kind) { return "pnbrqk"[static_cast<std::size_t>(kind)]; }

/// The key and value of an event; empty for inputs that scenarios have no word for.
struct EventText {
    std::string operator()(const laws::SquareLifted& e) const {
        return fmt::format("\"lift\": \"{}\"", e.square.name());
    }
    std::string operator()(const laws::SquarePlaced& e) const {
        return fmt::format("\"place\": \"{}\"", e.square.name());
    }
    std::string operator()(const laws::LeverPressed& e) const { return sided("press", e.side); }
    std::string operator()(const laws::AdjustAnnounced& e) const { return sided("adjust", e.side); }
    std::string operator()(const laws::AdjustEnded& e) const { return sided("adjust_end", e.side); }
    std::string operator()(const laws::DrawOffered& e) const { return sided("offer", e.side); }
    std::string operator()(const laws::DrawAccepted& e) const { return sided("accept", e.side); }
    std::string operator()(const laws::Resigned& e) const { return sided("resign", e.side); }
    std::string operator()(const laws::PromotionNamed& e) const {
        return fmt::format("\"promote\": {{\"side\": \"{}\", \"to\": \"{}\"}}", name_of(e.side),
                           letter_of(e.kind));
    }
    template <class Other>
    std::string operator()(const Other&) const {
        return {};
    }

    static std::string sided(std::string_view key, chess::Color side) {
        return fmt::format("\"{}\": \"{}\"", key, name_of(side));
    }
};

}  // namespace

std::string scenario_text(const std::string& id, const bench::Script& script,
                          std::span<const TimedInput> inputs) {
    std::string events;
    for (const TimedInput& input : inputs) {
        const std::string text = std::visit(EventText{}, input.what);
        if (text.empty()) continue;
        const std::int64_t us = to_us(input.at);
        events += fmt::format("{}\n  {{\"at\": {}.{:03}, {}}}", events.empty() ? "" : ",",
                              us / 1000, us % 1000, text);
    }
    std::string moves;
    for (const chess::Move move : script.moves) {
        moves += fmt::format("{}\"{}\"", moves.empty() ? "" : ", ", move.uci());
    }
    return fmt::format(
        "[{{\"id\": \"{}\", \"title\": \"From touchmove-sim verify\", \"start\": \"{}\",\n"
        " \"events\": [{}],\n \"expect\": {{\"moves\": [{}]}}}}]\n",
        id, script.start.fen(), events, moves);
}

}  // namespace touchmove::verify
