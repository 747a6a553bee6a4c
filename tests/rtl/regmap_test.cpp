// regmap_test.cpp - fw/regs.h, rtl/pkg/tm_pkg.sv and docs/registers.md say the same
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include <cctype>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "fw/regs.h"
#include "fw/tm_proto.h"

namespace {

std::string text_of(const std::string& file) {
    std::ifstream in{std::string{TOUCHMOVE_SOURCE} + "/" + file};
    REQUIRE(in);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// Every match of `pattern`: first group to second.
std::map<std::string, std::string> pairs(const std::string& text, const std::string& pattern) {
    std::map<std::string, std::string> found;
    const std::regex regex{pattern};
    for (std::sregex_iterator it{text.begin(), text.end(), regex}, end; it != end; ++it)
        found[(*it)[1]] = (*it)[2];
    return found;
}

/// RecordHead -> RECORD_HEAD
std::string upper_snake(const std::string& camel) {
    std::string out;
    for (const char c : camel) {
        if (std::isupper(static_cast<unsigned char>(c)) != 0 && !out.empty()) out += '_';
        out += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return out;
}

std::map<std::string, std::string> renamed(const std::map<std::string, std::string>& from) {
    std::map<std::string, std::string> out;
    for (const auto& [name, value] : from) out[upper_snake(name)] = value;
    return out;
}

}  // namespace

TEST_CASE("register offsets are the same in firmware, RTL and page", "[rtl]") {
    const auto c = pairs(text_of("fw/regs.h"), R"(#define TM_REG_(\w+) (\d+)u)");
    const auto sv =
        renamed(pairs(text_of("rtl/pkg/tm_pkg.sv"), R"(RegAddrW-1:0\] Reg(\w+)\s*= 4'd(\d+);)"));
    std::map<std::string, std::string> page;
    for (const auto& [offset, name] :
         pairs(text_of("docs/registers.md"), R"(\n\| (\d+) \| (\w+) \| [RW]+ \|)"))
        page[name] = offset;
    CHECK(c.size() == 14);
    CHECK(c == sv);
    CHECK(c == page);
}

TEST_CASE("control bits are the same in firmware, RTL and page", "[rtl]") {
    std::map<std::string, unsigned> c;
    for (const auto& [name, mask] :
         pairs(text_of("fw/regs.h"), R"(#define TM_CONTROL_(\w+) (0x\w+)u)"))
        c[name] = static_cast<unsigned>(std::stoul(mask, nullptr, 16));
    std::map<std::string, unsigned> sv;
    for (const auto& [name, bit] :
         renamed(pairs(text_of("rtl/pkg/tm_pkg.sv"), R"( Control(\w+)\s*= (\d+);)")))
        sv[name == "STYLE" ? "CHAIN" : name] = 1u << std::stoul(bit);
    std::map<std::string, unsigned> page;
    for (const auto& [bit, name] :
         pairs(text_of("docs/registers.md"), R"(\n\| \w (\d) \| (\w+) \|)"))
        page[name] = 1u << std::stoul(bit);
    CHECK(c.size() == 6);
    CHECK(c == sv);
    CHECK(c == page);
}

TEST_CASE("record kinds and defaults are the same in protocol and RTL", "[rtl]") {
    const auto proto = pairs(text_of("fw/tm_proto.h"), R"(TM_KIND_(\w+) = (\d+))");
    const auto sv = renamed(pairs(text_of("rtl/pkg/tm_pkg.sv"), R"( Kind(\w+)\s*= 4'd(\d+);)"));
    CHECK(proto.size() == 10);
    CHECK(proto == sv);
    const auto c = pairs(text_of("fw/regs.h"), R"(#define TM_DEFAULT_(\w+) (\d+)u)");
    const auto defaults =
        renamed(pairs(text_of("rtl/pkg/tm_pkg.sv"), R"( Default(\w+)\s*= (\d+);)"));
    CHECK(c.size() == 3);
    CHECK(c == defaults);
}
