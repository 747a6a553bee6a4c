// configuration_test.cpp - each key is taken, each mistake is told with its line
// SPDX-License-Identifier: Apache-2.0
#include "host/app/configuration.hpp"

#include <boost/json.hpp>
#include <catch2/catch.hpp>

#include "host/app/time_control.hpp"
#include "host/serve/live_game.hpp"

using namespace touchmove;
using namespace touchmove::app;

TEST_CASE("an empty file gives the defaults", "[app]") {
    const auto read = parse_configuration("", "t.toml");
    REQUIRE(read);
    CHECK(read->devices == std::vector<std::string>{"usb://1209:0001"});
    CHECK(read->web_address == "127.0.0.1");
    CHECK(read->web_port == 8088);
    CHECK(read->game.rules.publish_ms == Millis{1500});
    CHECK(read->game.inputs == default_input_map());
}

TEST_CASE("every key of the file is taken", "[app]") {
    const auto read = parse_configuration(R"(
devices = ["usbip://localhost/1-1", "usbip://localhost/1-2"]
journal = "/var/lib/touchmove/journal.db"
pgn_dir = "/srv/pgn"
log_level = "debug"
lamps = "restore"
language = "pl"
[web]
address = "0.0.0.0"
port = 80
origins = ["https://chess.example.org"]
[game]
white = "A"
black = "B"
event = "C"
site = "D"
round = "5.1"
start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
time_control = "40/5400+30:1800+30"
laws = 2018
class = "rapid"
supervision = "limited"
flag_observer = false
levers = false
release_ms = 400
publish_ms = 2000
new_game_after_ms = 0
[inputs]
white_lever = 6
pause = 0
)",
                                          "t.toml");
    INFO((read ? "" : read.error().message()));
    REQUIRE(read);
    CHECK(read->devices.size() == 2);
    CHECK(read->journal == "/var/lib/touchmove/journal.db");
    CHECK(read->pgn_dir == "/srv/pgn");
    CHECK(read->log_level == "debug");
    CHECK(read->lamps == Lamps::restore);
    CHECK(read->language == serve::Language::pl);
    CHECK(read->web_address == "0.0.0.0");
    CHECK(read->web_port == 80);
    CHECK(read->web_origins == std::vector<std::string>{"https://chess.example.org"});
    const GameConfig& game = read->game;
    CHECK(game.white + game.black + game.event + game.site + game.round == "ABCD5.1");
    CHECK(game.start.fen() == "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    CHECK(serve::time_control_tag(game.clock) == "40/5400+30:1800+30");
    CHECK(game.rules.edition == laws::Edition::y2018);
    CHECK(game.rules.time_class == laws::TimeClass::rapid);
    CHECK(game.rules.supervision == laws::Supervision::limited);
    CHECK_FALSE(game.rules.flag_observer);
    CHECK_FALSE(game.rules.has_levers);
    CHECK(game.rules.release_ms == Millis{400});
    CHECK(game.rules.publish_ms == Millis{2000});
    CHECK(game.new_game_after == Millis{0});
    CHECK(game.inputs[6] == BoardInput::white_lever);
    CHECK(game.inputs[0] == BoardInput::pause);
    CHECK_FALSE(game.inputs[2]);
}

TEST_CASE("a mistake is told with file, line and key", "[app]") {
    const auto [toml, sentence] = GENERATE(table<const char*, const char*>({
        {"\njornal = \"x\"", "t.toml:2: jornal is unknown"},
        {"[web]\nport = 65536", "t.toml:2: web.port must be a whole number from 0 to 65535"},
        {"[web]\nport = \"80\"", "t.toml:2: web.port must be a whole number from 0 to 65535"},
        {"[game]\nclass = \"bullet\"",
         "t.toml:2: game.class must be one of \"standard\", \"rapid\", \"blitz\""},
        {"[game]\nclass = \"\"",
         "t.toml:2: game.class must be one of \"standard\", \"rapid\", \"blitz\""},
        {"[game]\nlaws = 2016", "t.toml:2: game.laws must be one of 2014, 2017, 2018, 2023"},
        {"[game]\nlevers = 1", "t.toml:2: game.levers must be true or false"},
        {"devices = [\"a\",\n 5]", "t.toml:2: devices must be a list of texts"},
        {"devices = \"a\"", "t.toml:1: devices must be a list of texts"},
        {"web = 5", "t.toml:1: web must be a table"},
        {"[inputs]\npause = 8", "t.toml:2: inputs.pause must be a whole number from 0 to 7"},
        {"[inputs]\nhorn = 1", "t.toml:2: inputs.horn is unknown"},
        {"[inputs]\nwhite_lever = 3\npause = 3",
         "t.toml:3: inputs.pause is the input of white_lever too"},
    }));
    const auto read = parse_configuration(toml, "t.toml");
    REQUIRE_FALSE(read);
    CHECK(read.error().message() == sentence);
}

TEST_CASE("the daemon needs boards, each once", "[app]") {
    CHECK(check_devices({"usb://1209:0001", "usbip://h/1-1"}));
    CHECK(check_devices({}).error().message() ==
          "no board is named; give a --device or put one into devices");
    CHECK(
        check_devices({"usbip://h:3240/1-1", "usb://1209:1", "usbip://h/1-1"}).error().message() ==
        "device 'usbip://h/1-1' is named twice");
    CHECK_FALSE(check_devices({"foo"}));
}

TEST_CASE("what is no TOML, no FEN or no time control is refused with its line", "[app]") {
    using Catch::StartsWith;
    for (const char* toml : {"\n\nx = = 1", "\n[game]\nstart = \"nonsense\"",
                             "\n[game]\ntime_control = \"90 minutes\""}) {
        const auto read = parse_configuration(toml, "t.toml");
        REQUIRE_FALSE(read);
        CHECK_THAT(read.error().message(), StartsWith("t.toml:3: "));
    }
}

TEST_CASE("time controls are read as PGN writes them", "[app]") {
    for (const char* text :
         {"300", "900+10", "40/5400+30:1800+30", "40/7200:20/3600:900", "60d2"}) {
        const auto clock = parse_time_control(text);
        REQUIRE(clock);
        CHECK(serve::time_control_tag(*clock) == text);
    }
    CHECK(parse_time_control("-")->mode == laws::ClockMode::none);
    CHECK(parse_time_control("300+0")->mode == laws::ClockMode::sudden);
    CHECK(parse_time_control("300b5")->mode == laws::ClockMode::bronstein);
    for (const char* text : {"", "x", "0", "40/", "40/5400", "0/60:60", "300+", "300+x", "300*5",
                             "5400:1800", "40/5400+30:1800", "99999999999", "300 ", ":300"}) {
        INFO(text);
        CHECK_FALSE(parse_time_control(text));
    }
}

TEST_CASE("a game's configuration survives the journal", "[app]") {
    GameConfig config;
    config.white = "\"A\"\n";
    config.clock = parse_time_control("40/5400+30:1800+30").value();
    config.rules.has_levers = false;
    config.rules.edition = laws::Edition::y2014;
    config.inputs[7] = BoardInput::pause;
    config.inputs[2].reset();
    config.start = chess::Position::parse_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 3 7").value();
    const auto again = game_config_from_json(to_json(config));
    REQUIRE(again);
    CHECK(boost::json::serialize(to_json(*again)) == boost::json::serialize(to_json(config)));
    CHECK(again->clock.periods.at(0).moves == 40U);
    CHECK(again->start.same_as(config.start));
}

TEST_CASE("a game's configuration with a member missing or odd is refused by name", "[app]") {
    const boost::json::object whole = to_json(GameConfig{});
    for (const auto& member : whole) {
        boost::json::object without = whole;
        without.erase(member.key());
        const auto read = game_config_from_json(without);
        REQUIRE_FALSE(read);
        CHECK(read.error().message() == std::string(member.key()) + " is missing");
        without[member.key()] = 1.5;
        CHECK_FALSE(game_config_from_json(without));
    }
}

TEST_CASE("a folder or an absent file is refused by its name", "[app]") {
    for (const char* path : {"/tmp", "/no/such.toml"}) {
        const auto read = read_configuration(path);
        REQUIRE_FALSE(read);
        CHECK_THAT(read.error().message(),
                   Catch::StartsWith(std::string(path) + ": cannot be read: "));
    }
}

TEST_CASE("a language that nobody has written is refused", "[app]") {
    CHECK(parse_configuration("", "t.toml")->language == serve::Language::en);
    const auto read = parse_configuration("language = \"de\"\n", "t.toml");
    REQUIRE_FALSE(read);
    CHECK(read.error().message() == "t.toml:1: language must be one of \"en\", \"ru\", \"pl\"");
}
