// game_config.cpp - all that is settled before a game, as it stands in the journal
// SPDX-License-Identifier: Apache-2.0
#include "host/app/game_config.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/json.hpp>
#include <utility>

namespace touchmove::app {
namespace {

namespace json = boost::json;

template <class T, std::size_t N>
using Names = std::array<std::pair<T, std::string_view>, N>;

constexpr Names<laws::TimeClass, 3> time_classes{{{laws::TimeClass::standard, "standard"},
                                                  {laws::TimeClass::rapid, "rapid"},
                                                  {laws::TimeClass::blitz, "blitz"}}};
constexpr Names<laws::Supervision, 2> supervisions{
    {{laws::Supervision::full, "full"}, {laws::Supervision::limited, "limited"}}};
constexpr Names<laws::ClockMode, 5> clock_modes{{{laws::ClockMode::none, "none"},
                                                 {laws::ClockMode::sudden, "sudden"},
                                                 {laws::ClockMode::fischer, "fischer"},
                                                 {laws::ClockMode::delay, "delay"},
                                                 {laws::ClockMode::bronstein, "bronstein"}}};
constexpr Names<BoardInput, 5> board_inputs{{{BoardInput::white_lever, "white_lever"},
                                             {BoardInput::black_lever, "black_lever"},
                                             {BoardInput::pause, "pause"},
                                             {BoardInput::white_adjust, "white_adjust"},
                                             {BoardInput::black_adjust, "black_adjust"}}};

template <class T, std::size_t N>
std::string_view find_name(const Names<T, N>& names, T value) {
    for (const auto& [each, name] : names) {
        if (each == value) return name;
    }
    return "";
}

template <class T, std::size_t N>
std::optional<T> find_value(const Names<T, N>& names, std::string_view name) {
    for (const auto& [value, each] : names) {
        if (each == name) return value;
    }
    return std::nullopt;
}

/// Takes members out of an object; keeps the first complaint.
class Members {
  public:
    Members(const json::object& object, std::string where)
        : object_(object), where_(std::move(where)) {}

    std::string text(std::string_view key) {
        const json::value* value = find(key);
        if (value != nullptr && value->is_string()) return std::string(value->as_string());
        if (value != nullptr) complain(key, "is no text");
        return {};
    }
    bool truth(std::string_view key) {
        const json::value* value = find(key);
        if (value != nullptr && value->is_bool()) return value->as_bool();
        if (value != nullptr) complain(key, "is neither true nor false");
        return false;
    }
    std::int64_t number(std::string_view key) {
        const json::value* value = find(key);
        if (value != nullptr && value->is_int64() && value->as_int64() >= 0) {
            return value->as_int64();
        }
        if (value != nullptr) complain(key, "is no whole number from 0 on");
        return 0;
    }
    template <class T, class Lookup>
    T word(std::string_view key, T otherwise, Lookup lookup) {
        const std::string name = text(key);
        if (error_) return otherwise;
        if (const auto value = lookup(name)) return *value;
        complain(key, "has a value that this program does not know");
        return otherwise;
    }
    const json::object& object(std::string_view key) {
        static const json::object none;
        const json::value* value = find(key);
        if (value != nullptr && value->is_object()) return value->as_object();
        if (value != nullptr) complain(key, "is no object");
        return none;
    }
    const json::array& array(std::string_view key) {
        static const json::array none;
        const json::value* value = find(key);
        if (value != nullptr && value->is_array()) return value->as_array();
        if (value != nullptr) complain(key, "is no list");
        return none;
    }
    void complain(std::string_view key, std::string_view what) {
        if (error_) return;
        error_ = Error(std::errc::bad_message, fmt::format("{}{} {}", where_, key, what));
    }
    void adopt(const Members& other) {
        if (!error_) error_ = other.error_;
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  private:
    const json::value* find(std::string_view key) {
        const json::value* value = object_.if_contains(key);
        if (value == nullptr) complain(key, "is missing");
        return value;
    }

    const json::object& object_;
    std::string where_;
    std::optional<Error> error_;
};

json::object clock_json(const laws::ClockSetup& clock) {
    json::array periods;
    for (const auto& period : clock.periods) {
        json::object each{{"base_ms", period.base.count()}};
        if (period.moves) each["moves"] = std::int64_t{*period.moves};
        periods.push_back(std::move(each));
    }
    return {{"mode", name_of(clock.mode)},
            {"periods", std::move(periods)},
            {"extra_ms", clock.extra.count()}};
}

laws::ClockSetup clock_from(Members& outer) {
    Members members(outer.object("clock"), "clock.");
    laws::ClockSetup clock;
    clock.mode = members.word("mode", laws::ClockMode::none, clock_mode_of);
    clock.extra = Millis{members.number("extra_ms")};
    for (const json::value& value : members.array("periods")) {
        if (!value.is_object()) {
            members.complain("periods", "holds something that is no object");
            break;
        }
        Members each(value.as_object(), "clock.periods.");
        laws::ClockPeriod period{std::nullopt, Millis{each.number("base_ms")}};
        if (value.as_object().contains("moves")) {
            period.moves = static_cast<unsigned>(each.number("moves"));
        }
        members.adopt(each);
        clock.periods.push_back(period);
    }
    outer.adopt(members);
    return clock;
}

laws::Rules rules_from(Members& outer) {
    Members members(outer.object("rules"), "rules.");
    laws::Rules rules;
    if (const auto edition = edition_of(members.number("laws"))) rules.edition = *edition;
    else members.complain("laws", "names no edition that this program knows");
    rules.time_class = members.word("class", laws::TimeClass::standard, time_class_of);
    rules.supervision = members.word("supervision", laws::Supervision::full, supervision_of);
    rules.flag_observer = members.truth("flag_observer");
    rules.has_levers = members.truth("levers");
    rules.release_ms = Millis{members.number("release_ms")};
    rules.publish_ms = Millis{members.number("publish_ms")};
    outer.adopt(members);
    return rules;
}

}  // namespace

std::string_view name_of(laws::TimeClass value) noexcept { return find_name(time_classes, value); }
std::string_view name_of(laws::Supervision value) noexcept {
    return find_name(supervisions, value);
}
std::string_view name_of(laws::ClockMode value) noexcept { return find_name(clock_modes, value); }
std::string_view name_of(BoardInput value) noexcept { return find_name(board_inputs, value); }

std::optional<laws::Edition> edition_of(std::int64_t year) noexcept {
    switch (year) {
        case 2014: return laws::Edition::y2014;
        case 2017: return laws::Edition::y2017;
        case 2018: return laws::Edition::y2018;
        case 2023: return laws::Edition::y2023;
        default: return std::nullopt;
    }
}
std::optional<laws::TimeClass> time_class_of(std::string_view name) noexcept {
    return find_value(time_classes, name);
}
std::optional<laws::Supervision> supervision_of(std::string_view name) noexcept {
    return find_value(supervisions, name);
}
std::optional<laws::ClockMode> clock_mode_of(std::string_view name) noexcept {
    return find_value(clock_modes, name);
}
std::optional<BoardInput> board_input_of(std::string_view name) noexcept {
    return find_value(board_inputs, name);
}

GameConfig::GameConfig() = default;

json::object to_json(const GameConfig& config) {
    json::array inputs;
    for (const auto& input : config.inputs) {
        inputs.push_back(input ? json::value(name_of(*input)) : json::value(nullptr));
    }
    const laws::Rules& rules = config.rules;
    return {{"white", config.white},
            {"black", config.black},
            {"event", config.event},
            {"site", config.site},
            {"round", config.round},
            {"start", config.start.fen()},
            {"rules", json::object{{"laws", static_cast<std::int64_t>(rules.edition)},
                                   {"class", name_of(rules.time_class)},
                                   {"supervision", name_of(rules.supervision)},
                                   {"flag_observer", rules.flag_observer},
                                   {"levers", rules.has_levers},
                                   {"release_ms", rules.release_ms.count()},
                                   {"publish_ms", rules.publish_ms.count()}}},
            {"clock", clock_json(config.clock)},
            {"inputs", std::move(inputs)},
            {"new_game_after_ms", config.new_game_after.count()}};
}

Result<GameConfig> game_config_from_json(const json::object& object) {
    Members members(object, "");
    GameConfig config;
    config.white = members.text("white");
    config.black = members.text("black");
    config.event = members.text("event");
    config.site = members.text("site");
    config.round = members.text("round");
    const std::string fen = members.text("start");
    if (!members.error()) {
        auto start = chess::Position::parse_fen(fen);
        if (!start) return start.error();
        config.start = *start;
    }
    config.rules = rules_from(members);
    config.clock = clock_from(members);
    const json::array& inputs = members.array("inputs");
    if (inputs.size() != aux_inputs) members.complain("inputs", "does not list eight inputs");
    for (std::size_t n = 0; n < aux_inputs && !members.error(); ++n) {
        config.inputs[n].reset();
        if (inputs[n].is_null()) continue;
        if (inputs[n].is_string()) {
            config.inputs[n] = board_input_of(std::string_view(inputs[n].as_string()));
        }
        if (!config.inputs[n]) members.complain("inputs", "holds an unknown meaning");
    }
    config.new_game_after = Millis{members.number("new_game_after_ms")};
    if (members.error()) return *members.error();
    return config;
}

}  // namespace touchmove::app
