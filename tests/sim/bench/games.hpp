// games.hpp - games with every special move, for the tests of the bench
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "host/chess/pgn.hpp"

namespace touchmove::bench::test {

// Morphy - Duke Karl / Count Isouard, Paris 1858: captures, castling long, mate.
inline constexpr std::string_view opera = R"([Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5
10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8
17. Rd8# 1-0
)";

// Made up: en passant by both sides, castling both ways, promotions with and without capture, also
// to lesser men.
inline constexpr std::string_view specials = R"([Result "*"]

1. e4 a6 2. e5 d5 3. exd6 a5 4. dxc7 a4 5. b4 axb3 6. cxb8=N Rxb8 7. Nf3 bxa2 8. Be2 axb1=Q
9. O-O Qxa1 10. d4 Bd7 11. d5 e5 12. dxe6 Bd6 13. exf7+ Kf8 14. g3 Bh3 15. Kh1 Qc8 16. fxg8=R+ Rxg8
17. c4 Ke7 18. c5 Rd8 19. c6 h5 20. c7 Kf6 21. cxd8=B+ Qxd8 22. Ng1 h4 23. gxh4 *
)";

// Made up: castling short by White, long by Black.
inline constexpr std::string_view castlings = R"([Result "1/2-1/2"]

1. Nf3 d5 2. g3 Nc6 3. Bg2 Bf5 4. O-O Qd7 5. d3 O-O-O 6. Nbd2 e5 7. Rb1 1/2-1/2
)";

inline std::vector<chess::PgnGame> games() {
    std::vector<chess::PgnGame> all;
    for (const std::string_view text : {opera, specials, castlings}) {
        all.push_back(chess::parse_pgn(text).at(0));
    }
    return all;
}

}  // namespace touchmove::bench::test
