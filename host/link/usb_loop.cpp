// usb_loop.cpp - libusb as a guest of the Asio loop
// SPDX-License-Identifier: Apache-2.0
#include "host/link/usb_loop.hpp"

#include <fmt/format.h>
#include <libusb.h>
#include <poll.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <cassert>
#include <utility>

namespace touchmove::link {
namespace {

/// How often descriptors are looked at that epoll refuses: emulated devices are plain files.
constexpr std::chrono::milliseconds file_poll_period{1};
constexpr int board_interface = 0;

timeval to_timeval(std::chrono::milliseconds wait) {
    constexpr std::int64_t ms_per_s = 1000;
    return {.tv_sec = wait.count() / ms_per_s,
            .tv_usec = static_cast<suseconds_t>(wait.count() % ms_per_s * 1000)};
}

std::errc errc_of(int code) {
    switch (code) {
        case LIBUSB_ERROR_ACCESS:
            return std::errc::permission_denied;
        case LIBUSB_ERROR_NO_DEVICE:
        case LIBUSB_ERROR_NOT_FOUND:
            return std::errc::no_such_device;
        case LIBUSB_ERROR_BUSY:
            return std::errc::device_or_resource_busy;
        case LIBUSB_ERROR_TIMEOUT:
            return std::errc::timed_out;
        case LIBUSB_ERROR_PIPE:
            return std::errc::broken_pipe;
        case LIBUSB_ERROR_NO_MEM:
            return std::errc::not_enough_memory;
        case LIBUSB_ERROR_NOT_SUPPORTED:
            return std::errc::not_supported;
        default:
            return std::errc::io_error;
    }
}

}  // namespace

Error usb_error(int code, const std::string& what) {
    return Error(errc_of(code),
                 fmt::format("{}: {}", what, libusb_strerror(static_cast<libusb_error>(code))));
}

// --- UsbTransfer -------------------------------------------------------------------------------

UsbTransfer::UsbTransfer(UsbDevice& device, std::size_t bytes, Done done)
    : owner_(device), raw_(libusb_alloc_transfer(0)), buffer_(bytes), done_(std::move(done)) {
    if (raw_ == nullptr) throw std::bad_alloc();
}

UsbTransfer::~UsbTransfer() {
    assert(!in_flight());
    libusb_free_transfer(raw_);
}

// --- UsbLoop -----------------------------------------------------------------------------------

struct UsbLoop::Watch {
    Watch(const boost::asio::any_io_executor& loop, int fd, short wanted)
        : descriptor(loop, fd), events(wanted) {}
    boost::asio::posix::stream_descriptor descriptor;
    short events;
    bool alive = true;
    bool is_file = false;
};

UsbLoop::UsbLoop(boost::asio::any_io_executor loop) : loop_(std::move(loop)), poll_timer_(loop_) {}

Result<std::shared_ptr<UsbLoop>> UsbLoop::create(boost::asio::any_io_executor loop) {
    std::shared_ptr<UsbLoop> usb(new UsbLoop(std::move(loop)));
    if (auto begun = usb->begin(); !begun) return begun.error();
    return usb;
}

Result<void> UsbLoop::begin() {
    if (const int code = libusb_init(&context_); code != LIBUSB_SUCCESS) {
        context_ = nullptr;
        return usb_error(code, "USB cannot be used on this machine");
    }
    if (libusb_pollfds_handle_timeouts(context_) == 0) {
        return Error(std::errc::not_supported,
                     "this libusb cannot keep its own time-outs (built without timerfd)");
    }
    const auto** fds = libusb_get_pollfds(context_);
    if (fds == nullptr) {
        return Error(std::errc::not_supported, "this libusb has no file descriptors to wait for");
    }
    for (const auto** fd = fds; *fd != nullptr; ++fd)
        add_fd((*fd)->fd, (*fd)->events);
    libusb_free_pollfds(fds);
    libusb_set_pollfd_notifiers(
        context_,
        [](int fd, short events, void* self) { static_cast<UsbLoop*>(self)->add_fd(fd, events); },
        [](int fd, void* self) { static_cast<UsbLoop*>(self)->remove_fd(fd); }, this);
    const int code = libusb_hotplug_register_callback(
        context_, LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT, 0,
        LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY, LIBUSB_HOTPLUG_MATCH_ANY,
        [](libusb_context*, libusb_device* device, libusb_hotplug_event event, void* self) {
            static_cast<UsbLoop*>(self)->hotplug_.push_back(
                {event == LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED, libusb_ref_device(device)});
            return 0;
        },
        this, &hotplug_handle_);
    if (code != LIBUSB_SUCCESS) return usb_error(code, "USB devices that arrive cannot be seen");
    hotplug_registered_ = true;
    return {};
}

UsbLoop::~UsbLoop() {
    shutdown(std::chrono::milliseconds(0));
    if (context_ != nullptr) libusb_exit(context_);
}

void UsbLoop::shutdown(std::chrono::milliseconds patience) {
    if (shut_down_ || context_ == nullptr) return;
    shut_down_ = true;
    if (hotplug_registered_) libusb_hotplug_deregister_callback(context_, hotplug_handle_);
    for (UsbDevice* device : devices_)
        device->cancel_all();
    const auto end = std::chrono::steady_clock::now() + patience;
    do {
        settle_finished();
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            end - std::chrono::steady_clock::now());
        if (in_flight_ == 0 || left.count() <= 0) break;
        handle_events(std::min(left, std::chrono::milliseconds(100)));
    } while (true);
    settle_hotplug();
    libusb_set_pollfd_notifiers(context_, nullptr, nullptr, nullptr);
    while (!watches_.empty())
        remove_fd(watches_.begin()->first);
    poll_timer_.cancel();
}

void UsbLoop::add_fd(int fd, short events) {
    auto watch = std::make_shared<Watch>(loop_, fd, events);
    watches_[fd] = watch;
    arm(watch);
}

void UsbLoop::remove_fd(int fd) {
    const auto found = watches_.find(fd);
    if (found == watches_.end()) return;
    found->second->alive = false;
    found->second->descriptor.release();  // the descriptor is libusb's
    watches_.erase(found);
}

void UsbLoop::arm(const std::shared_ptr<Watch>& watch) {
    using Descriptor = boost::asio::posix::stream_descriptor;
    // usbfs is polled for output even where input is awaited.
    const auto wait =
        (watch->events & POLLOUT) != 0 ? Descriptor::wait_write : Descriptor::wait_read;
    watch->descriptor.async_wait(
        wait, [weak = weak_from_this(), watch](const boost::system::error_code& error) {
            const auto self = weak.lock();
            if (!self || !watch->alive) return;
            if (error == boost::asio::error::operation_not_supported) {
                watch->is_file = true;
                self->poll_soon();
                return;
            }
            self->pump();
            if (watch->alive) self->arm(watch);
        });
}

void UsbLoop::poll_soon() {
    if (std::exchange(poll_armed_, true)) return;
    poll_timer_.expires_after(file_poll_period);
    poll_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
        const auto self = weak.lock();
        if (!self || error || self->shut_down_) return;
        self->poll_armed_ = false;
        self->pump();
        const bool any = std::any_of(self->watches_.begin(), self->watches_.end(),
                                     [](const auto& entry) { return entry.second->is_file; });
        if (any) self->poll_soon();
    });
}

void UsbLoop::pump() {
    const auto keep = shared_from_this();
    handle_events(std::chrono::milliseconds(0));
    settle_finished();
    settle_hotplug();
}

void UsbLoop::handle_events(std::chrono::milliseconds wait) {
    timeval time = to_timeval(wait);
    (void)libusb_handle_events_timeout_completed(context_, &time, nullptr);
}

void UsbLoop::settle_finished() {
    if (std::exchange(settling_, true)) return;
    for (std::size_t next = 0; next < finished_.size(); ++next) {
        UsbTransfer& transfer = *finished_[next];
        --in_flight_;
        const auto device = std::exchange(transfer.device_, nullptr);
        transfer.done_(transfer);
        if (transfer.once_) device->discard(transfer);
    }
    finished_.clear();
    settling_ = false;
}

void UsbLoop::settle_hotplug() {
    if (hotplug_.empty()) return;
    const auto events = std::exchange(hotplug_, {});
    for (const Hotplug& event : events) {
        if (event.arrived) {
            for (auto i = arrival_watchers_.begin(); i != arrival_watchers_.end();) {
                const auto watcher = i->lock();
                i = watcher ? std::next(i) : arrival_watchers_.erase(i);
                if (watcher && !shut_down_) (*watcher)();
            }
        } else {
            std::vector<std::shared_ptr<UsbDevice>> gone;
            for (UsbDevice* device : devices_) {
                if (device->device_ == event.device) gone.push_back(device->shared_from_this());
            }
            for (const auto& device : gone) {
                device->cancel_all();
                if (const auto tell = std::exchange(device->gone_, nullptr)) tell();
            }
        }
        libusb_unref_device(event.device);
    }
}

UsbLoop::Token UsbLoop::watch_arrivals(std::function<void()> arrived) {
    auto watcher = std::make_shared<std::function<void()>>(std::move(arrived));
    arrival_watchers_.push_back(watcher);
    return watcher;
}

// --- UsbDevice ---------------------------------------------------------------------------------

UsbDevice::UsbDevice(std::shared_ptr<UsbLoop> loop, libusb_device* device,
                     libusb_device_handle* handle)
    : loop_(std::move(loop)), device_(device), handle_(handle) {
    loop_->devices_.push_back(this);
}

Result<std::shared_ptr<UsbDevice>> UsbDevice::open(std::shared_ptr<UsbLoop> loop,
                                                   libusb_device* device) {
    libusb_device_handle* handle = nullptr;
    if (const int code = libusb_open(device, &handle); code != LIBUSB_SUCCESS) {
        return usb_error(code, "the device cannot be opened");
    }
    return std::shared_ptr<UsbDevice>(new UsbDevice(std::move(loop), device, handle));
}

UsbDevice::~UsbDevice() {
    std::erase(loop_->devices_, this);
    transfers_.clear();
    if (claimed_) libusb_release_interface(handle_, board_interface);
    libusb_close(handle_);
}

std::string UsbDevice::place() const {
    return fmt::format("bus {}, address {}", libusb_get_bus_number(device_),
                       libusb_get_device_address(device_));
}

Result<void> UsbDevice::claim_interface() {
    (void)libusb_set_auto_detach_kernel_driver(handle_, 1);  // there is none for a vendor class
    const int code = libusb_claim_interface(handle_, board_interface);
    if (code == LIBUSB_ERROR_BUSY) {
        return Error(std::errc::device_or_resource_busy,
                     fmt::format("the board at {} is in use by another program", place()));
    }
    if (code != LIBUSB_SUCCESS) return usb_error(code, "the board cannot be claimed");
    claimed_ = true;
    return {};
}

UsbTransfer& UsbDevice::make_transfer(std::size_t bytes, UsbTransfer::Done done) {
    transfers_.push_back(std::make_unique<UsbTransfer>(*this, bytes, std::move(done)));
    return *transfers_.back();
}

UsbTransfer& UsbDevice::make_single_transfer(std::size_t bytes, UsbTransfer::Done done) {
    UsbTransfer& transfer = make_transfer(bytes, std::move(done));
    transfer.once_ = true;
    return transfer;
}

Result<void> UsbDevice::submit(UsbTransfer& transfer) {
    assert(!transfer.in_flight() && &transfer.owner_ == this);
    transfer.raw_->dev_handle = handle_;
    transfer.raw_->user_data = &transfer;
    transfer.raw_->callback = [](libusb_transfer* raw) {
        auto* finished = static_cast<UsbTransfer*>(raw->user_data);
        finished->owner_.loop_->note_finished(*finished);
    };
    const int code =
        loop_->shut_down_ ? LIBUSB_ERROR_INTERRUPTED : libusb_submit_transfer(transfer.raw_);
    if (code != LIBUSB_SUCCESS) {
        if (transfer.once_) discard(transfer);
        return usb_error(code, "a transfer cannot be started");
    }
    transfer.device_ = shared_from_this();
    ++loop_->in_flight_;
    return {};
}

void UsbDevice::cancel_all() {
    for (const auto& transfer : transfers_) {
        if (transfer->in_flight()) (void)libusb_cancel_transfer(transfer->raw_);
    }
}

void UsbDevice::discard(UsbTransfer& transfer) {
    std::erase_if(transfers_, [&](const auto& t) { return t.get() == &transfer; });
}

}  // namespace touchmove::link
