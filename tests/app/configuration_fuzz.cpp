// configuration_fuzz.cpp - no configuration file brings the daemon down
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/app/configuration.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto read = touchmove::app::parse_configuration(text, "fuzz.toml");
    // Either settings, or a sentence that says where it went wrong.
    if (!read && read.error().message().rfind("fuzz.toml:", 0) != 0) std::abort();
    return 0;
}
