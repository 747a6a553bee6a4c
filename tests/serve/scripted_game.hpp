// scripted_game.hpp - a LiveGame told what a referee would tell it of a game played by SAN
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/chess/san.hpp"
#include "host/serve/live_game.hpp"

namespace touchmove::serve {

/// Plays moves with lifts, places, presses and clocks. The clock starts with the first move.
class ScriptedGame {
  public:
    ScriptedGame(GameInfo info, Millis clock, Millis increment, Language language = Language::en)
        : live(std::move(info), laws::GameSetup{}, language),
          left_{clock, clock},
          increment_(increment) {}

    LiveGame live;
    laws::Evidence evidence = laws::Evidence::seen;  ///< of the moves to come

    [[nodiscard]] DeviceTime now() const noexcept { return now_; }
    [[nodiscard]] laws::Move move(std::string_view san) const {
        return chess::parse_san(position_, san).value();
    }

    void input(const laws::Input& what) { live.on_input(now_, what); }
    void decide(laws::What what) { live.on_decision({now_, std::move(what)}); }

    /// Time passes on the clock of whoever thinks.
    void wait(Millis time) {
        now_ += time;
        if (running_) left_[chess::index_of(*running_)] -= time;
        tell_clock();
    }

    /// The man is up from its square (and so is what it captures).
    void lift(laws::Move m) {
        if (const auto victim = position_.captured_square(m)) input(laws::SquareLifted{*victim});
        input(laws::SquareLifted{m.from()});
    }

    /// The man stands on its new square: the move is shown.
    void show(laws::Move m) {
        input(laws::SquarePlaced{m.to()});
        if (const auto side = position_.castling(m)) {
            const bool king_side = *side == chess::CastlingSide::king_side;
            const auto rank = m.from().rank();
            input(laws::SquareLifted{chess::Square(king_side ? 7U : 0U, rank)});
            input(laws::SquarePlaced{chess::Square(king_side ? 5U : 3U, rank)});
        }
        decide(laws::MoveShown{ply_, recorded(m)});
    }

    /// The lever: published and completed at once.
    void press(laws::Move m) {
        const auto side = position_.side_to_move();
        auto& left = left_[chess::index_of(side)];
        if (running_) left += increment_;
        auto done = recorded(m);
        done.pressed_at = now_;
        done.clock_left = left;
        decide(laws::MovePublished{ply_, done});
        done.completed = true;
        decide(laws::MoveCompleted{ply_, done});
        position_.make(m);
        ++ply_;
        running_ = position_.side_to_move();
        tell_clock();
    }

    void play(std::string_view san, Millis thought = Millis{3000}) {
        const auto m = move(san);
        if (!running_) {
            running_ = position_.side_to_move();
            tell_clock();
        }
        wait(thought);
        lift(m);
        wait(Millis{400});
        show(m);
        wait(Millis{100});
        press(m);
    }

    void end(laws::Score score, const char* reason, const char* article, bool provisional) {
        running_.reset();
        decide(laws::GameEnded{{score, reason, article, provisional}});
        tell_clock();
    }

  private:
    [[nodiscard]] laws::RecordedMove recorded(laws::Move m) const {
        return {.move = m, .made_at = now_, .evidence = evidence};
    }
    void tell_clock() { live.on_clock({now_, {left_[0], left_[1]}, running_}); }

    chess::Position position_ = chess::Position::initial();
    std::array<Millis, 2> left_;
    Millis increment_;
    std::optional<chess::Color> running_;
    DeviceTime now_ = device_time(1'000'000);
    std::size_t ply_ = 0;
};

}  // namespace touchmove::serve
