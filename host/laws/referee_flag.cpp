// referee_flag.cpp - flags, and what can be won against a side that may not go on (6.8, 6.9, 5.1.2)
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "host/laws/referee_impl.hpp"

namespace touchmove::laws {

using chess::Kind;

bool Referee::Impl::flag_is_down(std::optional<Color> side) const noexcept {
    return side && std::find(flags_down_.begin(), flags_down_.end(), *side) != flags_down_.end();
}

/// A flag is down no more once its clock shows time again: a new period's, or the arbiter's.
void Referee::Impl::note_time_given() {
    std::erase_if(flags_down_, [&](Color side) { return clock_.left(side, now_) > Micros{0}; });
}

/// The own clock's flag fell. Where the daemon is no observer, nobody has called it yet (6.8).
void Referee::Impl::on_flag(Color side, DeviceTime at) {
    flags_down_.push_back(side);
    if (rules_.flag_observer) {
        decide_flag(side, at);
    } else {
        report({.kind = ReportKind::flag, .article = "6.3.1", .side = side}, at);
    }
}

/// Somebody says so. Of a clock that the referee does not keep this is taken as seen. The own clock
/// knows better (6.10): its flag must be down, and if both are, the one that fell first decides.
void Referee::Impl::on_flag_said(Color side, DeviceTime at) {
    if (!clock_.exists()) {
        decide_flag(side, at);
    } else if (flag_is_down(side)) {
        decide_flag(flags_down_.front(), at);
    } else {
        report({.kind = ReportKind::claim_refused, .article = "6.8"}, at);
    }
}

void Referee::Impl::decide_flag(Color side, DeviceTime at) {
    const Score score = agreed_score_against(side);
    report({.kind = ReportKind::flag, .article = "6.9", .side = side}, at);
    if (score == Score::open_to_arbiter) {
        report({.kind = ReportKind::arbiter, .article = "6.9"}, at);
    }
    close_made_move(at);
    end_game({score, "time", "6.9"}, at);
}

/// The score when `side` may not go on, for everything that may stand on the board by now: the
/// arbiter's if that leaves more than one (FORMAT.md, convention 14).
Score Referee::Impl::agreed_score_against(Color side) const {
    std::optional<Score> agreed;
    PositionScores known;
    for (const Reading& reading : readings_) {
        if (reading.dies_at && &reading != &primary()) continue;
        for (const Score score : scores_against_reading(reading, side, known)) {
            if (agreed.value_or(score) != score) return Score::open_to_arbiter;
            agreed = score;
        }
    }
    return agreed.value_or(Score::open_to_arbiter);
}

/// Under one reading: a man that arrived may not have been released, the piece of a promotion may
/// not be known, and a new piece may be fixed with the pawn still on the board (4.4.4).
std::vector<Score> Referee::Impl::scores_against_reading(const Reading& reading, Color side,
                                                         PositionScores& known) const {
    std::vector<Score> scores;
    const Turn& turn = reading.turn;
    Occurrences keys = keys_;
    Position position = positions_.back();
    for (const ClosedMove& closed : reading.closed) {
        position.make(closed.move.move);
        keys.push_back(position.key());
    }
    // A search may take a while, and readings share positions.
    const auto add = [&](const Position& stands) {
        const auto [entry, is_new] = known.try_emplace(stands.key(), Score::open_to_arbiter);
        if (is_new) entry->second = score_against(side, stands);
        scores.push_back(entry->second);
    };
    const auto add_after = [&](Move move, bool may_end) {
        const Position after = turn.base().after(move);
        Occurrences with_move = keys;
        with_move.push_back(after.key());
        const auto ending = may_end ? ending_of(after, with_move, rules_.edition) : std::nullopt;
        if (ending) {
            scores.push_back(ending->score);
        } else {
            add(after);
        }
    };
    const auto add_standing = [&](const Standing& standing) {
        if (!standing.piece_open) return add_after(standing.move, true);
        for (const Kind piece : chess::promotion_kinds)
            add_after(Move(standing.move.from(), standing.move.to(), piece), true);
    };
    if (reading.made) {
        add_standing(*reading.made);
        return scores;
    }
    add(turn.base());
    if (turn.mover() != side) return scores;
    if (turn.standing()) {
        add_standing(*turn.standing());
    } else if (turn.emptied() == 0 && chess::size(turn.filled()) == 1) {
        // The choice is fixed, the move not made: it cannot mate yet.
        for (const Move m : turn.base().legal_moves()) {
            if (m.promotion() && turn.filled() == m.to().bit()) add_after(m, false);
        }
    }
    return scores;
}

}  // namespace touchmove::laws
