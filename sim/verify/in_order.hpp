// in_order.hpp - work on several threads whose results come out in order
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace touchmove::verify {

/// Calls `play(i)` for 0..count-1 on `jobs` threads (at least 1), and on the calling thread
/// `done(i, result)` in order of i, each as soon as all before it are done. Results that wait for
/// an earlier one are kept, so nothing a thread does depends on how many there are. An exception of
/// `play` ends the work and comes out here.
template <class Play, class Done>
void in_order(std::size_t count, unsigned jobs, Play play, Done done) {
    using Outcome = decltype(play(std::size_t{}));
    assert(jobs >= 1);
    std::mutex mutex;
    std::condition_variable arrived;
    std::size_t next = 0;
    std::map<std::size_t, Outcome> waiting;
    std::exception_ptr failure;

    const auto work = [&] {
        for (;;) {
            std::size_t mine = 0;
            {
                const std::lock_guard lock(mutex);
                if (failure || next == count) return;
                mine = next++;
            }
            try {
                Outcome outcome = play(mine);
                const std::lock_guard lock(mutex);
                waiting.emplace(mine, std::move(outcome));
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure) failure = std::current_exception();
            }
            arrived.notify_one();
        }
    };
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < std::min<std::size_t>(jobs, count); ++i) threads.emplace_back(work);

    for (std::size_t i = 0; i < count; ++i) {
        std::unique_lock lock(mutex);
        arrived.wait(lock, [&] { return failure || waiting.contains(i); });
        if (failure) break;
        auto node = waiting.extract(i);
        lock.unlock();
        done(i, std::move(node.mapped()));
    }
    threads.clear();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace touchmove::verify
