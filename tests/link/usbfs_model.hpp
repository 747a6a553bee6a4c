// usbfs_model.hpp - a board on an emulated USB: sysfs by umockdev, usbfs by ioctl handlers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model_device.hpp"

struct usbdevfs_urb;

namespace touchmove::link::test {

/// The real libusb sees a ModelDevice as /dev/bus/usb/001/001. Handlers run while the test's thread
/// waits in ioctl(), so that nothing here is shared between threads at the same moment.
class UsbfsModel {
  public:
    explicit UsbfsModel(ModelDevice& device);
    ~UsbfsModel();
    UsbfsModel(const UsbfsModel&) = delete;
    UsbfsModel& operator=(const UsbfsModel&) = delete;

    /// The device appears, with its uevent.
    void plug_in();
    /// It goes; with its uevent, or noticed only by transfers that fail.
    void pull(bool with_uevent);
    /// Takes away, or gives, the right to open the device, even from root.
    void set_access(bool allowed);

    // Misbehaviour.
    unsigned stall_reads = 0;       ///< so many reads end with STALL
    bool data_with_cancel = false;  ///< a cancelled read has data with it
    std::size_t packet_piece = 64;  ///< bytes a read gets at most
    bool hold_controls = false;     ///< vendor requests are not answered
    bool hold_reads = false;
    bool hung = false;  ///< nothing is answered, not even the taking back
    int claim_errno = 0;
    int read_error = 0;                  ///< status of each read, if not 0
    std::optional<unsigned> gone_after;  ///< so many more ioctls, then it is pulled
    bool has_serial = true;

    // What it saw.
    unsigned ioctls = 0;
    unsigned halts_cleared = 0;
    unsigned claimed = 0;
    unsigned released = 0;
    unsigned discarded = 0;
    unsigned status_asked = 0;
    std::size_t most_reads = 0;
    [[nodiscard]] std::size_t pending() const { return reads_.size() + held_.size(); }
    /// The device says something though nothing happened, as a board does each 10 ms.
    void owe_watermark() { owes_watermark_ = true; }

    /// One ioctl: its result, and errno if that is -1.
    struct Answer {
        int result;
        int error;
    };
    [[nodiscard]] Answer ioctl(unsigned long request, void* arg);

  private:
    struct Glib;

    Answer submit(usbdevfs_urb& urb);
    Answer reap(void* arg);
    Answer discard(const void* urb);
    void control(usbdevfs_urb& urb);
    void feed_reads();
    bool fill(usbdevfs_urb& urb);
    void finish(usbdevfs_urb& urb, int status);
    void lose_all();

    ModelDevice& device_;
    std::unique_ptr<Glib> glib_;
    bool gone_ = true;
    bool halted_ = false;  // until CLEAR_HALT
    bool owes_watermark_ = false;
    std::vector<std::uint8_t> unread_;
    std::deque<usbdevfs_urb*> reads_;
    std::deque<usbdevfs_urb*> held_;
    std::deque<usbdevfs_urb*> done_;
};

}  // namespace touchmove::link::test
