// event_feed.hpp - short ways to tell a referee what happened, for tests
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/laws/referee.hpp"

namespace touchmove::laws::testing {

[[nodiscard]] inline Square sq(std::string_view name) {
    return Square::parse(name).value();
}

/// Appends after a space, where there is something to keep apart from.
inline void add_word(std::string& text, std::string_view word) {
    if (!text.empty()) text += ' ';
    text += word;
}

/// A referee with a clock of the test's own, and all decisions so far.
struct Feed {
    Referee referee;
    DeviceTime now{};
    std::vector<Decision> decisions = {};

    explicit Feed(Rules rules = {}, GameSetup setup = {}) : referee(rules, std::move(setup)) {}

    Feed& after(int ms) {
        now += Millis{ms};
        return *this;
    }
    Feed& say(const Input& what) {
        referee.input(now, what);
        return collect();
    }
    Feed& lift(std::string_view square) { return say(SquareLifted{sq(square)}); }
    Feed& place(std::string_view square) { return say(SquarePlaced{sq(square)}); }
    Feed& press(Color side) { return say(LeverPressed{side}); }
    /// Nothing happens for so long.
    Feed& quiet(int ms) {
        now += Millis{ms};
        referee.advance(now);
        return collect();
    }
    Feed& collect() {
        for (auto& d : referee.take_decisions())
            decisions.push_back(std::move(d));
        return *this;
    }
    [[nodiscard]] std::string moves() const {
        std::string text;
        for (const auto& m : referee.moves())
            add_word(text, m.uci());
        return text;
    }
    /// What was published, in order; "!" before a correction.
    [[nodiscard]] std::string published() const {
        std::string text;
        for (const auto& d : decisions) {
            const auto* first = std::get_if<MovePublished>(&d.what);
            const auto* again = std::get_if<MoveCorrected>(&d.what);
            if (!first && !again) continue;
            add_word(text, again ? "!" : "");
            text += (first ? first->move : again->move).uci();
        }
        return text;
    }
    [[nodiscard]] std::string reports() const {
        std::string text;
        for (const auto& r : referee.reports()) {
            add_word(text, name_of(r.kind));
            text.append(":").append(r.article);
        }
        return text;
    }
};

[[nodiscard]] inline GameSetup from(std::string_view fen) {
    GameSetup setup;
    setup.start = chess::Position::parse_fen(fen).value();
    return setup;
}

}  // namespace touchmove::laws::testing
