// usb_loop.hpp - libusb as a guest of the Asio loop; internal to the libusb transport
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/base/result.hpp"

struct libusb_context;
struct libusb_device;
struct libusb_device_handle;
struct libusb_transfer;

namespace touchmove::link {

class UsbDevice;

/// What became of a libusb call that returned `code`, in words.
[[nodiscard]] Error usb_error(int code, const std::string& what);

/// One transfer of an open device, reusable. While it is in flight it keeps its device open.
class UsbTransfer {
  public:
    using Done = std::function<void(UsbTransfer&)>;

    UsbTransfer(UsbDevice& device, std::size_t bytes, Done done);
    ~UsbTransfer();
    UsbTransfer(const UsbTransfer&) = delete;
    UsbTransfer& operator=(const UsbTransfer&) = delete;

    [[nodiscard]] libusb_transfer& raw() noexcept { return *raw_; }
    [[nodiscard]] std::vector<std::uint8_t>& buffer() noexcept { return buffer_; }
    [[nodiscard]] bool in_flight() const noexcept { return device_ != nullptr; }

  private:
    friend class UsbDevice;
    friend class UsbLoop;
    UsbDevice& owner_;
    libusb_transfer* raw_;
    std::vector<std::uint8_t> buffer_;
    Done done_;
    bool once_ = false;
    std::shared_ptr<UsbDevice> device_;  // set while in flight
};

/// A libusb context whose file descriptors the Asio loop waits for. libusb's callbacks only note
/// what happened; everything else runs after libusb has returned, so that it may call libusb.
class UsbLoop : public std::enable_shared_from_this<UsbLoop> {
  public:
    [[nodiscard]] static Result<std::shared_ptr<UsbLoop>> create(boost::asio::any_io_executor loop);
    ~UsbLoop();
    UsbLoop(const UsbLoop&) = delete;
    UsbLoop& operator=(const UsbLoop&) = delete;

    [[nodiscard]] libusb_context* context() const noexcept { return context_; }
    [[nodiscard]] const boost::asio::any_io_executor& executor() const noexcept { return loop_; }

    /// `arrived` is called when any device was plugged in; ends when the token is destroyed.
    using Token = std::shared_ptr<void>;
    [[nodiscard]] Token watch_arrivals(std::function<void()> arrived);

    /// Cancels every transfer, waits for them (at most `patience`) and leaves the loop. What a
    /// hung kernel driver still holds then is left to it: freeing it would be worse.
    void shutdown(std::chrono::milliseconds patience);

  private:
    friend class UsbDevice;
    friend class UsbTransfer;
    struct Watch;
    struct Hotplug {
        bool arrived;
        libusb_device* device;  // referenced
    };

    explicit UsbLoop(boost::asio::any_io_executor loop);
    [[nodiscard]] Result<void> begin();
    void add_fd(int fd, short events);
    void remove_fd(int fd);
    void arm(const std::shared_ptr<Watch>& watch);
    void poll_soon();
    void pump();
    void handle_events(std::chrono::milliseconds wait);
    void settle_finished();
    void settle_hotplug();
    void note_finished(UsbTransfer& transfer) { finished_.push_back(&transfer); }

    boost::asio::any_io_executor loop_;
    libusb_context* context_ = nullptr;
    int hotplug_handle_ = 0;
    bool hotplug_registered_ = false;
    bool shut_down_ = false;
    bool settling_ = false;
    std::map<int, std::shared_ptr<Watch>> watches_;
    boost::asio::steady_timer poll_timer_;
    bool poll_armed_ = false;
    std::vector<UsbTransfer*> finished_;
    std::vector<Hotplug> hotplug_;
    std::vector<UsbDevice*> devices_;
    std::list<std::weak_ptr<std::function<void()>>> arrival_watchers_;
    std::size_t in_flight_ = 0;
};

/// An open device. Closed when the last owner and the last transfer are gone.
class UsbDevice : public std::enable_shared_from_this<UsbDevice> {
  public:
    [[nodiscard]] static Result<std::shared_ptr<UsbDevice>> open(std::shared_ptr<UsbLoop> loop,
                                                                 libusb_device* device);
    ~UsbDevice();
    UsbDevice(const UsbDevice&) = delete;
    UsbDevice& operator=(const UsbDevice&) = delete;

    [[nodiscard]] UsbLoop& loop() noexcept { return *loop_; }
    [[nodiscard]] libusb_device_handle* handle() const noexcept { return handle_; }
    /// "bus 1, address 5", for messages.
    [[nodiscard]] std::string place() const;
    [[nodiscard]] Result<void> claim_interface();

    /// A transfer that lives as long as the device.
    [[nodiscard]] UsbTransfer& make_transfer(std::size_t bytes, UsbTransfer::Done done);
    /// A transfer for one use.
    [[nodiscard]] UsbTransfer& make_single_transfer(std::size_t bytes, UsbTransfer::Done done);
    /// Submits a filled transfer. After a failure a single one is gone.
    [[nodiscard]] Result<void> submit(UsbTransfer& transfer);
    void cancel_all();

    /// Called once when the system reports the device as unplugged.
    void on_gone(std::function<void()> gone) { gone_ = std::move(gone); }

  private:
    friend class UsbLoop;
    UsbDevice(std::shared_ptr<UsbLoop> loop, libusb_device* device, libusb_device_handle* handle);
    void discard(UsbTransfer& transfer);

    std::shared_ptr<UsbLoop> loop_;
    libusb_device* device_;
    libusb_device_handle* handle_;
    bool claimed_ = false;
    std::vector<std::unique_ptr<UsbTransfer>> transfers_;
    std::function<void()> gone_;
};

}  // namespace touchmove::link
