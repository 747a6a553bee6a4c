// move_list.hpp - the moves of one position, without a heap
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "host/chess/types.hpp"

namespace touchmove::chess {

/// Up to `capacity` moves in place. Only the moves that are there are copied.
class MoveList {
  public:
    /// Enough for any arrangement of men. A square can be reached by at most one man from each of
    /// 8 directions and by 8 knights: 16 moves on each of the 36 inner squares; 9 on a square of
    /// the edge, and 9 more on the last rank where pawns promote in four ways: under 900 in all.
    static constexpr std::size_t capacity = 1024;

    MoveList() noexcept {}  // NOLINT(modernize-use-equals-default): leaves the moves unset
    MoveList(const MoveList& other) noexcept : size_(other.size_) {
        std::copy(other.begin(), other.end(), moves_);
    }
    MoveList& operator=(const MoveList& other) noexcept {
        if (this == &other) return *this;
        size_ = other.size_;
        std::copy(other.begin(), other.end(), moves_);
        return *this;
    }
    ~MoveList() = default;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] Move operator[](std::size_t i) const noexcept {
        assert(i < size_);
        return moves_[i];
    }
    [[nodiscard]] const Move* begin() const noexcept { return moves_; }
    [[nodiscard]] const Move* end() const noexcept { return moves_ + size_; }
    [[nodiscard]] Move* begin() noexcept { return moves_; }
    [[nodiscard]] Move* end() noexcept { return moves_ + size_; }
    [[nodiscard]] bool contains(Move m) const noexcept {
        return std::find(begin(), end(), m) != end();
    }

    void push_back(Move m) noexcept {
        assert(size_ < capacity);
        moves_[size_++] = m;
    }
    /// Replaces the moves by those that `write` puts from the given place on; it returns their end.
    template <class Write>
    void fill(Write write) noexcept {
        size_ = static_cast<std::size_t>(write(moves_) - moves_);
        assert(size_ <= capacity);
    }
    void clear() noexcept { size_ = 0; }

  private:
    std::size_t size_ = 0;
    Move moves_[capacity];  // NOLINT(modernize-avoid-c-arrays): std::array cannot use Move()
};

}  // namespace touchmove::chess
