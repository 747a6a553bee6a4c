// live_board.cpp - a simulated board that lives in real time on a thread of its own
// SPDX-License-Identifier: Apache-2.0
#include "sim/usbip/live_board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fw/tm_bytes.h"
#include "fw/tm_descriptors.h"

namespace touchmove::usbip {
namespace {

// One frame of a full-speed bus; nobody looks at a detached board that closely.
constexpr device::BenchUs attached_step_us = 1'000;
constexpr device::BenchUs detached_step_us = 10'000;

}  // namespace

LiveBoard::LiveBoard(const Options& options, device::Stimulus& stimulus)
    : options_(options),
      device_(device::make_device(options.device, stimulus)),
      pump_(*device_, queues_),
      began_(Clock::now()) {
    if (options_.device.flash != nullptr) flash_saved_ = options_.device.flash->changes();
    device_->power_on();
    save_flash();
    thread_ = std::thread([this] { run(); });
}

LiveBoard::~LiveBoard() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
        kick_ = true;
    }
    kicked_.notify_one();
    thread_.join();
}

DeviceRecord LiveBoard::record() const {
    const tm_desc_device& d = tm_descriptors.device;
    const auto& i = tm_descriptors.configuration.interface;
    DeviceRecord record;
    record.bus_id = fmt::format("1-{}", options_.number);
    record.path = fmt::format("/sys/devices/touchmove-sim/usb1/{}", record.bus_id);
    record.bus = 1;
    record.device = options_.number + 1;  // 1 is the root hub
    record.vendor = tm_get16(d.vendor);
    record.product = tm_get16(d.product);
    record.version = tm_get16(d.device_version);
    record.device_class = d.device_class;
    record.device_subclass = d.device_subclass;
    record.device_protocol = d.device_protocol;
    record.configuration = TM_CONFIGURATION;
    record.configurations = d.configurations;
    record.interfaces = {{i.interface_class, i.interface_subclass, i.interface_protocol}};
    return record;
}

// --- the server's side -------------------------------------------------------------------------

bool LiveBoard::attach(std::shared_ptr<BoardClient> client) {
    if (!plugged_) return false;
    {
        const std::lock_guard lock(mutex_);
        client_ = std::move(client);
    }
    queues_.close();
    post([this] {
        if (!plugged_) {
            disconnect();
            return;
        }
        pump_.attach();
        attached_ = true;
        if (options_.on_attach) options_.on_attach(device_->now());
    });
    return true;
}

void LiveBoard::detach() {
    {
        const std::lock_guard lock(mutex_);
        client_.reset();
    }
    queues_.close();
    post([this] {
        if (!attached_.exchange(false)) return;
        pump_.detach();
    });
}

void LiveBoard::submit(Submit submit) {
    std::shared_ptr<BoardClient> client;
    {
        const std::lock_guard lock(mutex_);
        client = client_;
    }
    if (client == nullptr) return;  // unplugged a moment ago; the client will hear of it
    queues_.push({std::move(submit), std::move(client)});
    post({});
}

bool LiveBoard::cancel(std::uint32_t seqnum) { return queues_.cancel(seqnum); }

// --- what happens to the board -----------------------------------------------------------------

void LiveBoard::disconnect() {
    plugged_ = false;
    std::shared_ptr<BoardClient> client;
    {
        const std::lock_guard lock(mutex_);
        client = std::exchange(client_, nullptr);
    }
    queues_.close();
    attached_ = false;
    pump_.detach();
    if (client != nullptr) client->on_unplugged();
}

void LiveBoard::power(bool on) {
    if (on) {
        device_->power_on();
    } else {
        device_->power_cut();
    }
    powered_ = on;
}

void LiveBoard::save_flash() {
    const device::NorFlash* const flash = options_.device.flash;
    if (flash == nullptr || flash->changes() == flash_saved_) return;
    flash_saved_ = flash->changes();
    if (options_.flash_file.empty()) return;
    const auto saved = flash->save(options_.flash_file);
    if (!saved && options_.log) options_.log(saved.error().message());
}

void LiveBoard::pull() {
    post([this] {
        disconnect();
        if (!options_.device.self_powered) power(false);
    });
}

void LiveBoard::plug() {
    post([this] {
        power(true);
        plugged_ = true;
    });
}

void LiveBoard::power_cut() {
    post([this] {
        disconnect();
        power(false);
    });
}

void LiveBoard::power_on() { plug(); }

LiveBoard::Status LiveBoard::status() const {
    Status status;
    status.plugged = plugged_;
    status.powered = powered_;
    status.attached = attached_;
    const device::BenchUs reached = reached_us_;
    status.device_seconds = static_cast<double>(reached) * 1e-6;
    status.behind_seconds = std::max(0.0, static_cast<double>(wall_us() - reached) * 1e-6);
    return status;
}

// --- the board's thread ------------------------------------------------------------------------

void LiveBoard::post(Command command) {
    {
        const std::lock_guard lock(mutex_);
        if (command) commands_.push_back(std::move(command));
        kick_ = true;
    }
    kicked_.notify_one();
}

device::BenchUs LiveBoard::wall_us() const {
    const std::chrono::duration<double, std::micro> passed = Clock::now() - began_;
    return static_cast<device::BenchUs>(passed.count() * options_.speed);
}

void LiveBoard::run() {
    std::vector<Command> commands;
    for (;;) {
        {
            const std::lock_guard lock(mutex_);
            if (stop_) break;
            kick_ = false;
            commands.swap(commands_);
        }
        for (const Command& command : commands) command();
        commands.clear();

        pump_.serve();
        save_flash();
        const device::BenchUs step = attached_ ? attached_step_us : detached_step_us;
        const device::BenchUs due = wall_us();
        if (device_->now() < due) {
            device_->run_until(std::min(due, device_->now() + step));
            reached_us_ = device_->now();
            continue;
        }
        const std::chrono::duration<double, std::micro> nap(
            static_cast<double>(device_->now() + step - due) / options_.speed);
        std::unique_lock lock(mutex_);
        kicked_.wait_for(lock, nap, [this] { return kick_; });
    }
    // Nobody can complete anything any more.
    queues_.close();
}

}  // namespace touchmove::usbip
