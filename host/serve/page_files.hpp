// page_files.hpp - the files of the web page, part of the program
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace touchmove::serve {

struct PageFile {
    std::string_view path;  ///< as asked for over HTTP, "/app.js"
    std::string_view type;  ///< media type
    std::string_view etag;  ///< quoted, as in the header
    std::string_view bytes;
    std::string_view language;  ///< "ru": for who asked for that one; empty: for all
};

/// Written by web/build.mjs when the program is built; where Node.js is absent, page_absent.cpp.
[[nodiscard]] std::span<const PageFile> page_files() noexcept;

}  // namespace touchmove::serve
