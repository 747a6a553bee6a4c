// generate_avx2.cpp - the generator for processors with AVX2 and BMI2 (x86-64-v3)
// SPDX-License-Identifier: Apache-2.0
//
// The target is set after the headers and not for the whole file: an inline function of a header
// that is compiled for AVX could be the copy that the linker keeps for everyone.
#include "host/chess/generate.hpp"
#include "host/chess/lanes.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif

namespace touchmove::chess::detail {

namespace {

/// Two registers of four words: lanes that shift left, lanes that shift right.
class Lanes {
  public:
    TOUCHMOVE_INLINE Lanes() noexcept = default;
    TOUCHMOVE_INLINE Lanes(__m256i left, __m256i right) noexcept : left_(left), right_(right) {}

    TOUCHMOVE_INLINE static Lanes same(Bitboard b) noexcept {
        const __m256i v = _mm256_set1_epi64x(static_cast<long long>(b));
        return {v, v};
    }
    TOUCHMOVE_INLINE static Lanes sliders(Bitboard orthogonal, Bitboard diagonal) noexcept {
        const __m256i v = _mm256_blend_epi32(same(orthogonal).left_, same(diagonal).left_, 0xf0);
        return {v, v};
    }
    TOUCHMOVE_INLINE static Lanes on_board() noexcept { return load(ray_ends); }

    TOUCHMOVE_INLINE friend Lanes operator&(Lanes a, Lanes b) noexcept {
        return {_mm256_and_si256(a.left_, b.left_), _mm256_and_si256(a.right_, b.right_)};
    }
    TOUCHMOVE_INLINE friend Lanes operator|(Lanes a, Lanes b) noexcept {
        return {_mm256_or_si256(a.left_, b.left_), _mm256_or_si256(a.right_, b.right_)};
    }
    TOUCHMOVE_INLINE Lanes step() const noexcept { return shifted(distances<1>(ray_shifts)); }
    TOUCHMOVE_INLINE Lanes step2() const noexcept { return shifted(distances<2>(ray_shifts)); }
    TOUCHMOVE_INLINE Lanes step4() const noexcept { return shifted(distances<4>(ray_shifts)); }
    TOUCHMOVE_INLINE Lanes knight_step() const noexcept {
        return shifted(distances<1>(knight_shifts)) & load(knight_ends);
    }
    TOUCHMOVE_INLINE Lanes opposite() const noexcept { return {right_, left_}; }
    template <int I>
    TOUCHMOVE_INLINE Bitboard lane() const noexcept {
        return static_cast<Bitboard>(_mm256_extract_epi64(I < 4 ? left_ : right_, I & 3));
    }
    TOUCHMOVE_INLINE Bitboard any() const noexcept {
        const __m256i four = _mm256_or_si256(left_, right_);
        const __m128i two =
            _mm_or_si128(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
        return static_cast<Bitboard>(
            _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))));
    }
    /// Counts nibbles by table; the four partial sums of a byte cannot overflow it.
    TOUCHMOVE_INLINE static std::uint64_t count(Lanes a, Lanes b) noexcept {
        const __m256i bytes =
            _mm256_add_epi8(_mm256_add_epi8(byte_counts(a.left_), byte_counts(a.right_)),
                            _mm256_add_epi8(byte_counts(b.left_), byte_counts(b.right_)));
        const __m256i four = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
        const __m128i two =
            _mm_add_epi64(_mm256_castsi256_si128(four), _mm256_extracti128_si256(four, 1));
        return static_cast<std::uint64_t>(
            _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))));
    }

  private:
    TOUCHMOVE_INLINE static Lanes load(const std::array<Bitboard, 8>& sets) noexcept {
        return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(sets.data())),
                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sets.data() + 4))};
    }
    template <long long Times>
    TOUCHMOVE_INLINE static __m256i distances(const std::array<long long, 4>& by) noexcept {
        return _mm256_setr_epi64x(Times * by[0], Times * by[1], Times * by[2], Times * by[3]);
    }
    TOUCHMOVE_INLINE Lanes shifted(__m256i by) const noexcept {
        return {_mm256_sllv_epi64(left_, by), _mm256_srlv_epi64(right_, by)};
    }
    TOUCHMOVE_INLINE static __m256i byte_counts(__m256i v) noexcept {
        const __m256i counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0,
                                                1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
        const __m256i nibble = _mm256_set1_epi8(15);
        return _mm256_add_epi8(
            _mm256_shuffle_epi8(counts, _mm256_and_si256(v, nibble)),
            _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi16(v, 4), nibble)));
    }

    __m256i left_, right_;
};

#include "host/chess/planes_avx2.inl"

#include "host/chess/generate.inl"

}  // namespace

const Generator avx2_generator{"avx2", list_here, count_here, perft_here};

}  // namespace touchmove::chess::detail

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
