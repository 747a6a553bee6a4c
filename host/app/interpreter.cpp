// interpreter.cpp - what a board reported, as inputs of the referee
// SPDX-License-Identifier: Apache-2.0
#include "host/app/interpreter.hpp"

#include <algorithm>
#include <variant>

namespace touchmove::app {

using chess::Color;
using chess::Square;

DeviceTime Interpreter::board_time(DeviceTime device) const noexcept {
    return std::max(last_at_, device + offset_);
}

DeviceTime Interpreter::take_time(const journal::Entry& entry) {
    broken_ = false;
    if (entry.id && session_ != entry.id->session) {
        if (any_entry_) {
            const Millis away{std::max<std::int64_t>(0, entry.wall_ms - last_wall_ms_)};
            offset_ = (last_at_ + away) - entry.at;
        }
        broken_ = session_.has_value();
        session_ = entry.id->session;
    }
    any_entry_ = true;
    last_wall_ms_ = std::max(last_wall_ms_, entry.wall_ms);
    last_at_ = board_time(entry.at);
    return last_at_;
}

std::vector<laws::Input> Interpreter::take_event(const link::DeviceEvent& event) {
    std::vector<laws::Input> inputs;
    if (broken_) inputs.emplace_back(laws::SessionBroken{});
    if (const auto* lift = std::get_if<link::Lift>(&event)) {
        const Square square(lift->square);
        if (occupied_) *occupied_ &= ~square.bit();
        inputs.emplace_back(laws::SquareLifted{square});
    } else if (const auto* place = std::get_if<link::Place>(&event)) {
        const Square square(place->square);
        if (occupied_) *occupied_ |= square.bit();
        inputs.emplace_back(laws::SquarePlaced{square});
    } else if (const auto* edge = std::get_if<link::InputEdge>(&event)) {
        take_edge(edge->input, edge->active, inputs);
    } else if (const auto* seen = std::get_if<link::Snapshot>(&event)) {
        take_snapshot(*seen, inputs);
    } else if (std::holds_alternative<link::Gap>(event) && !broken_) {
        // As after a lost session, only the snapshot that follows says what stands on the board.
        inputs.emplace_back(laws::SessionBroken{});
    }
    return inputs;
}

void Interpreter::take_edge(std::size_t input, bool active, std::vector<laws::Input>& inputs) {
    const auto bit = static_cast<std::uint8_t>(1U << input);
    if (active_) {
        *active_ = static_cast<std::uint8_t>(active ? *active_ | bit : *active_ & ~bit);
    }
    if (!map_[input]) return;
    switch (*map_[input]) {
        case BoardInput::white_lever:
        case BoardInput::black_lever:
            if (active) {
                inputs.emplace_back(laws::LeverPressed{
                    *map_[input] == BoardInput::white_lever ? Color::white : Color::black});
            }
            break;
        case BoardInput::pause:
            if (active) inputs.emplace_back(laws::ClocksPaused{});
            else inputs.emplace_back(laws::ClocksResumed{});
            break;
        case BoardInput::white_adjust:
        case BoardInput::black_adjust: {
            const Color side =
                *map_[input] == BoardInput::white_adjust ? Color::white : Color::black;
            if (active) inputs.emplace_back(laws::AdjustAnnounced{side});
            else inputs.emplace_back(laws::AdjustEnded{side});
            break;
        }
    }
}

void Interpreter::take_snapshot(const link::Snapshot& seen, std::vector<laws::Input>& inputs) {
    occupied_ = seen.squares;
    inputs.emplace_back(laws::BoardSeen{seen.squares});
    // An input that differs from what was known of it changed while nobody saw it: its last edge
    // counts now. Of a lever never seen before, nothing can be said.
    const std::uint8_t known = active_.value_or(seen.inputs);
    const auto changed = static_cast<std::uint8_t>(known ^ seen.inputs);
    active_ = seen.inputs;
    for (std::size_t input = 0; input < aux_inputs; ++input) {
        if ((changed >> input & 1U) != 0) {
            take_edge(input, (seen.inputs >> input & 1U) != 0, inputs);
        }
    }
}

}  // namespace touchmove::app
