// payload_columns.hpp - a journal entry's payload as the columns of its table
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/base/result.hpp"
#include "host/journal/journal.hpp"

namespace touchmove::journal {

/// What the table holds of a payload. Words, not numbers, name the kind: a journal is also read
/// with the `sqlite3` shell, years later.
struct PayloadColumns {
    std::string kind;                     ///< "lift", "snapshot", "host", ...
    std::optional<std::int64_t> subject;  ///< square, aux input, or the aux inputs' states
    std::optional<std::int64_t> value;    ///< bounces, occupancy, session number, ...
    std::optional<std::string> text;      ///< JSON of a host input
};

[[nodiscard]] PayloadColumns to_columns(const Payload& payload);

/// Fails on a kind that this version does not know, or a number that cannot stand there.
[[nodiscard]] Result<Payload> from_columns(const PayloadColumns& columns);

}  // namespace touchmove::journal
