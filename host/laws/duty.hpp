// duty.hpp - what a touched man obliges to (Articles 4.3 to 4.5)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/base/time.hpp"
#include "host/chess/position.hpp"

namespace touchmove::laws {

/// The first lift of a man in a turn. `square` is where it stood when the turn began.
struct Touch {
    chess::Square square;
    bool own;  ///< a man of the side that has the move
    DeviceTime at;
};

/// The moves among which a player must choose, and why.
struct Duty {
    std::vector<chess::Move> moves = {};      ///< by UCI text; empty: free choice (4.5)
    std::string article = {};                 ///< 4.3.1, 4.3.3, 4.4.1, 4.4.2 or 4.4.3
    std::optional<chess::Square> binds = {};  ///< the man that binds, in one-man duties (4.3.1)
    /// King first, then rook, castling there illegal and the king without a move: whether castling
    /// was meant is for the arbiter (4.4.3). `moves` holds what the rook's touch alone demands.
    bool castling_intent_open = false;

    [[nodiscard]] bool allows(chess::Move m) const noexcept;  ///< promotions count as one move
};

/// The duty that `touches` (in order of time; own men first within one scan frame) put on the side
/// to move of `base`.
[[nodiscard]] Duty duty_of(const chess::Position& base, const std::vector<Touch>& touches);

/// By UCI text, as reports list them.
void sort_by_uci(std::vector<chess::Move>& moves);

}  // namespace touchmove::laws
