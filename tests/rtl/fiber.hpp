// fiber.hpp - a function beside the test, on a stack of its own, that gives way when it waits
// SPDX-License-Identifier: Apache-2.0
// Firmware blocks on its registers while the host goes on driving the bus: neither may wait for the
// other, and threads would cost a switch of the scheduler for each access.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace touchmove::rtl_test {

class Fiber {
  public:
    /// `body` never returns; nothing may be thrown out of it.
    explicit Fiber(std::function<void()> body) : body_(std::move(body)), stack_(stack_bytes_) {
        getcontext(&own_);
        own_.uc_stack.ss_sp = stack_.data();
        own_.uc_stack.ss_size = stack_.size();
        own_.uc_link = nullptr;
        const auto self = reinterpret_cast<std::uintptr_t>(this);
        makecontext(&own_, reinterpret_cast<void (*)()>(&enter), 2, static_cast<unsigned>(self),
                    static_cast<unsigned>(self >> 32));
    }
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// From outside: on to the next give_way().
    void resume() { swapcontext(&outside_, &own_); }
    /// From inside.
    void give_way() { swapcontext(&own_, &outside_); }

  private:
    static void enter(unsigned low, unsigned high) {
        reinterpret_cast<Fiber*>(std::uintptr_t{low} | std::uintptr_t{high} << 32)->body_();
    }
    static constexpr std::size_t stack_bytes_ = 256 * 1024;
    std::function<void()> body_;
    std::vector<char> stack_;
    ucontext_t own_{}, outside_{};
};

}  // namespace touchmove::rtl_test
