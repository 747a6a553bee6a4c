// puppet_board.hpp - a board that answers nothing by itself: the test says when, and what
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "sim/usbip/board.hpp"

namespace touchmove::usbip_test {

class PuppetBoard final : public usbip::Board {
  public:
    explicit PuppetBoard(std::uint32_t number) : number_(number) {}

    usbip::DeviceRecord record() const override {
        usbip::DeviceRecord d;
        d.bus_id = "1-" + std::to_string(number_);
        d.device = number_ + 1;
        d.interfaces = {{0xFF, 0, 0}};
        return d;
    }
    bool attach(std::shared_ptr<usbip::BoardClient> client) override {
        const std::lock_guard lock(mutex_);
        client_ = std::move(client);
        changed_.notify_all();
        return true;
    }
    void detach() override {
        const std::lock_guard lock(mutex_);
        client_.reset();
        waiting_.clear();
        ++detaches_;
        changed_.notify_all();
    }
    void submit(usbip::Submit submit) override {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(submit));
        changed_.notify_all();
    }
    bool cancel(std::uint32_t seqnum) override {
        const std::lock_guard lock(mutex_);
        ++cancels_;
        changed_.notify_all();
        const auto found = std::find_if(waiting_.begin(), waiting_.end(),
                                        [&](const auto& s) { return s.seqnum == seqnum; });
        if (found == waiting_.end()) return false;
        waiting_.erase(found);
        return true;
    }
    bool plugged() const override { return plugged_; }

    /// Waits for the next Submit and takes it, as the board's thread would.
    usbip::Submit take() {
        std::unique_lock lock(mutex_);
        await(lock, [&] { return !waiting_.empty(); });
        usbip::Submit s = std::move(waiting_.front());
        waiting_.pop_front();
        return s;
    }
    void await_submits(std::size_t count) {
        std::unique_lock lock(mutex_);
        await(lock, [&] { return waiting_.size() >= count; });
    }
    void await_cancels(int count) {
        std::unique_lock lock(mutex_);
        await(lock, [&] { return cancels_ >= count; });
    }
    void await_detaches(int count) {
        std::unique_lock lock(mutex_);
        await(lock, [&] { return detaches_ >= count; });
    }
    std::size_t waiting() {
        const std::lock_guard lock(mutex_);
        return waiting_.size();
    }
    void complete(const usbip::Submit& s, std::int32_t status, usbip::Bytes data) {
        std::shared_ptr<usbip::BoardClient> client;
        {
            const std::lock_guard lock(mutex_);
            client = client_;
        }
        if (client == nullptr) throw std::runtime_error("no client to complete for");
        const auto length = static_cast<std::uint32_t>(data.size());
        client->on_complete({s.seqnum, status, length, std::move(data)});
    }
    void unplug() {
        plugged_ = false;
        const std::lock_guard lock(mutex_);
        if (client_ != nullptr) client_->on_unplugged();
    }
    void plug() { plugged_ = true; }

  private:
    template <class Condition>
    void await(std::unique_lock<std::mutex>& lock, Condition condition) {
        // Not an assertion about time: only the end of a test that would otherwise hang.
        constexpr std::chrono::seconds patience{20};
        if (!changed_.wait_for(lock, patience, condition)) {
            throw std::runtime_error("what the board waits for does not happen");
        }
    }

    std::uint32_t number_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::shared_ptr<usbip::BoardClient> client_;
    std::deque<usbip::Submit> waiting_;
    int cancels_ = 0;
    int detaches_ = 0;
    std::atomic<bool> plugged_ = true;
};

}  // namespace touchmove::usbip_test
