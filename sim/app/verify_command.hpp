// verify_command.hpp - `touchmove-sim verify`
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace touchmove::app {

/// Adds the command to `app`. If the user chose it, `run` is set to what it does; the call returns
/// the program's exit status: 0 if every game came out as it was played, 1 if one did not, 2 if the
/// run itself was impossible.
void add_verify_command(CLI::App& app, std::function<int()>& run);

}  // namespace touchmove::app
