// checker.cpp - lines replayed, closures walked again
// SPDX-License-Identifier: Apache-2.0
#include "tests/mate/checker.hpp"

#include <cstdint>

namespace touchmove::mate_test {

using chess::Color;
using chess::Kind;
using chess::Move;
using chess::Position;

namespace {

/// Positions in the order in which they were found, each once, told apart by all that 9.2.3
/// compares: the hash says only where to look.
class Found {
  public:
    Found() : slots_(1024, none) {}

    /// Whether it is new.
    bool add(const Position& position) {
        if (2 * positions_.size() >= slots_.size()) grow();
        std::uint32_t& slot = slot_of(position);
        if (slot != none) return false;
        slot = static_cast<std::uint32_t>(positions_.size());
        positions_.push_back(position);
        return true;
    }
    [[nodiscard]] std::size_t size() const { return positions_.size(); }
    [[nodiscard]] Position operator[](std::size_t i) const { return positions_[i]; }

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::uint32_t& slot_of(const Position& position) {
        std::size_t i = position.key() % slots_.size();
        while (slots_[i] != none && !positions_[slots_[i]].same_as(position)) {
            i = (i + 1) % slots_.size();
        }
        return slots_[i];
    }
    void grow() {
        slots_.assign(2 * slots_.size(), none);
        for (std::size_t i = 0; i < positions_.size(); ++i) {
            slot_of(positions_[i]) = static_cast<std::uint32_t>(i);
        }
    }

    std::vector<Position> positions_;
    std::vector<std::uint32_t> slots_;
};

/// No king can be taken at once.
bool in_turn(const Position& position) {
    const Color waiting = ~position.side_to_move();
    const auto king = position.king(waiting);
    return king && !position.attacked(*king, ~waiting);
}

}  // namespace

bool is_mated(const Position& position) {
    return !position.has_legal_move() && position.in_check();
}

bool line_mates(Position position, Color winner, const std::vector<Move>& line) {
    for (const Move move : line) {
        if (!position.is_legal(move)) return false;
        position = position.after(move);
    }
    return is_mated(position) && position.side_to_move() != winner;
}

// The king in the middle of three squares in a row and three above, checked along the diagonal
// from d or beyond, or by a knight on N:
//
//     .  o  d  N        No square of the other king touches both squares o unless it touches the
//     .  K  o           king too. So a man of the mated side stands on one of them.
//
// - Bishops of one colour of squares never attack o, and never check twice at once: two diagonals
//   through one king do not meet elsewhere, so no bishop moves from one to the other. A rook or
//   queen on o is not pinned, and takes on d or goes there. So that man is none of these.
// - A knight attacks neither square o. A queen there takes it, or another does that stands between.
//   One man alone pins nothing.
bool material_is_dead(const Position& position, Color winner) {
    const Color loser = ~winner;
    const auto count = [&](Color color, Kind kind) {
        return chess::size(position.men(color, kind));
    };
    if (count(winner, Kind::pawn) + count(winner, Kind::rook) + count(winner, Kind::queen) > 0) {
        return false;
    }
    const auto bishops = position.men(winner, Kind::bishop);
    if (const unsigned knights = count(winner, Kind::knight); knights > 0) {
        return knights == 1 && bishops == 0 &&
               chess::size(position.men(loser)) == 1 + count(loser, Kind::queen);
    }
    if (bishops == 0) return true;
    const bool dark = (bishops & chess::dark_squares) != 0;
    const auto others = dark ? ~chess::dark_squares : chess::dark_squares;
    return (bishops & others) == 0 && count(loser, Kind::pawn) + count(loser, Kind::knight) == 0 &&
           (position.men(loser, Kind::bishop) & others) == 0;
}

std::optional<bool> can_mate(const Position& start, Color winner, std::size_t limit) {
    const bool cut = in_turn(start);
    Found found;
    found.add(start);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Position position = found[i];
        if (cut && material_is_dead(position, winner) && i > 0) continue;
        const auto moves = position.legal_moves();
        if (moves.empty() && position.in_check() && position.side_to_move() != winner) return true;
        for (const Move move : moves) {
            if (found.add(position.after(move)) && found.size() > limit) return std::nullopt;
        }
    }
    return false;
}

Verdict check(const Position& position, Color winner, const mate::Answer& answer,
              std::size_t limit) {
    if (const auto* can = std::get_if<mate::Winnable>(&answer)) {
        return line_mates(position, winner, can->line) ? Verdict::confirmed : Verdict::wrong;
    }
    const auto* never = std::get_if<mate::Unwinnable>(&answer);
    if (never == nullptr) return Verdict::open;
    if (is_mated(position) && position.side_to_move() != winner) return Verdict::wrong;
    switch (never->proof) {
        case mate::Proof::ended:
            return position.has_legal_move() ? Verdict::wrong : Verdict::confirmed;
        case mate::Proof::blockade:
            if (!fault_of_blockade(position, winner, never->invariant).empty()) {
                return Verdict::wrong;
            }
            return Verdict::confirmed;
        case mate::Proof::material:
            if (in_turn(position) && material_is_dead(position, winner)) return Verdict::confirmed;
            break;
        default:
            break;
    }
    const auto found = can_mate(position, winner, limit);
    if (!found) return Verdict::open;
    return *found ? Verdict::wrong : Verdict::confirmed;
}

}  // namespace touchmove::mate_test
