// urb_queues.cpp - what an importer has submitted and the board has not yet taken
// SPDX-License-Identifier: Apache-2.0
#include "sim/usbip/urb_queues.hpp"

#include <algorithm>
#include <utility>

#include "fw/tm_proto.h"

namespace touchmove::usbip {
namespace {

constexpr std::uint8_t bulk_endpoint = TM_EP_OUT;
static_assert(TM_EP_IN == (0x80 | bulk_endpoint));

}  // namespace

void UrbQueues::push(Urb urb) {
    const std::lock_guard lock(mutex_);
    if (urb.submit.endpoint == 0) {
        control_.push_back(std::move(urb));
    } else if (urb.submit.endpoint == bulk_endpoint) {
        (urb.submit.in ? bulk_in_ : bulk_out_).push_back(std::move(urb));
    } else {
        stray_.push_back(std::move(urb));
    }
}

bool UrbQueues::cancel(std::uint32_t seqnum) {
    const std::lock_guard lock(mutex_);
    for (Queue* queue : {&control_, &bulk_in_, &bulk_out_, &stray_}) {
        const auto found = std::find_if(queue->begin(), queue->end(), [&](const Urb& urb) {
            return urb.submit.seqnum == seqnum;
        });
        if (found != queue->end()) {
            queue->erase(found);
            return true;
        }
    }
    return false;
}

void UrbQueues::close() {
    const std::lock_guard lock(mutex_);
    for (Queue* queue : {&control_, &bulk_in_, &bulk_out_, &stray_}) queue->clear();
    open_ = false;
}

void UrbQueues::open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
}

std::optional<Urb> UrbQueues::take(Queue& queue) {
    const std::lock_guard lock(mutex_);
    if (!open_ || queue.empty()) return std::nullopt;
    Urb urb = std::move(queue.front());
    queue.pop_front();
    return urb;
}

std::optional<Urb> UrbQueues::take_control() { return take(control_); }
std::optional<Urb> UrbQueues::take_bulk_in() { return take(bulk_in_); }
std::optional<Urb> UrbQueues::take_bulk_out() { return take(bulk_out_); }
std::optional<Urb> UrbQueues::take_stray() { return take(stray_); }

}  // namespace touchmove::usbip
