// timeline.cpp - a game as raw contact changes, made move by move as they are asked for
// SPDX-License-Identifier: Apache-2.0
#include "sim/bench/timeline.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sim/bench/ending.hpp"

namespace touchmove::bench {
namespace {

using chess::Color;
using chess::Move;
using chess::Position;
using device::square_count;

constexpr BenchUs ms = 1000;

// Streams of random numbers of one game; those of the plies count from `first_ply_stream`.
constexpr std::uint64_t deal_stream = 0;
constexpr std::uint64_t physics_stream = 1;
constexpr std::uint64_t ending_stream = 2;
constexpr std::uint64_t first_ply_stream = 16;

// The clock is started, then the first man is touched.
constexpr BenchUs start_press_us = 250 * ms;
constexpr BenchUs start_us = 400 * ms;
// A man that stands this long counts as released (Rules::release_ms of host/laws).
constexpr BenchUs dwell_us = 500 * ms;
// A hand that has pressed the lever or turned the selector needs so long to reach the next man.
constexpr BenchUs from_lever_us = 60 * ms;
// Nobody's lever can follow the other's faster: it is the same rocker.
constexpr BenchUs between_presses_us = 60 * ms;
// Before hands touch anything at the end of a game: what the last move still needs to be published
// (at the press; or, without one, after Rules::publish_ms = 1500).
constexpr BenchUs calm_us = 700 * ms;
constexpr BenchUs calm_without_lever_us = 2'200 * ms;

constexpr unsigned contact_of(BoardInput input) {
    return device::square_count + number_of(input);
}

BoardInput lever_of(Color side) {
    return side == Color::white ? BoardInput::white_lever : BoardInput::black_lever;
}

/// Hands are slower when there is time: per mille of the style's own times.
unsigned slowness_for(BenchUs spent) {
    const BenchUs seconds = spent / 1'000'000;
    return static_cast<unsigned>(std::clamp<BenchUs>(700 + 100 * seconds, 700, 2500));
}

}  // namespace

Timeline::Timeline(Script script, const TimelineSetup& setup)
    : script_(std::move(script)),
      setup_(setup),
      sensor_kind_(SensorKind::reed),
      has_levers_(true),
      position_(script_.start),
      physics_rng_(Rng::derived(setup.seed, physics_stream)) {
    Rng deal = Rng::derived(setup_.seed, deal_stream);
    // Drawn in any case, so that naming one of them does not shift the other.
    const bool dealt_hall = deal.chance(400);
    const bool dealt_leverless = deal.chance(125);
    const bool rocker_down_already = deal.chance(500);
    sensor_kind_ = setup_.sensor.value_or(dealt_hall ? SensorKind::hall : SensorKind::reed);
    sensor_ = make_sensor(sensor_kind_);
    has_levers_ = setup_.hands.style ? setup_.hands.style->presses : !dealt_leverless;

    // Power comes on with the men in place.
    const auto closed = [&](unsigned contact) {
        changes_.push({0, order_++, contact, true});
        settled_.set(contact, true);
    };
    for (const chess::Square s : chess::squares(position_.occupied())) closed(s.index());
    planned_from_ = start_us;
    turn_began_ = start_us;
    if (has_levers_) {
        // The player without the move starts the game with the lever, unless it is down already.
        const Color starter = ~position_.side_to_move();
        if (rocker_down_already || !setup_.rocker_level) {
            closed(contact_of(lever_of(rocker_down_already ? starter : ~starter)));
        }
        turn_began_ = start_press_us;
        if (!rocker_down_already) {
            Plan start;
            add_press(start, starter, start_press_us, deal);
            commit(start);
        }
    }
    // A board set up in a position that is over already has no move to play.
    if (script_.moves.empty()) stage_ = Stage::ending;
}

BenchUs Timeline::next_change_us() {
    for (;;) {
        plan_until_certain();
        if (acts_.empty()) break;
        if (!changes_.empty() && changes_.top().at <= acts_.top().at) break;
        const Act act = acts_.top();
        acts_.pop();
        become_changes(act);
    }
    return changes_.empty() ? device::never_us : changes_.top().at;
}

void Timeline::apply(device::ContactState& contacts) {
    const BenchUs due = next_change_us();
    if (due == device::never_us) return;
    while (next_change_us() == due) {
        contacts.set(changes_.top().contact, changes_.top().level);
        changes_.pop();
    }
}

std::optional<Said> Timeline::take_said(BenchUs until) {
    // What is said by `until` is known once everything up to then is planned.
    while (stage_ != Stage::over && planned_from_ <= until) plan_next();
    if (said_.empty() || said_.front().at > until) return std::nullopt;
    const Said said = said_.front();
    said_.pop_front();
    return said;
}

void Timeline::plan_until_certain() {
    while (stage_ != Stage::over && (acts_.empty() || acts_.top().at >= planned_from_)) plan_next();
}

void Timeline::plan_next() {
    if (stage_ == Stage::moves) {
        plan_next_move();
    } else {
        plan_ending();
    }
}

const Style& Timeline::style_for(Rng& rng) const {
    if (setup_.hands.style) return *setup_.hands.style;
    // The style without levers is one of a board, not of a move.
    for (;;) {
        const Style& style = styles()[rng.below(static_cast<std::uint32_t>(styles().size()))];
        if (style.presses) return style;
    }
}

BenchUs Timeline::begin_of(const Plan& plan, const Style& style, Rng& rng) const {
    BenchUs earliest = start_us + rng.in(style.reply);
    if (last_ && has_levers_) {
        const bool waits = style.reply_from == ReplyFrom::press && last_->pressed;
        earliest = (waits ? *last_->pressed : last_->released) + rng.in(style.reply);
    } else if (last_) {
        // Without levers most players let the man stand for a moment; some are quick.
        const bool quick = rng.chance(style.reply_from == ReplyFrom::release ? 800 : 200);
        earliest = quick ? last_->released + rng.in({80 * ms, 200 * ms})
                         : std::max(last_->released, last_->placed + dwell_us) +
                               rng.in({40 * ms, 150 * ms});
    }
    // However quick the reply was: the hand presses before it moves again (6.2.3).
    earliest = std::max(earliest, hand_free_[chess::index_of(position_.side_to_move())]);
    if (setup_.tempo == Tempo::fast) return earliest;
    const BenchUs ends = plan.pressed ? *plan.pressed : plan.released;
    // The comments round to whole seconds.
    const BenchUs target = turn_began_ + script_.spent[ply_] + rng.in({-400 * ms, 400 * ms});
    return std::max(earliest, target - ends);
}

void Timeline::plan_next_move() {
    Rng rng = Rng::derived(setup_.seed, first_ply_stream + ply_);
    const Style& style = style_for(rng);
    const Move move = script_.moves[ply_];
    const Color mover = position_.side_to_move();
    const Position after = position_.after(move);

    Circumstances circumstances;
    circumstances.may_adjust = has_levers_ && style.reply_from == ReplyFrom::press;
    if (has_levers_ && style.reply_from == ReplyFrom::release && ply_ > 0) {
        circumstances.not_yet_pressed = script_.moves[ply_ - 1].to();
    }
    if (setup_.tempo == Tempo::real) circumstances.slowness = slowness_for(script_.spent[ply_]);
    Plan plan = plan_move(style, position_, move, circumstances, rng);
    const BenchUs to_lever = rng.in(style.press);
    // A mated player's opponent often leaves the clock alone: the game is over (5.1.1).
    const bool presses = has_levers_ && (after.has_legal_move() || rng.chance(500));
    if (presses) plan.pressed = plan.released + to_lever;  // for the timing; done below
    plan.shift(begin_of(plan, style, rng));
    if (presses) {
        BenchUs at = *plan.pressed;
        if (last_ && last_->pressed) at = std::max(at, *last_->pressed + between_presses_us);
        add_press(plan, mover, at, rng);
        shake(at, rng);
        // The selector is turned before the lever is pressed, or only when the daemon asks.
        if (rng.chance(300)) {
            for (Said& said : plan.said) said.at = at + rng.in({100 * ms, 600 * ms});
        }
    }
    BenchUs& hand_free = hand_free_[chess::index_of(mover)];
    hand_free = plan.pressed.value_or(plan.released) + from_lever_us;
    for (const Said& said : plan.said) hand_free = std::max(hand_free, said.at + from_lever_us);
    commit(plan);
    truth_.push_back({style.name, plan.begins, plan.placed, plan.released, plan.pressed});
    last_ = truth_.back();
    turn_began_ = plan.pressed.value_or(plan.released);
    planned_from_ = plan.released;
    position_ = after;
    if (++ply_ == script_.moves.size()) {
        stage_ = Stage::ending;
        planned_from_ = std::max(plan.last_act(), plan.placed) +
                        (has_levers_ ? calm_us : calm_without_lever_us);
    }
}

void Timeline::plan_ending() {
    Rng rng = Rng::derived(setup_.seed, ending_stream);
    const bool decided = script_.ends_by.has_value();
    const bool says_result = decided || rng.chance(600);
    const bool kings = script_.kings_to_centre || rng.chance(300);
    const bool men_back = says_result && (decided || script_.result != "*") && rng.chance(150);
    chess::Bitboard occupied = position_.occupied();
    BenchUs now = planned_from_;
    const auto follow = [&](Plan plan) {
        plan.shift(now);
        commit(plan);
        occupied = occupied_after(plan, occupied);
        now = plan.last_act() + calm_us + rng.in({0, 300 * ms});
    };
    if (kings) {
        if (auto plan = plan_kings_to_centre(position_, script_.result, rng)) {
            kings_shown_ = true;
            follow(std::move(*plan));
        }
    }
    if (says_result && !decided) follow(plan_agreement(script_.result, position_.side_to_move()));
    if (men_back) follow(plan_men_back(occupied, rng));
    ends_at_ = now;
    planned_from_ = device::never_us;
    stage_ = Stage::over;
}

void Timeline::commit(const Plan& plan) {
    for (const MagnetAct& act : plan.magnets) {
        acts_.push({act.at, order_++, act.lasts, act.square.index(), act.motion, false});
    }
    for (const SwitchAct& act : plan.switches) {
        acts_.push({act.at, order_++, 0, contact_of(act.input), Motion::set_down, act.down});
    }
    for (const Said& said : plan.said) {
        const auto later = std::upper_bound(
            said_.begin(), said_.end(), said,
            [](const Said& a, const Said& b) { return a.at < b.at; });
        said_.insert(later, said);
    }
}

void Timeline::shake(BenchUs at, Rng& rng) {
    // A smack on the lever rocks a man or two; where none stands nothing happens.
    if (!rng.chance(250)) return;
    for (BenchUs men = rng.in({1, 3}); men > 0; --men) {
        acts_.push({at + rng.in({0, 20 * ms}), order_++, 0, rng.below(square_count),
                    Motion::tremble, false});
    }
}

void Timeline::become_changes(const Act& act) {
    const bool is_square = act.contact < square_count;
    edges_.clear();
    // The contact may still be bouncing from what was done to it before.
    const BenchUs at = std::max(act.at, busy_until_[act.contact] + 1);
    if (is_square) {
        const bool stands = (settled_.squares >> act.contact & 1U) != 0;
        if (act.motion == Motion::tremble && !stands) return;
        sensor_->react(act.motion, at, act.lasts, physics_rng_, edges_);
    } else {
        const bool is_down = (settled_.aux >> (act.contact - square_count) & 1U) != 0;
        if (is_down == act.down) return;
        append_bounce(act.down ? switches_.closing : switches_.opening, at, act.down, physics_rng_,
                      edges_);
    }
    BenchUs last = at - 1;
    for (const Edge& edge : edges_) {
        last = std::max(edge.at, last + 1);
        changes_.push({last, order_++, act.contact, edge.closed});
        settled_.set(act.contact, edge.closed);
    }
    busy_until_[act.contact] = last;
}

}  // namespace touchmove::bench
