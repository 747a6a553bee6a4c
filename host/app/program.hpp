// program.hpp - the end of every main(): parse, run, and say in one sentence what went wrong
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <string_view>

namespace touchmove::app {

/// Parses the command line and runs what its subcommand has put into `chosen`. Returns the exit
/// status: that of the subcommand, or `failure` after a sentence on stderr.
inline int run_program(CLI::App& app, int argc, char** argv, const std::function<int()>& chosen,
                       int failure) {
    const auto complain = [&](std::string_view sentence) {
        fmt::print(stderr, "{}: {}\n", app.get_name(), sentence);
        return failure;
    };
    try {
        app.parse(argc, argv);
        const int status = chosen();
        const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
        return written ? status : complain("the output could not all be written");
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        const auto commands = app.get_subcommands();
        if (commands.empty() && argc > 1 && argv[1][0] != '-') {
            return complain(
                fmt::format("there is no command {}; see {} --help", argv[1], app.get_name()));
        }
        return complain(fmt::format("{}; see {}{}{} --help", error.what(), app.get_name(),
                                    commands.empty() ? "" : " ",
                                    commands.empty() ? "" : commands.front()->get_name()));
    } catch (const std::exception& error) {
        return complain(error.what());
    }
}

}  // namespace touchmove::app
