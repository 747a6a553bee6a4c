// command.cpp - what the arbiter's console asks of the daemon
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/command.hpp"

#include <fmt/core.h>

#include <boost/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace touchmove::serve {
namespace {

namespace json = boost::json;
using laws::Color;

constexpr std::size_t max_command_bytes = 4096;
constexpr std::size_t max_depth = 3;
constexpr std::size_t max_text_bytes = 200;
constexpr std::int64_t max_clock_ms = 100LL * 3600 * 1000;

Error bad(std::string sentence) {
    return {std::errc::invalid_argument, std::move(sentence)};
}

// The members of one command. Each accessor remembers the first thing that was wrong, so that a
// command is read in one go and judged at the end.
class Reader {
  public:
    explicit Reader(const json::object& members) : members_(members) {}

    std::string text(const char* key, bool required = true) {
        const auto* value = find(key, required);
        if (value == nullptr) return {};
        const auto* string = value->if_string();
        if (string == nullptr) return fail(fmt::format("\"{}\" must be a string.", key)), "";
        if (string->size() > max_text_bytes) {
            return fail(fmt::format("\"{}\" is longer than {} bytes.", key, max_text_bytes)), "";
        }
        for (const char c : *string) {
            if (static_cast<unsigned char>(c) < 0x20) {
                return fail(fmt::format("\"{}\" holds a control character.", key)), "";
            }
        }
        return {string->data(), string->size()};
    }

    std::int64_t number(const char* key, std::int64_t low, std::int64_t high) {
        const auto* value = find(key, true);
        if (value == nullptr) return low;
        const auto* whole = value->if_int64();
        if (whole == nullptr || *whole < low || *whole > high) {
            fail(fmt::format("\"{}\" must be a whole number from {} to {}.", key, low, high));
            return low;
        }
        return *whole;
    }

    Color side(const char* key = "side") {
        const auto name = text(key);
        if (name == "white") return Color::white;
        if (name == "black") return Color::black;
        fail(fmt::format("\"{}\" must be \"white\" or \"black\".", key));
        return Color::white;
    }

    // "arbiter" is nobody's side.
    std::optional<Color> side_or_arbiter(const char* key) {
        const auto name = text(key);
        if (name == "white") return Color::white;
        if (name == "black") return Color::black;
        if (name != "arbiter") {
            fail(fmt::format("\"{}\" must be \"white\", \"black\" or \"arbiter\".", key));
        }
        return std::nullopt;
    }

    std::optional<laws::Move> move(const char* key, bool required) {
        if (find(key, required) == nullptr) return std::nullopt;
        const auto name = text(key);
        const auto found = laws::Move::parse_uci(name);
        if (!found) fail(fmt::format("\"{}\" must be a move such as \"e2e4\" or \"a7a8q\".", key));
        return found;
    }

    chess::Kind promoted_to(const char* key) {
        const auto letter = text(key);
        if (letter == "q") return chess::Kind::queen;
        if (letter == "r") return chess::Kind::rook;
        if (letter == "b") return chess::Kind::bishop;
        if (letter == "n") return chess::Kind::knight;
        if (letter == "p") return chess::Kind::pawn;
        fail(fmt::format("\"{}\" must be one of \"q\", \"r\", \"b\", \"n\", \"p\".", key));
        return chess::Kind::queen;
    }

    laws::ClaimKind claim(const char* key) {
        const auto what = text(key);
        if (what == "threefold") return laws::ClaimKind::threefold;
        if (what == "fifty") return laws::ClaimKind::fifty;
        fail(fmt::format("\"{}\" must be \"threefold\" or \"fifty\".", key));
        return laws::ClaimKind::threefold;
    }

    void fail(std::string sentence) {
        if (error_.empty()) error_ = std::move(sentence);
    }

    // What was wrong; members that nobody asked for are.
    std::string finish() {
        if (error_.empty() && used_.size() != members_.size())
            error_ = "A member is not known here.";
        return error_;
    }

  private:
    const json::value* find(const char* key, bool required) {
        const auto* value = members_.if_contains(key);
        if (value == nullptr && required) fail(fmt::format("\"{}\" is missing.", key));
        if (value != nullptr) used_.insert(key);
        return value;
    }

    const json::object& members_;
    std::string error_;
    std::set<std::string_view> used_;
};

// What the verb asks for; nothing if it is not known.
std::optional<decltype(Command::what)> read_verb(std::string_view verb, Reader& read) {
    using laws::Input;
    if (verb == "adjust") return Input{laws::AdjustAnnounced{read.side()}};
    if (verb == "adjust_end") return Input{laws::AdjustEnded{read.side()}};
    if (verb == "offer") return Input{laws::DrawOffered{read.side()}};
    if (verb == "accept") return Input{laws::DrawAccepted{read.side()}};
    if (verb == "decline") return Input{laws::DrawDeclined{read.side()}};
    if (verb == "resign") return Input{laws::Resigned{read.side()}};
    if (verb == "claim") {
        const auto side = read.side();
        const auto what = read.claim("what");
        return Input{laws::DrawClaimed{side, what, read.move("move", false)}};
    }
    if (verb == "pause") return Input{laws::ClocksPaused{read.side_or_arbiter("by")}};
    if (verb == "resume") return Input{laws::ClocksResumed{read.side_or_arbiter("by")}};
    if (verb == "promote") {
        const auto side = read.side();
        return Input{laws::PromotionNamed{side, read.promoted_to("to")}};
    }
    if (verb == "choose") {
        const auto move = read.move("move", true);
        return Input{laws::MoveChosen{move.value_or(laws::Move(laws::Square(0), laws::Square(1)))}};
    }
    if (verb == "uphold") {
        const auto side = read.side();
        return Input{laws::ClaimUpheld{side, read.text("article")}};
    }
    if (verb == "restored") return Input{laws::PositionRestored{}};
    if (verb == "correct_clock") {
        const auto side = read.side();
        return Input{laws::ClockCorrected{side, Millis{read.number("left_ms", 0, max_clock_ms)}}};
    }
    if (verb == "flag") return Input{laws::FlagFell{read.side()}};
    if (verb == "new_game") {
        NewGame game;
        game.white = read.text("white", false);
        game.black = read.text("black", false);
        game.event = read.text("event", false);
        game.round = read.text("round", false);
        return game;
    }
    return std::nullopt;
}

}  // namespace

Result<Command> parse_command(std::string_view text) {
    if (text.size() > max_command_bytes) {
        return bad(fmt::format("A command is at most {} bytes long.", max_command_bytes));
    }
    json::parse_options options;
    options.max_depth = max_depth;
    boost::system::error_code failed;
    const auto value = json::parse({text.data(), text.size()}, failed, {}, options);
    if (failed) return bad("The command is not JSON: " + failed.message() + ".");
    const auto* members = value.if_object();
    if (members == nullptr) return bad("A command is a JSON object.");

    Reader read(*members);
    const auto id = read.number("id", 0, std::int64_t{1} << 53U);
    auto board = read.text("board");
    const auto verb = read.text("do");
    auto what = read_verb(verb, read);
    if (!what) read.fail("\"do\" is not a known command.");
    auto wrong = read.finish();
    if (!wrong.empty()) return bad(std::move(wrong));
    return Command{id, std::move(board), std::move(*what)};
}

}  // namespace touchmove::serve
