// referee.cpp - inputs in order of time, and what falls due between them
// SPDX-License-Identifier: Apache-2.0
#include "host/laws/referee.hpp"

#include <algorithm>
#include <utility>

#include "host/laws/referee_impl.hpp"

namespace touchmove::laws {
namespace {

template <class... Fs>
struct Overloaded : Fs... {
    using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

/// Within one scan frame the order of events is not known. It is taken as: lifts of the mover's
/// men, placements, lifts of the opponent's men, then levers and speech (FORMAT.md, Events).
int rank_in_frame(const Input& what, const Position& position, Color mover) {
    if (const auto* lifted = std::get_if<SquareLifted>(&what)) {
        const auto man = position.man_at(lifted->square);
        return man && man->color != mover ? 2 : 0;
    }
    if (std::holds_alternative<SquarePlaced>(what)) return 1;
    return 3;
}

}  // namespace

Referee::Impl::Impl(Rules rules, GameSetup setup)
    : rules_(rules), setup_(std::move(setup)), clock_(setup_.clock), offences_(setup_.offences) {
    Position position = setup_.start;
    positions_.push_back(position);
    keys_.push_back(position.key());
    for (const Move m : setup_.before) {
        position.make(m);
        positions_.push_back(position);
        keys_.push_back(position.key());
        moves_.push_back({.move = m, .completed = true, .evidence = Evidence::told});
    }
    clock_.count_moves_before(moves_.size(), setup_.start.side_to_move());
    committed_ = checked_end_ = moves_.size();
    sensors_.occupied = position.occupied();
    readings_.emplace_back(Turn(position));
    refresh_view(now_);
}

void Referee::Impl::input(DeviceTime at, const Input& what) {
    at = std::max(at, now_);
    if (!pending_.empty() && at > pending_.front().at) flush();
    pending_.push_back({at, what});
}

void Referee::Impl::advance(DeviceTime to) {
    if (!pending_.empty() && to >= pending_.front().at) flush();
    if (!pending_.empty()) return;
    run_due(to);
    now_ = std::max(now_, to);
}

void Referee::Impl::flush() {
    const DeviceTime at = pending_.front().at;
    const bool breaks = std::any_of(pending_.begin(), pending_.end(), [](const Pending& p) {
        return std::holds_alternative<SessionBroken>(p.what);
    });
    if (breaks) lose_sight(at);
    run_due(at);
    now_ = std::max(now_, at);
    auto inputs = std::exchange(pending_, {});
    if (inputs.size() > 1) {
        const Position position = position_;
        const Color mover = turn_;
        std::stable_sort(inputs.begin(), inputs.end(), [&](const Pending& a, const Pending& b) {
            return rank_in_frame(a.what, position, mover) < rank_in_frame(b.what, position, mover);
        });
    }
    for (const Pending& input : inputs)
        apply(now_, input.what);
    // A release by dwell can be due at the very event that completed the board.
    run_due(now_);
}

void Referee::Impl::apply(DeviceTime at, const Input& what) {
    std::visit(Overloaded{[&](const SquareLifted& e) { on_lift(e.square, at); },
                          [&](const SquarePlaced& e) { on_place(e.square, at); },
                          [&](const BoardSeen& e) { on_board_seen(e.occupied, at); },
                          [&](const SessionBroken&) {},  // flush() saw to it
                          [&](const auto& e) {
                              using E = std::decay_t<decltype(e)>;
                              // Nothing counts after the end (FORMAT.md, convention 3), but that
                              // the claim is upheld for which it is provisional (5.1.1, 5.2.1).
                              constexpr bool reopens = std::is_same_v<E, ClaimUpheld>;
                              if (result_ && !(reopens && result_->provisional)) return;
                              if constexpr (std::is_same_v<E, LeverPressed>) {
                                  on_press(e.side, at);
                              } else if constexpr (std::is_same_v<E, AdjustAnnounced>) {
                                  on_adjust(e.side, at);
                              } else if constexpr (std::is_same_v<E, AdjustEnded>) {
                                  on_adjust_ended(e.side, at);
                              } else if constexpr (std::is_same_v<E, DrawOffered>) {
                                  offer_by_ = e.side;
                              } else if constexpr (std::is_same_v<E, DrawAccepted>) {
                                  on_draw_accepted(e.side, at);
                              } else if constexpr (std::is_same_v<E, DrawDeclined>) {
                                  if (offer_by_ == ~e.side) offer_by_.reset();
                              } else if constexpr (std::is_same_v<E, Resigned>) {
                                  on_resigned(e.side, at);
                              } else if constexpr (std::is_same_v<E, DrawClaimed>) {
                                  on_claim(e, at);
                              } else if constexpr (std::is_same_v<E, ClocksPaused>) {
                                  stop_clocks(at);
                                  pause_called_ = true;
                              } else if constexpr (std::is_same_v<E, ClocksResumed>) {
                                  resume_clocks(at);
                              } else if constexpr (std::is_same_v<E, PromotionNamed>) {
                                  on_promotion_named(e.side, e.kind, at);
                              } else if constexpr (std::is_same_v<E, MoveChosen>) {
                                  on_chosen(e.move, at);
                              } else if constexpr (std::is_same_v<E, ClaimUpheld>) {
                                  on_upheld(e.side, e.article, at);
                              } else if constexpr (std::is_same_v<E, PositionRestored>) {
                                  if (hold_) release_hold(at);
                                  resume_clocks(at);
                              } else if constexpr (std::is_same_v<E, ClockCorrected>) {
                                  clock_.set_left(e.side, e.left, at);
                                  note_time_given();
                              } else if constexpr (std::is_same_v<E, FlagFell>) {
                                  on_flag_said(e.side, at);
                              }
                          }},
               what);
}

std::optional<DeviceTime> Referee::Impl::next_due() const {
    std::optional<DeviceTime> due;
    const auto sooner = [&](std::optional<DeviceTime> t) {
        if (t && (!due || *t < *due)) due = t;
    };
    if (result_) return due;
    if (!flag_is_down(clock_.running())) sooner(clock_.flag_at());
    if (hold_ || out_of_sight_) return due;
    for (const Reading& reading : readings_) {
        sooner(release_due(reading));
        if (readings_.size() > 1) sooner(reading.dies_at);
    }
    if (!board_settled_) sooner(board_changed_at_ + settle_after_);
    if (!rules_.has_levers && readings_.size() == 1 && primary().made && !open_published_) {
        sooner(primary().made_at - rules_.release_ms + rules_.publish_ms);
    }
    return due;
}

void Referee::Impl::run_due(DeviceTime to) {
    while (const auto due = next_due()) {
        if (*due > to) return;
        now_ = std::max(now_, *due);
        on_due(now_);
    }
}

void Referee::Impl::on_due(DeviceTime at) {
    const auto running = clock_.running();
    if (const auto flag = clock_.flag_at(); flag && *flag <= at && !flag_is_down(running)) {
        on_flag(*running, at);
        return;
    }
    for (Reading& reading : readings_) {
        if (const auto due = release_due(reading); due && *due <= at) {
            on_release_due(reading, at);  // may prune: the loop ends here
            settle(at);
            return;
        }
    }
    if (drop_dying(at)) return;
    if (!rules_.has_levers && readings_.size() == 1 && primary().made && !open_published_ &&
        primary().made_at - rules_.release_ms + rules_.publish_ms <= at) {
        publish_standing(at);
        return;
    }
    if (!board_settled_ && board_changed_at_ + settle_after_ <= at) on_board_settled(at);
}

/// Readings that differ in the moves that they have behind the record, not only in a new piece.
std::size_t Referee::Impl::stories() const {
    const auto alike = [](const Reading& a, const Reading& b) {
        const auto same = [](const ClosedMove& x, const ClosedMove& y) {
            return x.move.move.from() == y.move.move.from() && x.move.move.to() == y.move.move.to();
        };
        return std::equal(a.closed.begin(), a.closed.end(), b.closed.begin(), b.closed.end(), same);
    };
    std::size_t count = 0;
    for (auto reading = readings_.begin(); reading != readings_.end(); ++reading) {
        count += std::none_of(readings_.begin(), reading,
                              [&](const Reading& before) { return alike(before, *reading); });
    }
    return count;
}

/// Drops what has waited in vain. Where every reading waits, none is unlikelier than the others.
bool Referee::Impl::drop_dying(DeviceTime at) {
    const auto dying = [&](const Reading& r) { return r.dies_at && *r.dies_at <= at; };
    if (readings_.size() < 2 || std::none_of(readings_.begin(), readings_.end(), dying))
        return false;
    if (std::all_of(readings_.begin(), readings_.end(), dying)) {
        for (Reading& reading : readings_)
            reading.take_as_likely();
        return true;
    }
    std::erase_if(readings_, dying);
    settle(at);
    return true;
}

Referee::Referee(Rules rules, GameSetup setup)
    : impl_(std::make_unique<Impl>(rules, std::move(setup))) {}
Referee::~Referee() = default;
Referee::Referee(Referee&&) noexcept = default;
Referee& Referee::operator=(Referee&&) noexcept = default;
Referee::Referee(const Referee& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
Referee& Referee::operator=(const Referee& other) {
    if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
    return *this;
}

void Referee::input(DeviceTime at, const Input& what) {
    impl_->input(at, what);
}
void Referee::advance(DeviceTime to) {
    impl_->advance(to);
}
std::vector<Decision> Referee::take_decisions() {
    return std::exchange(impl_->decisions, {});
}
const std::vector<RecordedMove>& Referee::moves() const noexcept {
    return impl_->moves();
}
const chess::Position& Referee::position() const noexcept {
    return impl_->position();
}
Color Referee::turn() const noexcept {
    return impl_->turn();
}
const std::optional<GameResult>& Referee::result() const noexcept {
    return impl_->result();
}
const std::vector<Report>& Referee::reports() const noexcept {
    return impl_->reports();
}
std::size_t Referee::stories() const {
    return impl_->stories();
}
chess::Bitboard Referee::board() const noexcept {
    return impl_->board();
}
chess::Bitboard Referee::to_restore() const noexcept {
    return impl_->to_restore();
}
Millis Referee::clock_left(Color side) const noexcept {
    return impl_->clock_left(side);
}
std::optional<Color> Referee::clock_running() const noexcept {
    return impl_->clock_running();
}

}  // namespace touchmove::laws
