// words.hpp - what a language brings along to say what the referee decided
// SPDX-License-Identifier: Apache-2.0
//
// Which phrase says what, and with which squares, moves and times, is settled once, in
// report_text.cpp. A language is a table: one template for each phrase, the names of the sides in
// the cases that its templates ask for, and its plurals. The table does not compile unless it has
// every phrase, in the order of the enum, and each with the arguments that English has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "host/serve/language.hpp"

namespace touchmove::serve {

/// A number behind the name is the article, of the 2023 edition, for which the phrase stands.
enum class Phrase : std::uint8_t {
    touch_move,
    touch_move_4_3_3,
    touch_move_4_4_1,
    touch_move_4_4_2,
    touch_move_4_4_3,
    released,
    released_4_7_2,
    illegal_move,
    pawn_not_exchanged,
    press_without_move,
    adjust_not_permitted,
    adjust_not_permitted_6_2_5,
    two_hands,
    accidental,
    displaced,
    displaced_7_6,
    out_of_turn,
    ambiguous,
    promotion_choice,
    setup_suspect,
    setup_suspect_7_3,
    claim_correct,
    claim_correct_9_3,
    claim_wrong,
    claim_refused,
    claim_refused_9_4,
    claim_refused_5_2_3,
    claim_refused_6_8,
    claim_refused_9_1,
    result_signal,
    flag,
    flag_6_3_1,
    arbiter,
    arbiter_6_9,
    arbiter_9_5,
    arbiter_7_5_1,
    arbiter_4_4_3,
    arbiter_5_1_1,
    arbiter_5_1_2,
    arbiter_5_2_1,
    arbiter_A_5_4,
    due,
    penalty_time,
    penalty_loss,
    penalty_draw,
    white_wins,
    black_wins,
    draw,
    draw_no_mate,  ///< of what would have lost, had the opponent been able to mate
    arbiter_decides,
    by_checkmate,
    by_resignation,
    by_stalemate,
    by_dead_position,
    by_agreement,
    by_time,
    by_illegal_moves,
    by_threefold,
    by_fifty,
    by_fivefold,
    by_seventyfive,
    evidence_capture_inferred,
    evidence_unseen,
    evidence_chosen,
    evidence_told,
    evidence_piece_named,
    evidence_piece_deduced,
    evidence_piece_open,
    record_corrected,
    record_piece_known,
    record_shortened,
    on_squares,  ///< becomes {on}
    list_and,    ///< between the last two of a list
    list_or,
    list_more,  ///< instead of the rest of a long list
    count
};
inline constexpr std::size_t phrase_count = static_cast<std::size_t>(Phrase::count);

struct PhraseText {
    Phrase phrase;
    std::string_view text;
};
using PhraseTable = std::array<PhraseText, phrase_count>;

/// A side in the cases that the templates use. The verbs of the Slavic tables are plurals, since
/// white and black are ("belye", "biale"); `unknown` stands where a report names no side.
struct SideName {
    std::string_view capital;     ///< begins a sentence
    std::string_view nominative;  ///< within one
    std::string_view genitive;    ///< whose: "White's"
};

/// The forms of a counted noun, with its number as "{n}".
struct Plural {
    std::string_view one;   ///< 1; Russian also 21, 31, ...
    std::string_view few;   ///< Russian and Polish: 2 to 4, 22 to 24, ...
    std::string_view many;  ///< the others; English has no `few`
};

struct Words {
    PhraseTable phrases;
    SideName white;
    SideName black;
    SideName unknown;        ///< the player, whoever it is
    SideName unknown_other;  ///< the opponent of whom nobody is named
    Plural minutes;          ///< as objects: "gets {n} minutes"
    Plural seconds;
    Plural half_moves;  ///< after "in the record"
};

[[nodiscard]] const Words& words_of(Language language) noexcept;
[[nodiscard]] std::string_view text_of(Language language, Phrase phrase) noexcept;

/// Which form of a counted noun a language uses with `n`.
[[nodiscard]] std::string_view plural_form(Language language, const Plural& noun,
                                           std::uint64_t n) noexcept;

extern const Words english_words;
extern const Words russian_words;
extern const Words polish_words;

/// Whether a table has each phrase at its place.
[[nodiscard]] consteval bool in_order(const PhraseTable& table) {
    for (std::size_t i = 0; i < table.size(); ++i) {
        if (table[i].phrase != static_cast<Phrase>(i) || table[i].text.empty()) return false;
    }
    return true;
}

}  // namespace touchmove::serve
