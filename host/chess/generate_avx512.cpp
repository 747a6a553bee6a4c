// generate_avx512.cpp - the generator for processors with AVX-512 and its population count
// SPDX-License-Identifier: Apache-2.0
//
// The target is set after the headers and not for the whole file: an inline function of a header
// that is compiled for AVX could be the copy that the linker keeps for everyone.
#include "host/chess/generate.hpp"
#include "host/chess/lanes.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(                                                            \
    __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq,avx2,bmi," \
                          "bmi2,lzcnt,popcnt"))),                                        \
    apply_to = function)
#else
// GCC 12's own intrinsics start from a register that they leave unset (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512bw,avx512dq,avx512vpopcntdq", \
                   "avx2,bmi,bmi2,lzcnt,popcnt")
#endif

namespace touchmove::chess::detail {

namespace {

/// One register; a rotation by 64 - n shifts right by n but for what wraps, which on_board takes
/// off.
class Lanes {
  public:
    TOUCHMOVE_INLINE Lanes() noexcept = default;
    TOUCHMOVE_INLINE explicit Lanes(__m512i sets) noexcept : sets_(sets) {}

    TOUCHMOVE_INLINE static Lanes same(Bitboard b) noexcept {
        return Lanes(_mm512_set1_epi64(static_cast<long long>(b)));
    }
    TOUCHMOVE_INLINE static Lanes sliders(Bitboard orthogonal, Bitboard diagonal) noexcept {
        return Lanes(
            _mm512_mask_set1_epi64(same(orthogonal).sets_, 0xcc, static_cast<long long>(diagonal)));
    }
    TOUCHMOVE_INLINE static Lanes on_board() noexcept {
        return Lanes(_mm512_loadu_si512(ray_ends.data()));
    }

    TOUCHMOVE_INLINE friend Lanes operator&(Lanes a, Lanes b) noexcept {
        return Lanes(_mm512_and_si512(a.sets_, b.sets_));
    }
    TOUCHMOVE_INLINE friend Lanes operator|(Lanes a, Lanes b) noexcept {
        return Lanes(_mm512_or_si512(a.sets_, b.sets_));
    }
    TOUCHMOVE_INLINE Lanes step() const noexcept { return rotated<1>(ray_shifts); }
    TOUCHMOVE_INLINE Lanes step2() const noexcept { return rotated<2>(ray_shifts); }
    TOUCHMOVE_INLINE Lanes step4() const noexcept { return rotated<4>(ray_shifts); }
    TOUCHMOVE_INLINE Lanes knight_step() const noexcept {
        return rotated<1>(knight_shifts) & Lanes(_mm512_loadu_si512(knight_ends.data()));
    }
    TOUCHMOVE_INLINE Lanes opposite() const noexcept {
        return Lanes(_mm512_shuffle_i64x2(sets_, sets_, 0x4e));
    }
    template <int I>
    TOUCHMOVE_INLINE Bitboard lane() const noexcept {
        return static_cast<Bitboard>(
            _mm256_extract_epi64(_mm512_extracti64x4_epi64(sets_, I / 4), I & 3));
    }
    TOUCHMOVE_INLINE Bitboard any() const noexcept {
        return static_cast<Bitboard>(_mm512_reduce_or_epi64(sets_));
    }
    TOUCHMOVE_INLINE static std::uint64_t count(Lanes a, Lanes b) noexcept {
        return static_cast<std::uint64_t>(_mm512_reduce_add_epi64(
            _mm512_add_epi64(_mm512_popcnt_epi64(a.sets_), _mm512_popcnt_epi64(b.sets_))));
    }

  private:
    template <long long Times>
    TOUCHMOVE_INLINE Lanes rotated(const std::array<long long, 4>& by) const noexcept {
        const __m512i left = _mm512_setr_epi64(
            Times * by[0], Times * by[1], Times * by[2], Times * by[3], 64 - Times * by[0],
            64 - Times * by[1], 64 - Times * by[2], 64 - Times * by[3]);
        return Lanes(_mm512_rolv_epi64(sets_, left));
    }

    __m512i sets_;
};

#include "host/chess/planes_avx2.inl"

#include "host/chess/generate.inl"

}  // namespace

const Generator avx512_generator{"avx512", list_here, count_here, perft_here};

}  // namespace touchmove::chess::detail

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
