// game_player.cpp - plays the games of a PGN on one board, one after the other
// SPDX-License-Identifier: Apache-2.0
#include "sim/app/game_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "host/chess/san.hpp"
#include "sim/bench/ending.hpp"

namespace touchmove::app {
namespace {

using device::BenchUs;
using device::never_us;

constexpr BenchUs announced_before_us = 2'000'000;
constexpr BenchUs before_set_up_us = 5'000'000;
constexpr BenchUs each_man_us = 250'000;
constexpr BenchUs before_next_us = 3'000'000;

std::uint64_t occupied(const chess::Position& position) {
    std::uint64_t squares = 0;
    for (const chess::Square s : chess::squares(position.occupied())) {
        squares |= std::uint64_t{1} << s.index();
    }
    return squares;
}

std::string_view name_of(chess::Color side) {
    return side == chess::Color::white ? "White" : "Black";
}

std::string_view name_of(chess::Kind kind) {
    switch (kind) {
        case chess::Kind::pawn: return "pawn";
        case chess::Kind::knight: return "knight";
        case chess::Kind::bishop: return "bishop";
        case chess::Kind::rook: return "rook";
        case chess::Kind::queen: return "queen";
        case chess::Kind::king: return "king";
    }
    return "man";
}

}  // namespace

GamePlayer::GamePlayer(Options options, Announce announce, Speak speak)
    : options_(std::move(options)),
      announce_(std::move(announce)),
      speak_(std::move(speak)),
      position_(options_.games.empty() ? chess::Position::initial() : game().start) {}

const chess::PgnGame& GamePlayer::game() const { return options_.games[game_]; }

void GamePlayer::start(BenchUs now) {
    if (stage_ != Stage::standing || options_.games.empty()) return;
    begin_game(now + announced_before_us);
}

GamePlayer::Progress GamePlayer::progress() const noexcept {
    return {shown_game_, shown_plies_, shown_over_};
}

void GamePlayer::begin_game(BenchUs at) {
    bench::Script script = bench::make_script(game());
    position_ = script.start;
    announced_ = 0;
    result_said_ = false;
    // The board watches already: the rocker put down for the side to move would be a press (7.5.3).
    const bench::TimelineSetup setup{
        options_.hands, options_.tempo, options_.sensor,
        bench::Rng::derived(options_.seed, games_begun_).next(), /*rocker_level=*/true};
    const std::string cut = script.cut;
    timeline_ = std::make_unique<bench::Timeline>(std::move(script), setup);
    zero_ = at;
    stage_ = Stage::playing;
    ++games_begun_;
    shown_plies_ = 0;
    shown_game_ = static_cast<std::uint32_t>(games_begun_);
    announce_(fmt::format("game {}: {} - {}, {} sensors", game_ + 1, game().tag("White", "?"),
                          game().tag("Black", "?"), bench::name_of(timeline_->sensor())));
    if (!cut.empty()) announce_(fmt::format("game {}: {}", game_ + 1, cut));
    // The console can begin games from the initial array only.
    if (speak_ && position_.same_as(chess::Position::initial())) {
        speak_(GameNamed{game().tag("White", "?"), game().tag("Black", "?")});
    }
}

void GamePlayer::end_game() {
    const BenchUs ended = zero_ + timeline_->ends_at().value_or(0);
    announce_until(never_us);
    // Kings on the centre squares signal a result; somebody has to say which.
    if (speak_ && !result_said_ && position_.has_legal_move()) {
        const std::string& result = timeline_->script().result;
        for (const auto& said : bench::plan_agreement(result, position_.side_to_move()).said) {
            speak_(said);
        }
    }
    announce_(fmt::format("game {}: over, {}", game_ + 1, timeline_->script().result));
    timeline_.reset();
    const bool last = game_ + 1 == options_.games.size();
    if (last && !options_.loop) {
        stage_ = Stage::over;
        shown_over_ = true;
        return;
    }
    game_ = last ? 0 : game_ + 1;
    // Men off that do not belong, then men on that are missing, then the levers to the middle.
    stage_ = Stage::setting_up;
    BenchUs at = ended + before_set_up_us;
    const std::uint64_t wanted = occupied(game().start);
    for (const bool level : {false, true}) {
        for (unsigned square = 0; square < device::square_count; ++square) {
            const std::uint64_t bit = std::uint64_t{1} << square;
            const bool have = (contacts_.squares & bit) != 0;
            const bool want = (wanted & bit) != 0;
            if (have == want || want != level) continue;
            set_up_.push_back({at, square, level});
            at += each_man_us;
        }
    }
    for (unsigned input = 0; input < device::aux_count; ++input) {
        if ((contacts_.aux >> input & 1U) == 0) continue;
        set_up_.push_back({at, device::square_count + input, false});
        at += each_man_us;
    }
    zero_ = at + before_next_us;
}

BenchUs GamePlayer::next_change_us() {
    for (;;) {
        switch (stage_) {
            case Stage::standing: return men_placed_ ? never_us : 0;
            case Stage::over: return never_us;
            case Stage::playing: {
                const BenchUs next = timeline_->next_change_us();
                if (next != never_us) return zero_ + next;
                end_game();
                break;
            }
            case Stage::setting_up:
                // The game is announced when the men have stood for a while.
                return set_up_.empty() ? zero_ - announced_before_us : set_up_.front().at;
        }
    }
}

void GamePlayer::apply(device::ContactState& contacts) {
    switch (stage_) {
        case Stage::standing:
            contacts.squares = occupied(position_);
            men_placed_ = true;
            break;
        case Stage::playing: {
            const BenchUs now = zero_ + timeline_->next_change_us();
            timeline_->apply(contacts);
            announce_until(now);
            break;
        }
        case Stage::setting_up:
            if (set_up_.empty()) {
                begin_game(zero_);
                break;
            }
            contacts.set(set_up_.front().contact, set_up_.front().level);
            set_up_.pop_front();
            break;
        case Stage::over: break;
    }
    contacts_ = contacts;
}

void GamePlayer::announce_until(BenchUs now) {
    const BenchUs until = now == never_us ? never_us - 1 : now - zero_;
    while (announced_ < timeline_->truth().size() &&
           timeline_->truth()[announced_].released <= until) {
        announce_move();
    }
    while (const auto said = timeline_->take_said(until)) announce_said(*said);
}

void GamePlayer::announce_move() {
    const chess::Move move = timeline_->script().moves[announced_];
    const bool white = position_.side_to_move() == chess::Color::white;
    announce_(fmt::format("game {}: {}{} {}", game_ + 1, position_.fullmove_number(),
                          white ? "." : "...", chess::to_san(position_, move)));
    position_.make(move);
    ++announced_;
    shown_plies_ = static_cast<std::uint32_t>(announced_);
}

void GamePlayer::announce_said(const bench::Said& said) {
    if (speak_) speak_(said);
    result_said_ = result_said_ || said.what != bench::Said::What::promoted_piece;
    const std::string_view side = name_of(said.side);
    switch (said.what) {
        case bench::Said::What::promoted_piece:
            announce_(fmt::format("game {}: {} says: {}", game_ + 1, side, name_of(said.piece)));
            break;
        case bench::Said::What::resigns:
            announce_(fmt::format("game {}: {} resigns", game_ + 1, side));
            break;
        case bench::Said::What::offers_draw:
            announce_(fmt::format("game {}: {} offers a draw", game_ + 1, side));
            break;
        case bench::Said::What::accepts_draw:
            announce_(fmt::format("game {}: {} accepts the draw", game_ + 1, side));
            break;
    }
}

}  // namespace touchmove::app
