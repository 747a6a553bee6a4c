// words_check.hpp - whether two languages say a phrase with the same arguments
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "host/serve/words.hpp"

namespace touchmove::serve {

/// "{side_gen}" and "{Side}" are the same argument in other cases: one bit for "side".
[[nodiscard]] consteval unsigned argument_bit(std::string_view name) {
    constexpr std::string_view known[] = {"side",   "other",   "on",         "at",
                                          "choice", "moves",   "time",       "n",
                                          "reason", "article", "half_moves", "squares"};
    if (name == "Side" || name == "side_gen") name = "side";
    for (unsigned bit = 0; bit < std::size(known); ++bit) {
        if (known[bit] == name) return 1U << bit;
    }
    throw "an argument that no phrase is given";  // no constant: does not compile
}

/// The arguments of a template, each at most once in it.
[[nodiscard]] consteval unsigned arguments_of(std::string_view text) {
    unsigned found = 0;
    for (auto open = text.find('{'); open != std::string_view::npos; open = text.find('{', open)) {
        const auto close = text.find('}', open);
        if (close == std::string_view::npos) throw "an open brace";
        found |= argument_bit(text.substr(open + 1, close - open - 1));
        open = close;
    }
    return found;
}

[[nodiscard]] consteval bool same_arguments(const PhraseTable& a, const PhraseTable& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (arguments_of(a[i].text) != arguments_of(b[i].text)) return false;
    }
    return true;
}

}  // namespace touchmove::serve
