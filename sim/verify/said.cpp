// said.cpp - what the simulated players say, as the referee hears it
// SPDX-License-Identifier: Apache-2.0
#include "sim/verify/said.hpp"

namespace touchmove::verify {

using bench::Said;

laws::Input input_of(const Said& said) {
    switch (said.what) {
        case Said::What::promoted_piece: return laws::PromotionNamed{said.side, said.piece};
        case Said::What::resigns: return laws::Resigned{said.side};
        case Said::What::offers_draw: return laws::DrawOffered{said.side};
        case Said::What::accepts_draw: return laws::DrawAccepted{said.side};
    }
    return laws::TimePassed{};
}

}  // namespace touchmove::verify
