// mailbox.hpp - legal moves the slow and obvious way, to check the fast one
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// The legal moves of a FEN of which nothing is dropped, as sorted UCI text. Shares no code with
/// host/chess: an array of 64 letters, every man tried on every square, check found by asking every
/// man of the other side.
[[nodiscard]] std::vector<std::string> mailbox_moves(const std::string& fen);
