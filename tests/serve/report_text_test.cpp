// report_text_test.cpp - every decision has a sentence in every language, and it is of that
// language SPDX-License-Identifier: Apache-2.0
#include "host/serve/report_text.hpp"

#include <catch2/catch.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "host/serve/words.hpp"

namespace {

using namespace touchmove;
using laws::Color;
using laws::Report;
using laws::ReportKind;
using serve::Language;
using serve::Phrase;

struct Case {
    ReportKind kind;
    std::vector<const char*> articles;
};

// What tests/scenarios/FORMAT.md lists, and an article that nobody knows.
const std::vector<Case> cases = {
    {ReportKind::touch_move, {"4.3.1", "4.3.2", "4.3.3", "4.4.1", "4.4.2", "4.4.3"}},
    {ReportKind::released, {"4.7", "4.7.2"}},
    {ReportKind::illegal_move, {"7.5.1"}},
    {ReportKind::pawn_not_exchanged, {"7.5.2"}},
    {ReportKind::press_without_move, {"7.5.3"}},
    {ReportKind::adjust_not_permitted, {"4.2.1", "6.2.5"}},
    {ReportKind::two_hands, {"4.1"}},
    {ReportKind::accidental, {"4.2.2"}},
    {ReportKind::displaced, {"7.4", "7.6"}},
    {ReportKind::out_of_turn, {"1.2", "7.4"}},
    {ReportKind::ambiguous, {"4.7", "7.6"}},
    {ReportKind::promotion_choice, {"3.7.3.3"}},
    {ReportKind::setup_suspect, {"7.2", "7.3"}},
    {ReportKind::claim_correct, {"9.2", "9.3"}},
    {ReportKind::claim_wrong, {"9.5"}},
    {ReportKind::claim_refused, {"9.4", "5.2.3", "9.1", "9.2", "9.3", "6.8"}},
    {ReportKind::result_signal, {"5.1.2", "5.2.3"}},
    {ReportKind::flag, {"6.3.1", "6.9"}},
    {ReportKind::arbiter,
     {"6.9", "9.5", "7.5.1", "4.4.3", "5.1.1", "5.1.2", "5.2.1", "A.5.4", "no such article"}},
};

std::string uci(laws::Move move) {
    return move.uci();
}

laws::Square sq(const char* name) {
    return *laws::Square::parse(name);
}
laws::Move mv(const char* text) {
    return *laws::Move::parse_uci(text);
}

bool has_cyrillic(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == 0xD0 || byte == 0xD1;
    });
}

// Latin letters that are no square, no move and no unit of a template.
std::string latin_words(std::string text) {
    text = std::regex_replace(text, std::regex("[a-h][1-8]([a-h][1-8][qrbn]?)?"), "");
    std::string found;
    for (const char c : text) {
        if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) found += c;
    }
    return found;
}

// It is a sentence, and one of that language.
void check_language(const std::string& text, Language language) {
    INFO(text);
    REQUIRE_FALSE(text.empty());
    CHECK(text.find('{') == std::string::npos);
    CHECK(text.find("  ") == std::string::npos);
    CHECK(text.front() != ' ');
    switch (language) {
        case Language::en:
            CHECK(std::all_of(text.begin(), text.end(), [](char c) { return c > 0; }));
            break;
        case Language::ru:
            CHECK(has_cyrillic(text));
            CHECK(latin_words(text).empty());
            break;
        case Language::pl:
            CHECK_FALSE(has_cyrillic(text));
            break;
    }
}

}  // namespace

TEST_CASE("every kind of report under every article has a sentence in every language",
          "[serve][language]") {
    for (const auto& each : cases) {
        for (const auto* article : each.articles) {
            std::set<std::string> texts;
            for (const auto language : serve::languages) {
                for (const auto side : {std::optional<Color>{}, std::optional{Color::white},
                                        std::optional{Color::black}}) {
                    Report report{.kind = each.kind, .article = article, .side = side};
                    check_language(serve::sentence(report, uci, language), language);
                    report.squares = {sq("a2"), sq("c7")};
                    report.duty = {mv("a2a3"), mv("a2a4")};
                    report.candidates = {mv("c7c6"), mv("c7c5")};
                    report.penalty = laws::Penalty{.opponent_extra = Millis{120'000}};
                    const auto text = serve::sentence(report, uci, language);
                    check_language(text, language);
                    texts.insert(text);
                    // What the report holds is in it.
                    CHECK(text.find("a2a3") < text.find("a2a4"));
                    CHECK(text.find("a2a4") != std::string::npos);
                    CHECK(text.find(" 2 ") != std::string::npos);
                }
            }
            INFO(laws::name_of(each.kind) << " " << article);
            CHECK(texts.size() >= 9);  // sides and languages all differ: the penalty names a side
        }
    }
}

TEST_CASE("a sentence names the squares, the candidates and both sides", "[serve][language]") {
    for (const auto language : serve::languages) {
        const auto& words = serve::words_of(language);
        const auto has = [](const std::string& text, std::string_view part) {
            INFO(text << " / " << part);
            CHECK(text.find(part) != std::string::npos);
        };
        const auto touched = serve::sentence({.kind = ReportKind::touch_move,
                                              .article = "4.3.1",
                                              .side = Color::black,
                                              .squares = {sq("c8")}},
                                             uci, language);
        has(touched, words.black.nominative.substr(1));  // begins a sentence, or not
        has(touched, words.white.nominative);
        has(touched, "c8");
        const auto asked = serve::sentence({.kind = ReportKind::ambiguous,
                                            .article = "4.7",
                                            .candidates = {mv("e4d5"), mv("e4f5")}},
                                           uci, language);
        has(asked, "e4d5");
        has(asked, "e4f5");
        for (const auto kind :
             {ReportKind::displaced, ReportKind::out_of_turn, ReportKind::illegal_move,
              ReportKind::setup_suspect, ReportKind::result_signal}) {
            has(serve::sentence({.kind = kind,
                                 .article = "7.4",
                                 .side = Color::white,
                                 .squares = {sq("e2"), sq("c3")}},
                                uci, language),
                "(e2, c3)");
        }
        has(serve::sentence({.kind = ReportKind::pawn_not_exchanged,
                             .article = "7.5.2",
                             .side = Color::white,
                             .squares = {sq("a8")}},
                            uci, language),
            "a8");
        has(serve::sentence({.kind = ReportKind::promotion_choice,
                             .article = "3.7.3.3",
                             .side = Color::white,
                             .squares = {sq("a8")}},
                            uci, language),
            words.white.genitive);
        has(serve::sentence({.kind = ReportKind::flag, .article = "6.9", .side = Color::black}, uci,
                            language),
            language == Language::en ? words.black.nominative : words.black.genitive);
    }
}

TEST_CASE("what is long is counted, not listed", "[serve][language]") {
    Report report{.kind = ReportKind::ambiguous, .article = "4.7"};
    for (unsigned file = 0; file < 8; ++file) {
        report.candidates.emplace_back(laws::Square(0, 0), laws::Square(file, 1));
        report.candidates.emplace_back(laws::Square(0, 0), laws::Square(file, 2));
    }
    const auto text = serve::sentence(report, uci, Language::en);
    CHECK(text ==
          "More than one move fits what was seen: a1a2, a1a3, a1b2, a1b3, a1c2, a1c3, "
          "a1d2, a1d3 or 8 more.");
    check_language(serve::sentence(report, uci, Language::ru), Language::ru);
}

TEST_CASE("every result has its words in every language", "[serve][language]") {
    using laws::Score;
    for (const auto language : serve::languages) {
        std::set<std::string> texts;
        for (const auto* reason :
             {"checkmate", "resignation", "stalemate", "dead_position", "agreement", "time",
              "illegal_moves", "threefold", "fifty", "fivefold", "seventyfive"}) {
            for (const auto score :
                 {Score::white_wins, Score::black_wins, Score::draw, Score::open_to_arbiter}) {
                const auto text = serve::sentence({score, reason, "6.9", false}, language);
                check_language(text, language);
                CHECK(text.find("6.9)") != std::string::npos);
                CHECK(text.find(reason) ==
                      (language == Language::en ? text.find(reason) : std::string::npos));
                texts.insert(text);
            }
        }
        CHECK(texts.size() == 44);
    }
    CHECK(serve::sentence({Score::white_wins, "checkmate", "5.1.1", false}, Language::en) ==
          "White wins by checkmate (Article 5.1.1)");
    CHECK(serve::sentence({Score::draw, "time", "6.9", false}, Language::en) ==
          "Draw: time, but the opponent cannot mate (Article 6.9)");
}

TEST_CASE("nothing is left in another language, and no phrase is said twice", "[serve][language]") {
    for (std::size_t i = 0; i < serve::phrase_count; ++i) {
        const auto phrase = static_cast<Phrase>(i);
        if (phrase == Phrase::list_more) continue;  // "{n}" and a word
        std::set<std::string_view> texts;
        for (const auto language : serve::languages)
            texts.insert(serve::text_of(language, phrase));
        INFO(serve::text_of(Language::en, phrase));
        CHECK(texts.size() == serve::languages.size());
    }
}

TEST_CASE("numbers take the form that the language gives them", "[serve][language]") {
    const auto form = [](Language language, std::uint64_t n) {
        return serve::plural_form(language, serve::Plural{"one", "few", "many"}, n);
    };
    using Row = std::array<const char*, 3>;  // English, Russian, Polish
    const std::vector<std::pair<std::uint64_t, Row>> rows = {
        {0, {"many", "many", "many"}},   {1, {"one", "one", "one"}},
        {2, {"many", "few", "few"}},     {4, {"many", "few", "few"}},
        {5, {"many", "many", "many"}},   {11, {"many", "many", "many"}},
        {12, {"many", "many", "many"}},  {14, {"many", "many", "many"}},
        {20, {"many", "many", "many"}},  {21, {"many", "one", "many"}},
        {22, {"many", "few", "few"}},    {25, {"many", "many", "many"}},
        {101, {"many", "one", "many"}},  {111, {"many", "many", "many"}},
        {112, {"many", "many", "many"}}, {122, {"many", "few", "few"}},
    };
    for (const auto& [n, row] : rows) {
        INFO(n);
        CHECK(form(Language::en, n) == row[0]);
        CHECK(form(Language::ru, n) == row[1]);
        CHECK(form(Language::pl, n) == row[2]);
    }
    // Each language has words of its own for all that it counts.
    for (const auto language : serve::languages) {
        const auto& words = serve::words_of(language);
        for (const auto& noun : {words.minutes, words.seconds, words.half_moves}) {
            std::set<std::string_view> forms{noun.one, noun.many};
            if (language != Language::en) forms.insert(noun.few);
            CHECK(forms.size() == (language == Language::en ? 2U : 3U));
            for (const auto each : forms)
                CHECK(each.find("{n} ") == 0);
        }
    }
}

TEST_CASE("a penalty is told in minutes, or in seconds where they are no whole minutes",
          "[serve][language]") {
    const auto told = [](int ms) {
        Report report{.kind = ReportKind::claim_wrong, .article = "9.5", .side = Color::white};
        report.penalty = laws::Penalty{.opponent_extra = Millis{ms}};
        return serve::sentence(report, uci, Language::en);
    };
    const std::string claim = "The claim of a draw by White is not correct. Penalty: Black gets ";
    CHECK(told(60'000) == claim + "1 minute more.");
    CHECK(told(120'000) == claim + "2 minutes more.");
    CHECK(told(90'000) == claim + "90 seconds more.");
    CHECK(told(1000) == claim + "1 second more.");
}

TEST_CASE("how a move is known is told where it was not simply seen", "[serve][language]") {
    using laws::Evidence;
    using laws::PieceEvidence;
    laws::RecordedMove move{.move = mv("e4d5")};
    CHECK_FALSE(serve::is_worth_telling(move));
    for (const auto language : serve::languages) {
        CHECK(serve::evidence_note(move, language).empty());
        for (const auto evidence :
             {Evidence::capture_inferred, Evidence::unseen, Evidence::chosen, Evidence::told}) {
            laws::RecordedMove other{.move = mv("a7a8q"), .evidence = evidence};
            check_language(serve::evidence_note(other, language), language);
            CHECK(serve::is_worth_telling(other) == (evidence != Evidence::told));
            const auto alone = serve::evidence_note(other, language).size();
            other.piece_evidence = PieceEvidence::deduced;
            check_language(serve::evidence_note(other, language), language);
            CHECK(serve::evidence_note(other, language).size() > alone);
            CHECK(serve::is_worth_telling(other));
        }
        for (const auto piece : {PieceEvidence::named, PieceEvidence::deduced}) {
            const laws::RecordedMove other{.move = mv("a7a8q"), .piece_evidence = piece};
            check_language(serve::evidence_note(other, language), language);
            CHECK(serve::is_worth_telling(other) == (piece == PieceEvidence::deduced));
        }
        check_language(serve::shortened_note(12, language), language);
        check_language(serve::corrected_note(language), language);
        check_language(serve::piece_known_note(language), language);
    }
    CHECK(serve::shortened_note(1, Language::en) ==
          "The record has 1 half-move now; the rest was taken back");
}

TEST_CASE("languages are known by their codes, and times are those of the game", "[serve]") {
    for (const auto language : serve::languages)
        CHECK(serve::language_of(serve::name_of(language)) == language);
    CHECK_FALSE(serve::language_of("de"));
    CHECK_FALSE(serve::language_of(""));
    CHECK(serve::game_time_text(device_time(3'723'999'999)) == "1:02:03");
    CHECK(serve::game_time_text(device_time(0)) == "0:00:00");
}
