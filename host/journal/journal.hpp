// journal.hpp - every input of every game, on disk, in one order
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "host/base/result.hpp"
#include "host/base/time.hpp"
#include "host/link/board_link.hpp"

namespace touchmove::journal {

/// What the host's own interfaces contributed (an offer, a claim, a choice, a game's start with
/// its configuration, a link that broke), as one JSON object; the game layer reads and writes it.
struct HostInput { std::string json; };
/// Time alone led to a decision at this instant.
struct TimePassed {};

using Payload = std::variant<link::DeviceEvent, HostInput, TimePassed>;

struct Entry {
    std::int64_t row = 0;               ///< place in the total order; given by the journal
    std::string board;                  ///< serial number of the board
    DeviceTime at;
    std::int64_t wall_ms = 0;           ///< UTC milliseconds since 1970 when the host took it
    std::optional<link::RecordId> id;   ///< for device events
    std::uint16_t records = 0;          ///< as in StampedEvent
    Payload payload;
};

/// SQLite, WAL, synchronous FULL. One writer thread commits whatever has queued up as one
/// transaction (group commit); append() never waits for the disk.
class Journal {
  public:
    [[nodiscard]] static Result<std::unique_ptr<Journal>> open(const std::string& path);
    virtual ~Journal() = default;

    /// Queues entries. `committed` is called on the writer thread once they are on disk, with their
    /// rows filled in; with an error if the disk refused (then nothing of them is stored and the
    /// journal takes no more).
    using Committed = std::function<void(Result<std::vector<Entry>>)>;
    virtual void append(std::vector<Entry> entries, Committed committed) = 0;

    /// All entries of a board in order, from `first_row` on.
    [[nodiscard]] virtual Result<std::vector<Entry>> read(const std::string& board,
                                                          std::int64_t first_row = 0) = 0;
    /// What is stored of the board's newest session.
    [[nodiscard]] virtual Result<std::optional<link::Stored>> stored(const std::string& board) = 0;
    [[nodiscard]] virtual Result<std::vector<std::string>> boards() = 0;
};

}  // namespace touchmove::journal
