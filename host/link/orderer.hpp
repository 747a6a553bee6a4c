// orderer.hpp - events put in the order of their stamps
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "host/link/device_event.hpp"

namespace touchmove::link {

/// Holds events until the device promises that none with a lower stamp can follow. Equal stamps
/// keep their order of arrival. Where the promise is broken, and after a barrier, a stamp is raised
/// to the last one released: time never goes back for the receiver.
class Orderer {
  public:
    /// No event is released below `floor`.
    explicit Orderer(DeviceTime floor = device_time(0)) : floor_(floor) {}

    void add(const StampedEvent& event);
    /// An event that nothing overtakes (snapshot, session start, gap): all earlier ones are ready
    /// now, then this one.
    void add_barrier(StampedEvent event);
    /// No event below `watermark` will be added any more: what lies up to it is ready.
    void release(DeviceTime watermark);

    /// Moves the events that are ready into `out`, which is cleared first.
    void take_ready(std::vector<StampedEvent>& out);
    [[nodiscard]] bool has_ready() const noexcept { return !ready_.empty(); }
    /// The stamp below which nothing is released any more.
    [[nodiscard]] DeviceTime floor() const noexcept { return floor_; }

  private:
    void release_first(std::ptrdiff_t count);

    std::vector<StampedEvent> pending_;  // sorted by stamp, then arrival
    std::vector<StampedEvent> ready_;
    DeviceTime floor_;
};

}  // namespace touchmove::link
