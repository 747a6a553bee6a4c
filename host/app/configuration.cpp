// configuration.cpp - what the daemon is told by its configuration file and command line
// SPDX-License-Identifier: Apache-2.0
#include "host/app/configuration.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "host/app/time_control.hpp"
#include "host/link/device_uri.hpp"

namespace touchmove::app {
namespace {

constexpr std::int64_t max_duration_ms = 3'600'000;

/// One table of the file. The first complaint is kept, with the line that it is about.
class Table {
  public:
    Table(const toml::table& table, std::string name, const std::string& file,
          std::optional<Error>& error)
        : table_(table), name_(std::move(name)), file_(file), error_(error) {}

    void text(std::string_view key, std::string& into) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        if (const auto value = node->value_exact<std::string>()) into = *value;
        else complain(key, *node, "must be a text in quotes");
    }

    void texts(std::string_view key, std::vector<std::string>& into) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        const toml::array* list = node->as_array();
        if (list == nullptr) return complain(key, *node, "must be a list of texts");
        into.clear();
        for (const toml::node& each : *list) {
            const auto value = each.value_exact<std::string>();
            if (!value) return complain(key, each, "must be a list of texts");
            into.push_back(*value);
        }
    }

    void truth(std::string_view key, bool& into) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        if (const auto value = node->value_exact<bool>()) into = *value;
        else complain(key, *node, "must be true or false");
    }

    std::optional<std::int64_t> number(std::string_view key, std::int64_t low, std::int64_t high) {
        const toml::node* node = find(key);
        if (node == nullptr) return std::nullopt;
        const auto value = node->value_exact<std::int64_t>();
        if (value && *value >= low && *value <= high) return value;
        complain(key, *node, fmt::format("must be a whole number from {} to {}", low, high));
        return std::nullopt;
    }

    void millis(std::string_view key, Millis& into) {
        if (const auto value = number(key, 0, max_duration_ms)) into = Millis{*value};
    }

    /// `lookup` gives an optional value for a word.
    template <class T, class Lookup>
    void word(std::string_view key, T& into, Lookup lookup, std::string_view choices) {
        std::string name;
        text(key, name);
        if (error_ || !has(key)) return;
        if (const auto value = lookup(name)) into = *value;
        else complain(key, *table_.get(key), fmt::format("must be one of {}", choices));
    }

    /// `lookup` gives an optional value for a number.
    template <class T, class Lookup>
    void chosen(std::string_view key, T& into, Lookup lookup, std::string_view choices) {
        const toml::node* node = find(key);
        if (node == nullptr) return;
        const auto written = node->value_exact<std::int64_t>();
        const auto value = written ? lookup(*written) : std::nullopt;
        if (value) into = *value;
        else complain(key, *node, fmt::format("must be one of {}", choices));
    }

    /// `parse` gives a Result for a text.
    template <class T, class Parse>
    void parsed(std::string_view key, T& into, Parse parse) {
        std::string written;
        text(key, written);
        if (error_ || !has(key)) return;
        auto value = parse(written);
        if (value) into = *std::move(value);
        else complain(key, *table_.get(key), value.error().message());
    }

    /// A table inside this one; an empty one if it is not there.
    Table table(std::string_view key) {
        static const toml::table none;
        const toml::node* node = find(key);
        const toml::table* found = node == nullptr ? &none : node->as_table();
        if (found == nullptr) {
            complain(key, *node, "must be a table");
            found = &none;
        }
        return {*found, name_ + std::string(key) + ".", file_, error_};
    }

    [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }

    /// Of a key that is there.
    void complain(std::string_view key, std::string_view what) {
        complain(key, *table_.get(key), what);
    }

    void complain(std::string_view key, const toml::node& node, std::string_view what) {
        if (error_) return;
        error_ = Error(std::errc::invalid_argument,
                       fmt::format("{}:{}: {}{} {}", file_, node.source().begin.line, name_, key,
                                   what));
    }

    /// Keys that nobody asked for are mistakes.
    void finish() {
        for (const auto& [key, node] : table_) {
            if (known_.count(std::string(key.str())) == 0) complain(key.str(), node, "is unknown");
        }
    }

  private:
    const toml::node* find(std::string_view key) {
        known_.insert(std::string(key));
        return table_.get(key);
    }

    const toml::table& table_;
    std::string name_;
    const std::string& file_;
    std::optional<Error>& error_;
    std::set<std::string> known_;
};

std::optional<Lamps> lamps_of_word(std::string_view word) {
    if (word == "off") return Lamps::off;
    if (word == "restore") return Lamps::restore;
    return std::nullopt;
}

/// An input named for one function loses the one that it has by default.
void read_inputs(Table inputs, InputMap& map) {
    std::array<std::string_view, aux_inputs> taken;
    for (const auto function :
         {BoardInput::white_lever, BoardInput::black_lever, BoardInput::pause,
          BoardInput::white_adjust, BoardInput::black_adjust}) {
        const auto number = inputs.number(name_of(function), 0, aux_inputs - 1);
        if (!number) continue;
        auto& other = taken[static_cast<std::size_t>(*number)];
        if (!other.empty()) {
            inputs.complain(name_of(function), fmt::format("is the input of {} too", other));
        }
        other = name_of(function);
        for (auto& each : map) {
            if (each == function) each.reset();
        }
        map[static_cast<std::size_t>(*number)] = function;
    }
    inputs.finish();
}

void read_game(Table game, GameConfig& config) {
    game.text("white", config.white);
    game.text("black", config.black);
    game.text("event", config.event);
    game.text("site", config.site);
    game.text("round", config.round);
    game.parsed("start", config.start, chess::Position::parse_fen);
    game.parsed("time_control", config.clock, parse_time_control);
    laws::Rules& rules = config.rules;
    game.chosen("laws", rules.edition, edition_of, "2014, 2017, 2018, 2023");
    game.word("class", rules.time_class, time_class_of, "\"standard\", \"rapid\", \"blitz\"");
    game.word("supervision", rules.supervision, supervision_of, "\"full\", \"limited\"");
    game.truth("flag_observer", rules.flag_observer);
    game.truth("levers", rules.has_levers);
    game.millis("release_ms", rules.release_ms);
    game.millis("publish_ms", rules.publish_ms);
    game.millis("new_game_after_ms", config.new_game_after);
    game.finish();
}

}  // namespace

Result<Configuration> parse_configuration(std::string_view toml, const std::string& name) {
    Configuration configuration;
    std::optional<Error> error;
    toml::table root;
    try {
        root = toml::parse(toml, name);
    } catch (const toml::parse_error& e) {
        return Error(std::errc::invalid_argument, fmt::format("{}:{}: {}", name,
                                                              e.source().begin.line,
                                                              e.description()));
    }
    Table top(root, "", name, error);
    top.texts("devices", configuration.devices);
    top.text("journal", configuration.journal);
    top.text("pgn_dir", configuration.pgn_dir);
    top.text("log_level", configuration.log_level);
    top.word("lamps", configuration.lamps, lamps_of_word, "\"off\", \"restore\"");
    top.word("language", configuration.language, serve::language_of, "\"en\", \"ru\", \"pl\"");
    Table web = top.table("web");
    web.text("address", configuration.web_address);
    if (const auto port = web.number("port", 0, 65535)) {
        configuration.web_port = static_cast<std::uint16_t>(*port);
    }
    web.texts("origins", configuration.web_origins);
    web.finish();
    read_game(top.table("game"), configuration.game);
    read_inputs(top.table("inputs"), configuration.game.inputs);
    top.finish();
    if (error) return *error;
    return configuration;
}

Result<void> check_devices(const std::vector<std::string>& devices) {
    if (devices.empty()) {
        return Error(std::errc::invalid_argument,
                     "no board is named; give a --device or put one into devices");
    }
    std::set<std::string> seen;
    for (const std::string& text : devices) {
        const auto uri = link::parse_device_uri(text);
        if (!uri) return uri.error();
        if (!seen.insert(link::to_string(*uri)).second) {
            return Error(std::errc::invalid_argument,
                         fmt::format("device '{}' is named twice", text));
        }
    }
    return {};
}

Result<Configuration> read_configuration(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    // A folder opens, and throws when it is read.
    std::error_code code;
    const bool is_folder = std::filesystem::is_directory(path, code);
    if (is_folder || !file) {
        code = is_folder ? std::make_error_code(std::errc::is_a_directory)
                         : std::error_code(errno, std::generic_category());
        return Error(code, fmt::format("{}: cannot be read: {}", path, code.message()));
    }
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return parse_configuration(text, path);
}

}  // namespace touchmove::app
