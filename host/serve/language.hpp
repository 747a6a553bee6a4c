// language.hpp - the languages in which decisions are explained
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace touchmove::serve {

enum class Language : std::uint8_t { en, ru, pl };

inline constexpr std::array languages{Language::en, Language::ru, Language::pl};

/// "en", "ru", "pl" (ISO 639-1): the words of the configuration file and of the page.
[[nodiscard]] constexpr std::string_view name_of(Language language) noexcept {
    constexpr std::string_view names[] = {"en", "ru", "pl"};
    return names[static_cast<std::size_t>(language)];
}
[[nodiscard]] constexpr std::optional<Language> language_of(std::string_view name) noexcept {
    for (const auto language : languages) {
        if (name_of(language) == name) return language;
    }
    return std::nullopt;
}

}  // namespace touchmove::serve
