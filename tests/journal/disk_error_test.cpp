// disk_error_test.cpp - a disk that refuses is reported, and ends the record there
// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>

#include "host/journal/journal.hpp"
#include "tests/journal/fixture.hpp"

using namespace touchmove;
using namespace touchmove::journal;
using namespace touchmove::journal::testing;
using Catch::Contains;

namespace {

constexpr uid_t nobody = 65534;

void limit_file_size(rlim_t bytes) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, RLIM_INFINITY};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(90);
}

}  // namespace

TEST_CASE("a full disk: the error is told, nothing more is taken, nothing stored is lost",
          "[journal]") {
    const TempDir dir;
    const std::string path = dir / "j.db";
    int pipe_ends[2];
    REQUIRE(::pipe(pipe_ends) == 0);
    const pid_t child = in_child([&] {
        auto journal = Journal::open(path);
        if (!journal) return 1;
        limit_file_size(256 * 1024);
        std::uint16_t stored = 0;
        for (std::uint16_t seq = 0;; ++seq) {
            const auto said =
                append_now(**journal, {seq == 0 ? session_of(1) : lift_of(1, seq, seq)});
            if (!said) {
                if (said.error().message().find("cannot be written") == std::string::npos) return 2;
                break;
            }
            ++stored;
            if (stored == 30'000) return 3;  // the limit did not bite
        }
        // Space comes back, but the record already has its end.
        limit_file_size(RLIM_INFINITY);
        if (append_now(**journal, {lift_of(1, static_cast<std::uint16_t>(stored + 1), 0)}))
            return 4;
        return ::write(pipe_ends[1], &stored, sizeof stored) == sizeof stored ? 0 : 5;
    });
    CHECK(exit_status_of(child) == 0);
    std::uint16_t stored = 0;
    REQUIRE(::read(pipe_ends[0], &stored, sizeof stored) == sizeof stored);
    ::close(pipe_ends[0]);
    ::close(pipe_ends[1]);
    CHECK(stored > 0);

    const auto entries = open_or_fail(path)->read("TM-1");
    REQUIRE(entries);
    CHECK(entries->size() == stored);
}

TEST_CASE("a write-protected journal or folder is refused at the start", "[journal]") {
    const TempDir dir;
    const std::string path = dir / "j.db";
    open_or_fail(path).reset();
    const bool folder_too = GENERATE(false, true);
    const mode_t mode = folder_too ? 0555 : 0777;
    REQUIRE(::chmod(path.c_str(), 0444) == 0);
    REQUIRE(::chmod((path + ".lock").c_str(), 0666) == 0);
    REQUIRE(::chmod(dir.path().c_str(), mode) == 0);

    int pipe_ends[2];
    REQUIRE(::pipe(pipe_ends) == 0);
    const pid_t child = in_child([&] {
        // Permissions mean nothing to root.
        if (::getuid() == 0 && ::setuid(nobody) != 0) return 1;
        const auto journal = Journal::open(path);
        if (journal) return 2;
        const std::string text = journal.error().message();
        return ::write(pipe_ends[1], text.data(), text.size()) > 0 ? 0 : 3;
    });
    ::close(pipe_ends[1]);
    CHECK(exit_status_of(child) == 0);
    std::string text(400, '\0');
    const auto n = ::read(pipe_ends[0], text.data(), text.size());
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    ::close(pipe_ends[0]);
    CHECK_THAT(text,
               Contains(path) && (Contains("write-protected") || Contains("readonly database") ||
                                  Contains("unable to open")));
    ::chmod(dir.path().c_str(), 0755);
}
