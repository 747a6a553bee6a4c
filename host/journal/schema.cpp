// schema.cpp - the tables of a journal file, and which version of them it has
// SPDX-License-Identifier: Apache-2.0
#include "host/journal/schema.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

namespace touchmove::journal {
namespace {

// `row` is the total order; rows are only ever added. The second index answers what is stored of a
// session without reading the board's whole history.
constexpr const char* tables = R"sql(
    CREATE TABLE entries (
        row      INTEGER PRIMARY KEY,
        board    TEXT    NOT NULL,   -- serial number
        at_us    INTEGER NOT NULL,   -- device time of the board's session
        wall_ms  INTEGER NOT NULL,   -- UTC, milliseconds since 1970, when the host took it
        session  INTEGER,            -- device records: session number ...
        seq      INTEGER,            -- ... the last record's sequence number ...
        records  INTEGER NOT NULL,   -- ... and how many records it was made of
        kind     TEXT    NOT NULL,
        subject  INTEGER,            -- square (0 = a1), aux input, or states of all aux inputs
        value    INTEGER,            -- bounces, occupancy (bit 0 = a1), session, wraps, lost, fault
        text     TEXT                -- JSON of a host input
    ) STRICT;
    CREATE INDEX entries_of_board ON entries (board, row);
    CREATE INDEX entries_of_session ON entries (board, session, row) WHERE session IS NOT NULL;
)sql";

int pragma(SQLite::Database& db, const char* name) {
    return db.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

bool is_empty(SQLite::Database& db) {
    return db.execAndGet("SELECT count(*) FROM sqlite_schema").getInt() == 0;
}

}  // namespace

Result<void> check_schema(SQLite::Database& db, const std::string& path) {
    if (pragma(db, "application_id") != application_id) {
        return Error(std::errc::invalid_argument,
                     fmt::format("journal {}: an SQLite file, but not a Touchmove journal", path));
    }
    const int version = pragma(db, "user_version");
    if (version != schema_version) {
        return Error(std::errc::not_supported,
                     fmt::format("journal {}: has format {}, this program reads format {}", path,
                                 version, schema_version));
    }
    return {};
}

Result<void> prepare_schema(SQLite::Database& db, const std::string& path) {
    if (pragma(db, "application_id") == 0 && is_empty(db)) {
        SQLite::Transaction transaction(db);
        db.exec(tables);
        db.exec(fmt::format("PRAGMA application_id = {}", application_id));
        db.exec(fmt::format("PRAGMA user_version = {}", schema_version));
        transaction.commit();
    }
    return check_schema(db, path);
}

}  // namespace touchmove::journal
