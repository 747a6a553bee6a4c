// serve_command.hpp - `touchmove-sim serve`
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace touchmove::app {

/// Adds the command to `app`. If the user chose it, `run` is set to what it does; the call returns
/// the program's exit status: 0 after SIGINT or SIGTERM, 2 if it cannot serve.
void add_serve_command(CLI::App& app, std::function<int()>& run);

}  // namespace touchmove::app
