// main.cpp - the program touchmove-sim
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include "sim/app/serve_command.hpp"
#include "sim/app/verify_command.hpp"

int main(int argc, char** argv) {
    CLI::App app{"Touchmove's simulator: chessboards down to the contact, without hardware.",
                 "touchmove-sim"};
    app.set_version_flag("--version", std::string("touchmove-sim ") + TOUCHMOVE_VERSION,
                         "Print the version and leave");
    app.require_subcommand(1);
    std::function<int()> run;
    touchmove::app::add_serve_command(app, run);
    touchmove::app::add_verify_command(app, run);
    try {
        app.parse(argc, argv);
        const int status = run();
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
        fmt::print(stderr, "touchmove-sim: the output could not all be written\n");
        return 2;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        const auto commands = app.get_subcommands();
        const std::string command = commands.empty() ? "" : " " + commands.front()->get_name();
        fmt::print(stderr, "touchmove-sim: {}; see touchmove-sim{} --help\n", error.what(),
                   command);
        return 2;
    } catch (const std::exception& error) {
        fmt::print(stderr, "touchmove-sim: {}\n", error.what());
        return 2;
    }
}
