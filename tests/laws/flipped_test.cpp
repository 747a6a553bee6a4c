// flipped_test.cpp - with the colours changed, every scenario gives the changed decisions
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "host/laws/scenario.hpp"

namespace {

namespace json = boost::json;
using namespace touchmove;

constexpr std::string_view initial_fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

char other_case(char c) {
    const auto u = static_cast<unsigned char>(c);
    return static_cast<char>(std::isupper(u) != 0 ? std::tolower(u) : std::toupper(u));
}

std::string flipped_square(std::string name) {
    name[1] = static_cast<char>('1' + '8' - name[1]);
    return name;
}

/// "e2e4", "a7a8q", "a7a8?"; also a single square.
std::string flipped_move(const std::string& uci) {
    std::string flipped = flipped_square(uci.substr(0, 2));
    if (uci.size() >= 4) flipped += flipped_square(uci.substr(2, 2)) + uci.substr(4);
    return flipped;
}

std::string flipped_board(const std::string& board) {
    std::vector<std::string> ranks(1);
    for (const char c : board) {
        if (c == '/')
            ranks.emplace_back();
        else
            ranks.back() += other_case(c);
    }
    std::reverse(ranks.begin(), ranks.end());
    std::string flipped = ranks.front();
    for (std::size_t i = 1; i < ranks.size(); ++i)
        flipped += '/' + ranks[i];
    return flipped;
}

std::string flipped_castling(const std::string& rights) {
    std::string flipped;
    for (const char c : std::string("KQkq")) {
        if (rights.find(other_case(c)) != std::string::npos) flipped += c;
    }
    return flipped.empty() ? "-" : flipped;
}

std::string flipped_fen(const std::string& fen) {
    const auto end_of_board = fen.find(' ');
    if (end_of_board == std::string::npos) return flipped_board(fen);
    std::smatch part;
    REQUIRE(std::regex_match(fen, part, std::regex(R"((\S+) ([wb]) (\S+) (\S+)(.*))")));
    const std::string passed = part[4] == "-" ? "-" : flipped_square(part[4]);
    return flipped_board(part[1]) + (part[2] == "w" ? " b " : " w ") + flipped_castling(part[3]) +
           ' ' + passed + std::string(part[5]);
}

std::string flipped_text(const std::string& key, const std::string& text) {
    static const std::regex move("([a-h][1-8]){1,2}[qrbn?]?");
    if (text == "white") return "black";
    if (text == "black") return "white";
    if (text == "1-0") return "0-1";
    if (text == "0-1") return "1-0";
    if (key == "start" || key == "fen" || key == "board") return flipped_fen(text);
    if (key != "id" && key != "title" && std::regex_match(text, move)) return flipped_move(text);
    return text;
}

/// In the order in which the referee lists them: moves by their text, squares from a1 on by ranks,
/// but the two of an illegal move as it went.
void sort_list(const std::string& key, json::array& list) {
    const auto by_text = [](const json::value& a, const json::value& b) {
        return a.as_string() < b.as_string();
    };
    const auto by_square = [](const json::value& a, const json::value& b) {
        const auto& x = a.as_string();
        const auto& y = b.as_string();
        return std::pair(x[1], x[0]) < std::pair(y[1], y[0]);
    };
    if (key == "duty" || key == "candidates") std::sort(list.begin(), list.end(), by_text);
    if (key == "squares") std::sort(list.begin(), list.end(), by_square);
}

json::value flipped(const std::string& key, const json::value& value) {
    if (value.is_string()) return json::string(flipped_text(key, std::string(value.get_string())));
    if (value.is_array()) {
        json::array out;
        for (const auto& entry : value.get_array())
            out.push_back(flipped(key, entry));
        sort_list(key, out);
        return out;
    }
    if (value.is_object()) {
        json::object out;
        for (const auto& [name, member] : value.get_object()) {
            const std::string text(name);
            out[flipped_text("", text)] = flipped(text, member);
        }
        const auto* kind = out.if_contains("kind");
        auto* squares = out.if_contains("squares");
        const bool illegal = kind != nullptr && *kind == "illegal_move";
        if (illegal && squares != nullptr && squares->as_array().size() == 2) {
            json::array as_it_went;
            for (const auto& square : value.at("squares").as_array())
                as_it_went.emplace_back(flipped_square(std::string(square.as_string())));
            *squares = std::move(as_it_went);
        }
        return out;
    }
    return value;
}

/// Where the Laws themselves tell White from Black: the array from which White begins (7.2, 7.3),
/// and the half-moves that it takes until both have moved (5.2.3).
bool knows_white(const json::object& scenario) {
    const auto* reports = scenario.at("expect").as_object().if_contains("reports");
    if (reports == nullptr) return false;
    const auto& list = reports->as_array();
    return std::any_of(list.begin(), list.end(), [](const json::value& report) {
        return report.at("kind") == "setup_suspect" ||
               (report.at("kind") == "claim_refused" && report.at("article") == "5.2.3");
    });
}

}  // namespace

TEST_CASE("flipping twice changes nothing", "[laws]") {
    CHECK(flipped_fen(std::string(initial_fen)) ==
          "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
    const std::string fen = "r3k2r/1P6/8/3pP3/8/8/8/4K2R w Kq d6 3 9";
    CHECK(flipped_fen(fen) == "4k2r/8/8/8/3Pp3/8/1p6/R3K2R b Qk d3 3 9");
    CHECK(flipped_fen(flipped_fen(fen)) == fen);
    CHECK(flipped_move("a7b8q") == "a2b1q");
}

TEST_CASE("every scenario with its colours flipped ends in the flipped decisions", "[laws]") {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(TOUCHMOVE_SCENARIOS)) {
        const auto& path = entry.path();
        if (path.extension() != ".json" || path.stem() == "disputed") continue;
        std::ifstream in(path, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const json::value file = json::parse(text);
        json::array all;
        for (const auto& value : file.as_array()) {
            json::object scenario = value.as_object();
            if (knows_white(scenario)) continue;
            if (!scenario.contains("start")) scenario["start"] = initial_fen;
            all.push_back(flipped("", scenario));
        }
        count += all.size();
        const auto outcomes = laws::run_scenarios(json::serialize(all));
        INFO(path.filename().string());
        REQUIRE(outcomes);
        for (const auto& outcome : *outcomes) {
            INFO(outcome.id << ", flipped: " << outcome.differs);
            CHECK(outcome.ok);
        }
    }
    CHECK(count > 400);
}
