// scenario_test.cpp - the corpus of tests/scenarios through the referee
// SPDX-License-Identifier: Apache-2.0
#include "host/laws/scenario.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

using namespace touchmove;

TEST_CASE("every scenario ends as the Laws demand", "[laws]") {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(TOUCHMOVE_SCENARIOS)) {
        if (entry.path().extension() == ".json" && entry.path().stem() != "disputed") {
            files.push_back(entry.path());
        }
    }
    REQUIRE_FALSE(files.empty());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
        const auto outcomes = laws::run_scenario_file(file.string());
        REQUIRE(outcomes);
        for (const auto& outcome : *outcomes) {
            INFO(file.filename().string() << " " << outcome.id << ": " << outcome.differs);
            CHECK(outcome.ok);
        }
    }
}

TEST_CASE("a scenario file that makes no sense is refused with one sentence", "[laws]") {
    using laws::run_scenarios;
    CHECK(run_scenarios("{}").error().message() ==
          "not a scenario file: the top level is no array");
    CHECK_FALSE(run_scenarios("[").has_value());
    CHECK(run_scenarios(R"([{"id":"a"}])").error().message() == "a: a required key is missing");
    CHECK(run_scenarios(R"([{"id":"a","events":[{"at":1,"lift":"z9"}],"expect":{}}])")
              .error()
              .message() == "a: lift names no square: 'z9'");
    CHECK(run_scenarios(R"([{"id":"a","events":[{"at":-1,"lift":"a1"}],"expect":{}}])")
              .error()
              .message() == "a: at is not a whole number from 0 on");
}
