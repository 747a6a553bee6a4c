// layers.cpp - blockades that break step by step, and never where a mate would need it
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/layers.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "host/chess/geometry.hpp"
#include "host/mate/net.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using chess::Color;
using namespace chess::detail;

namespace {

/// What a promoted man is taken for: it moves as a queen and as a knight.
constexpr unsigned code_any = code_queen | code_knight;
static_assert(code_any == 14);

constexpr bool is_black(unsigned code) {
    return (code & code_black) != 0;
}
constexpr unsigned kind_of(unsigned code) {
    return code & ~code_black;
}

Bitboard seen_by(unsigned code, unsigned square, Bitboard stops) {
    if (kind_of(code) == code_any) {
        return knight_steps[square] | attacks_of(code_queen, square, stops);
    }
    return attacks_of(code, square, stops);
}

bool slides(unsigned code) {
    const unsigned kind = kind_of(code);
    return kind != code_knight && kind != code_king;
}

Bitboard seen_by_pawns(Bitboard pawns, bool black) {
    const Bitboard forward = black ? pawns >> 8U : pawns << 8U;
    return (forward << 1U & ~chess::file_squares(0)) | (forward >> 1U & ~chess::file_squares(7));
}

}  // namespace

std::size_t Layers::Hash::operator()(const Layer& layer) const noexcept {
    std::size_t hash = layer.arrived;
    const auto add = [&hash](std::uint64_t word) {
        hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29U;
    };
    add(layer.pawns[0]);
    add(layer.pawns[1]);
    for (std::size_t i = 0; i < layer.count; ++i)
        add(layer.men[i].reach + layer.men[i].code);
    return hash;
}

bool Layers::rule_out(const State& root, Color winner, std::size_t limit) {
    layers_.clear();
    dances_.clear();
    waiting_.clear();
    known_.clear();
    winner_black_ = winner == Color::black;
    limit_ = limit;
    if (!one_king_each(root) || root.status.en_passant() != no_square) return false;
    // In check out of turn, the king stands where it could not have come.
    const bool winner_moves = root.status.black_to_move() == winner_black_;
    if (winner_moves && any_king_attacked(root, !winner_black_)) return false;
    if ((pawns(root) & chess::last_ranks) != 0) return false;
    const Bitboard others = occupied(root) & ~pawns(root) & ~kings(root);
    if (chess::size(others) + 2 > max_men) return false;

    Layer layer;
    layer.pawns = {pawns(root) & ~root.black, pawns(root) & root.black};
    for (const Bitboard king : {kings(root) & ~root.black, kings(root) & root.black}) {
        const auto square = static_cast<unsigned>(std::countr_zero(king));
        layer.men[layer.count++] = {king, code_at(root, square)};
    }
    for (const chess::Square square : chess::squares(others)) {
        layer.men[layer.count++] = {square.bit(), code_at(root, square.index())};
    }
    // Who may castle may come where castling leads.
    for (unsigned i = 0; i < castling_paths.size(); ++i) {
        if ((root.status.rights() >> i & 1U) == 0) continue;
        const CastlingPath& path = castling_paths[i];
        for (Man& man : layer.men) {
            if (man.reach == 0) continue;
            if ((man.reach & bit(path.king_from)) != 0) man.reach |= bit(path.king_to);
            if ((man.reach & bit(path.rook_from)) != 0) man.reach |= bit(path.rook_to);
        }
    }
    castling_ = root.status.rights() != 0;
    Kings kings{};
    const unsigned own = winner_black_ ? 1 : 0;
    kings[winner_moves ? 0 : 1][static_cast<unsigned>(std::countr_zero(layer.men[1 - own].reach))] =
        layer.men[own].reach;
    if (!enter(layer, kings, {})) return false;
    while (!waiting_.empty()) {
        const std::size_t next = waiting_.back();
        waiting_.pop_back();
        dances_[next].waiting = false;
        const Layer here = layers_[next];
        View view;
        look(here, view);
        spread(here, view, dances_[next]);
        if (has_room(here, view, dances_[next])) return false;
        const Kings all = dances_[next].all;
        if (!leave(here, view, all)) return false;
    }
    return true;
}

/// False if there are too many layers.
bool Layers::enter(Layer layer, const Kings& kings, const Man& mover) {
    if (kings == Kings{}) return true;
    View view;
    if (!layers_.empty()) tidy(layer);
    settle(layer, view);
    sort(layer);
    const auto [known, is_new] = known_.try_emplace(layer, layers_.size());
    if (is_new) {
        if (layers_.size() >= limit_) return false;
        layers_.push_back(layer);
        dances_.emplace_back();
    }
    const std::size_t index = known->second;
    Dance& dance = dances_[index];
    bool more = false;
    for (const chess::Square loser : chess::squares(checks_of(layer, mover))) {
        Bitboard& checked = dance.checked[loser.index()];
        more = more || (kings[1][loser.index()] & ~checked) != 0;
        checked |= kings[1][loser.index()];
    }
    for (unsigned turn = 0; turn < 2; ++turn) {
        for (unsigned loser = 0; loser < 64; ++loser) {
            Bitboard& entered = dance.entered[turn][loser];
            more = more || (kings[turn][loser] & ~entered) != 0;
            entered |= kings[turn][loser];
        }
    }
    if (more && !std::exchange(dance.waiting, true)) waiting_.push_back(index);
    return true;
}

Bitboard Layers::checks_of(const Layer& layer, const Man& mover) const {
    if (layer.arrived == nowhere) return 0;  // the loser's move, or none
    const unsigned to = layer.arrived;
    Bitboard checks = 0;
    const Bitboard pawns = layer.pawns[0] | layer.pawns[1];
    if (kind_of(mover.code) != code_king) checks = seen_by(mover.code, to, pawns & ~bit(to));
    // Or another man on a line that it has left, with the king on the other side.
    Bitboard diagonal = 0, orthogonal = 0;
    for (std::size_t i = 2; i < layer.count; ++i) {
        const Man& man = layer.men[i];
        if (is_black(man.code) != winner_black_ || !slides(man.code)) continue;
        if ((man.code & code_bishop) != 0) diagonal |= man.reach;
        if ((man.code & code_rook) != 0) orthogonal |= man.reach;
    }
    for (const chess::Square from : chess::squares(mover.reach)) {
        const Bitboard lower = from.bit() - 1;
        Bitboard opened = 0;
        for (const Axis axis : {Axis::rank, Axis::file, Axis::diagonal, Axis::antidiagonal}) {
            const bool slanted = axis == Axis::diagonal || axis == Axis::antidiagonal;
            const Bitboard sliders = slanted ? diagonal : orthogonal;
            const Bitboard line = line_attacks(from.index(), axis, pawns);
            if ((line & lower & sliders) != 0) opened |= line & ~lower;
            if ((line & ~lower & sliders) != 0) opened |= line & lower;
        }
        // Kings never stood side by side.
        if (kind_of(mover.code) == code_king) opened &= ~king_steps[from.index()];
        checks |= opened;
    }
    return checks;
}

/// Moves of the kings in turn with those of the other men, while the layer lasts.
void Layers::spread(const Layer& layer, const View& view, Dance& dance) const {
    const unsigned own = winner_black_ ? 1 : 0;
    std::array<bool, 2> others{};  // by colour: a man other than the king may move
    for (std::size_t i = 2; i < layer.count; ++i) {
        if (!chess::one_bit(layer.men[i].reach)) others[is_black(layer.men[i].code) ? 1 : 0] = true;
    }
    const Bitboard winner_steps = layer.men[own].reach & ~view.walls & ~view.guarded[1 - own];
    const Bitboard loser_steps = layer.men[1 - own].reach & ~view.walls & ~view.guarded[own];
    Kings& all = dance.all;
    for (unsigned turn = 0; turn < 2; ++turn) {
        for (unsigned loser = 0; loser < 64; ++loser) {
            all[turn][loser] |= dance.entered[turn][loser];
            const bool reached = (layer.men[1 - own].reach >> loser & 1U) != 0;
            if (castling_ && reached) all[turn][loser] |= layer.men[own].reach;
        }
    }
    if (castling_) return;
    for (bool changed = true; changed;) {
        changed = false;
        const auto add = [&changed](Bitboard& to, Bitboard squares) {
            changed = changed || (squares & ~to) != 0;
            to |= squares;
        };
        for (const chess::Square loser : chess::squares(layer.men[1 - own].reach)) {
            const unsigned at = loser.index();
            Bitboard steps = 0;
            for (const chess::Square winner : chess::squares(all[0][at]))
                steps |= king_steps[winner.index()];
            add(all[1][at], steps & winner_steps & ~king_steps[at] & ~loser.bit());
            if (others[own]) add(all[1][at], all[0][at]);
            for (const chess::Square to : chess::squares(king_steps[at] & loser_steps)) {
                add(all[0][to.index()], all[1][at] & ~king_steps[to.index()] & ~to.bit());
            }
            if (others[1 - own]) add(all[0][at], all[1][at]);
        }
    }
}

Layers::Kings Layers::after_other(const Kings& kings, bool black, unsigned to) const {
    Kings after{};
    const unsigned turn = black == winner_black_ ? 0 : 1;
    for (unsigned loser = 0; loser < 64; ++loser) {
        if (loser != to) after[1 - turn][loser] = kings[turn][loser] & ~bit(to);
    }
    return after;
}

Layers::Kings Layers::after_king(const Kings& kings, bool black, unsigned to) const {
    Kings after{};
    if (black == winner_black_) {
        for (unsigned loser = 0; loser < 64; ++loser) {
            if (((king_steps[to] | bit(to)) >> loser & 1U) != 0) continue;
            if ((kings[0][loser] & king_steps[to]) != 0) after[1][loser] = bit(to);
        }
        return after;
    }
    for (const chess::Square loser : chess::squares(king_steps[to])) {
        after[0][to] |= kings[1][loser.index()] & ~king_steps[to] & ~bit(to);
    }
    return after;
}

/// Takes out squares on which a man stood before, but cannot be found now: another stands there, or
/// a king would have been left in check. Sets of one square stay, they say that the man is there.
void Layers::tidy(Layer& layer) const {
    Bitboard walls = layer.pawns[0] | layer.pawns[1];
    for (const Man& man : layer.men) {
        if (chess::one_bit(man.reach)) walls |= man.reach;
    }
    const unsigned own = winner_black_ ? 1 : 0;
    const Bitboard arrived = layer.arrived == nowhere ? 0 : bit(layer.arrived);
    for (std::size_t i = 0; i < layer.count; ++i) {
        Bitboard possible = layer.men[i].reach & ~walls;
        if (i == 1 - own) possible &= ~seen_by_pawns(layer.pawns[own] & ~arrived, winner_black_);
        if (possible != 0 && !chess::one_bit(possible)) layer.men[i].reach = possible;
    }
}

/// Men that are alike in one order.
void Layers::sort(Layer& layer) {
    std::sort(layer.men.begin() + 2, layer.men.begin() + layer.count,
              [](const Man& a, const Man& b) {
                  return std::pair(a.code, a.reach) < std::pair(b.code, b.reach);
              });
}

/// What follows from the sets as they are.
void Layers::look(const Layer& layer, View& view) {
    view.stands = layer.pawns;
    Bitboard visited = 0;  // by men that may stand elsewhere
    for (std::size_t i = 0; i < layer.count; ++i) {
        const Man& man = layer.men[i];
        if (chess::one_bit(man.reach)) {
            view.stands[is_black(man.code) ? 1 : 0] |= man.reach;
        } else {
            visited |= man.reach;
        }
    }
    view.walls = view.stands[0] | view.stands[1];
    view.guarded = {seen_by_pawns(layer.pawns[0], false), seen_by_pawns(layer.pawns[1], true)};
    for (std::size_t i = 0; i < layer.count; ++i) {
        const Man& man = layer.men[i];
        view.strikes[i] = 0;
        for (const chess::Square square : chess::squares(man.reach)) {
            view.strikes[i] |= seen_by(man.code, square.index(), view.walls & ~square.bit());
        }
        // What a pawn has become is not known: it may guard less than a queen and a knight.
        if (!chess::one_bit(man.reach) || kind_of(man.code) == code_any) continue;
        const auto square = static_cast<unsigned>(std::countr_zero(man.reach));
        view.guarded[is_black(man.code) ? 1 : 0] |=
            seen_by(man.code, square, (view.walls | visited) & ~man.reach);
    }
}

/// Lets every man go wherever it can, again and again. A man that has moved, or may have, is no
/// wall and guards nothing for certain; it may also have been taken since.
void Layers::settle(Layer& layer, View& view) {
    for (bool changed = true; changed;) {
        changed = false;
        look(layer, view);
        for (std::size_t i = 0; i < layer.count; ++i) {
            Man& man = layer.men[i];
            const bool black = is_black(man.code);
            Bitboard steps = view.strikes[i] & ~view.walls;
            if (kind_of(man.code) == code_king) steps &= ~view.guarded[black ? 0 : 1];
            if ((steps & ~man.reach) == 0) continue;
            man.reach |= steps;
            changed = true;
        }
    }
}

/// Every move that cannot be taken back. False as enter() says.
bool Layers::leave(const Layer& layer, const View& view, const Kings& kings) {
    for (std::size_t i = 0; i < layer.count; ++i) {
        if (i > 2 && layer.men[i] == layer.men[i - 1]) continue;
        if (!take_standing(layer, view, kings, i)) return false;
    }
    return move_pawns(layer, view, kings, false) && move_pawns(layer, view, kings, true);
}

bool Layers::take_standing(const Layer& layer, const View& view, const Kings& kings,
                           std::size_t man) {
    const unsigned code = layer.men[man].code;
    const bool black = is_black(code);
    Bitboard targets = view.strikes[man] & view.stands[black ? 0 : 1];
    const Bitboard king = layer.men[black ? 0 : 1].reach;
    if (chess::one_bit(king)) targets &= ~king;  // a king is not captured (1.4.1)
    if (kind_of(code) == code_king) targets &= ~view.guarded[black ? 0 : 1];
    for (const chess::Square target : chess::squares(targets)) {
        Layer next = layer;
        next.pawns[black ? 0 : 1] &= ~target.bit();
        next.men[man].reach = target.bit();
        next.arrived = nowhere;
        if (black == winner_black_) next.arrived = static_cast<std::uint8_t>(target.index());
        for (std::size_t i = 2; i < layer.count; ++i) {
            if (i == man || layer.men[i].reach != target.bit()) continue;
            std::move(next.men.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                      next.men.begin() + layer.count,
                      next.men.begin() + static_cast<std::ptrdiff_t>(i));
            next.men[--next.count] = {};
            break;
        }
        const bool by_king = kind_of(code) == code_king && !castling_;
        Man mover = layer.men[man];
        if (by_king) mover.reach &= king_steps[target.index()];
        if (!enter(next,
                   by_king ? after_king(kings, black, target.index())
                           : after_other(kings, black, target.index()),
                   mover)) {
            return false;
        }
    }
    return true;
}

bool Layers::move_pawns(const Layer& layer, const View& view, const Kings& kings, bool black) {
    const auto remove = [](Layer& from, std::size_t man) {
        std::move(from.men.begin() + static_cast<std::ptrdiff_t>(man) + 1,
                  from.men.begin() + from.count,
                  from.men.begin() + static_cast<std::ptrdiff_t>(man));
        from.men[--from.count] = {};
    };
    for (const chess::Square pawn : chess::squares(layer.pawns[black ? 1 : 0])) {
        Layer lifted = layer;
        lifted.pawns[black ? 1 : 0] &= ~pawn.bit();
        const Bitboard one = (black ? pawn.bit() >> 8U : pawn.bit() << 8U) & ~view.walls;
        Bitboard steps = one;
        if (pawn.rank() == (black ? 6U : 1U)) {
            steps |= (black ? one >> 8U : one << 8U) & ~view.walls;
        }
        for (const chess::Square to : chess::squares(steps)) {
            if (!put_pawn(lifted, kings, pawn.index(), to.index(), black)) return false;
        }
        for (const chess::Square to : chess::squares(pawn_attacks[black ? 1 : 0][pawn.index()])) {
            if ((layer.pawns[black ? 0 : 1] & to.bit()) != 0) {
                Layer next = lifted;
                next.pawns[black ? 0 : 1] &= ~to.bit();
                if (!put_pawn(next, kings, pawn.index(), to.index(), black)) return false;
                continue;
            }
            for (std::size_t i = 2; i < layer.count; ++i) {
                if (is_black(layer.men[i].code) == black) continue;
                if ((layer.men[i].reach & to.bit()) == 0) continue;
                if (i > 2 && layer.men[i] == layer.men[i - 1]) continue;
                Layer next = lifted;
                remove(next, i);
                if (!put_pawn(next, kings, pawn.index(), to.index(), black)) return false;
            }
        }
    }
    return true;
}

/// The pawn, lifted already, comes to a square.
bool Layers::put_pawn(Layer next, const Kings& kings, unsigned from, unsigned to, bool black) {
    const bool of_winner = black == winner_black_;
    if ((bit(to) & chess::last_ranks) != 0) {
        if (of_winner || next.count == max_men) return false;
        next.men[next.count++] = {bit(to), code_any | (black ? code_black : 0)};
    } else {
        next.pawns[black ? 1 : 0] |= bit(to);
    }
    next.arrived = of_winner ? static_cast<std::uint8_t>(to) : nowhere;
    // If it takes in passing, two squares become empty.
    const Bitboard left = bit(from) | bit((from & 56U) | (to & 7U));
    return enter(next, after_other(kings, black, to), {left, code_pawn | (black ? code_black : 0)});
}

bool Layers::has_room(const Layer& layer, const View& view, const Dance& dance) const {
    for (const chess::Square mated : chess::squares(layer.men[winner_black_ ? 0 : 1].reach)) {
        const Bitboard kings = kings_at_mate(layer, view, dance, mated.index());
        if (kings != 0 && has_room(layer, view, mated.index(), kings)) return true;
    }
    return false;
}

Bitboard Layers::kings_at_mate(const Layer& layer, const View& view, const Dance& dance,
                               unsigned mated) const {
    const unsigned own = winner_black_ ? 1 : 0;
    // With the move that opened the layer, or by a man that moved within it.
    Bitboard kings = dance.checked[mated];
    Bitboard diagonal = 0, orthogonal = 0;  // where the winner's sliders may stand
    for (std::size_t i = 2; i < layer.count; ++i) {
        const Man& man = layer.men[i];
        if (is_black(man.code) != winner_black_) continue;
        if (!chess::one_bit(man.reach)) kings |= dance.all[0][mated];
        if ((man.code & code_bishop) != 0 && slides(man.code)) diagonal |= man.reach;
        if ((man.code & code_rook) != 0 && slides(man.code)) orthogonal |= man.reach;
    }
    if (castling_) return kings | dance.all[1][mated];
    // Or by a king that steps out of a line.
    const Bitboard steps = layer.men[own].reach & ~view.walls & ~view.guarded[1 - own] &
                           ~king_steps[mated] & ~bit(mated);
    for (const auto& [axes, sliders] : {std::pair{std::array{Axis::rank, Axis::file}, orthogonal},
                                        {{Axis::diagonal, Axis::antidiagonal}, diagonal}}) {
        for (const Axis axis : axes) {
            const Bitboard line = lines[static_cast<std::size_t>(axis)][mated];
            if ((line & sliders) == 0) continue;
            for (const chess::Square from : chess::squares(dance.all[0][mated] & line)) {
                kings |= king_steps[from.index()] & steps & ~line;
            }
        }
    }
    return kings;
}

/// Might the loser's king be mated on that square, with every man somewhere in its set?
bool Layers::has_room(const Layer& layer, const View& view, unsigned mated,
                      Bitboard winner_kings) const {
    const unsigned own = winner_black_ ? 1 : 0;
    const Bitboard flights = king_steps[mated];
    if ((view.walls & bit(mated)) != 0 && !chess::one_bit(layer.men[1 - own].reach)) return false;
    const Bitboard walls = view.walls & ~bit(mated);  // a king blocks no line on which it flees
    const Bitboard arrived = layer.arrived == nowhere ? 0 : bit(layer.arrived);
    Bitboard always = seen_by_pawns(layer.pawns[own], winner_black_);
    bool checked = false;  // by what has just arrived
    {
        const Bitboard others = layer.pawns[own] & ~arrived;
        // No king steps into an attack that was there before (3.9).
        if ((seen_by_pawns(others, winner_black_) >> mated & 1U) != 0) return false;
        checked = (seen_by_pawns(layer.pawns[own] & arrived, winner_black_) >> mated & 1U) != 0;
    }
    // First with every man everywhere at once.
    Bitboard sometimes = always, blocked = view.stands[1 - own];
    bool check = checked;
    for (std::size_t i = 2; i < layer.count; ++i) {
        const Man& man = layer.men[i];
        if (is_black(man.code) != winner_black_) {
            blocked |= man.reach;
            continue;
        }
        for (const chess::Square square : chess::squares(man.reach)) {
            if (square.index() == mated) continue;
            const Bitboard seen = seen_by(man.code, square.index(), walls & ~square.bit());
            sometimes |= seen;
            const bool still = chess::one_bit(man.reach) && !slides(man.code);
            if ((seen >> mated & 1U) != 0 && (!still || (man.reach & arrived) != 0)) check = true;
        }
    }
    if (!check) return false;
    const Bitboard open = flights & ~sometimes & ~blocked;
    Bitboard kings = 0;
    for (const chess::Square king : chess::squares(winner_kings & ~flights & ~bit(mated))) {
        if ((open & ~king_steps[king.index()]) == 0) kings |= king.bit();
    }
    if (kings == 0) return false;

    // Then each in one place.
    Net net(mated, always | view.stands[1 - own], checked);
    for (std::size_t i = 2; i < layer.count; ++i) {
        const Man& man = layer.men[i];
        Net::Man ways(net);
        if (is_black(man.code) != winner_black_) {
            if (chess::one_bit(man.reach)) continue;  // in the net from the start
            for (const chess::Square square : chess::squares(man.reach & flights))
                ways.may(square.bit(), false);
        } else {
            for (const chess::Square square : chess::squares(man.reach & ~bit(mated))) {
                const Bitboard seen = seen_by(man.code, square.index(), walls & ~square.bit());
                const bool still = chess::one_bit(man.reach) && !slides(man.code);
                const bool checks = (seen >> mated & 1U) != 0;
                if (checks && still && (man.reach & arrived) == 0) return false;
                ways.may(seen, checks);
            }
        }
        net.add(ways);
    }
    return net.closes(kings);
}

}  // namespace touchmove::mate
