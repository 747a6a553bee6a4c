// payload_columns.cpp - a journal entry's payload as the columns of its table
// SPDX-License-Identifier: Apache-2.0
#include "host/journal/payload_columns.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace touchmove::journal {
namespace {

constexpr std::int64_t squares = 64;
constexpr std::int64_t aux_inputs = 8;
constexpr std::int64_t sensors = squares + aux_inputs;

struct ToColumns {
    PayloadColumns operator()(const link::Lift& e) const {
        return {"lift", e.square, e.bounces, {}};
    }
    PayloadColumns operator()(const link::Place& e) const {
        return {"place", e.square, e.bounces, {}};
    }
    PayloadColumns operator()(const link::InputEdge& e) const {
        return {e.active ? "input_down" : "input_up", e.input, e.bounces, {}};
    }
    PayloadColumns operator()(const link::Snapshot& e) const {
        // SQLite's integers are signed: h8 is the sign bit.
        return {"snapshot", e.inputs, static_cast<std::int64_t>(e.squares), {}};
    }
    PayloadColumns operator()(const link::SessionStart& e) const {
        return {"session", {}, e.session, {}};
    }
    PayloadColumns operator()(const link::Gap& e) const { return {"gap", {}, e.lost, {}}; }
    PayloadColumns operator()(const link::Epoch& e) const { return {"epoch", {}, e.wraps, {}}; }
    PayloadColumns operator()(const link::Fault& e) const { return {"fault", e.input, e.what, {}}; }

    PayloadColumns operator()(const link::DeviceEvent& e) const { return std::visit(*this, e); }
    PayloadColumns operator()(const HostInput& e) const { return {"host", {}, {}, e.json}; }
    PayloadColumns operator()(const TimePassed&) const { return {"time_passed", {}, {}, {}}; }
};

/// `column` as a T below `limit`; none if it is absent or out of range.
template <class T>
std::optional<T> number(std::optional<std::int64_t> column,
                        std::int64_t limit = std::int64_t{std::numeric_limits<T>::max()} + 1) {
    if (!column || *column < 0 || *column >= limit) return std::nullopt;
    return static_cast<T>(*column);
}

std::optional<Payload> decode(const PayloadColumns& c) {
    using std::uint32_t, std::uint8_t;
    if (c.kind == "lift" || c.kind == "place") {
        const auto square = number<uint8_t>(c.subject, squares);
        const auto bounces = number<uint8_t>(c.value);
        if (!square || !bounces) return std::nullopt;
        if (c.kind == "lift") return link::DeviceEvent{link::Lift{*square, *bounces}};
        return link::DeviceEvent{link::Place{*square, *bounces}};
    }
    if (c.kind == "input_down" || c.kind == "input_up") {
        const auto input = number<uint8_t>(c.subject, aux_inputs);
        const auto bounces = number<uint8_t>(c.value);
        if (!input || !bounces) return std::nullopt;
        return link::DeviceEvent{link::InputEdge{*input, c.kind == "input_down", *bounces}};
    }
    if (c.kind == "snapshot") {
        const auto inputs = number<uint8_t>(c.subject);
        if (!inputs || !c.value) return std::nullopt;
        return link::DeviceEvent{link::Snapshot{static_cast<std::uint64_t>(*c.value), *inputs}};
    }
    if (c.kind == "fault") {
        const auto input = number<uint8_t>(c.subject, sensors);
        const auto what = number<uint8_t>(c.value);
        if (!input || !what) return std::nullopt;
        return link::DeviceEvent{link::Fault{*input, *what}};
    }
    if (c.kind == "session" || c.kind == "gap" || c.kind == "epoch") {
        const auto value = number<uint32_t>(c.value);
        if (!value) return std::nullopt;
        if (c.kind == "session") return link::DeviceEvent{link::SessionStart{*value}};
        if (c.kind == "gap") return link::DeviceEvent{link::Gap{*value}};
        return link::DeviceEvent{link::Epoch{*value}};
    }
    if (c.kind == "host" && c.text) return HostInput{*c.text};
    if (c.kind == "time_passed") return TimePassed{};
    return std::nullopt;
}

}  // namespace

PayloadColumns to_columns(const Payload& payload) {
    return std::visit(ToColumns{}, payload);
}

Result<Payload> from_columns(const PayloadColumns& columns) {
    if (auto payload = decode(columns)) return *std::move(payload);
    return Error(std::errc::bad_message,
                 fmt::format("an entry of kind \"{}\" cannot be read", columns.kind));
}

}  // namespace touchmove::journal
