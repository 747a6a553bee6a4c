// words.cpp - the tables of the languages, and which form of a noun a number takes
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/words.hpp"

namespace touchmove::serve {

const Words& words_of(Language language) noexcept {
    switch (language) {
        case Language::en:
            break;
        case Language::ru:
            return russian_words;
        case Language::pl:
            return polish_words;
    }
    return english_words;
}

std::string_view text_of(Language language, Phrase phrase) noexcept {
    return words_of(language).phrases[static_cast<std::size_t>(phrase)].text;
}

std::string_view plural_form(Language language, const Plural& noun, std::uint64_t n) noexcept {
    if (language == Language::en) return n == 1 ? noun.one : noun.many;
    // Eleven to nineteen go with the many, whatever they end in.
    const auto last = n % 10;
    const bool teens = n % 100 / 10 == 1;
    const bool is_one = language == Language::ru ? last == 1 && !teens : n == 1;
    if (is_one) return noun.one;
    return last >= 2 && last <= 4 && !teens ? noun.few : noun.many;
}

}  // namespace touchmove::serve
