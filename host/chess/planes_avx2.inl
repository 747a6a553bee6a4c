// planes_avx2.inl - the four planes of a position in one register
// SPDX-License-Identifier: Apache-2.0
//
// Included where AVX2 is compiled for; see generate.inl.

/// The four planes in one register; see generate.inl.
class Planes {
  public:
    TOUCHMOVE_INLINE explicit Planes(const State& s) noexcept
        : planes_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(&s.black))) {}
    TOUCHMOVE_INLINE void store(State& s) const noexcept {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(&s.black), planes_);
    }
    [[nodiscard]] TOUCHMOVE_INLINE unsigned code_at(unsigned square) const noexcept {
        const __m256i top =
            _mm256_sll_epi64(planes_, _mm_cvtsi32_si128(static_cast<int>(63 - square)));
        return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(top)));
    }
    TOUCHMOVE_INLINE void replace(unsigned one, unsigned two, unsigned square,
                                  unsigned code) noexcept {
        const __m256i man =
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(code_planes[code].data()));
        planes_ = _mm256_or_si256(_mm256_andnot_si256(_mm256_or_si256(bit(one), bit(two)), planes_),
                                  _mm256_and_si256(bit(square), man));
    }

  private:
    TOUCHMOVE_INLINE static __m256i bit(unsigned square) noexcept {
        return _mm256_set1_epi64x(static_cast<long long>(square_bits[square]));
    }

    __m256i planes_;
};
