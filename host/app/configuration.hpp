// configuration.hpp - what the daemon is told by its configuration file and command line
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/app/game_config.hpp"
#include "host/base/result.hpp"
#include "host/serve/language.hpp"

namespace touchmove::app {

/// What the lamps of a board are for, if it has one for each square.
enum class Lamps : std::uint8_t {
    off,
    restore  ///< lit where men are to be put back
};

/// The defaults serve one board on the desk: no file is needed. docs/configuration.md has the keys.
struct Configuration {
    std::vector<std::string> devices{"usb://1209:0001"};
    std::string journal = "touchmove.db";
    std::string pgn_dir = "games";
    std::string log_level = "info";
    Lamps lamps = Lamps::off;
    serve::Language language = serve::Language::en;  ///< of decisions, on terminal and page

    std::string web_address = "127.0.0.1";
    std::uint16_t web_port = 8088;
    std::vector<std::string> web_origins;

    GameConfig game;
};

/// Reads TOML over the defaults. `name` stands in the error sentences: "touchmove.toml:12: ...".
/// Unknown keys are errors: a misspelt rule must not silently be the default.
[[nodiscard]] Result<Configuration> parse_configuration(std::string_view toml,
                                                        const std::string& name);
[[nodiscard]] Result<Configuration> read_configuration(const std::string& path);

/// At least one, each a device URI (host/link/device_uri.hpp), none twice.
[[nodiscard]] Result<void> check_devices(const std::vector<std::string>& devices);

}  // namespace touchmove::app
