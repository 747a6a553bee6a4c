// report_text.cpp - what a decision says, in one sentence of the language chosen
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/report_text.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "host/serve/words.hpp"

namespace touchmove::serve {
namespace {

using laws::Color;
using laws::Report;
using laws::ReportKind;

// More moves or squares than these are counted, not named.
constexpr std::size_t most_moves = 8;
constexpr std::size_t most_squares = 16;

/// Fills a language's templates.
class Speaker {
  public:
    explicit Speaker(Language language) : language_(language) {}

    void set(const char* name, std::string value) {
        arguments_.push_back(fmt::arg(name, std::move(value)));
    }
    [[nodiscard]] std::string say(Phrase phrase) const {
        return fmt::vformat(text_of(language_, phrase), arguments_);
    }

    [[nodiscard]] std::string list(const std::vector<std::string>& names, Phrase last_word,
                                   std::size_t most) const {
        const auto last = text_of(language_, last_word);
        std::string text;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i == most) {
                const auto more = text_of(language_, Phrase::list_more);
                text += last;
                return text += fmt::format(fmt::runtime(more), fmt::arg("n", names.size() - most));
            }
            if (i > 0) text += i + 1 == names.size() ? last : std::string_view(", ");
            text += names[i];
        }
        return text;
    }

    [[nodiscard]] std::string counted(const Plural& noun, std::uint64_t n) const {
        return fmt::format(fmt::runtime(plural_form(language_, noun, n)), fmt::arg("n", n));
    }

    /// Whole minutes as such, anything else in seconds.
    [[nodiscard]] std::string duration(Millis time) const {
        const auto& words = words_of(language_);
        const auto seconds = static_cast<std::uint64_t>(time.count()) / 1000;
        if (seconds % 60 != 0) return counted(words.seconds, seconds);
        return counted(words.minutes, seconds / 60);
    }

    void set_sides(std::optional<Color> side) {
        const auto& words = words_of(language_);
        const bool white = side == Color::white;
        const auto& name = !side ? words.unknown : white ? words.white : words.black;
        const auto& other = !side ? words.unknown_other : white ? words.black : words.white;
        set("Side", std::string(name.capital));
        set("side", std::string(name.nominative));
        set("side_gen", std::string(name.genitive));
        set("other", std::string(other.nominative));
    }

  private:
    Language language_;
    fmt::dynamic_format_arg_store<fmt::format_context> arguments_;
};

std::vector<std::string> names_of(const std::vector<laws::Move>& moves, const MoveName& name) {
    std::vector<std::string> names;
    for (const auto move : moves)
        names.push_back(name(move));
    return names;
}

Phrase touch_move_phrase(const Report& report) {
    if (report.article == "4.3.3") return Phrase::touch_move_4_3_3;
    if (report.article == "4.4.1") return Phrase::touch_move_4_4_1;
    if (report.article == "4.4.2") return Phrase::touch_move_4_4_2;
    if (report.article == "4.4.3") return Phrase::touch_move_4_4_3;
    return Phrase::touch_move;
}

Phrase refusal_phrase(const Report& report) {
    if (report.article == "9.4") return Phrase::claim_refused_9_4;
    if (report.article == "5.2.3") return Phrase::claim_refused_5_2_3;
    if (report.article == "9.1") return Phrase::claim_refused_9_1;
    if (report.article == "6.8") return Phrase::claim_refused_6_8;
    return Phrase::claim_refused;
}

Phrase question_phrase(const Report& report) {
    constexpr std::pair<std::string_view, Phrase> questions[] = {
        {"6.9", Phrase::arbiter_6_9},     {"9.5", Phrase::arbiter_9_5},
        {"7.5.1", Phrase::arbiter_7_5_1}, {"4.4.3", Phrase::arbiter_4_4_3},
        {"5.1.1", Phrase::arbiter_5_1_1}, {"5.2.1", Phrase::arbiter_5_2_1},
        {"A.5.4", Phrase::arbiter_A_5_4}, {"5.1.2", Phrase::arbiter_5_1_2},
    };
    for (const auto& [article, phrase] : questions) {
        if (article == report.article) return phrase;
    }
    return Phrase::arbiter;
}

Phrase phrase_for(const Report& report) {
    const auto either = [&](std::string_view article, Phrase then, Phrase otherwise) {
        return report.article == article ? then : otherwise;
    };
    switch (report.kind) {
        case ReportKind::touch_move:
            return touch_move_phrase(report);
        case ReportKind::released:
            return either("4.7.2", Phrase::released_4_7_2, Phrase::released);
        case ReportKind::illegal_move:
            return Phrase::illegal_move;
        case ReportKind::pawn_not_exchanged:
            return Phrase::pawn_not_exchanged;
        case ReportKind::press_without_move:
            return Phrase::press_without_move;
        case ReportKind::adjust_not_permitted:
            return either("6.2.5", Phrase::adjust_not_permitted_6_2_5,
                          Phrase::adjust_not_permitted);
        case ReportKind::two_hands:
            return Phrase::two_hands;
        case ReportKind::accidental:
            return Phrase::accidental;
        case ReportKind::displaced:
            return either("7.6", Phrase::displaced_7_6, Phrase::displaced);
        case ReportKind::out_of_turn:
            return Phrase::out_of_turn;
        case ReportKind::ambiguous:
            return Phrase::ambiguous;
        case ReportKind::promotion_choice:
            return Phrase::promotion_choice;
        case ReportKind::setup_suspect:
            return either("7.3", Phrase::setup_suspect_7_3, Phrase::setup_suspect);
        case ReportKind::claim_correct:
            return either("9.3", Phrase::claim_correct_9_3, Phrase::claim_correct);
        case ReportKind::claim_wrong:
            return Phrase::claim_wrong;
        case ReportKind::claim_refused:
            return refusal_phrase(report);
        case ReportKind::result_signal:
            return Phrase::result_signal;
        case ReportKind::flag:
            return either("6.3.1", Phrase::flag_6_3_1, Phrase::flag);
        case ReportKind::arbiter:
            return question_phrase(report);
    }
    return Phrase::arbiter;
}

std::optional<Phrase> penalty_phrase(const Report& report) {
    if (!report.penalty) return std::nullopt;
    using Outcome = laws::Penalty::Outcome;
    if (report.penalty->outcome == Outcome::loss) return Phrase::penalty_loss;
    if (report.penalty->outcome == Outcome::draw) return Phrase::penalty_draw;
    if (report.penalty->opponent_extra) return Phrase::penalty_time;
    return std::nullopt;
}

Phrase reason_phrase(std::string_view reason) {
    constexpr std::pair<std::string_view, Phrase> reasons[] = {
        {"checkmate", Phrase::by_checkmate},
        {"resignation", Phrase::by_resignation},
        {"stalemate", Phrase::by_stalemate},
        {"dead_position", Phrase::by_dead_position},
        {"agreement", Phrase::by_agreement},
        {"time", Phrase::by_time},
        {"illegal_moves", Phrase::by_illegal_moves},
        {"threefold", Phrase::by_threefold},
        {"fifty", Phrase::by_fifty},
        {"fivefold", Phrase::by_fivefold},
        {"seventyfive", Phrase::by_seventyfive},
    };
    for (const auto& [word, phrase] : reasons) {
        if (word == reason) return phrase;
    }
    return Phrase::count;
}

Phrase score_phrase(laws::Score score, Phrase reason) {
    switch (score) {
        case laws::Score::white_wins:
            return Phrase::white_wins;
        case laws::Score::black_wins:
            return Phrase::black_wins;
        case laws::Score::draw:
            break;
        case laws::Score::open_to_arbiter:
            return Phrase::arbiter_decides;
    }
    const bool would_have_lost = reason == Phrase::by_time || reason == Phrase::by_resignation ||
                                 reason == Phrase::by_illegal_moves;
    return would_have_lost ? Phrase::draw_no_mate : Phrase::draw;
}

}  // namespace

std::string sentence(const Report& report, const MoveName& name, Language language) {
    Speaker speaker(language);
    speaker.set_sides(report.side);
    std::vector<std::string> squares;
    for (const auto square : report.squares)
        squares.push_back(square.name());
    speaker.set("squares", speaker.list(squares, Phrase::list_and, most_squares));
    speaker.set("on", squares.empty() ? std::string{} : speaker.say(Phrase::on_squares));
    std::string at;
    for (const auto& square : squares)
        at += (at.empty() ? " (" : ", ") + square;
    speaker.set("at", at.empty() ? at : at + ')');
    const auto candidates =
        speaker.list(names_of(report.candidates, name), Phrase::list_or, most_moves);
    speaker.set("choice", candidates.empty() ? candidates : ": " + candidates);
    std::string text = speaker.say(phrase_for(report));

    if (!report.duty.empty()) {
        speaker.set("moves",
                    speaker.list(names_of(report.duty, name), Phrase::list_or, most_moves));
        text += speaker.say(Phrase::due);
    }
    if (const auto phrase = penalty_phrase(report)) {
        speaker.set("time", speaker.duration(report.penalty->opponent_extra.value_or(Millis{0})));
        text += speaker.say(*phrase);
    }
    return text;
}

std::string sentence(const laws::GameResult& result, Language language) {
    Speaker speaker(language);
    const auto reason = reason_phrase(result.reason);
    speaker.set("reason", reason == Phrase::count ? result.reason : speaker.say(reason));
    speaker.set("article", result.article);
    return speaker.say(score_phrase(result.score, reason));
}

std::string evidence_note(const laws::RecordedMove& move, Language language) {
    std::string note;
    const auto add = [&](Phrase phrase) {
        if (!note.empty()) note += "; ";
        note += text_of(language, phrase);
    };
    switch (move.evidence) {
        case laws::Evidence::seen:
            break;
        case laws::Evidence::capture_inferred:
            add(Phrase::evidence_capture_inferred);
            break;
        case laws::Evidence::unseen:
            add(Phrase::evidence_unseen);
            break;
        case laws::Evidence::chosen:
            add(Phrase::evidence_chosen);
            break;
        case laws::Evidence::told:
            add(Phrase::evidence_told);
            break;
    }
    if (!move.kind_known) add(Phrase::evidence_piece_open);
    switch (move.piece_evidence) {
        case laws::PieceEvidence::none:
            break;
        case laws::PieceEvidence::named:
            add(Phrase::evidence_piece_named);
            break;
        case laws::PieceEvidence::deduced:
            add(Phrase::evidence_piece_deduced);
            break;
    }
    return note;
}

bool is_worth_telling(const laws::RecordedMove& move) noexcept {
    const bool as_seen =
        move.evidence == laws::Evidence::seen || move.evidence == laws::Evidence::told;
    return !as_seen || !move.kind_known || move.piece_evidence == laws::PieceEvidence::deduced;
}

std::string corrected_note(Language language) {
    return std::string(text_of(language, Phrase::record_corrected));
}

std::string piece_known_note(Language language) {
    return std::string(text_of(language, Phrase::record_piece_known));
}

std::string shortened_note(std::size_t half_moves, Language language) {
    Speaker speaker(language);
    speaker.set("half_moves", speaker.counted(words_of(language).half_moves, half_moves));
    return speaker.say(Phrase::record_shortened);
}

std::string game_time_text(DeviceTime at) {
    const auto seconds = to_us(at) / 1'000'000;
    return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

}  // namespace touchmove::serve
