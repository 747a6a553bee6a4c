// answer.cpp - answers in words
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/answer.hpp"

#include <fmt/format.h>

namespace touchmove::mate {
namespace {

/// ", Ke1 only on d1 e1" for each man that has a choice.
std::string walks(const std::vector<Confined>& invariant) {
    std::string text;
    for (const auto& [man, from, squares] : invariant) {
        if (chess::one_bit(squares)) continue;
        const char letter = chess::kind_letters[static_cast<std::size_t>(man.kind)];
        const bool black = man.color == chess::Color::black;
        text += fmt::format(", {}{} only on", black ? static_cast<char>(letter | 0x20) : letter,
                            from.name());
        for (const chess::Square square : chess::squares(squares))
            text += ' ' + square.name();
    }
    return text;
}

struct InWords {
    std::string operator()(const Winnable& answer) const {
        if (answer.line.empty()) return "has mated";
        std::string text = "mates by";
        for (const chess::Move move : answer.line)
            text += ' ' + move.uci();
        return text;
    }
    std::string operator()(const Unwinnable& answer) const {
        switch (answer.proof) {
            case Proof::ended:
                return "never: no legal move is left";
            case Proof::material:
                return "never: not with these men";
            case Proof::forced:
                return fmt::format("never: forced moves through {} positions", answer.size);
            case Proof::blockade:
                return "never: blockade" + walks(answer.invariant);
            case Proof::layers:
                return fmt::format("never: blockade of {} layers", answer.size);
            case Proof::projection:
                return fmt::format("never: projection on {} positions", answer.size);
            case Proof::closure:
                return fmt::format("never: closure of {} position{}", answer.size,
                                   answer.size == 1 ? "" : "s");
        }
        return {};
    }
    std::string operator()(const Undecided& answer) const {
        return fmt::format("undecided after {} positions", answer.positions);
    }
};

}  // namespace

std::string describe(const Answer& answer) {
    return std::visit(InWords{}, answer);
}

}  // namespace touchmove::mate
