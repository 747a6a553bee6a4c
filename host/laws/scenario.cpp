// scenario.cpp - pieces of games at the board, and what the Laws make of them
// SPDX-License-Identifier: Apache-2.0
#include "host/laws/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>

#include "host/laws/referee.hpp"

namespace touchmove::laws {
namespace {

namespace json = boost::json;
using chess::Kind;

/// Thrown inside this file only, caught in run_scenarios(): a scenario that cannot be understood.
struct BadScenario {
    std::string why;
};

[[noreturn]] void bad(std::string why) {
    throw BadScenario{std::move(why)};
}

const json::object& as_object(const json::value& v, std::string_view what) {
    if (!v.is_object()) bad(fmt::format("{} is not an object", what));
    return v.get_object();
}
const json::array& as_array(const json::value& v, std::string_view what) {
    if (!v.is_array()) bad(fmt::format("{} is not an array", what));
    return v.get_array();
}
std::string as_text(const json::value& v, std::string_view what) {
    if (!v.is_string()) bad(fmt::format("{} is not a string", what));
    return std::string(v.get_string());
}
/// Times and counts: whole, not negative, and small enough to be multiplied by a thousand.
std::int64_t as_number(const json::value& v, std::string_view what) {
    if (!v.is_int64() || v.get_int64() < 0 ||
        v.get_int64() > std::numeric_limits<std::int64_t>::max() / 1'000'000) {
        bad(fmt::format("{} is not a whole number from 0 on", what));
    }
    return v.get_int64();
}

/// Milliseconds from time 0, with up to three decimals (microseconds).
DeviceTime as_time(const json::value& v, std::string_view what) {
    constexpr double longest_ms = 1e12;
    if (v.is_double() && v.get_double() >= 0 && v.get_double() <= longest_ms) {
        return DeviceTime{Micros{std::llround(v.get_double() * 1000)}};
    }
    return DeviceTime{Millis{as_number(v, what)}};
}

Color as_side(const json::value& v, std::string_view what) {
    const auto text = as_text(v, what);
    if (text == "white") return Color::white;
    if (text == "black") return Color::black;
    bad(fmt::format("{} is '{}', neither white nor black", what, text));
}
Square as_square(const json::value& v, std::string_view what) {
    const auto text = as_text(v, what);
    const auto square = Square::parse(text);
    if (!square) bad(fmt::format("{} names no square: '{}'", what, text));
    return *square;
}
Move as_move(const json::value& v, std::string_view what) {
    const auto text = as_text(v, what);
    const auto move = Move::parse_uci(text);
    if (!move) bad(fmt::format("{} is not a move in UCI form: '{}'", what, text));
    return *move;
}
Kind as_kind(const json::value& v, std::string_view what) {
    const auto text = as_text(v, what);
    constexpr std::string_view letters = "pnbrqk";
    const auto at = text.size() == 1 ? letters.find(text.front()) : std::string_view::npos;
    if (at == std::string_view::npos) bad(fmt::format("{} names no piece: '{}'", what, text));
    return static_cast<Kind>(at);
}

template <class T>
T one_of(const json::value& v, std::string_view what,
         std::initializer_list<std::pair<std::string_view, T>> choices) {
    const auto text = as_text(v, what);
    for (const auto& [name, value] : choices) {
        if (text == name) return value;
    }
    bad(fmt::format("{} has the unknown value '{}'", what, text));
}

Rules read_rules(const json::object& s) {
    Rules rules;
    if (const auto* v = s.if_contains("laws")) {
        rules.edition = one_of<Edition>(*v, "laws",
                                        {{"2014", Edition::y2014},
                                         {"2017", Edition::y2017},
                                         {"2018", Edition::y2018},
                                         {"2023", Edition::y2023}});
    }
    if (const auto* v = s.if_contains("class")) {
        rules.time_class = one_of<TimeClass>(*v, "class",
                                             {{"standard", TimeClass::standard},
                                              {"rapid", TimeClass::rapid},
                                              {"blitz", TimeClass::blitz}});
    }
    if (const auto* v = s.if_contains("supervision")) {
        rules.supervision = one_of<Supervision>(
            *v, "supervision", {{"full", Supervision::full}, {"limited", Supervision::limited}});
    }
    if (const auto* v = s.if_contains("flag_observer")) {
        if (!v->is_bool()) bad("flag_observer is not true or false");
        rules.flag_observer = v->get_bool();
    }
    if (const auto* v = s.if_contains("levers")) {
        if (!v->is_bool()) bad("levers is not true or false");
        rules.has_levers = v->get_bool();
    }
    if (const auto* v = s.if_contains("release_ms"))
        rules.release_ms = Millis{as_number(*v, "release_ms")};
    return rules;
}

ClockSetup read_clock(const json::value& value) {
    const auto& c = as_object(value, "clock");
    ClockSetup clock;
    if (const auto* v = c.if_contains("mode")) {
        clock.mode = one_of<ClockMode>(*v, "clock.mode",
                                       {{"none", ClockMode::none},
                                        {"sudden", ClockMode::sudden},
                                        {"fischer", ClockMode::fischer},
                                        {"delay", ClockMode::delay},
                                        {"bronstein", ClockMode::bronstein}});
    }
    if (const auto* v = c.if_contains("periods")) {
        for (const auto& entry : as_array(*v, "clock.periods")) {
            const auto& p = as_object(entry, "a clock period");
            ClockPeriod period{std::nullopt, Millis{0}};
            if (const auto* n = p.if_contains("moves")) {
                period.moves = static_cast<unsigned>(as_number(*n, "clock.periods.moves"));
            }
            if (const auto* n = p.if_contains("base_ms"))
                period.base = Millis{as_number(*n, "base_ms")};
            clock.periods.push_back(period);
        }
    }
    if (const auto* v = c.if_contains("extra_ms")) clock.extra = Millis{as_number(*v, "extra_ms")};
    if (const auto* v = c.if_contains("left_ms")) {
        for (const Color side : {Color::white, Color::black}) {
            const auto* n =
                as_object(*v, "left_ms").if_contains(side == Color::white ? "white" : "black");
            if (n) clock.left[chess::index_of(side)] = Millis{as_number(*n, "left_ms")};
        }
    }
    if (const auto* v = c.if_contains("running"); v && !v->is_null())
        clock.running = as_side(*v, "running");
    return clock;
}

GameSetup read_setup(const json::object& s) {
    GameSetup setup;
    if (const auto* v = s.if_contains("start")) {
        auto position = chess::Position::parse_fen(as_text(*v, "start"));
        if (!position) bad(fmt::format("start: {}", position.error().message()));
        setup.start = *position;
    }
    if (const auto* v = s.if_contains("before")) {
        auto position = setup.start;
        for (const auto& m : as_array(*v, "before")) {
            const Move move = as_move(m, "before");
            if (!position.is_legal(move)) bad(fmt::format("before: {} is not legal", move.uci()));
            position.make(move);
            setup.before.push_back(move);
        }
    }
    if (const auto* v = s.if_contains("offences")) {
        const auto& o = as_object(*v, "offences");
        if (const auto* n = o.if_contains("white"))
            setup.offences[0] = static_cast<unsigned>(as_number(*n, "offences"));
        if (const auto* n = o.if_contains("black"))
            setup.offences[1] = static_cast<unsigned>(as_number(*n, "offences"));
    }
    if (const auto* v = s.if_contains("clock")) setup.clock = read_clock(*v);
    return setup;
}

/// Whether the clocks are stopped or restarted by a player or the arbiter.
std::optional<Color> as_side_or_arbiter(const json::value& v, std::string_view what) {
    if (v.is_string() && v.get_string() == "arbiter") return std::nullopt;
    return as_side(v, what);
}

Input read_event(const json::object& e) {
    if (const auto* v = e.if_contains("lift")) return SquareLifted{as_square(*v, "lift")};
    if (const auto* v = e.if_contains("place")) return SquarePlaced{as_square(*v, "place")};
    if (const auto* v = e.if_contains("press")) return LeverPressed{as_side(*v, "press")};
    if (const auto* v = e.if_contains("adjust")) return AdjustAnnounced{as_side(*v, "adjust")};
    if (const auto* v = e.if_contains("adjust_end")) return AdjustEnded{as_side(*v, "adjust_end")};
    if (const auto* v = e.if_contains("offer")) return DrawOffered{as_side(*v, "offer")};
    if (const auto* v = e.if_contains("accept")) return DrawAccepted{as_side(*v, "accept")};
    if (const auto* v = e.if_contains("decline")) return DrawDeclined{as_side(*v, "decline")};
    if (const auto* v = e.if_contains("resign")) return Resigned{as_side(*v, "resign")};
    if (const auto* v = e.if_contains("pause"))
        return ClocksPaused{as_side_or_arbiter(*v, "pause")};
    if (const auto* v = e.if_contains("resume"))
        return ClocksResumed{as_side_or_arbiter(*v, "resume")};
    if (const auto* v = e.if_contains("choose")) return MoveChosen{as_move(*v, "choose")};
    if (e.if_contains("restored")) return PositionRestored{};
    if (e.if_contains("wait")) return TimePassed{};
    if (e.if_contains("broken")) return SessionBroken{};
    if (const auto* v = e.if_contains("board")) {
        const auto seen = chess::Position::parse_fen(as_text(*v, "board") + " w - - 0 1");
        if (!seen) bad(fmt::format("board: {}", seen.error().message()));
        return BoardSeen{seen->occupied()};
    }
    if (const auto* v = e.if_contains("claim")) {
        const auto& c = as_object(*v, "claim");
        DrawClaimed claim{
            as_side(c.at("side"), "claim.side"),
            one_of<ClaimKind>(c.at("what"), "claim.what",
                              {{"threefold", ClaimKind::threefold}, {"fifty", ClaimKind::fifty}}),
            std::nullopt};
        if (const auto* m = c.if_contains("move"); m && !m->is_null())
            claim.move = as_move(*m, "claim.move");
        return claim;
    }
    if (const auto* v = e.if_contains("promote")) {
        const auto& p = as_object(*v, "promote");
        return PromotionNamed{as_side(p.at("side"), "promote.side"),
                              as_kind(p.at("to"), "promote.to")};
    }
    if (const auto* v = e.if_contains("flag")) return FlagFell{as_side(*v, "flag")};
    if (const auto* v = e.if_contains("correct_clock")) {
        const auto& c = as_object(*v, "correct_clock");
        return ClockCorrected{as_side(c.at("side"), "correct_clock.side"),
                              Millis{as_number(c.at("left_ms"), "correct_clock.left_ms")}};
    }
    if (const auto* v = e.if_contains("uphold")) {
        const auto& u = as_object(*v, "uphold");
        return ClaimUpheld{as_side(u.at("side"), "uphold.side"),
                           as_text(u.at("article"), "uphold.article")};
    }
    bad("an event has none of the known keys");
}

std::string_view text_of(Color side) {
    return side == Color::white ? "white" : "black";
}

json::array uci_list(const std::vector<Move>& moves) {
    std::vector<std::string> sorted;
    for (const Move m : moves)
        sorted.push_back(m.uci());
    std::sort(sorted.begin(), sorted.end());
    json::array out;
    for (auto& text : sorted)
        out.emplace_back(text);
    return out;
}

json::object to_json(const Report& report) {
    json::object out{{"kind", name_of(report.kind)}, {"article", report.article}};
    if (report.side) out["side"] = text_of(*report.side);
    if (!report.squares.empty()) {
        json::array squares;
        for (const Square s : report.squares)
            squares.emplace_back(s.name());
        out["squares"] = std::move(squares);
    }
    if (!report.duty.empty()) out["duty"] = uci_list(report.duty);
    if (!report.candidates.empty()) out["candidates"] = uci_list(report.candidates);
    if (report.penalty) {
        json::object penalty;
        if (report.penalty->opponent_extra)
            penalty["opponent_ms"] = report.penalty->opponent_extra->count();
        if (report.penalty->outcome == Penalty::Outcome::loss) penalty["result"] = "loss";
        if (report.penalty->outcome == Penalty::Outcome::draw) penalty["result"] = "draw";
        out["penalty"] = std::move(penalty);
    }
    return out;
}

json::object state_of(const Referee& referee, bool has_clock) {
    json::object got;
    json::array moves;
    for (const auto& m : referee.moves())
        moves.emplace_back(m.uci());
    got["moves"] = std::move(moves);
    json::array evidence;
    for (const auto& m : referee.moves())
        evidence.emplace_back(m.evidence_text());
    got["evidence"] = std::move(evidence);
    got["stories"] = referee.stories();
    if (!referee.moves().empty())
        got["last"] = referee.moves().back().completed ? "completed" : "made";
    got["turn"] = text_of(referee.turn());
    got["fen"] = referee.position().board_fen();
    json::array reports;
    for (const auto& r : referee.reports())
        reports.emplace_back(to_json(r));
    got["reports"] = std::move(reports);
    if (const auto& result = referee.result()) {
        got["result"] = json::object{{"score", name_of(result->score)},
                                     {"reason", result->reason},
                                     {"article", result->article},
                                     {"provisional", result->provisional}};
    } else {
        got["result"] = nullptr;
    }
    if (has_clock) {
        got["clock_ms"] = json::object{{"white", referee.clock_left(Color::white).count()},
                                       {"black", referee.clock_left(Color::black).count()}};
    }
    return got;
}

/// Every key of `want` stands in `got` with the same value; lists of reports match one by one.
std::string difference(const json::value& want, const json::value& got, const std::string& where) {
    if (want.is_object() && got.is_object()) {
        for (const auto& [key, value] : want.get_object()) {
            const auto* other = got.get_object().if_contains(key);
            const auto path = where.empty() ? std::string(key) : where + "." + std::string(key);
            if (!other)
                return fmt::format("{}: expected {}, got nothing", path, json::serialize(value));
            if (auto diff = difference(value, *other, path); !diff.empty()) return diff;
        }
        return {};
    }
    if (where == "reports" && want.is_array() && got.is_array()) {
        const auto& w = want.get_array();
        const auto& g = got.get_array();
        for (std::size_t i = 0; i < std::min(w.size(), g.size()); ++i) {
            if (auto diff = difference(w[i], g[i], fmt::format("reports[{}]", i)); !diff.empty())
                return diff;
        }
        if (w.size() != g.size()) {
            return fmt::format("reports: expected {}, got {}", json::serialize(want),
                               json::serialize(got));
        }
        return {};
    }
    if (want == got) return {};
    return fmt::format("{}: expected {}, got {}", where, json::serialize(want),
                       json::serialize(got));
}

ScenarioOutcome run(const json::object& s) {
    const auto setup = read_setup(s);
    Referee referee(read_rules(s), setup);
    DeviceTime last{};
    for (const auto& value : as_array(s.at("events"), "events")) {
        const auto& event = as_object(value, "an event");
        const DeviceTime at = as_time(event.at("at"), "at");
        if (at < last) bad("events are not in order of time");
        referee.input(at, read_event(event));
        last = at;
    }
    referee.advance(last);

    ScenarioOutcome outcome;
    outcome.id = as_text(s.at("id"), "id");
    const json::value got = state_of(referee, setup.clock.mode != ClockMode::none);
    outcome.differs = difference(s.at("expect"), got, "");
    outcome.ok = outcome.differs.empty();
    outcome.json =
        json::serialize(json::object{{"id", outcome.id}, {"ok", outcome.ok}, {"got", got}});
    return outcome;
}

}  // namespace

Result<std::vector<ScenarioOutcome>> run_scenarios(std::string_view text) {
    boost::system::error_code failed;
    const json::value root = json::parse(json::string_view(text.data(), text.size()), failed);
    if (failed)
        return Error(std::errc::invalid_argument, fmt::format("not JSON: {}", failed.message()));
    if (!root.is_array()) {
        return Error(std::errc::invalid_argument, "not a scenario file: the top level is no array");
    }
    std::vector<ScenarioOutcome> outcomes;
    for (const auto& entry : root.get_array()) {
        std::string id = fmt::format("scenario {}", outcomes.size() + 1);
        try {
            const auto& scenario = as_object(entry, "a scenario");
            if (const auto* v = scenario.if_contains("id"); v && v->is_string())
                id = v->get_string().c_str();
            outcomes.push_back(run(scenario));
        } catch (const BadScenario& e) {
            return Error(std::errc::invalid_argument, fmt::format("{}: {}", id, e.why));
        } catch (const std::out_of_range&) {
            return Error(std::errc::invalid_argument,
                         fmt::format("{}: a required key is missing", id));
        }
    }
    return outcomes;
}

Result<std::vector<ScenarioOutcome>> run_scenario_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::error_code ignored;
    if (!in || std::filesystem::is_directory(path, ignored))  // which opens, but throws when read
        return Error(std::errc::no_such_file_or_directory, fmt::format("cannot open {}", path));
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    auto outcomes = run_scenarios(text);
    if (!outcomes)
        return Error(outcomes.error().code,
                     fmt::format("{}: {}", path, outcomes.error().message()));
    return outcomes;
}

}  // namespace touchmove::laws
