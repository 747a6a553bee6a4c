// commands.hpp - the subcommands of `touchmove`, a file each
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace touchmove::app {

/// What main() is to run: set by the subcommand that the command line names. Returns the exit
/// status.
using Chosen = std::function<int()>;

void add_run(CLI::App& app, Chosen& chosen);
void add_referee(CLI::App& app, Chosen& chosen);
void add_perft(CLI::App& app, Chosen& chosen);
void add_unwinnable(CLI::App& app, Chosen& chosen);
void add_board(CLI::App& app, Chosen& chosen);
void add_doctor(CLI::App& app, Chosen& chosen);
void add_journal(CLI::App& app, Chosen& chosen);

/// --language of `command`: a word that serve::language_of() knows.
void add_language(CLI::App& command, std::optional<std::string>& into);

/// "touchmove: SENTENCE" on stderr; returns the exit status of a failure.
int complain(std::string_view sentence);

}  // namespace touchmove::app
