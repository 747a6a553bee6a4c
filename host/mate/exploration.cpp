// exploration.cpp - all positions that can follow, the promising ones first
// SPDX-License-Identifier: Apache-2.0
#include "host/mate/exploration.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "host/chess/generate.hpp"
#include "host/chess/move_list.hpp"
#include "host/mate/material.hpp"

namespace touchmove::mate {

using chess::Bitboard;
using chess::Color;
using chess::Move;
using chess::MoveList;
using namespace chess::detail;

namespace {

constexpr std::size_t first_table = 256;
constexpr std::size_t fewest_pairs = 1U << 12U, most_pairs = 1U << 18U;  ///< words of 64 bits
constexpr unsigned stale = 3;  ///< ranks that a man costs who stands where one like it stood before

/// The moves of a position, those that look best first.
class Agenda {
  public:
    static constexpr std::uint32_t end = ~std::uint32_t{0};

    /// From the first one after `tried` on.
    Agenda(const MoveList& moves, const Forecast& forecast, unsigned here, bool backwards,
           std::uint32_t tried)
        : moves_(moves), backwards_(backwards) {
        const auto key_of = [here](int change) {
            return static_cast<std::uint32_t>(std::clamp(static_cast<int>(here) + change, 0, 255))
                   << 16U;
        };
        const std::uint32_t idle = key_of(forecast.idle()), taken = key_of(forecast.taken());
        std::uint32_t* key = keys_.data();
        std::uint32_t place = backwards ? static_cast<std::uint32_t>(moves.size()) : 1;
        for (const Move move : moves) {
            std::uint32_t rank = forecast.takes(move) ? taken : idle;
            if (forecast.matters(move)) rank = key_of(forecast.change(move));
            *key = rank | place;
            const std::uint32_t waiting = *key++ > tried ? rank | place : end;
            second_ = std::min(second_, std::max(first_, waiting));
            first_ = std::min(first_, waiting);
            place += backwards ? ~std::uint32_t{0} : 1;
        }
    }
    [[nodiscard]] std::uint32_t first() const { return first_; }  ///< `end`: none is left
    [[nodiscard]] std::uint32_t after(std::uint32_t key) const {
        if (key == first_) return second_;
        std::uint32_t next = end;
        for (std::size_t i = 0; i < moves_.size(); ++i)
            next = std::min(next, keys_[i] > key ? keys_[i] : end);
        return next;
    }
    [[nodiscard]] Move move(std::uint32_t key) const {
        const std::size_t place = (key & 0xffffU) - 1;
        return moves_[backwards_ ? moves_.size() - 1 - place : place];
    }
    [[nodiscard]] static unsigned rank(std::uint32_t key) { return key >> 16U; }

  private:
    const MoveList& moves_;
    bool backwards_;
    std::uint32_t first_ = end, second_ = end;
    std::array<std::uint32_t, MoveList::capacity> keys_;  // of each move: rank, then place
};

/// A move by which a man of the side to move mates the king that it attacks from its new square.
std::optional<Move> mate_by_check(const State& s, const MoveList& moves) {
    const bool black = s.status.black_to_move();
    const Bitboard own = men_of(s, black), all = occupied(s);
    const auto king = static_cast<unsigned>(std::countr_zero(kings(s) & ~own));
    const Bitboard slanted =
        line_attacks(king, Axis::diagonal, all) | line_attacks(king, Axis::antidiagonal, all);
    const Bitboard straight =
        line_attacks(king, Axis::rank, all) | line_attacks(king, Axis::file, all);
    const Bitboard jumps = knight_steps[king], strikes = pawn_attacks[black ? 0 : 1][king];
    const Bitboard near = slanted | straight | jumps;  // pawns strike along a diagonal
    for (const Move move : moves) {
        const Bitboard to = move.to().bit(), from = move.from().bit();
        if ((to & near) == 0) continue;
        const bool checks = ((from & diagonal_sliders(s)) != 0 && (to & slanted) != 0) ||
                            ((from & orthogonal_sliders(s)) != 0 && (to & straight) != 0) ||
                            ((from & knights(s)) != 0 && (to & jumps) != 0) ||
                            ((from & pawns(s)) != 0 && ((to & strikes) != 0 || move.promotion()));
        if (!checks) continue;
        State after = s;
        make_move(after, move);
        if (generator().count(after) == 0 && any_king_attacked(after, !black)) return move;
    }
    return std::nullopt;
}

}  // namespace

void Exploration::start(const State& root) {
    nodes_.clear();
    table_.assign(first_table, none);
    heads_.fill(none);
    ++run_;
    lowest_ = 0;
    put(add(root, none, 0), 0);
}

Exploration::Index Exploration::add(const State& state, Index parent, std::uint16_t move) {
    if (2 * nodes_.size() >= table_.size()) widen();
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = state.key & mask;
    for (; table_[slot] != none; slot = (slot + 1) & mask) {
        if (same_position(nodes_[table_[slot]].state, state)) return none;
    }
    const auto index = static_cast<Index>(nodes_.size());
    table_[slot] = index;
    nodes_.push_back({state, parent, none, 0, move, 0});
    return index;
}

void Exploration::widen() {
    table_.assign(4 * table_.size(), none);
    const std::size_t mask = table_.size() - 1;
    for (Index i = 0; i < nodes_.size(); ++i) {
        std::size_t slot = nodes_[i].state.key & mask;
        while (table_[slot] != none)
            slot = (slot + 1) & mask;
        table_[slot] = i;
    }
}

void Exploration::put(Index node, unsigned rank) {
    nodes_[node].next = heads_[rank];
    heads_[rank] = node;
    lowest_ = std::min(lowest_, rank);
}

bool Exploration::novel(unsigned rank, unsigned code, chess::Bitboard square) {
    Seen& seen = seen_[rank];
    if (seen.run != run_) {
        seen.by_code.fill(0);
        seen.run = run_;
    }
    const bool is_new = (seen.by_code[code] & square) == 0;
    seen.by_code[code] |= square;
    return is_new;
}

unsigned Exploration::class_of(const State& state, unsigned square, unsigned rank) {
    constexpr std::uint64_t spread = 0x9E3779B97F4A7C15U;
    const std::size_t mask = 64 * pairs_.size() - 1;
    const auto is_new = [&](std::uint64_t name) {
        const std::size_t slot = name * spread >> 20U & mask;
        std::uint64_t& word = pairs_[slot / 64];
        const std::uint64_t seen = std::uint64_t{1} << slot % 64;
        const bool unseen = (word & seen) == 0;
        word |= seen;
        return unseen;
    };
    // Men and squares in 10 bits each.
    const std::uint64_t turn = state.status.black_to_move() ? 1 : 0;
    const std::uint64_t part = ((rank * 65 + chess::size(occupied(state))) * 2 + turn) << 20U;
    const unsigned moved = code_at(state, square) * 64 + square;
    const bool first = is_new(part | moved << 10U | moved);
    bool second = false;
    for (const chess::Square other : chess::squares(occupied(state) & ~bit(square))) {
        const unsigned man = code_at(state, other.index()) * 64 + other.index();
        const bool unseen = is_new(part | std::min(moved, man) << 10U | std::max(moved, man));
        second = second || unseen;
    }
    return first ? 0 : second ? 1 : 2;
}

unsigned Exploration::lowest() {
    while (lowest_ < queues && heads_[lowest_] == none)
        ++lowest_;
    return lowest_;
}

Exploration::Index Exploration::take() {
    if (lowest() == queues) return none;
    const Index node = heads_[lowest_];
    heads_[lowest_] = nodes_[node].next;
    return node;
}

Winnable Exploration::line_to(Index node) const {
    Winnable found;
    for (; nodes_[node].parent != none; node = nodes_[node].parent) {
        found.line.push_back(Move::from_bits(nodes_[node].move));
    }
    std::reverse(found.line.begin(), found.line.end());
    return found;
}

Answer Exploration::run(const State& root, Color winner, std::size_t budget, Order order) {
    if (order.by == Order::By::novelty) return by_novelty(root, winner, budget, order.taste);
    return by_promise(root, winner, budget, order);
}

Answer Exploration::by_novelty(const State& root, Color winner, std::size_t budget, Taste taste) {
    const Generator& generate = generator();
    const bool winner_black = winner == Color::black;
    pairs_.assign(std::clamp(std::bit_ceil(budget), fewest_pairs, most_pairs), 0);
    start(root);
    for (Index node = take(); node != none; node = take()) {
        const State state = nodes_[node].state;
        MoveList moves;
        generate.list(state, moves);
        for (const Move move : moves) {
            State after = state;
            make_move(after, move);
            const bool hopeless = !material_can_mate(after, winner);
            // On a board that no game reaches even such men may have mated.
            if (hopeless && !any_king_attacked(after, !winner_black)) continue;
            const Index child = add(after, node, move.bits());
            if (child == none) continue;
            const Promise promise(after, winner_black, taste);
            if (promise.may_be_mate && generate.count(after) == 0) return line_to(child);
            if (hopeless) continue;
            if (nodes_.size() >= budget) return Undecided{nodes_.size()};
            const unsigned rank = std::min(promise.rank, ranks - 1);
            put(child, class_of(after, move.to().index(), rank) * ranks + rank);
        }
    }
    return Unwinnable{Proof::closure, nodes_.size()};
}

Answer Exploration::by_promise(const State& root, Color winner, std::size_t budget, Order order) {
    const Generator& generate = generator();
    const bool winner_black = winner == Color::black;
    start(root);
    for (Index node = take(); node != none; node = take()) {
        const State state = nodes_[node].state;
        MoveList moves;
        generate.list(state, moves);
        Agenda agenda(moves, Forecast(state, winner_black, order.taste), nodes_[node].rank,
                      order.by == Order::By::backwards, nodes_[node].tried);
        if (nodes_[node].tried == 0 && state.status.black_to_move() == winner_black) {
            if (const auto mate = mate_by_check(state, moves)) {
                State after = state;
                make_move(after, *mate);
                const Index child = add(after, node, mate->bits());
                if (child != none) return line_to(child);
            }
        }
        // The best of its moves is made, then the next, until something else looks better.
        for (std::uint32_t next = agenda.first(); next != Agenda::end;) {
            State after = state;
            const Move move = agenda.move(next);
            make_move(after, move);
            nodes_[node].tried = next;
            next = agenda.after(next);
            const bool hopeless = !material_can_mate(after, winner);
            // On a board that no game reaches even such men may have mated.
            if (hopeless && !any_king_attacked(after, !winner_black)) continue;
            const Index child = add(after, node, move.bits());
            if (child == none) continue;
            const Promise promise(after, winner_black, order.taste);
            if (promise.may_be_mate && generate.count(after) == 0) return line_to(child);
            if (hopeless) continue;
            if (nodes_.size() >= budget) return Undecided{nodes_.size()};
            unsigned rank = std::min(promise.rank, ranks - 1);
            if (!novel(rank, code_at(after, move.to().index()), move.to().bit()))
                rank = std::min(rank + stale, ranks - 1);
            nodes_[child].rank = static_cast<std::uint8_t>(rank);
            const unsigned expected = Agenda::rank(next);
            if (next != Agenda::end && (expected >= rank || expected > lowest())) {
                put(node, expected);
                put(child, rank);
                break;
            }
            put(child, rank);
        }
    }
    return Unwinnable{Proof::closure, nodes_.size()};
}

}  // namespace touchmove::mate
