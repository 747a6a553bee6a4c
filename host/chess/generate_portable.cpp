// generate_portable.cpp - the generator for any processor
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <utility>

#include "host/chess/generate.hpp"
#include "host/chess/lanes.hpp"

namespace touchmove::chess::detail {

namespace {

/// Eight words, unrolled.
class Lanes {
  public:
    TOUCHMOVE_INLINE static Lanes same(Bitboard b) noexcept { return {{b, b, b, b, b, b, b, b}}; }
    TOUCHMOVE_INLINE static Lanes sliders(Bitboard orthogonal, Bitboard diagonal) noexcept {
        return {{orthogonal, orthogonal, diagonal, diagonal, orthogonal, orthogonal, diagonal,
                 diagonal}};
    }
    TOUCHMOVE_INLINE static Lanes on_board() noexcept { return {ray_ends}; }

    TOUCHMOVE_INLINE friend Lanes operator&(const Lanes& a, const Lanes& b) noexcept {
        return each([&](auto i) { return a.set_[i] & b.set_[i]; });
    }
    TOUCHMOVE_INLINE friend Lanes operator|(const Lanes& a, const Lanes& b) noexcept {
        return each([&](auto i) { return a.set_[i] | b.set_[i]; });
    }
    TOUCHMOVE_INLINE Lanes step() const noexcept { return shifted<1>(ray_shifts); }
    TOUCHMOVE_INLINE Lanes step2() const noexcept { return shifted<2>(ray_shifts); }
    TOUCHMOVE_INLINE Lanes step4() const noexcept { return shifted<4>(ray_shifts); }
    TOUCHMOVE_INLINE Lanes knight_step() const noexcept {
        return shifted<1>(knight_shifts) & Lanes{knight_ends};
    }
    TOUCHMOVE_INLINE Lanes opposite() const noexcept {
        return each([&](auto i) { return set_[i ^ 4U]; });
    }
    template <std::size_t I>
    TOUCHMOVE_INLINE Bitboard lane() const noexcept {
        return set_[I];
    }
    TOUCHMOVE_INLINE Bitboard any() const noexcept {
        return ((set_[0] | set_[1]) | (set_[2] | set_[3])) |
               ((set_[4] | set_[5]) | (set_[6] | set_[7]));
    }
    TOUCHMOVE_INLINE static std::uint64_t count(const Lanes& a, const Lanes& b) noexcept {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < 8; ++i)
            sum += size(a.set_[i]) + size(b.set_[i]);
        return sum;
    }

    std::array<Bitboard, 8> set_;

  private:
    template <class F>
    TOUCHMOVE_INLINE static Lanes each(F f) noexcept {
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return Lanes{{f(std::integral_constant<std::size_t, I>{})...}};
        }
        (std::make_index_sequence<8>{});
    }
    template <long long Times>
    TOUCHMOVE_INLINE Lanes shifted(const std::array<long long, 4>& by) const noexcept {
        return each([&](auto i) {
            return i < 4 ? set_[i] << (Times * by[i & 3U]) : set_[i] >> (Times * by[i & 3U]);
        });
    }
};

/// The four planes in registers.
class Planes {
  public:
    TOUCHMOVE_INLINE explicit Planes(const State& s) noexcept
        : black_(s.black), diagonal_(s.diagonal), orthogonal_(s.orthogonal), other_(s.other) {}
    TOUCHMOVE_INLINE void store(State& s) const noexcept {
        s.black = black_;
        s.diagonal = diagonal_;
        s.orthogonal = orthogonal_;
        s.other = other_;
    }
    /// The code on a square; 0 = empty.
    [[nodiscard]] TOUCHMOVE_INLINE unsigned code_at(unsigned square) const noexcept {
        return static_cast<unsigned>(
            ((black_ >> square) & 1U) | ((diagonal_ >> square) & 1U) << 1U |
            ((orthogonal_ >> square) & 1U) << 2U | ((other_ >> square) & 1U) << 3U);
    }
    /// Clears two squares, then puts `code` on `square`.
    TOUCHMOVE_INLINE void replace(unsigned one, unsigned two, unsigned square,
                                  unsigned code) noexcept {
        const Bitboard keep = ~(Bitboard{1} << one | Bitboard{1} << two);
        black_ = (black_ & keep) | Bitboard{code & 1U} << square;
        diagonal_ = (diagonal_ & keep) | Bitboard{code >> 1U & 1U} << square;
        orthogonal_ = (orthogonal_ & keep) | Bitboard{code >> 2U & 1U} << square;
        other_ = (other_ & keep) | Bitboard{code >> 3U & 1U} << square;
    }

  private:
    Bitboard black_, diagonal_, orthogonal_, other_;
};

#include "host/chess/generate.inl"

}  // namespace

void make_move(State& s, Move m) noexcept {
    Maker(s).make(m, s);
}

const Generator portable_generator{"portable", list_here, count_here, perft_here};

}  // namespace touchmove::chess::detail
