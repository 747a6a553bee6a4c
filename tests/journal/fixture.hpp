// fixture.hpp - a journal in a folder of its own, and child processes that end badly
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "host/journal/journal.hpp"

namespace touchmove::journal::testing {

/// A new folder, removed with all that is in it.
class TempDir {
  public:
    TempDir() {
        std::string name = (std::filesystem::temp_directory_path() / "touchmove-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) std::terminate();
        path_ = name;
    }
    ~TempDir() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;

    [[nodiscard]] std::string operator/(const char* name) const { return (path_ / name).string(); }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// Appends and waits for the journal's word.
inline Result<std::vector<Entry>> append_now(Journal& journal, std::vector<Entry> entries) {
    std::promise<Result<std::vector<Entry>>> word;
    journal.append(std::move(entries),
                   [&word](Result<std::vector<Entry>> said) { word.set_value(std::move(said)); });
    return word.get_future().get();
}

inline std::unique_ptr<Journal> open_or_fail(const std::string& path) {
    auto journal = Journal::open(path);
    INFO((journal ? "" : journal.error().message()));
    REQUIRE(journal);
    return *std::move(journal);
}

/// Runs `body` in a child process, which ends with the status that it returns.
template <class Body>
pid_t in_child(Body body) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child != 0) return child;
    // Never back into the test program: it would report a second time.
    int status = 99;
    try {
        status = body();
    } catch (...) {
    }
    ::_exit(status);
}

inline int exit_status_of(pid_t child) {
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

inline Entry lift_of(std::uint32_t session, std::uint16_t seq, std::int64_t at_us) {
    Entry entry;
    entry.board = "TM-1";
    entry.at = device_time(at_us);
    entry.wall_ms = 1'700'000'000'000 + at_us / 1000;
    entry.id = link::RecordId{session, seq};
    entry.records = 1;
    entry.payload = link::DeviceEvent{link::Lift{static_cast<std::uint8_t>(seq % 64), 0}};
    return entry;
}

inline Entry session_of(std::uint32_t session, std::uint16_t seq = 0) {
    Entry entry = lift_of(session, seq, 0);
    entry.payload = link::DeviceEvent{link::SessionStart{session}};
    return entry;
}

}  // namespace touchmove::journal::testing
