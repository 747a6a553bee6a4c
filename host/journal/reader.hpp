// reader.hpp - looking into a journal without writing to it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/base/result.hpp"
#include "host/journal/journal.hpp"

namespace touchmove::journal {

/// A connection that only reads and never checkpoints, also beside a running daemon: SQLite up to
/// 3.51.2 can damage a WAL that two connections write or checkpoint at one moment. One thread at a
/// time.
class Reader {
  public:
    /// Fails if the file is missing, is no journal, or has another format.
    [[nodiscard]] static Result<Reader> open(const std::string& path);
    ~Reader();
    Reader(Reader&&) noexcept;
    Reader& operator=(Reader&&) noexcept;

    /// As in Journal. All fail if the file cannot be read or holds what this version cannot read.
    [[nodiscard]] Result<std::vector<Entry>> read(const std::string& board,
                                                  std::int64_t first_row = 0);
    [[nodiscard]] Result<std::optional<link::Stored>> stored(const std::string& board);
    [[nodiscard]] Result<std::vector<std::string>> boards();

  private:
    class Impl;
    explicit Reader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace touchmove::journal
