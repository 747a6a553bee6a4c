// comparison.cpp - published moves against the moves that were played
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/comparison.hpp"

#include <utility>

#include <fmt/format.h>

#include "host/chess/san.hpp"

namespace touchmove::verify {
namespace {

using chess::Color;
using chess::Move;
using laws::RecordedMove;
using laws::ReportKind;

bool same_squares(Move a, Move b) { return a.from() == b.from() && a.to() == b.to(); }

/// The reason that GameResult gives for it (FORMAT.md of the scenarios, convention 3).
std::string_view reason_of(bench::LawsEnd end) {
    switch (end) {
        case bench::LawsEnd::checkmate: return "checkmate";
        case bench::LawsEnd::stalemate: return "stalemate";
        case bench::LawsEnd::dead_position: return "dead_position";
        case bench::LawsEnd::fivefold: return "fivefold";
        case bench::LawsEnd::seventy_five: return "seventyfive";
    }
    return "";
}

}  // namespace

Comparison::Comparison(const bench::Script& script) : script_(script) {
    published_.reserve(script.moves.size());
}

void Comparison::take(std::span<const laws::Decision> decisions) {
    for (const laws::Decision& decision : decisions) {
        if (difference_) return;
        std::visit([&](const auto& what) { on(decision.at, what); }, decision.what);
    }
}

void Comparison::on(DeviceTime at, const laws::MovePublished& event) {
    const std::string got = event.move.uci();
    if (event.ply < published_.size()) {
        differ(event.ply, at, fmt::format("{} was published a second time, as {}", san(event.ply),
                                          got));
        return;
    }
    if (event.ply > published_.size()) {
        differ(published_.size(), at,
               fmt::format("{} was left out: the next published move is {}",
                           san(published_.size()), got));
        return;
    }
    if (event.ply >= script_.moves.size()) {
        differ(event.ply, at, fmt::format("{} was published after the last move", got));
        return;
    }
    const Move expected = script_.moves[event.ply];
    const bool same = event.move.kind_known ? event.move.move == expected
                                            : same_squares(event.move.move, expected);
    if (!same) {
        differ(event.ply, at, fmt::format("{} was played, {} published", san(event.ply), got));
        return;
    }
    published_.push_back({event.move.move, event.move.kind_known});
}

void Comparison::on(DeviceTime at, const laws::PromotionKnown& event) {
    // A kind that becomes known before the move is published comes with the publication.
    if (event.ply >= published_.size()) return;
    if (event.move.move != script_.moves[event.ply]) {
        differ(event.ply, at,
               fmt::format("{} was played, {} published", san(event.ply), event.move.uci()));
        return;
    }
    published_[event.ply].kind_known = true;
}

void Comparison::on(DeviceTime at, const laws::MoveCorrected& event) {
    differ(event.ply, at, fmt::format("the published {} was changed to {}", san(event.ply),
                                      event.move.uci()));
}

void Comparison::on(DeviceTime at, const laws::RecordShortened& event) {
    differ(event.ply, at, fmt::format("the record was cut off before {}", san(event.ply)));
}

void Comparison::on(DeviceTime, const laws::Reported& event) { ++reports_[event.report.kind]; }

void Comparison::on(DeviceTime at, const laws::GameEnded& event) {
    const std::size_t ply = published_.size();
    if (result_ && result_->reason != event.result.reason) {
        differ(ply, at, fmt::format("the game ended twice, by {} and by {}", result_->reason,
                                    event.result.reason));
        return;
    }
    result_ = event.result;
}

void Comparison::finish() {
    if (difference_) return;
    if (published_.size() < script_.moves.size()) {
        const std::size_t ply = published_.size();
        differ(ply, std::nullopt,
               fmt::format("{} was never published{}", san(ply),
                           result_ ? " (the game had ended by " + result_->reason + ")" : ""));
        return;
    }
    for (std::size_t ply = 0; ply < published_.size(); ++ply) {
        if (!published_[ply].kind_known) {
            differ(ply, std::nullopt,
                   fmt::format("{} was published without its piece", san(ply)));
            return;
        }
    }
    if (!script_.ends_by) return;
    const std::string_view expected = reason_of(*script_.ends_by);
    if (!result_ || result_->reason != expected) {
        differ(published_.size(), std::nullopt,
               fmt::format("the game ended by {}, the referee says {}", expected,
                           result_ ? result_->reason : "nothing"));
    }
}

void Comparison::differ(std::size_t ply, std::optional<DeviceTime> at, std::string what) {
    difference_ = Difference{ply, at, std::move(what)};
}

std::string Comparison::san(std::size_t ply) const {
    chess::Position position = script_.start;
    for (std::size_t i = 0; i < ply && i < script_.moves.size(); ++i) {
        position.make(script_.moves[i]);
    }
    if (ply >= script_.moves.size()) return "a move after the last";
    return fmt::format("{}{} {}", position.fullmove_number(),
                       position.side_to_move() == Color::white ? "." : "...",
                       chess::to_san(position, script_.moves[ply]));
}

bool is_unfounded(ReportKind kind) noexcept {
    switch (kind) {
        case ReportKind::two_hands:         // the two-handed style
        case ReportKind::promotion_choice:  // the daemon may always ask
        case ReportKind::result_signal:     // the kings in the centre
            return false;
        default: return true;
    }
}

}  // namespace touchmove::verify
