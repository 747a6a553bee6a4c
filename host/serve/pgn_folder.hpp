// pgn_folder.hpp - the games as files, for broadcasters and every other program that reads PGN
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "host/base/result.hpp"
#include "host/chess/pgn.hpp"

namespace touchmove::serve {

/// A folder with game-1.pgn, game-2.pgn, ... and games.pgn, which holds them all in that order. A
/// file is replaced as a whole (written beside it, synced, renamed), so a reader, and a crash, find
/// the old or the new one. A game keeps its number over restarts by its [GameId] tag.
///
/// Owns one thread that writes; write() never waits for the disk.
class PgnFolder {
  public:
    /// Called on the folder's thread when the disk refused; the next write tries again.
    using OnError = std::function<void(const Error&)>;

    /// Makes the folder if need be and reads which games it holds.
    [[nodiscard]] static Result<std::unique_ptr<PgnFolder>> open(std::filesystem::path folder,
                                                                 OnError on_error);
    virtual ~PgnFolder() = default;  ///< writes what is queued, then stops

    /// Queues the game for writing; of several versions queued only the last is written. `game_id`
    /// is not empty. Returns the number in the file's name.
    virtual unsigned write(const std::string& game_id, const chess::PgnGame& game) = 0;
    /// Is there a file for that game, or one queued?
    [[nodiscard]] virtual bool holds(const std::string& game_id) = 0;
    /// Waits until all that was queued is on disk or was refused.
    virtual void flush() = 0;
};

}  // namespace touchmove::serve
