// writer_lock.hpp - at most one process writes a journal
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "host/base/result.hpp"

namespace touchmove::journal {

/// Holds `<journal>.lock` for as long as it lives. The kernel lets go of it when the process ends,
/// however it ends. A file of its own, since closing any descriptor of the journal itself would
/// drop the locks that SQLite holds on it (POSIX locks belong to the process).
class WriterLock {
  public:
    [[nodiscard]] static Result<WriterLock> take(const std::string& journal_path);
    ~WriterLock();
    WriterLock(WriterLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
    WriterLock& operator=(WriterLock&&) = delete;
    WriterLock(const WriterLock&) = delete;
    WriterLock& operator=(const WriterLock&) = delete;

  private:
    explicit WriterLock(int fd) : fd_(fd) {}
    int fd_;
};

}  // namespace touchmove::journal
