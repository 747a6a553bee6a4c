// fuzz_referee.cpp - any stream of inputs: no crash, no endless loop, no ply published twice
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tests/laws/raw_events.hpp"

using namespace touchmove;
using namespace touchmove::laws;
using namespace touchmove::laws::testing;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    auto [rules, setup] = game_of(data[0], data[1]);
    Referee referee(rules, std::move(setup));
    DeviceTime now{};
    PublishedOnce published;
    for (std::size_t i = 2; i + 4 <= size; i += 4) {
        const RawEvent event{data[i], data[i + 1], data[i + 2], data[i + 3]};
        now += event.after();
        referee.input(now, input_of(event, referee.board()));
        referee.advance(now);
        for (const auto& decision : referee.take_decisions()) {
            if (!published.take(decision)) std::abort();
        }
    }
    return 0;
}
