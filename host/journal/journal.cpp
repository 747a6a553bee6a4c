// journal.cpp - the writer thread and the one connection that writes
// SPDX-License-Identifier: Apache-2.0
#include "host/journal/journal.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sqlite3.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "host/journal/payload_columns.hpp"
#include "host/journal/reader.hpp"
#include "host/journal/schema.hpp"
#include "host/journal/writer_lock.hpp"

namespace touchmove::journal {
namespace {

constexpr int busy_timeout_ms = 2000;

struct Batch {
    std::vector<Entry> entries;
    Journal::Committed committed;
};

/// The connection that writes and checkpoints; there is no other one. Used by the writer thread
/// alone once it runs.
class WriteConnection {
  public:
    static Result<std::unique_ptr<WriteConnection>> open(const std::string& path) {
        try {
            std::unique_ptr<WriteConnection> connection(new WriteConnection(path));
            if (sqlite3_db_readonly(connection->db_.getHandle(), "main") != 0) {
                return Error(std::errc::permission_denied,
                             fmt::format("journal {}: is write-protected", path));
            }
            connection->db_.exec("PRAGMA journal_mode = WAL");
            // FULL syncs the WAL at every commit. NORMAL would lose the last moves at a power cut.
            connection->db_.exec("PRAGMA synchronous = FULL");
            if (auto ready = prepare_schema(connection->db_, path); !ready) return ready.error();
            connection->prepare_statements();
            return connection;
        } catch (const SQLite::Exception& e) {
            return Error(std::errc::io_error,
                         fmt::format("journal {}: cannot be opened: {}", path, e.what()));
        }
    }

    /// All entries of all batches in one transaction; fills in their rows. Throws.
    void commit(std::vector<Batch>& batches) {
        begin_->exec();
        begin_->reset();
        for (Batch& batch : batches) {
            for (Entry& entry : batch.entries)
                insert(entry);
        }
        commit_->exec();
        commit_->reset();
    }

    void roll_back() noexcept {
        for (auto* statement : {begin_.get(), insert_.get(), commit_.get()}) {
            // Says again what the failed step has said.
            (void)statement->tryReset();
        }
        if (sqlite3_get_autocommit(db_.getHandle()) == 0) (void)db_.tryExec("ROLLBACK");
    }

  private:
    explicit WriteConnection(const std::string& path)
        : db_(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, busy_timeout_ms) {}

    void prepare_statements() {
        begin_ = std::make_unique<SQLite::Statement>(db_, "BEGIN IMMEDIATE");
        commit_ = std::make_unique<SQLite::Statement>(db_, "COMMIT");
        insert_ = std::make_unique<SQLite::Statement>(
            db_,
            "INSERT INTO entries (board, at_us, wall_ms, session, seq, records, kind, subject,"
            " value, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    }

    void bind(int place, std::optional<std::int64_t> number) {
        if (number) {
            insert_->bind(place, *number);
        } else {
            insert_->bind(place);
        }
    }

    void insert(Entry& entry) {
        const PayloadColumns columns = to_columns(entry.payload);
        insert_->bind(1, entry.board);
        insert_->bind(2, std::int64_t{to_us(entry.at)});
        insert_->bind(3, entry.wall_ms);
        bind(4, entry.id ? std::optional<std::int64_t>(entry.id->session) : std::nullopt);
        bind(5, entry.id ? std::optional<std::int64_t>(entry.id->seq) : std::nullopt);
        insert_->bind(6, std::int64_t{entry.records});
        insert_->bind(7, columns.kind);
        bind(8, columns.subject);
        bind(9, columns.value);
        if (columns.text) {
            insert_->bind(10, *columns.text);
        } else {
            insert_->bind(10);
        }
        insert_->exec();
        insert_->reset();
        entry.row = db_.getLastInsertRowid();
    }

    SQLite::Database db_;
    std::unique_ptr<SQLite::Statement> begin_;
    std::unique_ptr<SQLite::Statement> insert_;
    std::unique_ptr<SQLite::Statement> commit_;
};

class SqliteJournal final : public Journal {
  public:
    SqliteJournal(std::string path, WriterLock lock, std::unique_ptr<WriteConnection> connection,
                  Reader reader)
        : path_(std::move(path)),
          lock_(std::move(lock)),
          connection_(std::move(connection)),
          reader_(std::move(reader)),
          writer_([this] { write_until_closed(); }) {}

    /// Whatever was appended is written first.
    ~SqliteJournal() override {
        {
            const std::lock_guard guard(mutex_);
            closing_ = true;
        }
        wake_.notify_one();
        writer_.join();
    }

    void append(std::vector<Entry> entries, Committed committed) override {
        {
            const std::lock_guard guard(mutex_);
            queue_.push_back({std::move(entries), std::move(committed)});
        }
        wake_.notify_one();
    }

    Result<std::vector<Entry>> read(const std::string& board, std::int64_t first_row) override {
        const std::lock_guard guard(reader_mutex_);
        return reader_.read(board, first_row);
    }

    Result<std::optional<link::Stored>> stored(const std::string& board) override {
        const std::lock_guard guard(reader_mutex_);
        return reader_.stored(board);
    }

    Result<std::vector<std::string>> boards() override {
        const std::lock_guard guard(reader_mutex_);
        return reader_.boards();
    }

  private:
    void write_until_closed() {
        ::pthread_setname_np(::pthread_self(), "journal");
        for (;;) {
            std::vector<Batch> batches;
            {
                std::unique_lock guard(mutex_);
                wake_.wait(guard, [this] { return closing_ || !queue_.empty(); });
                if (queue_.empty()) return;
                batches.swap(queue_);
            }
            write(batches);
        }
    }

    void write(std::vector<Batch>& batches) {
        if (!refused_) {
            try {
                connection_->commit(batches);
            } catch (const SQLite::Exception& e) {
                connection_->roll_back();
                // Going on after a refused entry would leave a hole in the record.
                refused_ = Error(std::errc::io_error,
                                 fmt::format("journal {}: cannot be written: {}", path_, e.what()));
            }
        }
        for (Batch& batch : batches) {
            if (!batch.committed) continue;
            if (refused_) {
                batch.committed(*refused_);
            } else {
                batch.committed(std::move(batch.entries));
            }
        }
    }

    const std::string path_;
    WriterLock lock_;
    std::unique_ptr<WriteConnection> connection_;  ///< the writer thread's
    std::optional<Error> refused_;                 ///< the writer thread's

    std::mutex reader_mutex_;
    Reader reader_;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<Batch> queue_;
    bool closing_ = false;

    std::thread writer_;  ///< last: starts when all the rest is there
};

}  // namespace

Result<std::unique_ptr<Journal>> Journal::open(const std::string& path) {
    auto lock = WriterLock::take(path);
    if (!lock) return lock.error();
    auto connection = WriteConnection::open(path);
    if (!connection) return connection.error();
    auto reader = Reader::open(path);
    if (!reader) return reader.error();
    return std::unique_ptr<Journal>(std::make_unique<SqliteJournal>(
        path, *std::move(lock), *std::move(connection), *std::move(reader)));
}

}  // namespace touchmove::journal
