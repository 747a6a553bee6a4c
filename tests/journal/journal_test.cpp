// journal_test.cpp - what is read back is what was written, in the order in which it was written
// SPDX-License-Identifier: Apache-2.0
#include "host/journal/journal.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <rapidcheck.h>
#include <rapidcheck/catch.h>

#include <array>
#include <csignal>
#include <fstream>
#include <map>
#include <thread>

#include "host/journal/payload_columns.hpp"
#include "host/journal/reader.hpp"
#include "tests/journal/fixture.hpp"

using namespace touchmove;
using namespace touchmove::journal;
using namespace touchmove::journal::testing;
using Catch::Contains;

namespace {

template <class T>
rc::Gen<T> up_to(T limit) {
    return rc::gen::inRange<T>(0, limit);
}

rc::Gen<Payload> any_payload() {
    return rc::gen::exec([]() -> Payload {
        const auto square = *up_to<std::uint8_t>(64);
        const auto input = *up_to<std::uint8_t>(8);
        const auto bounces = *up_to<std::uint8_t>(16);
        const auto word = *rc::gen::arbitrary<std::uint32_t>();
        switch (*up_to(11)) {
            case 0:
                return link::DeviceEvent{link::Lift{square, bounces}};
            case 1:
                return link::DeviceEvent{link::Place{square, bounces}};
            case 2:
                return link::DeviceEvent{link::InputEdge{input, true, bounces}};
            case 3:
                return link::DeviceEvent{link::InputEdge{input, false, bounces}};
            case 4:
                return link::DeviceEvent{link::Snapshot{*rc::gen::arbitrary<std::uint64_t>(),
                                                        *rc::gen::arbitrary<std::uint8_t>()}};
            case 5:
                return link::DeviceEvent{link::SessionStart{word}};
            case 6:
                return link::DeviceEvent{link::Gap{word}};
            case 7:
                return link::DeviceEvent{link::Epoch{word}};
            case 8:
                return link::DeviceEvent{link::Fault{*up_to<std::uint8_t>(72), bounces}};
            case 9:
                return HostInput{*rc::gen::string<std::string>()};
            default:
                return TimePassed{};
        }
    });
}

rc::Gen<Entry> any_entry() {
    return rc::gen::exec([] {
        Entry entry;
        entry.board = *rc::gen::element<std::string>("TM-1", "TM-2", "", "it's \"odd\"");
        entry.at = device_time(*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50));
        entry.wall_ms = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 45);
        entry.payload = *any_payload();
        if (std::holds_alternative<link::DeviceEvent>(entry.payload)) {
            entry.id = link::RecordId{*rc::gen::arbitrary<std::uint32_t>(),
                                      *rc::gen::arbitrary<std::uint16_t>()};
            entry.records = *rc::gen::inRange<std::uint16_t>(1, 5);
        }
        return entry;
    });
}

/// Everything of an entry as text, so that two can be compared and a difference be read.
std::string text_of(const Entry& entry) {
    const PayloadColumns c = to_columns(entry.payload);
    std::string text = entry.board + '|' + std::to_string(to_us(entry.at)) + '|' +
                       std::to_string(entry.wall_ms) + '|' + std::to_string(entry.records) + '|' +
                       c.kind;
    if (entry.id) {
        text += '|' + std::to_string(entry.id->session) + ':' + std::to_string(entry.id->seq);
    }
    if (c.subject) text += "|s" + std::to_string(*c.subject);
    if (c.value) text += "|v" + std::to_string(*c.value);
    if (c.text) text += "|t" + *c.text;
    return text;
}

}  // namespace

TEST_CASE("whatever was appended is read back, per board and in order", "[journal]") {
    rc::prop("in one process and after opening the file again", [] {
        const auto batches = *rc::gen::container<std::vector<std::vector<Entry>>>(
            rc::gen::container<std::vector<Entry>>(any_entry()));
        const TempDir dir;
        std::map<std::string, std::vector<std::string>> written;
        const auto check = [&written](Journal& journal) {
            auto boards = journal.boards();
            RC_ASSERT(boards.has_value());
            RC_ASSERT(boards->size() == written.size());
            for (const auto& [board, texts] : written) {
                auto entries = journal.read(board);
                RC_ASSERT(entries.has_value());
                std::vector<std::string> read;
                std::int64_t row = 0;
                for (const Entry& entry : *entries) {
                    RC_ASSERT(entry.row > row);
                    row = entry.row;
                    read.push_back(text_of(entry));
                }
                RC_ASSERT(read == texts);
            }
        };
        auto journal = Journal::open(dir / "j.db");
        RC_ASSERT(journal.has_value());
        for (const auto& batch : batches) {
            for (const Entry& entry : batch)
                written[entry.board].push_back(text_of(entry));
            const auto said = append_now(**journal, batch);
            RC_ASSERT(said.has_value());
            RC_ASSERT(said->size() == batch.size());
        }
        check(**journal);
        journal->reset();
        auto again = Journal::open(dir / "j.db");
        RC_ASSERT(again.has_value());
        check(**again);
    });
}

TEST_CASE("the rows that append() reports are the rows under which entries are read", "[journal]") {
    const TempDir dir;
    const auto journal = open_or_fail(dir / "j.db");
    const auto first = append_now(*journal, {session_of(1), lift_of(1, 1, 10)});
    const auto second = append_now(*journal, {lift_of(1, 2, 20)});
    REQUIRE(first);
    REQUIRE(second);
    const auto from_second = journal->read("TM-1", second->front().row);
    REQUIRE(from_second);
    REQUIRE(from_second->size() == 1);
    CHECK(from_second->front().row == second->front().row);
    CHECK(first->at(0).row < first->at(1).row);
    CHECK(first->at(1).row < second->at(0).row);
}

TEST_CASE("entries of several threads are each stored once, in each thread's order", "[journal]") {
    const TempDir dir;
    constexpr std::uint16_t per_thread = 200;
    auto journal = open_or_fail(dir / "j.db");
    std::vector<std::thread> threads;
    for (std::uint32_t session = 0; session < 4; ++session) {
        threads.emplace_back([&journal, session] {
            for (std::uint16_t seq = 0; seq < per_thread; ++seq) {
                journal->append({lift_of(session, seq, seq)}, {});
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    journal.reset();  // writes what is still queued

    const auto entries = open_or_fail(dir / "j.db")->read("TM-1");
    REQUIRE(entries);
    REQUIRE(entries->size() == 4U * per_thread);
    std::array<int, 4> next{};
    for (const Entry& entry : *entries)
        CHECK(entry.id->seq == next.at(entry.id->session)++);
}

TEST_CASE("a second daemon on the same journal is refused and told who has it", "[journal]") {
    const TempDir dir;
    const auto journal = open_or_fail(dir / "j.db");
    const auto second = Journal::open(dir / "j.db");
    REQUIRE_FALSE(second);
    CHECK(second.error().code == std::errc::device_or_resource_busy);
    CHECK_THAT(second.error().message(),
               Contains("in use by another daemon (process " + std::to_string(::getpid()) + ")"));
    CHECK(append_now(*journal, {session_of(1)}));
}

TEST_CASE("the lock falls with the process that held it", "[journal]") {
    const TempDir dir;
    const std::string path = dir / "j.db";
    const pid_t child = in_child([&path] {
        const auto journal = Journal::open(path);
        ::kill(::getpid(), SIGKILL);
        return 0;
    });
    CHECK(exit_status_of(child) == 128 + SIGKILL);
    CHECK(Journal::open(path));
}

TEST_CASE("a journal can be read beside the daemon that writes it", "[journal]") {
    const TempDir dir;
    const auto journal = open_or_fail(dir / "j.db");
    REQUIRE(append_now(*journal, {session_of(7)}));
    auto reader = Reader::open(dir / "j.db");
    REQUIRE(reader);
    CHECK(reader->read("TM-1")->size() == 1);
    REQUIRE(append_now(*journal, {lift_of(7, 1, 5)}));
    CHECK(reader->read("TM-1")->size() == 2);
    CHECK(reader->boards().value() == std::vector<std::string>{"TM-1"});
}

TEST_CASE("what is no journal is refused by name", "[journal]") {
    const TempDir dir;
    const std::string path = dir / "j.db";
    SECTION("a file that is no database") {
        std::ofstream(path) << std::string(4096, 'x');
        const auto opened = Journal::open(path);
        REQUIRE_FALSE(opened);
        CHECK_THAT(opened.error().message(), Contains(path) && Contains("not a database"));
    }
    SECTION("somebody else's database") {
        SQLite::Database(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec("CREATE TABLE t (x)");
        const auto opened = Journal::open(path);
        REQUIRE_FALSE(opened);
        CHECK_THAT(opened.error().message(), Contains("not a Touchmove journal"));
    }
    SECTION("a journal of a later format") {
        open_or_fail(path).reset();
        SQLite::Database(path, SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 9");
        const auto opened = Journal::open(path);
        REQUIRE_FALSE(opened);
        CHECK_THAT(opened.error().message(), Contains("has format 9, this program reads format 1"));
    }
    SECTION("a folder that does not exist") {
        const auto opened = Journal::open(dir / "none/j.db");
        REQUIRE_FALSE(opened);
        CHECK_THAT(opened.error().message(), Contains("No such file or directory"));
    }
    SECTION("a missing file, for reading") {
        const auto opened = Reader::open(path);
        REQUIRE_FALSE(opened);
        CHECK_THAT(opened.error().message(), Contains("unable to open"));
    }
}

TEST_CASE("an entry that cannot be what it says is an error, not a crash", "[journal]") {
    const TempDir dir;
    const std::string path = dir / "j.db";
    open_or_fail(path).reset();
    const auto [columns, what] = GENERATE(table<std::string, std::string>({
        {"'sneeze', 1, 2, NULL", "sneeze"},
        {"'lift', 64, 0, NULL", "lift"},
        {"'lift', -1, 0, NULL", "lift"},
        {"'place', NULL, 0, NULL", "place"},
        {"'input_up', 8, 0, NULL", "input_up"},
        {"'snapshot', 256, 0, NULL", "snapshot"},
        {"'fault', 72, 0, NULL", "fault"},
        {"'gap', NULL, 4294967296, NULL", "gap"},
        {"'host', NULL, NULL, NULL", "host"},
    }));
    SQLite::Database(path, SQLite::OPEN_READWRITE)
        .exec(
            "INSERT INTO entries (board, at_us, wall_ms, records, kind, subject, value, text)"
            " VALUES ('TM-1', 0, 0, 1, " +
            columns + ")");
    const auto entries = open_or_fail(path)->read("TM-1");
    REQUIRE_FALSE(entries);
    CHECK_THAT(entries.error().message(),
               Contains("row 1: an entry of kind \"" + what + "\" cannot be read"));
}
