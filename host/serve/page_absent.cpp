// page_absent.cpp - stands in for the page where the program was built without Node.js
// SPDX-License-Identifier: Apache-2.0
#include "host/serve/page_files.hpp"

namespace touchmove::serve {
namespace {

constexpr std::string_view html =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Touchmove</title>"
    "<p>This program was built where Node.js and npm were not found, so it holds no page. "
    "The live data is served all the same, as JSON over WebSocket at /live.</p></html>\n";

constexpr PageFile files[] = {
    {"/", "text/html; charset=utf-8", "\"absent\"", html, ""},
    {"/arbiter", "text/html; charset=utf-8", "\"absent\"", html, ""},
};

}  // namespace

std::span<const PageFile> page_files() noexcept {
    return files;
}

}  // namespace touchmove::serve
