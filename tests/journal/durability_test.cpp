// durability_test.cpp - what was acknowledged is there, whenever the process was killed
// SPDX-License-Identifier: Apache-2.0
#include <poll.h>

#include <csignal>
#include <memory>
#include <random>
#include <thread>

#include "host/journal/journal.hpp"
#include "tests/journal/fixture.hpp"

using namespace touchmove;
using namespace touchmove::journal;
using namespace touchmove::journal::testing;

namespace {

constexpr int kills = 40;
constexpr std::uint32_t session = 1;

/// Appends entries from `first` on for ever, and writes each one's number to `to` once the journal
/// says that it is stored.
int write_until_killed(const std::string& path, std::uint16_t first, int to, unsigned seed) {
    auto journal = Journal::open(path);
    if (!journal) return 1;
    std::minstd_rand random(seed);
    std::uint16_t next = first;
    for (;;) {
        std::vector<Entry> batch;
        for (auto left = 1 + random() % 5; left != 0; --left) {
            batch.push_back(next == 0 ? session_of(session) : lift_of(session, next, next));
            ++next;
        }
        auto stored = std::make_shared<std::promise<void>>();
        (*journal)->append(std::move(batch), [to, stored](Result<std::vector<Entry>> said) {
            if (!said) ::_exit(2);
            for (const Entry& entry : *said) {
                if (::write(to, &entry.id->seq, sizeof entry.id->seq) < 0) ::_exit(3);
            }
            stored->set_value();
        });
        // Waiting only now and then makes groups of one batch and of several.
        if (random() % 3 == 0) stored->get_future().wait();
    }
}

}  // namespace

TEST_CASE("kill -9 at any instant loses no acknowledged entry and doubles none", "[journal]") {
    const unsigned seed = Catch::rngSeed() != 0 ? Catch::rngSeed() : std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    const TempDir dir;
    const std::string path = dir / "j.db";

    std::size_t stored_before = 0;
    std::size_t with_news = 0;
    for (int kill = 0; kill < kills; ++kill) {
        int pipe_ends[2];
        REQUIRE(::pipe(pipe_ends) == 0);
        const auto child_seed = static_cast<unsigned>(random());
        const pid_t child = in_child([&] {
            ::close(pipe_ends[0]);
            return write_until_killed(path, static_cast<std::uint16_t>(stored_before), pipe_ends[1],
                                      child_seed);
        });
        ::close(pipe_ends[1]);
        // Every other child is left alone until it has something acknowledged; the rest may be
        // caught while they still open the file.
        if (kill % 2 == 1) {
            pollfd first_word{pipe_ends[0], POLLIN, 0};
            REQUIRE(::poll(&first_word, 1, 60'000) == 1);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
        ::kill(child, SIGKILL);
        REQUIRE(exit_status_of(child) == 128 + SIGKILL);

        std::size_t acknowledged = stored_before;
        std::uint16_t seq = 0;
        while (::read(pipe_ends[0], &seq, sizeof seq) == sizeof seq) {
            REQUIRE(seq == acknowledged);
            ++acknowledged;
        }
        ::close(pipe_ends[0]);

        const auto journal = open_or_fail(path);
        const auto entries = journal->read("TM-1");
        REQUIRE(entries);
        REQUIRE(entries->size() >= acknowledged);
        for (std::size_t i = 0; i < entries->size(); ++i)
            REQUIRE(entries->at(i).id->seq == i);
        if (!entries->empty()) {
            const auto stored = journal->stored("TM-1").value();
            REQUIRE(stored);
            CHECK(stored->up_to.seq == entries->size() - 1);
            CHECK(stored->beyond.empty());
        }
        if (acknowledged > stored_before) ++with_news;
        stored_before = entries->size();
    }
    CHECK(with_news >= kills / 2);
}
