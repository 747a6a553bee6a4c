// result.hpp - a value, or the reason why there is none
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <string>
#include <system_error>
#include <utility>
#include <variant>

namespace touchmove {

/// Why something failed: a code to compare, and a detail for the person who reads it.
struct [[nodiscard]] Error {
    std::error_code code;  ///< category and number; never zero in a returned Error
    std::string detail;    ///< what it was about ("game.pgn:12: ..."); may be empty

    Error(std::error_code error_code, std::string about = {})
        : code(error_code), detail(std::move(about)) {}
    Error(std::errc error_code, std::string about = {})
        : code(std::make_error_code(error_code)), detail(std::move(about)) {}

    /// One sentence for the user: the detail if there is one, else the code's own text.
    [[nodiscard]] std::string message() const {
        return detail.empty() ? code.message() : detail;
    }
};

/// A value or an Error. Reading the value of a failed result is a bug (asserted), never input.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : state_(std::move(value)) {}       // NOLINT(google-explicit-constructor)
    Result(Error error) : state_(std::move(error)) {}   // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
    [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }

    [[nodiscard]] T& value() & { return *checked(); }
    [[nodiscard]] const T& value() const& { return *checked(); }
    [[nodiscard]] T&& value() && { return std::move(*checked()); }
    [[nodiscard]] T& operator*() & { return *checked(); }
    [[nodiscard]] const T& operator*() const& { return *checked(); }
    [[nodiscard]] T&& operator*() && { return std::move(*checked()); }
    [[nodiscard]] T* operator->() { return checked(); }
    [[nodiscard]] const T* operator->() const { return checked(); }

    [[nodiscard]] const Error& error() const {
        assert(!has_value());
        return *std::get_if<Error>(&state_);
    }

  private:
    T* checked() {
        assert(has_value());
        return std::get_if<T>(&state_);
    }
    const T* checked() const {
        assert(has_value());
        return std::get_if<T>(&state_);
    }

    std::variant<T, Error> state_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(std::move(error)), failed_(true) {}  // NOLINT

    [[nodiscard]] bool has_value() const noexcept { return !failed_; }
    [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }
    [[nodiscard]] const Error& error() const {
        assert(failed_);
        return error_;
    }

  private:
    Error error_{std::error_code{}};
    bool failed_ = false;
};

}  // namespace touchmove
