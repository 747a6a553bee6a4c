// live_board.hpp - a simulated board that lives in real time on a thread of its own
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/device/usb_device.hpp"
#include "sim/usbip/board.hpp"
#include "sim/usbip/urb_pump.hpp"

namespace touchmove::usbip {

/// Keeps the device's time with the wall clock (times `speed`), catching up after delays. A powered
/// device goes on scanning while nobody is attached. Thread "board" owns device and stimulus; all
/// public functions may be called from any thread and wait for nothing but a short lock.
class LiveBoard final : public Board {
  public:
    struct Options {
        device::DeviceOptions device;
        std::uint32_t number = 1;  ///< 1 for bus id 1-1
        double speed = 1.0;        ///< device seconds a wall second
        /// Where `device.flash` is kept; written whenever it has changed. Empty: nowhere.
        std::filesystem::path flash_file;
        // Called on the board's thread.
        std::function<void(device::BenchUs now)> on_attach;
        std::function<void(const std::string& line)> log;
    };
    struct Status {
        bool plugged = false, powered = false, attached = false;
        double device_seconds = 0;  ///< since the simulation began
        double behind_seconds = 0;  ///< how far the model lags the wall clock
    };

    /// Powers the board on and starts its thread. `stimulus` and what `options` points at must
    /// outlive the board.
    LiveBoard(const Options& options, device::Stimulus& stimulus);
    ~LiveBoard() override;

    [[nodiscard]] DeviceRecord record() const override;
    [[nodiscard]] bool attach(std::shared_ptr<BoardClient> client) override;
    void detach() override;
    void submit(Submit submit) override;
    [[nodiscard]] bool cancel(std::uint32_t seqnum) override;
    [[nodiscard]] bool plugged() const override { return plugged_; }

    // What happens to the board.
    /// The cable comes out. A board without a supply of its own loses its power.
    void pull();
    void plug();
    /// The board loses every supply, and the host with it.
    void power_cut();
    void power_on();
    [[nodiscard]] Status status() const;

  private:
    using Clock = std::chrono::steady_clock;
    using Command = std::function<void()>;

    void run();
    void post(Command command);
    void disconnect();
    void power(bool on);
    void save_flash();
    [[nodiscard]] device::BenchUs wall_us() const;

    Options options_;
    std::unique_ptr<device::UsbDevice> device_;
    UrbQueues queues_;
    UrbPump pump_;
    Clock::time_point began_;

    mutable std::mutex mutex_;
    std::condition_variable kicked_;
    bool kick_ = false;
    bool stop_ = false;
    std::vector<Command> commands_;
    std::shared_ptr<BoardClient> client_;
    std::atomic<bool> plugged_ = true;
    std::atomic<bool> powered_ = true;
    std::atomic<bool> attached_ = false;  // as the board's thread sees it
    std::atomic<device::BenchUs> reached_us_ = 0;
    std::uint64_t flash_saved_ = 0;
    std::thread thread_;
};

}  // namespace touchmove::usbip
