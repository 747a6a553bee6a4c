// board.cpp - one board at work: its link, its journal, its games
// SPDX-License-Identifier: Apache-2.0
#include "host/app/board.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cassert>
#include <utility>

namespace touchmove::app {
namespace {

/// Ten times what a board's word may be old while its host listens (docs/protocol.md, Watermark).
constexpr Millis furthest_ahead{100};

std::int64_t wall_ms_now() {
    return std::chrono::duration_cast<Millis>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

}  // namespace

Board::Board(boost::asio::any_io_executor executor, journal::Journal& journal, Observer& observer,
             std::string serial, GameConfig config, serve::Language language)
    : executor_(std::move(executor)),
      journal_(journal),
      observer_(observer),
      serial_(std::move(serial)),
      config_(std::move(config)),
      game_(serial_, language) {
    game_.on_left([this](serve::LiveGame& live) { observer_.on_game_left(live); });
}

Result<void> Board::replay() {
    auto entries = journal_.read(serial_);
    if (!entries) return entries.error();
    for (const journal::Entry& each : *entries) {
        if (auto applied = game_.apply(each); !applied) {
            return Error(applied.error().code,
                         fmt::format("journal, row {}: {}", each.row, applied.error().message()));
        }
    }
    begun_ = game_.has_game();
    if (!entries->empty()) {
        // Until the device says what time it has, its clock is taken to have gone on.
        const auto away = std::max<std::int64_t>(0, wall_ms_now() - entries->back().wall_ms);
        known_at_ = entries->back().at + Millis{away};
        known_since_ = std::chrono::steady_clock::now();
    }
    if (game_.has_game()) game_.live().on_link(serve::LinkState::replayed);
    return {};
}

void Board::take(link::Connector& connector,
                 std::function<void(link::Connector::Start)> answer) {
    assert(!taken());
    connector_ = &connector;
    // Records on their way to the disk would come again.
    when_idle([this, attachment = ++attachment_, answer = std::move(answer)] {
        if (attachment == attachment_ && taken() && !failed_) answer_now(answer);
    });
}

void Board::answer_now(const std::function<void(link::Connector::Start)>& answer) {
    auto stored = journal_.stored(serial_);
    if (!stored) return fail(stored.error());
    link::Connector::Start start;
    // Number 0 means "unnamed" on the wire.
    if (*stored) start.name_if_unnamed = std::max(1U, (*stored)->up_to.session + 1);
    start.stored = *std::move(stored);
    answer(std::move(start));
}

void Board::release() {
    connector_ = nullptr;
    answering_ = false;
    ++attachment_;
}

void Board::on_attached(std::uint32_t session) {
    spdlog::info("board {}: attached, session {}", serial_, session);
    answering_ = true;
    lit_ = 0;
    light();
    if (game_.has_game()) game_.live().on_link(serve::LinkState::connected);
    observer_.on_attached(*this);
}

void Board::light() {
    if (!lights_ || !answering_) return;
    const std::uint64_t squares = game_.has_game() ? game_.referee().to_restore() : 0;
    if (squares == std::exchange(lit_, squares)) return;
    connector_->light(squares);
}

void Board::on_detached(const Error& why) {
    release();
    if (game_.has_game()) game_.live().on_link(serve::LinkState::lost, why.message());
    observer_.on_detached(*this, why);
}

DeviceTime Board::now() const {
    const auto elapsed = std::chrono::duration_cast<Micros>(std::chrono::steady_clock::now() -
                                                            known_since_);
    // A board that answers has told its time just now. One that has not is slower than its clock,
    // as a simulator on a busy machine is: what is said must not be stamped ahead of its events.
    return known_at_ + (answering_ ? std::min<Micros>(elapsed, furthest_ahead) : elapsed);
}

journal::Entry Board::entry(DeviceTime at, journal::Payload payload) const {
    journal::Entry made;
    made.board = serial_;
    made.at = at;
    made.wall_ms = wall_ms_now();
    made.payload = std::move(payload);
    return made;
}

void Board::on_events(std::span<const link::StampedEvent> events) {
    if (failed_ || events.empty()) return;
    std::vector<journal::Entry> entries;
    entries.reserve(events.size() + 1);
    if (!begun_) {
        // Before the first event ever, so that a game already in the device's queue is in it.
        begun_ = true;
        entries.push_back(
            entry(events.front().at, journal::HostInput{to_json(GameBegun{config_})}));
    }
    for (const link::StampedEvent& event : events) {
        journal::Entry made = entry(event.at, event.event);
        made.id = event.id;
        made.records = event.records;
        entries.push_back(std::move(made));
    }
    Pending pending;
    pending.events.assign(events.begin(), events.end());
    pending.attachment = attachment_;
    append(std::move(entries), std::move(pending));
}

void Board::on_watermark(DeviceTime t) {
    if (failed_) return;
    known_at_ = t;
    known_since_ = std::chrono::steady_clock::now();
    if (!pending_.empty()) pending_.back().then_advance = t;
    else advance(t);
}

/// Nothing is on its way to the disk, and no event below `t` will come.
void Board::advance(DeviceTime t) {
    const auto next_game = game_.next_game_at();
    const bool begins = next_game && *next_game <= t;
    const DeviceTime to = begins ? *next_game : t;
    auto decisions = game_.advance(to);
    if (decisions.empty() && !begins) {
        game_.show_clocks(t);
        light();
        observer_.on_change(*this);
        return;
    }
    Pending pending;
    pending.decisions = std::move(decisions);
    append({entry(to, journal::TimePassed{})}, std::move(pending));
}

void Board::say(HostSaid what, Done done) {
    if (failed_) return done(Error(std::errc::io_error, "The journal takes no more."));
    const bool begins = std::holds_alternative<GameBegun>(what);
    if (!begun_ && !begins) {
        return done(Error(std::errc::invalid_argument,
                          fmt::format("No game has begun on the board {}.", serial_)));
    }
    begun_ = true;
    Pending pending;
    pending.done = std::move(done);
    append({entry(std::max(now(), known_at_), journal::HostInput{to_json(what)})},
           std::move(pending));
}

void Board::append(std::vector<journal::Entry> entries, Pending pending) {
    pending_.push_back(std::move(pending));
    journal_.append(std::move(entries), [this](Result<std::vector<journal::Entry>> said) {
        // On the writer thread.
        boost::asio::post(
            executor_, [this, word = std::move(said)]() mutable { on_committed(std::move(word)); });
    });
}

void Board::on_committed(Result<std::vector<journal::Entry>> entries) {
    if (failed_) return;
    if (!entries) return fail(entries.error());
    Pending pending = std::move(pending_.front());
    pending_.pop_front();

    if (taken() && pending.attachment == attachment_) connector_->acknowledge(pending.events);
    game_.show(pending.decisions);
    for (const journal::Entry& each : *entries) {
        // Written by this program: that it can be read is our own affair.
        if (auto applied = game_.apply(each); !applied) {
            if (pending.done) pending.done(applied.error());
            return fail(applied.error());
        }
    }
    if (game_.has_game() && answering_) game_.live().on_link(serve::LinkState::connected);
    if (pending.done) pending.done({});
    if (pending.then_advance) {
        if (pending_.empty()) advance(*pending.then_advance);
        else if (!pending_.back().then_advance) pending_.back().then_advance = pending.then_advance;
    } else {
        game_.show_clocks(entries->back().at);
    }
    light();
    observer_.on_change(*this);
    if (pending_.empty()) {
        for (auto& then : std::exchange(when_idle_, {})) then();
    }
}

void Board::when_idle(std::function<void()> then) {
    if (pending_.empty() || failed_) return boost::asio::post(executor_, std::move(then));
    when_idle_.push_back(std::move(then));
}

void Board::fail(const Error& why) {
    if (std::exchange(failed_, true)) return;
    for (Pending& each : std::exchange(pending_, {})) {
        if (each.done) each.done(why);
    }
    for (auto& then : std::exchange(when_idle_, {})) then();
    observer_.on_fatal(*this, why);
}

}  // namespace touchmove::app
