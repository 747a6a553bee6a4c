// doctor.hpp - what is missing on this machine, and what to do about it
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "host/app/configuration.hpp"

namespace touchmove::app {

enum class Verdict : std::uint8_t {
    good,
    note,  ///< only some uses need it
    bad    ///< `touchmove run` with this configuration will not do its work
};

struct Finding {
    Verdict verdict;
    std::string what;    ///< "page, port 8088"
    std::string found;   ///< "free"
    std::string remedy;  ///< what to do about it, one sentence; empty if nothing is to be done
};

// Both look at the machine and change nothing on it. `root` stands before /sys, /dev, /etc and so
// on, so that a test can show them another machine.

/// What can be seen of a board from outside: is it there, may it be opened? Where nothing is bad it
/// can be asked itself.
[[nodiscard]] std::vector<Finding> examine_board(const std::string& uri,
                                                 const std::filesystem::path& root = "/");
/// What the daemon needs besides its boards.
[[nodiscard]] std::vector<Finding> examine_host(const Configuration& configuration,
                                                const std::filesystem::path& root = "/");

/// One line for the user.
[[nodiscard]] std::string line_of(const Finding& finding);

}  // namespace touchmove::app
