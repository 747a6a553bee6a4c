// exploration.hpp - all positions that can follow, the promising ones first
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/chess/state.hpp"
#include "host/chess/types.hpp"
#include "host/mate/answer.hpp"
#include "host/mate/promise.hpp"

namespace touchmove::mate {

/// In which order an exploration goes.
struct Order {
    Taste taste = Taste::balanced;
    enum class By : std::uint8_t {
        promise,    ///< what looks best, through the moves of a position from the first on
        backwards,  ///< the same from the last on
        novelty     ///< where two men stand together as never before; then what looks best
    } by = By::promise;
};

/// Walks through the positions that can follow one, each once, until a mate by one side stands
/// there, none is left, or enough were seen. What it finds is exact: positions are told apart by
/// all that the Laws look at (9.2.3), not by a hash. The order alone is guesswork.
///
/// Keeps its memory from one run to the next: 64 bytes a position and 8 to 32 to find it again.
class Exploration {
  public:
    /// At most `budget` positions are kept. `winner` has a king, and so has the other side.
    [[nodiscard]] Answer run(const chess::detail::State& root, chess::Color winner,
                             std::size_t budget, Order order);

  private:
    using Index = std::uint32_t;
    static constexpr Index none = ~Index{0};
    static constexpr unsigned ranks = 256;               ///< of promise
    static constexpr unsigned classes = 3;               ///< of novelty
    static constexpr unsigned queues = classes * ranks;  ///< the lowest goes first
    struct Node {
        chess::detail::State state;
        Index parent;
        Index next;           ///< in the queue of its rank
        std::uint32_t tried;  ///< the last of its moves that was made
        std::uint16_t move;
        std::uint8_t rank;  ///< as promised
    };

    void start(const chess::detail::State& root);
    /// None if it is known already.
    [[nodiscard]] Index add(const chess::detail::State& state, Index parent, std::uint16_t move);
    void widen();
    void put(Index node, unsigned rank);
    /// The lowest queue in which a node waits; `queues` if none does.
    [[nodiscard]] unsigned lowest();
    [[nodiscard]] Index take();
    [[nodiscard]] Answer by_promise(const chess::detail::State& root, chess::Color winner,
                                    std::size_t budget, Order order);
    [[nodiscard]] Answer by_novelty(const chess::detail::State& root, chess::Color winner,
                                    std::size_t budget, Taste taste);
    [[nodiscard]] bool novel(unsigned rank, unsigned code, chess::Bitboard square);
    /// 0: the man that stands on `square` never stood there before, in a position as promising and
    /// with as many men; 1: nor with some other man where that one stands; 2: it did.
    [[nodiscard]] unsigned class_of(const chess::detail::State& state, unsigned square,
                                    unsigned rank);
    [[nodiscard]] Winnable line_to(Index node) const;

    std::vector<Node> nodes_;
    std::vector<Index> table_;  ///< open addressing; a power of two, at most half full
    std::array<Index, queues> heads_{};
    unsigned lowest_ = 0;
    struct Seen {
        std::array<chess::Bitboard, 16> by_code{};
        std::uint64_t run = 0;
    };
    std::array<Seen, ranks> seen_{};
    std::uint64_t run_ = 0;
    std::vector<std::uint64_t> pairs_;  ///< bits by hash, a power of two: a clash only misleads
};

}  // namespace touchmove::mate
