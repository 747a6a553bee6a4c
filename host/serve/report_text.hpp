// report_text.hpp - what a report or a result says, in one English sentence
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "host/laws/decision.hpp"

namespace touchmove::serve {

/// How a move is written, "Nf3" or "g1f3": the caller knows the position.
using MoveName = std::function<std::string(laws::Move)>;

/// For the arbiter: facts, what is due, what it costs. The article is not repeated.
[[nodiscard]] std::string sentence(const laws::Report& report, const MoveName& name);

/// "White wins by checkmate (Article 5.1.1)".
[[nodiscard]] std::string sentence(const laws::GameResult& result);

}  // namespace touchmove::serve
