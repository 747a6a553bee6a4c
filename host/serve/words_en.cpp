// words_en.cpp - decisions in English
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/words_en.hpp"

namespace touchmove::serve {

static_assert(in_order(english_phrases));

constinit const Words english_words{
    .phrases = english_phrases,
    .white = {"White", "White", "White's"},
    .black = {"Black", "Black", "Black's"},
    .unknown = {"A player", "a player", "a player's"},
    .unknown_other = {"The opponent", "the opponent", "the opponent's"},
    .minutes = {"{n} minute", "", "{n} minutes"},
    .seconds = {"{n} second", "", "{n} seconds"},
    .half_moves = {"{n} half-move", "", "{n} half-moves"},
};

}  // namespace touchmove::serve
