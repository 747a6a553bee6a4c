// orderer.cpp - events put in the order of their stamps
// SPDX-License-Identifier: Apache-2.0
#include "host/link/orderer.hpp"

#include <algorithm>
#include <utility>

namespace touchmove::link {
namespace {

bool later(DeviceTime at, const StampedEvent& event) {
    return at < event.at;
}

}  // namespace

void Orderer::add(const StampedEvent& event) {
    StampedEvent placed = event;
    placed.at = std::max(placed.at, floor_);
    if (pending_.empty() || pending_.back().at <= placed.at) {
        pending_.push_back(placed);
        return;
    }
    pending_.insert(std::upper_bound(pending_.begin(), pending_.end(), placed.at, later), placed);
}

void Orderer::add_barrier(StampedEvent event) {
    release_first(std::ssize(pending_));
    event.at = std::max(event.at, floor_);
    floor_ = event.at;
    ready_.push_back(event);
}

void Orderer::release(DeviceTime watermark) {
    // An event with the very stamp of the watermark may still follow, but not overtake.
    const auto end = std::upper_bound(pending_.begin(), pending_.end(), watermark, later);
    release_first(end - pending_.begin());
    floor_ = std::max(floor_, watermark);
}

void Orderer::take_ready(std::vector<StampedEvent>& out) {
    out.clear();
    out.swap(ready_);
}

void Orderer::release_first(std::ptrdiff_t count) {
    if (count == 0) return;
    ready_.insert(ready_.end(), pending_.begin(), pending_.begin() + count);
    pending_.erase(pending_.begin(), pending_.begin() + count);
    floor_ = std::max(floor_, ready_.back().at);
}

}  // namespace touchmove::link
