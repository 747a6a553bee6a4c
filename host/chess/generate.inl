// generate.inl - legal moves from sets of squares, for a side that has one king
// SPDX-License-Identifier: Apache-2.0
//
// Included once for each kind of processor, inside a namespace that defines Lanes and Planes.
// Nothing here asks a square what stands on it: attacks, checks and pins come from filling the
// eight directions of all sliders at once, so that hardly a branch depends on the position.
// Counting the moves needs no list: in one direction a square is reached by one slider at most, so
// the moves of all sliders are the bits of eight sets.
//
// Planes holds the four planes of a State. Lanes holds eight sets, one for each direction: east,
// north, north-east, north-west, and their opposites in the same order.

/// Squares seen from `from` in each direction through `empty` squares, the first man included.
TOUCHMOVE_INLINE Lanes rays(Lanes from, Lanes empty) noexcept {
    Lanes through = empty & Lanes::on_board();
    from = from | (through & from.step());
    through = through & through.step();
    from = from | (through & from.step2());
    through = through & through.step2();
    from = from | (through & from.step4());
    return from.step() & Lanes::on_board();
}

TOUCHMOVE_INLINE Bitboard east(Bitboard b) noexcept {
    return b << 1U & ~file_squares(0);
}
TOUCHMOVE_INLINE Bitboard west(Bitboard b) noexcept {
    return b >> 1U & ~file_squares(7);
}

TOUCHMOVE_INLINE Bitboard knight_reach(Bitboard b) noexcept {
    const Bitboard near = east(b) | west(b);
    const Bitboard far = east(east(b)) | west(west(b));
    return near << 16U | near >> 16U | far << 8U | far >> 8U;
}

TOUCHMOVE_INLINE Bitboard king_reach(Bitboard b) noexcept {
    const Bitboard row = b | east(b) | west(b);
    return row | row << 8U | row >> 8U;
}

/// Forward steps as a side's pawns make them.
template <bool Black>
TOUCHMOVE_INLINE Bitboard ahead(Bitboard b) noexcept {
    return Black ? b >> 8U : b << 8U;
}

/// What the side to move must know before it moves.
template <bool Black>
struct Sight {
    TOUCHMOVE_INLINE Sight(const State& s, Bitboard king) noexcept
        : all(occupied(s)),
          own(all & (Black ? s.black : ~s.black)),
          king_square(static_cast<unsigned>(std::countr_zero(king))) {
        const Bitboard enemy = all ^ own;
        const Bitboard enemy_kings = kings(s) & enemy;
        const Bitboard enemy_pawns = pawns(s) & enemy;
        const Bitboard enemy_knights = knights(s) & enemy;
        const Lanes enemy_sliders =
            Lanes::sliders(orthogonal_sliders(s) & enemy, diagonal_sliders(s) & enemy);

        // Enemy sliders look through the king: it cannot step back out of check along the line.
        const Lanes seen = rays(enemy_sliders, Lanes::same(~(all ^ king)));
        const Lanes king_rays = rays(Lanes::same(king), Lanes::same(~all));
        const Bitboard down = ahead<!Black>(enemy_pawns);
        danger = seen.any() | east(down) | west(down) | knight_reach(enemy_knights) |
                 king_reach(enemy_kings);

        // A man that an enemy slider and, the other way, the king sees first is pinned on that
        // axis.
        const Lanes pinned_from = seen & king_rays.opposite() & Lanes::same(own);
        axes = pinned_from | pinned_from.opposite();
        pinned = pinned_from.any();

        checkers = (king_rays & enemy_sliders).any() | (knight_steps[king_square] & enemy_knights) |
                   (pawn_attacks[Black ? 1 : 0][king_square] & enemy_pawns) |
                   (king_steps[king_square] & enemy_kings);
        targets = ~own & ~enemy_kings;
        king_targets = targets & ~danger;
        if (checkers != 0) [[unlikely]]
            targets &= answers_to_check();
    }

    /// The squares to which a man other than the king may go.
    [[nodiscard]] Bitboard answers_to_check() const noexcept {
        if ((checkers & (checkers - 1)) != 0) return 0;
        const auto checker = static_cast<unsigned>(std::countr_zero(checkers));
        Bitboard squares = checkers;
        for (const Axis axis : {Axis::rank, Axis::file, Axis::diagonal, Axis::antidiagonal}) {
            if ((lines[static_cast<std::size_t>(axis)][king_square] & checkers) == 0) continue;
            squares |= line_attacks(king_square, axis, all) & line_attacks(checker, axis, all);
        }
        return squares;
    }

    Bitboard all, own;
    unsigned king_square;
    Bitboard danger;  ///< attacked by the enemy, were the king not there
    Bitboard pinned;
    Lanes axes;  ///< the pinned men, in the lanes of the axis on which they may move
    Bitboard checkers;
    Bitboard targets;  ///< for all men but the king
    Bitboard king_targets;
};

/// A side's pawn moves as sets of target squares.
template <bool Black>
struct PawnTargets {
    TOUCHMOVE_INLINE PawnTargets(const State& s, const Sight<Black>& sight) noexcept {
        const Bitboard men = pawns(s) & sight.own;
        const Bitboard free = men & ~sight.pinned;
        const Bitboard empty = ~sight.all;
        const Bitboard captures = sight.targets & sight.all;
        const Bitboard step = ahead<Black>(free | (men & sight.axes.template lane<1>())) & empty;
        single = step & sight.targets;
        twice = ahead<Black>(step & rank_squares(Black ? 5 : 2)) & empty & sight.targets;
        // East for White is the diagonal axis, for Black the antidiagonal one.
        eastward =
            east(ahead<Black>(free | (men & sight.axes.template lane < Black ? 3 : 2 > ()))) &
            captures;
        westward =
            west(ahead<Black>(free | (men & sight.axes.template lane < Black ? 2 : 3 > ()))) &
            captures;
    }

    Bitboard single, twice, eastward, westward;
};

template <bool Black>
inline constexpr Bitboard last_rank = rank_squares(Black ? 0 : 7);

/// Own pawns that may take in passing.
template <bool Black>
[[nodiscard]] Bitboard en_passant_captors(const State& s) noexcept {
    Bitboard found = 0;
    for (const Square from : squares(en_passant_pawns(s, s.status.en_passant(), Black))) {
        if (en_passant_keeps_kings(s, from.index(), s.status.en_passant())) found |= from.bit();
    }
    return found;
}

/// The rights (bits of State::rights) with which the king can castle now.
template <bool Black>
TOUCHMOVE_INLINE unsigned castlings(const State& s, const Sight<Black>& sight) noexcept {
    constexpr unsigned first = Black ? 2 : 0;
    unsigned found = 0;
    for (unsigned i = first; i < first + 2; ++i) {
        const CastlingPath& path = castling_paths[i];
        const bool can = ((sight.all & path.between) | (sight.danger & path.walk)) == 0;
        found |= static_cast<unsigned>(can) << i;
    }
    return found & s.status.rights();
}

template <bool Black>
TOUCHMOVE_INLINE std::uint64_t count_moves(const State& s) noexcept {
    const Bitboard king = kings(s) & men_of(s, Black);
    if (!one_bit(king)) [[unlikely]]
        return count_by_trial(s);
    const Sight<Black> sight(s, king);
    const PawnTargets<Black> pawn(s, sight);

    // A pinned slider moves in the two directions of its axis, a pinned knight not at all.
    const Lanes sliders =
        Lanes::sliders(orthogonal_sliders(s) & sight.own, diagonal_sliders(s) & sight.own) &
        (Lanes::same(~sight.pinned) | sight.axes);
    const Lanes targets = Lanes::same(sight.targets);
    const Lanes slid = rays(sliders, Lanes::same(~sight.all)) & targets;
    const Lanes jumped =
        Lanes::same(knights(s) & sight.own & ~sight.pinned).knight_step() & targets;
    std::uint64_t count = Lanes::count(slid, jumped);

    count += size(king_steps[sight.king_square] & sight.king_targets);
    count += size(pawn.single) + size(pawn.twice) + size(pawn.eastward) + size(pawn.westward);
    if (((pawn.single | pawn.eastward | pawn.westward) & last_rank<Black>) != 0) {
        count +=
            3 * (size(pawn.single & last_rank<Black>) + size(pawn.eastward & last_rank<Black>) +
                 size(pawn.westward & last_rank<Black>));
    }
    if (s.status.en_passant() != no_square) [[unlikely]]
        count += size(en_passant_captors<Black>(s));
    if ((s.status.rights() & (Black ? 12U : 3U)) != 0) count += size(castlings<Black>(s, sight));
    return count;
}

TOUCHMOVE_INLINE Move* write_from(Move* out, unsigned from, Bitboard to) noexcept {
    for (; to != 0; to &= to - 1) {
        const auto square = static_cast<unsigned>(std::countr_zero(to));
        *out++ = Move::from_bits(static_cast<std::uint16_t>(from | square << 6U));
    }
    return out;
}

/// Pawn moves to `to`, each from `step` squares behind.
template <int Step>
TOUCHMOVE_INLINE Move* write_steps(Move* out, Bitboard to, Bitboard last) noexcept {
    for (Bitboard rest = to & ~last; rest != 0; rest &= rest - 1) {
        const int square = std::countr_zero(rest);
        *out++ = Move::from_bits(static_cast<std::uint16_t>((square - Step) | square << 6));
    }
    for (Bitboard rest = to & last; rest != 0; rest &= rest - 1) {
        const int square = std::countr_zero(rest);
        for (const Kind kind : {Kind::queen, Kind::rook, Kind::bishop, Kind::knight}) {
            *out++ = Move::from_bits(static_cast<std::uint16_t>((square - Step) | square << 6 |
                                                                static_cast<int>(kind) << 12));
        }
    }
    return out;
}

/// Slides along two axes; a pinned slider stays on its line with the king.
template <Axis First, Axis Second, bool Black>
TOUCHMOVE_INLINE Move* write_sliders(Move* out, Bitboard men, const Sight<Black>& sight) noexcept {
    for (; men != 0; men &= men - 1) {
        const auto from = static_cast<unsigned>(std::countr_zero(men));
        Bitboard reach =
            line_attacks(from, First, sight.all) | line_attacks(from, Second, sight.all);
        if ((sight.pinned >> from & 1U) != 0) [[unlikely]] {
            reach &= line_through(sight.king_square, from);
        }
        out = write_from(out, from, reach & sight.targets);
    }
    return out;
}

template <bool Black>
TOUCHMOVE_INLINE Move* write_moves(const State& s, Bitboard king, Move* out) noexcept {
    const Sight<Black> sight(s, king);
    out = write_from(out, sight.king_square, king_steps[sight.king_square] & sight.king_targets);
    if ((s.status.rights() & (Black ? 12U : 3U)) != 0) {
        const unsigned found = castlings<Black>(s, sight);
        constexpr unsigned first = Black ? 2 : 0;
        for (unsigned i = first; i < first + 2; ++i) {
            if ((found >> i & 1U) == 0) continue;
            *out++ = Move(Square(castling_paths[i].king_from), Square(castling_paths[i].king_to));
        }
    }
    // Nothing but the king can move. (Taking in passing never answers two checks at once: the pawn
    // taken checks from a square that lies on no line through the one passed over and the king.)
    if (sight.targets == 0) [[unlikely]]
        return out;

    for (Bitboard men = knights(s) & sight.own & ~sight.pinned; men != 0; men &= men - 1) {
        const auto from = static_cast<unsigned>(std::countr_zero(men));
        out = write_from(out, from, knight_steps[from] & sight.targets);
    }
    out = write_sliders<Axis::diagonal, Axis::antidiagonal>(out, diagonal_sliders(s) & sight.own,
                                                            sight);
    out = write_sliders<Axis::rank, Axis::file>(out, orthogonal_sliders(s) & sight.own, sight);

    const PawnTargets<Black> pawn(s, sight);
    constexpr int up = Black ? -8 : 8;
    out = write_steps<up>(out, pawn.single, last_rank<Black>);
    out = write_steps<2 * up>(out, pawn.twice, 0);
    out = write_steps<up + 1>(out, pawn.eastward, last_rank<Black>);
    out = write_steps<up - 1>(out, pawn.westward, last_rank<Black>);
    if (s.status.en_passant() != no_square) [[unlikely]] {
        for (const Square from : squares(en_passant_captors<Black>(s))) {
            *out++ = Move(from, Square(s.status.en_passant()));
        }
    }
    return out;
}

template <bool Black>
TOUCHMOVE_INLINE void list_moves(const State& s, MoveList& moves) noexcept {
    const Bitboard king = kings(s) & men_of(s, Black);
    if (!one_bit(king)) [[unlikely]]
        return list_by_trial(s, moves);
    moves.fill([&](Move* out) { return write_moves<Black>(s, king, out); });
}

/// Makes moves of one position: what they all need is reckoned once.
class Maker {
  public:
    TOUCHMOVE_INLINE explicit Maker(const State& s) noexcept
        : state_(s),
          planes_(s),
          key_(s.key ^ zobrist.black_to_move),
          status_(s.status.next()),
          passed_(s.status.passed()) {
        if (const unsigned target = s.status.en_passant(); target != no_square) {
            key_ ^= zobrist.en_passant[target & 7U];
        }
    }

    /// The position after `m`, whoever stands where (see Position::make). `after` may be the
    /// position itself.
    TOUCHMOVE_INLINE void make(Move m, State& after) const noexcept {
        const unsigned bits = m.bits();
        const unsigned from = bits & 63U;
        const unsigned to = bits >> 6U & 63U;
        Planes planes = planes_;
        const unsigned code = planes.code_at(from);
        const unsigned captured = planes.code_at(to);
        const unsigned kind = code & ~code_black;
        const unsigned color = code & code_black;
        unsigned placed = code;
        unsigned passed = no_square;
        std::uint64_t key = key_ ^ zobrist.man[code][from] ^ zobrist.man[captured][to];
        Status status = status_;
        if (captured != 0) status.restart_halfmove_clock();
        status.keep_rights(rights_kept[from] & rights_kept[to]);
        if (status.rights() != status_.rights()) [[unlikely]] {
            key ^= zobrist.rights[status_.rights()] ^ zobrist.rights[status.rights()];
        }

        if (kind == code_pawn) {
            status.restart_halfmove_clock();
            if (const unsigned promotion = bits >> 12U; promotion != 0) {
                placed = code_of_kind[promotion] | color;
            } else if (to == passed_ && is_en_passant(state_, from, to)) {
                const unsigned taken = passed_pawn_square(to);
                key ^= zobrist.man[planes.code_at(taken)][taken];
                planes.replace(taken, taken, taken, 0);
            } else if ((from ^ to) == 16 && (from >> 3U) == (color != 0 ? 6U : 1U) &&
                       planes.code_at((from + to) / 2) == 0) {
                passed = (from + to) / 2;
            }
        } else if (kind == code_king && ((from ^ to) & ~4U) == 2) {
            if (const unsigned i = castling_of(state_, from, to); i < 4) {
                const CastlingPath& path = castling_paths[i];
                key ^= zobrist.man[code_rook | color][path.rook_from] ^
                       zobrist.man[code_rook | color][path.rook_to];
                planes.replace(path.rook_from, path.rook_from, path.rook_to, code_rook | color);
            }
        }
        planes.replace(from, to, to, placed);
        planes.store(after);
        after.key = key ^ zobrist.man[placed][to];
        after.status = status;
        if (passed != no_square) {
            after.status.set_passed(passed);
            if (en_passant_pawns(after, passed, color == 0) != 0) [[unlikely]]
                settle_en_passant(after);
        }
    }

  private:
    const State& state_;
    Planes planes_;
    std::uint64_t key_;
    Status status_;
    unsigned passed_;
};

/// `Bulk`: the last ply is counted, not played.
template <bool Black, bool Bulk>
std::uint64_t walk(const State& s, unsigned depth) noexcept {
    MoveList moves;
    list_moves<Black>(s, moves);
    const Maker maker(s);
    State after;
    if (!Bulk && depth == 1) {
        for (const Move m : moves) {
            maker.make(m, after);
            // Without this the compiler may see that nobody reads the last position.
            asm volatile("" : : "m"(after));
        }
        return moves.size();
    }
    std::uint64_t nodes = 0;
    for (const Move m : moves) {
        maker.make(m, after);
        nodes +=
            Bulk && depth == 2 ? count_moves<!Black>(after) : walk<!Black, Bulk>(after, depth - 1);
    }
    return nodes;
}

std::uint64_t perft_here(const State& s, unsigned depth, bool bulk) noexcept {
    const bool black = s.status.black_to_move();
    if (depth == 0) return 1;
    if (bulk && depth == 1) return black ? count_moves<true>(s) : count_moves<false>(s);
    if (bulk) return black ? walk<true, true>(s, depth) : walk<false, true>(s, depth);
    return black ? walk<true, false>(s, depth) : walk<false, false>(s, depth);
}

std::uint64_t count_here(const State& s) noexcept {
    return s.status.black_to_move() ? count_moves<true>(s) : count_moves<false>(s);
}

void list_here(const State& s, MoveList& moves) noexcept {
    return s.status.black_to_move() ? list_moves<true>(s, moves) : list_moves<false>(s, moves);
}
