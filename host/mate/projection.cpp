// projection.cpp - no mate, wherever the loser's roaming men may be
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/projection.hpp"

#include <bit>

#include "host/chess/geometry.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using chess::Color;
using namespace chess::detail;

namespace {

bool is_pawn(unsigned code) {
    return (code & ~code_black) == code_pawn;
}

unsigned king_of(const State& s, bool black) {
    return static_cast<unsigned>(std::countr_zero(kings(s) & men_of(s, black)));
}

Bitboard ahead(Bitboard square, bool black) {
    return black ? square >> 8U : square << 8U;
}

/// Men of that colour that attack the square from so near that nothing can come in between.
Bitboard near_attackers(const State& s, unsigned square, bool black) {
    return attackers(s, square, black) & (king_steps[square] | knight_steps[square]);
}

}  // namespace

std::size_t Projection::Hash::operator()(const Image& image) const noexcept {
    const State& s = image.men;
    std::uint64_t hash = s.status.passed() * 64U + image.promoted * 2U;
    hash += s.status.black_to_move() ? 1 : 0;
    for (const std::uint64_t word : {s.black, s.diagonal, s.orthogonal, s.other}) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29U;
    }
    return hash;
}

bool Projection::Same::operator()(const Image& a, const Image& b) const noexcept {
    return same_position(a.men, b.men) && a.men.status.passed() == b.men.status.passed() &&
           a.promoted == b.promoted;
}

bool Projection::rule_out(const State& root, Color winner, std::size_t limit) {
    images_.clear();
    winner_black_ = winner == Color::black;
    if (!one_king_each(root) || root.status.rights() != 0) return false;
    if ((pawns(root) & chess::last_ranks) != 0) return false;
    // In check out of turn, the king stands where it could not have come.
    const bool winner_to_move = root.status.black_to_move() == winner_black_;
    if (winner_to_move && any_king_attacked(root, !winner_black_)) return false;

    // Men beside their king matter; so do those that are walled in, as long as they are.
    const Bitboard own = men_of(root, !winner_black_), all = occupied(root);
    const Bitboard near_king = king_steps[king_of(root, !winner_black_)] | kings(root);
    Bitboard far = 0;
    for (const chess::Square square : chess::squares(own & ~near_king)) {
        const unsigned code = code_at(root, square.index());
        Bitboard steps = attacks_of(code, square.index(), all) & ~own;
        if (is_pawn(code)) steps = (steps & all) | (ahead(square.bit(), !winner_black_) & ~all);
        if (steps != 0) far |= square.bit();
    }
    const Bitboard far_pieces = far & ~pawns(root), pieces = own & ~pawns(root) & ~kings(root);
    return (far != 0 && closed(root, far, limit)) ||
           (far_pieces != 0 && far_pieces != far && closed(root, far_pieces, limit)) ||
           (pieces != 0 && pieces != far_pieces && closed(root, pieces, limit));
}

Projection::Roamers Projection::roamers_of(const Image& image) const noexcept {
    Roamers roamers = first_;
    roamers.anywhere += image.promoted;
    return roamers;
}

bool Projection::closed(const State& root, Bitboard roamers, std::size_t limit) {
    images_.clear();
    known_.clear();
    first_ = {};
    for (const chess::Square square : chess::squares(roamers)) {
        const bool bishop = (code_at(root, square.index()) & ~code_black) == code_bishop;
        const bool dark = (square.bit() & chess::dark_squares) != 0;
        ++(bishop ? dark ? first_.dark : first_.light : first_.anywhere);
    }
    Image first;
    first.men.black = root.black & ~roamers;
    first.men.diagonal = root.diagonal & ~roamers;
    first.men.orthogonal = root.orthogonal & ~roamers;
    first.men.other = root.other & ~roamers;
    first.men.status.set_passed(root.status.passed());
    first.men.status.set_black_to_move(root.status.black_to_move());
    known_.insert(first);
    images_.push_back(first);
    for (std::size_t next = 0; next < images_.size(); ++next) {
        if (images_.size() > limit) return false;
        const Image image = images_[next];
        if (looks_mated(image)) return false;
        if (chess::one_bit(men_of(image.men, winner_black_))) continue;  // a bare king
        move_men(image);
        if (image.men.status.black_to_move() != winner_black_) move_roamers(image);
    }
    return true;
}

/// As on the board, but for checks: a roamer may have stood in the line of any that is not near.
void Projection::move_men(const Image& image) {
    const bool black = image.men.status.black_to_move();
    const Bitboard own = men_of(image.men, black), all = occupied(image.men);
    for (const chess::Square from : chess::squares(own)) {
        const unsigned code = code_at(image.men, from.index());
        if (is_pawn(code)) {
            move_pawn(image, from.index());
            continue;
        }
        const Bitboard to = attacks_of(code, from.index(), all) & ~own & ~kings(image.men);
        for (const chess::Square square : chess::squares(to))
            put(image, from.bit() | square.bit(), square.index(), code);
    }
}

void Projection::move_pawn(const Image& image, unsigned from) {
    const State& s = image.men;
    const bool black = s.status.black_to_move();
    const Bitboard own = men_of(s, black), all = occupied(s);
    if (const Bitboard one = ahead(bit(from), black) & ~all; one != 0) {
        const auto next = static_cast<unsigned>(std::countr_zero(one));
        put_pawn(image, bit(from), next);
        const Bitboard two = ahead(one, black) & ~all;
        if (two != 0 && from >> 3U == (black ? 6U : 1U)) {
            put(image, bit(from), static_cast<unsigned>(std::countr_zero(two)), code_at(s, from),
                next);
        }
    }
    const Bitboard strikes = pawn_attacks[black ? 1 : 0][from] & ~own & ~kings(s);
    // For the winner's pawn, there may be a roamer on any of them.
    for (const chess::Square to : chess::squares(black == winner_black_ ? strikes : strikes & all))
        put_pawn(image, bit(from) | to.bit(), to.index());
    const unsigned passed = s.status.passed();
    if (passed != no_square && is_en_passant(s, from, passed))
        put_pawn(image, bit(from) | bit(passed_pawn_square(passed)), passed);
}

void Projection::put_pawn(const Image& image, Bitboard gone, unsigned to) {
    const bool black = image.men.status.black_to_move();
    const unsigned color = black ? code_black : 0;
    if ((bit(to) & chess::last_ranks) == 0) {
        put(image, gone, to, code_pawn | color);
    } else if (black == winner_black_) {
        for (const unsigned code : {code_queen, code_rook, code_bishop, code_knight})
            put(image, gone, to, code | color);
    } else {
        Image after = image;
        ++after.promoted;
        put(after, gone, to, 0);
    }
}

void Projection::move_roamers(const Image& image) {
    const auto [anywhere, dark, light] = roamers_of(image);
    if (anywhere + dark + light == 0) return;
    put(image, 0, 0, 0);
    Bitboard targets = men_of(image.men, winner_black_) & ~kings(image.men);
    if (anywhere + dark == 0) targets &= ~chess::dark_squares;
    if (anywhere + light == 0) targets &= chess::dark_squares;
    for (const chess::Square target : chess::squares(targets))
        put(image, target.bit(), 0, 0);
}

void Projection::put(Image image, Bitboard gone, unsigned to, unsigned code, unsigned passed) {
    State& s = image.men;
    const bool black = s.status.black_to_move();
    replace(s, gone, to, code);
    // A move that leaves its own king in check is none (3.9), if nothing can stand in between.
    if (near_attackers(s, king_of(s, black), !black) != 0) return;
    s.status.set_passed(passed);
    s.status.set_black_to_move(!black);
    if (known_.insert(image).second) images_.push_back(image);
}

/// False only if the position is no mate wherever the roamers are.
bool Projection::looks_mated(const Image& image) const {
    const State& s = image.men;
    if (s.status.black_to_move() == winner_black_) return false;
    const unsigned king = king_of(s, !winner_black_);
    if (attackers(s, king, winner_black_) == 0) return false;
    State without = s;
    replace(without, bit(king), king, 0);
    Bitboard open = 0;  // flights that a roamer must take
    for (const chess::Square flight :
         chess::squares(king_steps[king] & ~men_of(s, !winner_black_))) {
        if (attackers(without, flight.index(), winner_black_) == 0) open |= flight.bit();
    }
    if ((open & occupied(s)) != 0) return false;  // the king takes what stands there
    const auto [anywhere, dark, light] = roamers_of(image);
    const std::size_t on_dark = chess::size(open & chess::dark_squares);
    const std::size_t on_light = chess::size(open & ~chess::dark_squares);
    const std::size_t more =
        (on_dark > dark ? on_dark - dark : 0) + (on_light > light ? on_light - light : 0);
    return more <= anywhere && !takes_at_hand(image);
}

/// Can a man of the loser's other than the king take something near, so that nothing attacks the
/// king, whatever stands elsewhere?
bool Projection::takes_at_hand(const Image& image) const {
    const State& s = image.men;
    const unsigned king = king_of(s, !winner_black_);
    for (const chess::Square target : chess::squares(men_of(s, winner_black_) & ~kings(s))) {
        const Bitboard takers = near_attackers(s, target.index(), !winner_black_) & ~bit(king);
        for (const chess::Square from : chess::squares(takers)) {
            State after = s;
            replace(after, from.bit() | target.bit(), target.index(), code_at(s, from.index()));
            if (attackers(after, king, winner_black_) == 0) return true;
        }
    }
    return false;
}

}  // namespace touchmove::mate
