// writer_lock.cpp - at most one process writes a journal
// SPDX-License-Identifier: Apache-2.0
#include "host/journal/writer_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>

namespace touchmove::journal {
namespace {

Error system_error(const std::string& journal_path, int number) {
    const std::error_code code(number, std::generic_category());
    return {code, fmt::format("journal {}: cannot be opened: {}", journal_path, code.message())};
}

/// The process id that the holder wrote into the lock file; empty if it cannot be read.
std::string holder_of(int fd) {
    std::array<char, 24> text{};
    const ssize_t n = ::pread(fd, text.data(), text.size(), 0);
    std::string_view digits(text.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
    return std::string(digits.substr(0, digits.find('\n')));
}

}  // namespace

Result<WriterLock> WriterLock::take(const std::string& journal_path) {
    const std::string lock_path = journal_path + ".lock";
    const int fd = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) return system_error(journal_path, errno);
    WriterLock lock(fd);
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return system_error(journal_path, errno);
        const std::string holder = holder_of(fd);
        return Error(
            std::errc::device_or_resource_busy,
            fmt::format("journal {}: in use by another daemon{}; stop it or give this one "
                        "a journal of its own",
                        journal_path, holder.empty() ? "" : fmt::format(" (process {})", holder)));
    }
    const std::string pid = fmt::format("{}\n", ::getpid());
    // Only a courtesy to whoever finds the lock taken: a full disk must not keep us from reading.
    if (::ftruncate(fd, 0) == 0) (void)!::pwrite(fd, pid.data(), pid.size(), 0);
    return lock;
}

WriterLock::~WriterLock() {
    if (fd_ >= 0) ::close(fd_);
}

}  // namespace touchmove::journal
