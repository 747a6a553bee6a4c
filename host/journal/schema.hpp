// schema.hpp - the tables of a journal file, and which version of them it has
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "host/base/result.hpp"

namespace SQLite {
class Database;
}

namespace touchmove::journal {

/// Kept in the file's user_version. One more for every change that an older daemon cannot read.
inline constexpr int schema_version = 1;
/// Kept in the file's application_id: "TMoV".
inline constexpr int application_id = 0x544D6F56;

/// Creates the tables in an empty file; refuses a file that is no journal, or a newer one. Throws
/// SQLite::Exception where the disk refuses.
[[nodiscard]] Result<void> prepare_schema(SQLite::Database& db, const std::string& path);

/// The same question without the right to create anything.
[[nodiscard]] Result<void> check_schema(SQLite::Database& db, const std::string& path);

}  // namespace touchmove::journal
