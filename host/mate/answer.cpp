// answer.cpp - answers in words
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/answer.hpp"

#include <fmt/format.h>

namespace touchmove::mate {
namespace {

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
            case Proof::blockade:
                return "never: blockade";
            case Proof::layers:
                return fmt::format("never: blockade of {} layers", answer.size);
            case Proof::projection:
                return fmt::format("never: projection on {} positions", answer.size);
            case Proof::closure:
                return fmt::format("never: closure of {} positions", answer.size);
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
