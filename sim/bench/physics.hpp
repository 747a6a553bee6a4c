// physics.hpp - how reed switches, Hall sensors, levers and buttons answer to what is done to them
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "sim/bench/random.hpp"

namespace touchmove::bench {

/// One raw contact change: the contact reads `closed` from `at` on.
struct Edge {
    BenchUs at;
    bool closed;
};

/// What a man's magnet does over one square.
enum class Motion : std::uint8_t {
    set_down,   ///< comes from above and stays
    lift_off,   ///< leaves upwards
    slide_in,   ///< comes along the board and stays
    slide_out,  ///< leaves along the board
    pass_over,  ///< slides over the square without stopping
    tremble     ///< a knock at the table makes a standing man rock
};

/// Contact bounce: after the first change the contact falls back and returns a few times.
struct Bounce {
    Range lasts;        ///< from the first change to the last one, us
    unsigned most = 0;  ///< at most so many times back and forth
};

/// Reed switch under a square, its blades lying along the board.
/// Sources: Coto RI-02: operate 0.30 ms and bounce 0.10 ms typical, release at most 0.07 ms;
/// Standex KSK-1A04: operate 0.25 ms with bounce, release 0.15 ms at most; reed-sensor.com: bounce
/// 0.5-1 ms normally, shorter with overdrive. All measured with a coil: a magnet brought by a hand
/// is slower, so the long end is used. Two lobes: a reed lying flat opens while the magnet stands
/// over its middle (electronics.stackexchange 630847, chess.fortherapy.co.uk); boards place it so
/// that a man at rest stands in one of the lobes.
struct ReedParameters {
    Bounce closing{{100, 1000}, 6};
    Bounce opening{{0, 150}, 2};
    unsigned null_from = 400;      ///< per mille of the way over the square at which it opens ...
    unsigned null_to = 580;        ///< ... and closes again
    Range tremble{50, 700};        ///< how long a rocking man opens its contact, us
};

/// Switching Hall sensor (A3144 kind: answers in under 2 us). The field is counted in thousandths
/// of what a man at rest gives. The hysteresis of a tenth is of the order of the data sheets; the
/// noise (field of the neighbours, of the hand's tremor and the supply, together) is an assumption.
struct HallParameters {
    std::int64_t operate = 600;    ///< closes when the field is above this
    std::int64_t release = 500;    ///< opens when it is below this
    std::int64_t noise = 25;       ///< standard deviation of one sample
    BenchUs sample_us = 17;        ///< DRV5021: a sample each 16.67 us
    Range vertical_ramp{8000, 30000};  ///< a hand lifts or sets a man down this fast, us
};

/// Levers and buttons. Keyboards bounce for up to 5 ms (the default of QMK and ZMK, which were made
/// for such switches).
struct SwitchParameters {
    Bounce closing{{200, 4000}, 8};
    Bounce opening{{100, 3000}, 5};
};

/// The sensor of one square. Stateless: the same for all 64.
class Sensor {
  public:
    virtual ~Sensor() = default;
    /// Appends the contact changes of `motion`, beginning at `at` and, for slides, stretching over
    /// `lasts`; in order of time, the first not before `at`. The level before is the one that the
    /// motion implies (closed for leaving and trembling, else open), and the last edge leaves the
    /// contact at the level that it implies afterwards.
    virtual void react(Motion motion, BenchUs at, BenchUs lasts, Rng& rng,
                       std::vector<Edge>& out) const = 0;
};

class ReedSensor final : public Sensor {
  public:
    explicit ReedSensor(ReedParameters parameters = {}) : parameters_(parameters) {}
    void react(Motion motion, BenchUs at, BenchUs lasts, Rng& rng,
               std::vector<Edge>& out) const override;

  private:
    ReedParameters parameters_;
};

class HallSensor final : public Sensor {
  public:
    explicit HallSensor(HallParameters parameters = {}) : parameters_(parameters) {}
    void react(Motion motion, BenchUs at, BenchUs lasts, Rng& rng,
               std::vector<Edge>& out) const override;

  private:
    /// The field goes evenly from `from` to `to` over `lasts`, starting at `at`.
    void ramp(BenchUs at, BenchUs lasts, std::int64_t from, std::int64_t to, bool& closed, Rng& rng,
              std::vector<Edge>& out) const;

    /// How far from a threshold noise can matter.
    [[nodiscard]] std::int64_t reach() const noexcept { return 6 * parameters_.noise; }

    HallParameters parameters_;
};

enum class SensorKind : std::uint8_t { reed, hall };

/// "reed", "hall".
[[nodiscard]] std::string_view name_of(SensorKind kind) noexcept;
[[nodiscard]] std::optional<SensorKind> parse_sensor_kind(std::string_view name) noexcept;
[[nodiscard]] std::unique_ptr<Sensor> make_sensor(SensorKind kind);

/// The contact goes to `closed` at `at` and bounces: an odd number of edges, the first at `at`, the
/// last at most `bounce.lasts.to` later.
void append_bounce(const Bounce& bounce, BenchUs at, bool closed, Rng& rng, std::vector<Edge>& out);

}  // namespace touchmove::bench
