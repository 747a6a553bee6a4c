// report_text.hpp - what a decision says, in one sentence of the language chosen
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "host/base/time.hpp"
#include "host/laws/decision.hpp"
#include "host/serve/language.hpp"

namespace touchmove::serve {

/// How a move is written, "Nf3" or "g1f3": the caller knows the position.
using MoveName = std::function<std::string(laws::Move)>;

/// For the arbiter: facts, what is due, what it costs. The article is not repeated.
[[nodiscard]] std::string sentence(const laws::Report& report, const MoveName& name,
                                   Language language);

/// "White wins by checkmate (Article 5.1.1)".
[[nodiscard]] std::string sentence(const laws::GameResult& result, Language language);

/// How the referee knows the move, as far as it did not see it: no full sentence, no capital.
/// Empty where there is nothing to say.
[[nodiscard]] std::string evidence_note(const laws::RecordedMove& move, Language language);

/// Whether whoever reads the record should know: what a selector named, and the moves that a game
/// was set up with, are as good as seen.
[[nodiscard]] bool is_worth_telling(const laws::RecordedMove& move) noexcept;

// What else can be told of the record.
[[nodiscard]] std::string corrected_note(Language language);
[[nodiscard]] std::string piece_known_note(Language language);
[[nodiscard]] std::string shortened_note(std::size_t half_moves, Language language);

/// Time since the game began, "1:02:03".
[[nodiscard]] std::string game_time_text(DeviceTime at);

}  // namespace touchmove::serve
