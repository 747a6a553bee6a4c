// reader.cpp - looking into a journal without writing to it
// SPDX-License-Identifier: Apache-2.0
#include "host/journal/reader.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <utility>

#include "host/journal/payload_columns.hpp"
#include "host/journal/schema.hpp"
#include "host/journal/stored_run.hpp"

namespace touchmove::journal {
namespace {

constexpr int busy_timeout_ms = 2000;

std::optional<std::int64_t> optional_number(const SQLite::Column& column) {
    if (column.isNull()) return std::nullopt;
    return column.getInt64();
}

/// The columns as `read` selects them.
Result<Entry> entry_from(SQLite::Statement& row) {
    PayloadColumns columns{row.getColumn(6).getString(), optional_number(row.getColumn(7)),
                           optional_number(row.getColumn(8)), std::nullopt};
    if (!row.getColumn(9).isNull()) columns.text = row.getColumn(9).getString();
    auto payload = from_columns(columns);
    if (!payload) {
        return Error(payload.error().code, fmt::format("row {}: {}", row.getColumn(0).getInt64(),
                                                       payload.error().message()));
    }
    Entry entry;
    entry.row = row.getColumn(0).getInt64();
    entry.at = device_time(row.getColumn(1).getInt64());
    entry.wall_ms = row.getColumn(2).getInt64();
    if (!row.getColumn(3).isNull()) {
        entry.id = link::RecordId{static_cast<std::uint32_t>(row.getColumn(3).getInt64()),
                                  static_cast<std::uint16_t>(row.getColumn(4).getInt64())};
    }
    entry.records = static_cast<std::uint16_t>(row.getColumn(5).getInt64());
    entry.payload = *std::move(payload);
    return entry;
}

}  // namespace

class Reader::Impl {
  public:
    explicit Impl(const std::string& path)
        : path_(path), db_(path, SQLite::OPEN_READONLY, busy_timeout_ms) {
        db_.exec("PRAGMA wal_autocheckpoint = 0");
    }

    Result<void> check() { return check_schema(db_, path_); }

    std::vector<std::string> boards() {
        SQLite::Statement query(db_, "SELECT DISTINCT board FROM entries ORDER BY board");
        std::vector<std::string> found;
        while (query.executeStep())
            found.push_back(query.getColumn(0).getString());
        return found;
    }

    Result<std::vector<Entry>> read(const std::string& board, std::int64_t first_row) {
        SQLite::Statement query(
            db_,
            "SELECT row, at_us, wall_ms, session, seq, records, kind, subject, value, text"
            " FROM entries WHERE board = ? AND row >= ? ORDER BY row");
        query.bind(1, board);
        query.bind(2, first_row);
        std::vector<Entry> entries;
        while (query.executeStep()) {
            auto entry = entry_from(query);
            if (!entry) return Error(entry.error().code, about(entry.error().message()));
            entry->board = board;
            entries.push_back(*std::move(entry));
        }
        return entries;
    }

    std::optional<link::Stored> stored(const std::string& board) {
        SQLite::Statement newest(db_,
                                 "SELECT session FROM entries WHERE board = ?"
                                 " AND session IS NOT NULL ORDER BY row DESC LIMIT 1");
        newest.bind(1, board);
        if (!newest.executeStep()) return std::nullopt;
        const std::int64_t session = newest.getColumn(0).getInt64();

        SQLite::Statement records(db_,
                                  "SELECT row, seq, records, at_us, kind FROM entries"
                                  " WHERE board = ? AND session = ? ORDER BY row");
        records.bind(1, board);
        records.bind(2, session);
        StoredRun run;
        std::int64_t first_row = 0;
        while (records.executeStep()) {
            const auto seq = static_cast<std::uint16_t>(records.getColumn(1).getInt64());
            if (first_row == 0) {
                first_row = records.getColumn(0).getInt64();
                if (records.getColumn(4).getString() == "session") {
                    run.begin(seq);
                    continue;
                }
            }
            run.add(seq, static_cast<std::uint16_t>(records.getColumn(2).getInt64()),
                    device_time(records.getColumn(3).getInt64()));
        }
        // Host inputs and TimePassed count too: nothing may come below a time already decided.
        SQLite::Statement last(db_, "SELECT max(at_us) FROM entries WHERE board = ? AND row >= ?");
        last.bind(1, board);
        last.bind(2, first_row);
        last.executeStep();

        auto found = run.run();
        return link::Stored{{static_cast<std::uint32_t>(session), found->up_to},
                            std::move(found->beyond),
                            device_time(last.getColumn(0).getInt64())};
    }

    std::string about(const std::string& what) const {
        return fmt::format("journal {}: {}", path_, what);
    }

  private:
    std::string path_;
    SQLite::Database db_;
};

Reader::Reader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

Result<Reader> Reader::open(const std::string& path) {
    try {
        auto impl = std::make_unique<Impl>(path);
        if (auto checked = impl->check(); !checked) return checked.error();
        return Reader(std::move(impl));
    } catch (const SQLite::Exception& e) {
        return Error(std::errc::io_error,
                     fmt::format("journal {}: cannot be read: {}", path, e.what()));
    }
}

Result<std::vector<Entry>> Reader::read(const std::string& board, std::int64_t first_row) {
    try {
        return impl_->read(board, first_row);
    } catch (const SQLite::Exception& e) {
        return Error(std::errc::io_error, impl_->about(e.what()));
    }
}

Result<std::optional<link::Stored>> Reader::stored(const std::string& board) {
    try {
        return impl_->stored(board);
    } catch (const SQLite::Exception& e) {
        return Error(std::errc::io_error, impl_->about(e.what()));
    }
}

Result<std::vector<std::string>> Reader::boards() {
    try {
        return impl_->boards();
    } catch (const SQLite::Exception& e) {
        return Error(std::errc::io_error, impl_->about(e.what()));
    }
}

}  // namespace touchmove::journal
