// board_test.cpp - nothing counts before it is on disk, and nothing is told to the device before
// SPDX-License-Identifier: Apache-2.0
#include "host/app/board.hpp"

#include <catch2/catch.hpp>
#include <deque>

#include "host/app/connection.hpp"
#include "host/app/time_control.hpp"
#include "host/journal/stored_run.hpp"
#include "tests/app/model_board.hpp"

using namespace touchmove;
using namespace touchmove::app;
using namespace touchmove::app::testing;

namespace {

/// A disk that is as slow as the test wants it to be.
class SlowJournal final : public journal::Journal {
  public:
    void append(std::vector<journal::Entry> entries, Committed committed) override {
        waiting.emplace_back(std::move(entries), std::move(committed));
    }
    Result<std::vector<journal::Entry>> read(const std::string&, std::int64_t) override {
        return on_disk;
    }
    Result<std::optional<link::Stored>> stored(const std::string&) override {
        std::optional<link::Stored> found;
        journal::StoredRun run;
        for (const auto& entry : on_disk) {
            if (!entry.id) continue;
            if (std::holds_alternative<link::SessionStart>(
                    std::get<link::DeviceEvent>(entry.payload))) {
                run = {};
                run.begin(entry.id->seq);
            } else {
                run.add(entry.id->seq, entry.records, entry.at);
            }
            found = link::Stored{{entry.id->session, run.run()->up_to}, run.run()->beyond,
                                 entry.at};
        }
        return found;
    }
    Result<std::vector<std::string>> boards() override { return std::vector<std::string>{"TM-1"}; }

    /// The oldest entries that wait reach the disk.
    bool commit() {
        if (waiting.empty()) return false;
        auto [entries, committed] = std::move(waiting.front());
        waiting.pop_front();
        for (auto& entry : entries) {
            entry.row = static_cast<std::int64_t>(on_disk.size()) + 1;
            on_disk.push_back(entry);
        }
        committed(std::move(entries));
        return true;
    }
    void refuse() {
        auto [entries, committed] = std::move(waiting.front());
        waiting.pop_front();
        committed(Error(std::errc::no_space_on_device, "disk full"));
    }

    std::deque<std::pair<std::vector<journal::Entry>, Committed>> waiting;
    std::vector<journal::Entry> on_disk;
};

struct World : Board::Observer, Connection::Handler {
    explicit World(link::test::ModelDevice& d, SlowJournal& j, GameConfig config = {})
        : device(d), journal(j), board(io.get_executor(), journal, *this, "TM-1", config),
          connection(io.get_executor(), "model", std::make_unique<ModelOpener>(io, device, cable),
                     *this) {
        REQUIRE(board.replay());
        connection.start();
    }
    ~World() override { connection.stop(); }

    void on_change(Board& changed) override {
        for (const auto& decision : changed.game().take_shown()) {
            if (std::holds_alternative<laws::MovePublished>(decision.what)) ++published;
            if (std::holds_alternative<laws::GameEnded>(decision.what)) ++ended;
        }
    }
    void on_game_left(serve::LiveGame&) override {}
    void on_attached(Board&) override { ++attached; }
    void on_detached(Board&, const Error&) override {}
    void on_fatal(Board&, const Error& why) override { fatal = why.message(); }
    Board* board_of(const std::string&) override { return &board; }
    void on_not_opened(const Connection&, const Error&) override {}
    void on_doubled(const Connection&, const Board&) override {}

    /// Everything that is under way between device and host arrives; nothing reaches the disk.
    void flow() {
        for (int i = 0; i < 8; ++i) {
            io.restart();
            io.poll();
            if (cable != nullptr && !cable->stopped()) cable->settle();
        }
        io.restart();
        io.poll();
    }
    void flow_and_commit() {
        do flow();
        while (journal.commit());
        flow();
    }
    [[nodiscard]] std::size_t moves() { return board.game().live().moves().size(); }

    boost::asio::io_context io;
    link::test::ModelDevice& device;
    SlowJournal& journal;
    link::test::ModelCable* cable = nullptr;
    Board board;
    Connection connection;
    int published = 0, ended = 0, attached = 0;
    std::string fatal;
};

std::vector<std::string> kinds(const std::vector<journal::Entry>& entries) {
    std::vector<std::string> names;
    for (const auto& entry : entries) {
        if (std::holds_alternative<journal::HostInput>(entry.payload)) names.push_back("host");
        else if (std::holds_alternative<journal::TimePassed>(entry.payload))
            names.push_back("time");
        else names.push_back("device");
    }
    return names;
}

}  // namespace

TEST_CASE("the device is told to forget nothing that is not on disk", "[app]") {
    link::test::ModelDevice device(1, 0, 0);
    SlowJournal journal;
    World world(device, journal);
    world.flow();
    REQUIRE(world.attached == 1);
    play(device, "e2", "e4", true);
    world.flow();
    REQUIRE_FALSE(journal.waiting.empty());
    CHECK(device.oldest() == 0);
    CHECK(world.published == 0);
    world.flow_and_commit();
    CHECK(device.kept() == 0);
    CHECK(world.published == 1);
    CHECK(kinds(journal.on_disk).front() == "host");  // the game's rules come first
}

TEST_CASE("a press is published after one commit: no second one for time alone", "[app]") {
    link::test::ModelDevice device(1, 0, 0);
    SlowJournal journal;
    World world(device, journal);
    world.flow_and_commit();
    play(device, "e2", "e4", true);
    device.run(10'000);
    world.flow();
    REQUIRE(journal.commit());
    world.flow();
    CHECK(world.published == 1);
    for (const auto& kind : kinds(journal.on_disk)) CHECK(kind != "time");
}

TEST_CASE("what time alone decides is shown once that time is on disk", "[app]") {
    GameConfig config;
    config.rules.has_levers = false;
    link::test::ModelDevice device(1, 0, 0);
    SlowJournal journal;
    World world(device, journal, config);
    world.flow_and_commit();
    device.run(100'000);
    device.change(link::RecordKind::lift, index_of("e2"), 1000);
    device.run(100'000);
    device.change(link::RecordKind::place, index_of("e4"), 1000);
    device.run(100'000);
    world.flow_and_commit();
    CHECK(world.moves() == 0);

    device.run(600'000);  // the man has stood for release_ms
    world.flow();
    REQUIRE(journal.waiting.size() == 1);
    CHECK(kinds(journal.waiting.front().first) == std::vector<std::string>{"time"});
    CHECK(world.moves() == 0);
    world.flow_and_commit();
    CHECK(world.moves() == 1);

    device.run(1'000'000);  // and for publish_ms
    CHECK(world.published == 0);
    world.flow_and_commit();
    CHECK(world.published == 1);
    CHECK(kinds(journal.on_disk).back() == "time");

    // The journal alone leads to the same.
    BoardGame again("TM-1");
    for (const auto& entry : journal.on_disk) REQUIRE(again.apply(entry));
    CHECK(again.live().moves().size() == 1);
    CHECK(again.live().moves().front().published);
}

TEST_CASE("what people say is stamped not below the last watermark, and counts once stored",
          "[app]") {
    link::test::ModelDevice device(1, 0, 0);
    SlowJournal journal;
    World world(device, journal);
    world.flow_and_commit();
    device.run(5'000'000);
    world.flow_and_commit();
    bool done = false;
    world.board.say(laws::Input{laws::Resigned{chess::Color::white}},
                    [&done](Result<void> said) { done = said.has_value(); });
    world.flow();
    CHECK_FALSE(done);
    REQUIRE(journal.waiting.size() == 1);
    CHECK(to_us(journal.waiting.front().first.front().at) >= 5'000'000);
    device.run(1'000'000);
    world.flow_and_commit();
    CHECK(done);
    CHECK(world.ended == 1);
}

TEST_CASE("on a board that has no game yet, only a game can be asked for", "[app]") {
    link::test::ModelDevice device(1, 0, 0);
    SlowJournal journal;
    World world(device, journal);
    std::string answer;
    world.board.say(laws::Input{laws::Resigned{chess::Color::white}},
                    [&answer](Result<void> said) { answer = said.error().message(); });
    CHECK(answer == "No game has begun on the board TM-1.");
}

TEST_CASE("a disk that refuses ends it all: no acknowledgement, no decision", "[app]") {
    link::test::ModelDevice device(1, 0, 0);
    SlowJournal journal;
    World world(device, journal);
    world.flow_and_commit();
    play(device, "e2", "e4", true);
    world.flow();
    const auto kept = device.kept();
    journal.refuse();
    world.flow();
    CHECK(world.fatal == "disk full");
    CHECK(device.kept() == kept);
    CHECK(world.published == 0);
    Result<void> answer;
    world.board.say(laws::Input{laws::Resigned{chess::Color::white}},
                    [&answer](Result<void> said) { answer = said; });
    CHECK_FALSE(answer);
}

TEST_CASE("a cable pulled between delivery and commit doubles nothing", "[app]") {
    link::test::ModelDevice device(1, 0, 0);
    SlowJournal journal;
    World world(device, journal);
    world.flow_and_commit();
    play(device, "e2", "e4", true);
    world.flow();
    REQUIRE_FALSE(journal.waiting.empty());
    world.cable->pull();
    world.connection.stop();
    Connection again(world.io.get_executor(), "model",
                     std::make_unique<ModelOpener>(world.io, device, world.cable), world);
    again.start();
    world.flow();  // must wait for the disk
    world.flow_and_commit();
    play(device, "e7", "e5", false);
    world.flow_and_commit();
    CHECK(world.published == 2);
    std::vector<std::uint16_t> seqs;
    for (const auto& entry : journal.on_disk) {
        if (entry.id) seqs.push_back(entry.id->seq);
    }
    auto sorted = seqs;
    std::sort(sorted.begin(), sorted.end());
    CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
    again.stop();
}

TEST_CASE("a restart at any commit gives the same record", "[app]") {
    const std::vector<std::pair<const char*, const char*>> moves{
        {"e2", "e4"}, {"e7", "e5"}, {"g1", "f3"}, {"b8", "c6"}, {"f1", "b5"}, {"a7", "a6"}};
    GameConfig config;
    config.clock = parse_time_control("300+3").value();
    const unsigned restart_after = GENERATE(range(0U, 8U));
    link::test::ModelDevice device(1, 0, 0);
    SlowJournal journal;
    auto world = std::make_unique<World>(device, journal, config);
    unsigned commits = 0;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        play(device, moves[i].first, moves[i].second, i % 2 == 0);
        for (;;) {
            world->flow();
            if (journal.waiting.empty()) break;
            if (commits++ == restart_after) {
                // kill -9: what waited for the disk is gone.
                journal.waiting.clear();
                world = std::make_unique<World>(device, journal, config);
                continue;
            }
            journal.commit();
        }
    }
    device.run(100'000);
    world->flow_and_commit();
    CHECK(world->moves() == moves.size());
    for (const auto& move : world->board.game().live().moves()) CHECK(move.published);
    BoardGame again("TM-1");
    for (const auto& entry : journal.on_disk) REQUIRE(again.apply(entry));
    again.show(again.advance(journal.on_disk.back().at + Micros{1}));  // nothing follows
    CHECK(chess::write_pgn(again.live().pgn()) ==
          chess::write_pgn(world->board.game().live().pgn()));
}

TEST_CASE("lamps show where men are to be put back, and go out when they stand there", "[app]") {
    link::test::ModelDevice device(1, 0, 0);
    device.lamps = 64;
    SlowJournal journal;
    World world(device, journal);
    std::optional<Connection> again;
    const bool asked_for = GENERATE(true, false);
    if (asked_for) world.board.light_what_to_restore();
    world.flow_and_commit();
    play(device, "g1", "g3", true);  // no knight goes there
    world.flow_and_commit();
    const auto bits = [](std::string_view a, std::string_view b) {
        return std::uint64_t{1} << index_of(a) | std::uint64_t{1} << index_of(b);
    };
    if (!asked_for) {
        CHECK(device.lamp_requests == 0);
        return;
    }
    CHECK(device.lit == bits("g1", "g3"));
    const auto put = [&](link::RecordKind kind, std::string_view square) {
        device.run(100'000);
        device.change(kind, index_of(square), 1000);
        device.run(100'000);
        world.flow_and_commit();
    };
    put(link::RecordKind::lift, "g3");
    CHECK(device.lit == std::uint64_t{1} << index_of("g1"));
    SECTION("the cable was pulled: the board comes back dark") {
        world.cable->pull();
        world.connection.stop();
        device.lit = 0;
        again.emplace(world.io.get_executor(), "model",
                      std::make_unique<ModelOpener>(world.io, device, world.cable), world);
        again->start();
        world.flow_and_commit();
        REQUIRE(world.attached == 2);
        CHECK(device.lit == std::uint64_t{1} << index_of("g1"));
    }
    put(link::RecordKind::place, "g1");
    CHECK(device.lit == 0);
    const unsigned requests = device.lamp_requests;
    play(device, "g1", "f3", true);
    world.flow_and_commit();
    CHECK(device.lamp_requests == requests);
    CHECK(world.published == 1);
    if (again) again->stop();
}

TEST_CASE("eight lamps stand at no squares: they stay dark", "[app]") {
    link::test::ModelDevice device(1, 0, 0);
    device.lamps = 8;
    SlowJournal journal;
    World world(device, journal);
    world.board.light_what_to_restore();
    world.flow_and_commit();
    play(device, "g1", "g3", true);
    world.flow_and_commit();
    CHECK(device.lamp_requests == 0);
}

TEST_CASE("where nobody watches, the record goes on over an illegal move, and PGN stays readable",
          "[app]") {
    GameConfig config;
    config.rules.supervision = laws::Supervision::limited;
    link::test::ModelDevice device(1, 0, 0);
    SlowJournal journal;
    World world(device, journal, config);
    world.flow_and_commit();
    play(device, "e2", "e4", true);
    play(device, "e7", "e5", false);
    play(device, "g1", "g3", true);  // no knight goes there
    world.flow_and_commit();
    CHECK(world.published == 2);
    CHECK(world.moves() == 3);
    play(device, "b8", "c6", false);
    world.flow_and_commit();
    CHECK(world.published == 4);
    const std::string pgn = chess::write_pgn(world.board.game().live().pgn());
    INFO(pgn);
    const auto read = chess::parse_pgn(pgn);
    REQUIRE(read.size() == 1);
    CHECK_FALSE(read.front().broken_off);
    REQUIRE(read.front().moves.size() == 2);
    CHECK(read.front().moves.back().comment ==
          "an illegal move follows, the game went on: g1g3 b8c6");
}
