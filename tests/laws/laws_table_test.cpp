// laws_table_test.cpp - docs/laws.md: what it says is decided here is tested by scenarios that
// exist SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Row {
    std::string article;
    std::string done_by;
    std::vector<std::string> scenarios;

    [[nodiscard]] bool is_decided_here() const {
        return std::regex_search(done_by, std::regex(R"(\b(sensor|button)\b)"));
    }
};

/// The cells of a line of a table, without blanks at their ends; none if it is no such line.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    if (line.size() < 2 || line.front() != '|') return cells;
    std::istringstream in(line.substr(1));
    for (std::string cell; std::getline(in, cell, '|');) {
        const auto first = cell.find_first_not_of(' ');
        const auto last = cell.find_last_not_of(' ');
        cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    }
    return cells;
}

std::vector<Row> rows_of(const std::string& document) {
    std::vector<Row> rows;
    std::istringstream in(document);
    for (std::string line; std::getline(in, line);) {
        const auto cells = cells_of(line);
        if (cells.empty() || cells[0] == "art." || cells[0].substr(0, 3) == "---") continue;
        INFO(line);
        REQUIRE(cells.size() == 5);
        Row row{cells[0], cells[2], {}};
        const std::regex id("`([^`]+)`");
        for (std::sregex_iterator it(cells[4].begin(), cells[4].end(), id), end; it != end; ++it)
            row.scenarios.push_back((*it)[1]);
        rows.push_back(std::move(row));
    }
    return rows;
}

/// Ids of all scenarios; each only once.
std::set<std::string> scenario_ids() {
    std::set<std::string> ids;
    for (const auto& entry : fs::directory_iterator(TOUCHMOVE_SCENARIOS)) {
        if (entry.path().extension() != ".json") continue;
        const auto root = boost::json::parse(text_of(entry.path()));
        for (const auto& scenario : root.as_array()) {
            const std::string id(scenario.at("id").as_string());
            INFO(entry.path().filename().string() << " has " << id << " again");
            CHECK(ids.insert(id).second);
        }
    }
    return ids;
}

}  // namespace

TEST_CASE("every article that sensor or button decides has a scenario, and each exists", "[laws]") {
    const auto rows = rows_of(text_of(TOUCHMOVE_LAWS_TABLE));
    const auto ids = scenario_ids();
    REQUIRE(rows.size() > 90);
    for (const Row& row : rows) {
        INFO("docs/laws.md, " << row.article << ": " << row.done_by);
        CHECK(std::regex_search(row.done_by, std::regex(R"(^(sensor|button|arbiter|none)\b)")));
        if (row.is_decided_here()) CHECK_FALSE(row.scenarios.empty());
        for (const std::string& id : row.scenarios) {
            INFO("scenario " << id);
            CHECK(ids.count(id) == 1);
        }
    }
}
