// checker_blockade.cpp - the squares of a blockade, gone through one by one
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>

#include "tests/mate/checker.hpp"

namespace touchmove::mate_test {

using chess::Color;
using chess::Kind;
using chess::Position;
using chess::Square;

namespace {

struct Step {
    int file, rank;
};
constexpr std::array<Step, 8> around{
    {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
constexpr std::array<Step, 8> leaps{
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}};

std::optional<Square> beyond(Square from, Step step, int times = 1) {
    const int file = static_cast<int>(from.file()) + step.file * times;
    const int rank = static_cast<int>(from.rank()) + step.rank * times;
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return std::nullopt;
    return Square(static_cast<unsigned>(file), static_cast<unsigned>(rank));
}

bool touch(Square a, Square b) {
    const int files = std::abs(static_cast<int>(a.file()) - static_cast<int>(b.file()));
    const int ranks = std::abs(static_cast<int>(a.rank()) - static_cast<int>(b.rank()));
    return std::max(files, ranks) == 1;
}

bool slides(Kind kind, Step step) {
    const bool diagonal = step.file != 0 && step.rank != 0;
    return kind == Kind::queen || kind == (diagonal ? Kind::bishop : Kind::rook);
}

/// Does a man of that kind see `to` along a line that ends at the first square that `stops` it?
template <class Stops>
bool sees(Kind kind, Square from, Square to, Stops stops) {
    for (const Step step : around) {
        if (!slides(kind, step)) continue;
        for (int n = 1;; ++n) {
            const auto s = beyond(from, step, n);
            if (!s) break;
            if (*s == to) return true;
            if (stops(*s)) break;
        }
    }
    return false;
}

struct Man {
    Color color;
    Kind kind;
    Square start;
    std::vector<Square> squares;
    bool kept = true;  ///< never captured, as far as is known

    [[nodiscard]] bool may_stand(Square s) const {
        return std::find(squares.begin(), squares.end(), s) != squares.end();
    }
    /// It stands where it stands for ever.
    [[nodiscard]] bool steady() const { return kept && squares.size() == 1; }
    [[nodiscard]] Step ahead() const { return {0, color == Color::white ? 1 : -1}; }
    [[nodiscard]] unsigned last_rank() const { return color == Color::white ? 7 : 0; }
    [[nodiscard]] unsigned first_rank() const { return color == Color::white ? 0 : 7; }
    [[nodiscard]] bool keeps_to_file() const {
        return std::all_of(squares.begin(), squares.end(),
                           [&](Square s) { return s.file() == start.file(); });
    }
};

/// Men are `kept` and no pawn promotes until the contrary shows. What is left in the end holds from
/// move to move: nothing that needs a man kept in its place happens before that man is captured or
/// leaves it, and none of these comes first.
class Claim {
  public:
    Claim(const std::vector<mate::Confined>& men, Color winner) : winner_(winner) {
        for (const auto& each : men) {
            Man man{each.man.color, each.man.kind, each.from, {}};
            for (unsigned i = 0; i < chess::square_count; ++i) {
                if (chess::contains(each.squares, Square(i))) man.squares.push_back(Square(i));
            }
            men_.push_back(man);
        }
        while (find_captures_and_promotions()) {
        }
    }

    [[nodiscard]] std::string fault() const {
        if (promotes_[chess::index_of(winner_)]) return "a pawn of the winner's promotes";
        for (const Man& man : men_) {
            for (const Square from : man.squares) {
                for (const Square to : steps(man, from)) {
                    // A pawn is no pawn on the last rank.
                    if (man.kind == Kind::pawn && to.rank() == man.last_rank()) continue;
                    if (!man.may_stand(to))
                        return std::string("a step ").append(from.name()).append(to.name());
                }
            }
        }
        for (const Man& king : men_) {
            if (king.kind != Kind::king || king.color == winner_) continue;
            for (const Square s : king.squares) {
                if (room_for_mate(s)) return std::string("room for a mate on ").append(s.name());
            }
        }
        return {};
    }

  private:
    [[nodiscard]] bool promotes(Color color) const { return promotes_[chess::index_of(color)]; }

    [[nodiscard]] bool wall(Square s) const {
        return std::any_of(men_.begin(), men_.end(),
                           [&](const Man& man) { return man.steady() && man.squares[0] == s; });
    }

    /// May a man of that colour that can be captured come there?
    [[nodiscard]] bool prey(Color color, Square s) const {
        return promotes(color) || std::any_of(men_.begin(), men_.end(), [&](const Man& man) {
                   return man.color == color && man.kind != Kind::king && man.may_stand(s);
               });
    }

    /// May anything but `king` ever stand there?
    [[nodiscard]] bool used(Square s, const Man& king) const {
        if (promotes(Color::white) || promotes(Color::black)) return true;
        return std::any_of(men_.begin(), men_.end(),
                           [&](const Man& man) { return &man != &king && man.may_stand(s); });
    }

    /// Does `man` on `from` attack `to` unless something stands between that is not a wall? A line
    /// goes on over `through`.
    [[nodiscard]] bool attacks(const Man& man, Square from, Square to,
                               std::optional<Square> through = std::nullopt) const {
        switch (man.kind) {
            case Kind::pawn:
                return std::abs(static_cast<int>(from.file()) - static_cast<int>(to.file())) == 1 &&
                       static_cast<int>(to.rank()) ==
                           static_cast<int>(from.rank()) + man.ahead().rank;
            case Kind::king:
                return touch(from, to);
            case Kind::knight:
                return std::any_of(leaps.begin(), leaps.end(),
                                   [&](Step step) { return beyond(from, step) == to; });
            default:
                break;
        }
        return sees(man.kind, from, to, [&](Square s) { return wall(s) && s != through; });
    }

    /// Does a man that is always there attack `to` whenever `king` has stepped there?
    [[nodiscard]] bool guarded(Square to, const Man& king) const {
        return std::any_of(men_.begin(), men_.end(), [&](const Man& man) {
            if (man.color == king.color || !man.steady()) return false;
            const Square from = man.squares[0];
            if (man.kind == Kind::pawn || man.kind == Kind::knight || man.kind == Kind::king) {
                return attacks(man, from, to);
            }
            return sees(man.kind, from, to, [&](Square s) { return used(s, king); });
        });
    }

    /// Pawns that face each other on one file, neither of which leaves it, do not pass each other.
    [[nodiscard]] bool faced(const Man& pawn, Square to) const {
        if (!pawn.keeps_to_file()) return false;
        const int up = pawn.ahead().rank;
        const auto rank = [up](Square s) { return up * static_cast<int>(s.rank()); };
        return std::any_of(men_.begin(), men_.end(), [&](const Man& other) {
            return other.kind == Kind::pawn && other.color != pawn.color && other.kept &&
                   other.start.file() == pawn.start.file() && other.keeps_to_file() &&
                   rank(pawn.start) < rank(other.start) && rank(to) >= rank(other.start);
        });
    }

    /// Where `man` may go from there, as what it is. A capture in passing goes where one step of
    /// the other pawn would have led.
    [[nodiscard]] std::vector<Square> steps(const Man& man, Square from) const {
        std::vector<Square> found;
        const auto add = [&](std::optional<Square> s) {
            if (!s || wall(*s)) return false;
            found.push_back(*s);
            return true;
        };
        switch (man.kind) {
            case Kind::pawn: {
                const Step ahead = man.ahead();
                const bool twice = std::abs(static_cast<int>(from.rank()) -
                                            static_cast<int>(man.first_rank())) == 1;
                for (int n = 1; n <= (twice ? 2 : 1); ++n) {
                    const auto s = beyond(from, ahead, n);
                    if (!s || faced(man, *s) || !add(s)) break;
                }
                for (const int side : {-1, 1}) {
                    const auto s = beyond(from, {side, ahead.rank});
                    if (s && prey(~man.color, *s)) add(s);
                }
                break;
            }
            case Kind::knight:
                for (const Step step : leaps)
                    add(beyond(from, step));
                break;
            case Kind::king:
                for (const Step step : around) {
                    const auto s = beyond(from, step);
                    if (s && !guarded(*s, man)) add(s);
                }
                break;
            default:
                for (const Step step : around) {
                    if (!slides(man.kind, step)) continue;
                    int n = 1;
                    while (add(beyond(from, step, n)))
                        ++n;
                }
        }
        return found;
    }

    [[nodiscard]] bool captured(const Man& man) const {
        if (man.kind == Kind::king) return false;
        if (promotes(~man.color)) return true;
        for (const Man& other : men_) {
            if (other.color == man.color) continue;
            for (const Square from : other.squares) {
                for (const Square to : man.squares) {
                    if (!attacks(other, from, to)) continue;
                    if (other.kind != Kind::king || !guarded(to, other)) return true;
                }
            }
        }
        return false;
    }

    /// True if something new has shown.
    bool find_captures_and_promotions() {
        bool news = false;
        for (Man& man : men_) {
            if (man.kept && captured(man)) {
                man.kept = false;
                news = true;
            }
            if (man.kind != Kind::pawn || promotes(man.color)) continue;
            for (const Square from : man.squares) {
                bool last = from.rank() == man.last_rank();
                for (const Square to : steps(man, from))
                    last |= to.rank() == man.last_rank();
                if (!last) continue;
                promotes_[chess::index_of(man.color)] = true;
                news = true;
                break;
            }
        }
        return news;
    }

    /// Can the loser's king be mated there, as far as the squares of each man tell? Bits 0 to 7 of
    /// a task are the flights, bit 8 the check. Each man does what it does from one square.
    [[nodiscard]] bool room_for_mate(Square king) const {
        constexpr unsigned check_bit = 1U << 8U;
        std::array<std::optional<Square>, 8> flights;
        for (unsigned i = 0; i < 8; ++i)
            flights[i] = beyond(king, around[i]);

        std::array<bool, 512> done{};  ///< by the men so far
        done[0] = true;
        for (const Man& man : men_) {
            if (man.kind == Kind::king) continue;
            std::vector<unsigned> works;
            for (const Square s : man.squares) {
                if (s == king) continue;
                unsigned work = 0;
                for (unsigned i = 0; i < 8; ++i) {
                    if (!flights[i]) continue;
                    const bool does = man.color == winner_ ? attacks(man, s, *flights[i], king)
                                                           : s == *flights[i];
                    if (does) work |= 1U << i;
                }
                if (man.color == winner_ && attacks(man, s, king)) work |= check_bit;
                works.push_back(work);
            }
            std::sort(works.begin(), works.end());
            works.erase(std::unique(works.begin(), works.end()), works.end());
            const auto before = done;
            for (unsigned task = 0; task < 512; ++task) {
                if (!before[task]) continue;
                for (const unsigned work : works)
                    done[task | work] = true;
            }
        }

        for (const Man& other : men_) {
            if (other.kind != Kind::king || other.color != winner_) continue;
            for (const Square s : other.squares) {
                if (s == king || touch(s, king)) continue;
                unsigned needed = check_bit;
                for (unsigned i = 0; i < 8; ++i) {
                    // Men that promoted may block what they like.
                    if (!flights[i] || promotes(~winner_)) continue;
                    if (!touch(s, *flights[i]) && s != *flights[i]) needed |= 1U << i;
                }
                for (unsigned task = 0; task < 512; ++task) {
                    if (done[task] && (task & needed) == needed) return true;
                }
            }
        }
        return false;
    }

    Color winner_;
    std::vector<Man> men_;
    std::array<bool, 2> promotes_{};  ///< by colour
};

/// Is every man of the board among `men`, once, on a square of its own?
bool all_there(const Position& start, const std::vector<mate::Confined>& men) {
    chess::Bitboard told = 0;
    for (const auto& each : men) {
        if (start.man_at(each.from) != each.man || !chess::contains(each.squares, each.from)) {
            return false;
        }
        told |= each.from.bit();
    }
    return told == start.occupied() && men.size() == chess::size(told);
}

}  // namespace

std::string fault_of_blockade(const Position& start, Color winner,
                              const std::vector<mate::Confined>& men) {
    using chess::CastlingSide;
    for (const Color color : {Color::white, Color::black}) {
        if (!start.king(color)) return "not one king a side";
        for (const auto side : {CastlingSide::king_side, CastlingSide::queen_side}) {
            if (start.may_castle(color, side)) return "castling";
        }
    }
    if (start.en_passant()) return "a capture in passing at once";
    if (!all_there(start, men)) return "not all men, each once, where it stands";
    return Claim(men, winner).fault();
}

}  // namespace touchmove::mate_test
