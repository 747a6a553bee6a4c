// command_fuzz.cpp - no text makes the command reader fail otherwise than with a sentence
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/serve/command.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto command =
        touchmove::serve::parse_command({reinterpret_cast<const char*>(data), size});
    if (!command && command.error().message().empty()) std::abort();
    if (command && (command->id < 0 || command->board.size() > 200)) std::abort();
    return 0;
}
