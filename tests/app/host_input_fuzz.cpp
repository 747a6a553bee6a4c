// host_input_fuzz.cpp - whatever stands in a journal as a host input is read or refused
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/app/host_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace app = touchmove::app;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = app::parse_host_input(text);
    if (!read) return 0;
    // What was understood is written and understood again in the same way.
    const auto again = app::parse_host_input(app::to_json(*read));
    if (!again || app::to_json(*again) != app::to_json(*read)) std::abort();
    return 0;
}
