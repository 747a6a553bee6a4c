// comparison.hpp - published moves against the moves that were played
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "host/laws/decision.hpp"
#include "sim/bench/script.hpp"

namespace touchmove::verify {

/// The first thing that is not as it should be.
struct Difference {
    std::size_t ply;             ///< from 0; the move concerned
    std::optional<DeviceTime> at;  ///< of the decision; none: something never came
    std::string what;            ///< expected and got, one sentence without full stop
};

/// Follows a referee's decisions about one game. Every move must be published once, as it was
/// played, in order; nothing published may be changed afterwards.
class Comparison {
  public:
    explicit Comparison(const bench::Script& script);

    /// Takes the next decisions. After the first difference further ones are ignored.
    void take(std::span<const laws::Decision> decisions);
    /// Nothing more will come.
    void finish();

    [[nodiscard]] const std::optional<Difference>& difference() const noexcept {
        return difference_;
    }
    [[nodiscard]] std::size_t published() const noexcept { return published_.size(); }
    /// How often each kind of report was raised.
    [[nodiscard]] const std::map<laws::ReportKind, unsigned>& reports() const noexcept {
        return reports_;
    }

  private:
    void on(DeviceTime at, const laws::MovePublished& published);
    void on(DeviceTime at, const laws::PromotionKnown& known);
    void on(DeviceTime at, const laws::MoveCorrected& corrected);
    void on(DeviceTime at, const laws::RecordShortened& shortened);
    void on(DeviceTime at, const laws::Reported& reported);
    void on(DeviceTime at, const laws::GameEnded& ended);
    template <class Other>
    void on(DeviceTime, const Other&) {}  // shown, withdrawn, completed: nothing published

    void differ(std::size_t ply, std::optional<DeviceTime> at, std::string what);
    [[nodiscard]] std::string san(std::size_t ply) const;

    struct Published {
        chess::Move move;
        bool kind_known;
    };

    const bench::Script& script_;
    std::vector<Published> published_;
    std::optional<laws::GameResult> result_;
    std::map<laws::ReportKind, unsigned> reports_;
    std::optional<Difference> difference_;
};

/// Reports that no hand of the bench gives cause for: an innocent player is accused of something,
/// or the arbiter is asked a question that the sensors had answered.
[[nodiscard]] bool is_unfounded(laws::ReportKind kind) noexcept;

}  // namespace touchmove::verify
