// timeline.hpp - a game as raw contact changes, made move by move as they are asked for
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <string_view>
#include <vector>

#include "sim/bench/hands.hpp"
#include "sim/bench/physics.hpp"
#include "sim/bench/script.hpp"
#include "sim/device/stimulus.hpp"

namespace touchmove::bench {

/// `fast`: every wait at blitz tempo. `real`: the players take the time that the PGN gives them.
enum class Tempo : std::uint8_t { fast, real };

struct TimelineSetup {
    Hands hands;                ///< dealt by the seed unless named
    Tempo tempo = Tempo::fast;
    std::optional<SensorKind> sensor;  ///< dealt by the seed unless named
    std::uint64_t seed = 0;     ///< of this game
    bool rocker_level = false;  ///< at first, where it would rest on the side to move
};

/// What was really done for one move: the truth that a decoder is compared with.
struct PlyTruth {
    std::string_view style;
    BenchUs begins;                  ///< first touch
    BenchUs placed;                  ///< the last man came down
    BenchUs released;                ///< the hand let go: the move is made
    std::optional<BenchUs> pressed;  ///< the lever began to move
};

/// The contacts of a board on which `script` is played. The same setup gives the same changes, byte
/// for byte, on any machine. Holds the acts of two moves and the truth log, however long the game.
class Timeline final : public device::Stimulus {
  public:
    Timeline(Script script, const TimelineSetup& setup);

    [[nodiscard]] BenchUs next_change_us() override;
    void apply(device::ContactState& contacts) override;

    /// The next thing said, if it is due by `until`; taken off the list.
    [[nodiscard]] std::optional<Said> take_said(BenchUs until);

    [[nodiscard]] const Script& script() const noexcept { return script_; }
    [[nodiscard]] bool has_levers() const noexcept { return has_levers_; }
    [[nodiscard]] SensorKind sensor() const noexcept { return sensor_kind_; }
    /// One entry for each move planned so far.
    [[nodiscard]] const std::vector<PlyTruth>& truth() const noexcept { return truth_; }
    /// Both kings were put on centre squares at the end.
    [[nodiscard]] bool kings_shown() const noexcept { return kings_shown_; }
    /// The last act of all, once everything is planned; else none.
    [[nodiscard]] std::optional<BenchUs> ends_at() const noexcept { return ends_at_; }

  private:
    enum class Stage : std::uint8_t { moves, ending, over };

    struct Act {
        BenchUs at;
        std::uint64_t order;  ///< of planning; decides between equal times
        BenchUs lasts;
        unsigned contact;
        Motion motion;        ///< squares only
        bool down;            ///< switches only
    };
    struct Change {
        BenchUs at;
        std::uint64_t order;
        unsigned contact;
        bool level;
    };
    struct Later {
        template <class T>
        bool operator()(const T& a, const T& b) const noexcept {
            return a.at != b.at ? a.at > b.at : a.order > b.order;
        }
    };

    void plan_until_certain();
    void plan_next();
    void plan_next_move();
    void plan_ending();
    void commit(const Plan& plan);
    void become_changes(const Act& act);
    [[nodiscard]] const Style& style_for(Rng& rng) const;
    [[nodiscard]] BenchUs begin_of(const Plan& plan, const Style& style, Rng& rng) const;
    void shake(BenchUs at, Rng& rng);

    Script script_;
    TimelineSetup setup_;
    SensorKind sensor_kind_;
    std::unique_ptr<Sensor> sensor_;
    SwitchParameters switches_;
    bool has_levers_;

    Stage stage_ = Stage::moves;
    chess::Position position_;       ///< before the next move to be planned
    std::size_t ply_ = 0;
    BenchUs turn_began_ = 0;         ///< the last press (or release, without levers)
    BenchUs planned_from_ = 0;       ///< no later plan will begin before this
    std::optional<PlyTruth> last_;   ///< the move before
    /// By colour: when the hand is back from lever and selector.
    std::array<BenchUs, chess::color_count> hand_free_{};
    std::vector<PlyTruth> truth_;
    std::optional<BenchUs> ends_at_;

    std::priority_queue<Act, std::vector<Act>, Later> acts_;
    std::priority_queue<Change, std::vector<Change>, Later> changes_;
    std::deque<Said> said_;
    std::uint64_t order_ = 0;
    std::array<BenchUs, device::contact_count> busy_until_{};
    device::ContactState settled_;   ///< levels after all acts turned into changes so far
    Rng physics_rng_;
    std::vector<Edge> edges_;        ///< scratch
    bool kings_shown_ = false;
};

}  // namespace touchmove::bench
