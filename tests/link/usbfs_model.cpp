// usbfs_model.cpp - a board on an emulated USB: sysfs by umockdev, usbfs by ioctl handlers
// SPDX-License-Identifier: Apache-2.0
#include "usbfs_model.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/usbdevice_fs.h>
#include <sys/ioctl.h>

#include <umockdev.h>
#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace {

bool access_denied = false;

bool is_refused(const char* path) {
    if (!access_denied || !std::string_view(path).starts_with("/dev/bus/usb/")) return false;
    errno = EACCES;
    return true;
}

}  // namespace

// These come before umockdev's and libc's own, so that a test can refuse the device even to root.
// libusb calls the one or the other, by how it was compiled.
extern "C" int open(const char* path, int flags, ...) {
    if (is_refused(path)) return -1;
    mode_t mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list args;
        va_start(args, flags);
        mode = va_arg(args, mode_t);
        va_end(args);
    }
    using Open = int (*)(const char*, int, ...);
    static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "open"));
    return next(path, flags, mode);
}

extern "C" int __open_2(const char* path, int flags) {
    if (is_refused(path)) return -1;
    using Open = int (*)(const char*, int);
    static const auto next = reinterpret_cast<Open>(dlsym(RTLD_NEXT, "__open_2"));
    return next(path, flags);
}

namespace touchmove::link::test {
namespace {

constexpr const char* node = "/dev/bus/usb/001/001";
constexpr const char* sys_path = "/sys/devices/usb1";

constexpr const char* description =
    "P: /devices/usb1\n"
    "N: bus/usb/001/001\n"
    "E: SUBSYSTEM=usb\n"
    "E: DRIVER=usb\n"
    "E: BUSNUM=001\n"
    "E: DEVNUM=001\n"
    "E: DEVNAME=/dev/bus/usb/001/001\n"
    "E: DEVTYPE=usb_device\n"
    "A: bConfigurationValue=1\\n\n"
    "A: busnum=1\\n\n"
    "A: devnum=1\\n\n"
    "A: speed=12\\n\n"
    "H: descriptors="
    "12010002FF000040091201000001010203010902200001010080320904000002FF000000"
    "0705810240000007050102400000\n";

gboolean on_ioctl(UMockdevIoctlBase*, UMockdevIoctlClient* client, gpointer self) {
    auto& model = *static_cast<UsbfsModel*>(self);
    // The device's memory and the program's are one: the handler works on the caller's own data.
    void* arg = nullptr;
    std::memcpy(&arg, umockdev_ioctl_client_get_arg(client)->data, sizeof arg);
    const auto answer = model.ioctl(umockdev_ioctl_client_get_request(client), arg);
    umockdev_ioctl_client_complete(client, answer.result, answer.error);
    return TRUE;
}

}  // namespace

struct UsbfsModel::Glib {
    UMockdevTestbed* testbed = umockdev_testbed_new();
    UMockdevIoctlBase* handler = umockdev_ioctl_base_new();
    Glib() = default;
    ~Glib() {
        g_object_unref(handler);
        g_object_unref(testbed);
    }
    Glib(const Glib&) = delete;
    Glib& operator=(const Glib&) = delete;
};

UsbfsModel::UsbfsModel(ModelDevice& device) : device_(device), glib_(std::make_unique<Glib>()) {
    // Its first answer is remembered, and without a testbed it would be no.
    if (!umockdev_in_mock_environment()) throw std::runtime_error("umockdev is not preloaded");
    g_signal_connect(glib_->handler, "handle-ioctl", G_CALLBACK(on_ioctl), this);
}

UsbfsModel::~UsbfsModel() {
    set_access(true);
}

void UsbfsModel::set_access(bool allowed) {
    access_denied = !allowed;
}

void UsbfsModel::plug_in() {
    gone_ = false;
    halted_ = false;
    device_.replug();
    // Before the uevent, so that a host may open it at once.
    umockdev_testbed_attach_ioctl(glib_->testbed, node, glib_->handler, nullptr);
    if (!umockdev_testbed_add_from_string(glib_->testbed, description, nullptr)) {
        throw std::runtime_error("umockdev refused the description of the device");
    }
}

void UsbfsModel::pull(bool with_uevent) {
    lose_all();
    if (!with_uevent) return;
    umockdev_testbed_uevent(glib_->testbed, sys_path, "remove");
    umockdev_testbed_detach_ioctl(glib_->testbed, node, nullptr);
    umockdev_testbed_remove_device(glib_->testbed, sys_path);
}

void UsbfsModel::lose_all() {
    gone_ = true;
    while (!reads_.empty()) {
        finish(*reads_.front(), -ESHUTDOWN);
        reads_.pop_front();
    }
    while (!held_.empty()) {
        finish(*held_.front(), -ESHUTDOWN);
        held_.pop_front();
    }
}

void UsbfsModel::finish(usbdevfs_urb& urb, int status) {
    urb.status = status;
    done_.push_back(&urb);
}

UsbfsModel::Answer UsbfsModel::ioctl(unsigned long request, void* arg) {
    ++ioctls;
    if (gone_after && (*gone_after)-- == 0) {
        gone_after.reset();
        lose_all();
    }
    if (request == USBDEVFS_REAPURBNDELAY) return reap(arg);
    if (gone_) return {-1, ENODEV};
    switch (request) {
        case USBDEVFS_GET_CAPABILITIES: {
            const std::uint32_t caps = USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_NO_PACKET_SIZE_LIM |
                                       USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
            std::memcpy(arg, &caps, sizeof caps);
            return {0, 0};
        }
        case USBDEVFS_CLAIMINTERFACE:
        case USBDEVFS_DISCONNECT_CLAIM:
            if (claim_errno != 0) return {-1, claim_errno};
            ++claimed;
            return {0, 0};
        case USBDEVFS_RELEASEINTERFACE:
            ++released;
            return {0, 0};
        case USBDEVFS_CLEAR_HALT:
            ++halts_cleared;
            halted_ = false;
            return {0, 0};
        case USBDEVFS_SUBMITURB:
            return submit(*static_cast<usbdevfs_urb*>(arg));
        case USBDEVFS_DISCARDURB:
            return discard(arg);
        default:
            return {-1, ENOTTY};
    }
}

UsbfsModel::Answer UsbfsModel::submit(usbdevfs_urb& urb) {
    urb.actual_length = 0;
    urb.status = 0;
    if (urb.type == USBDEVFS_URB_TYPE_CONTROL) {
        control(urb);
    } else if ((urb.endpoint & 0x80) != 0) {
        reads_.push_back(&urb);
        most_reads = std::max(most_reads, reads_.size());
    } else {
        const auto* data = static_cast<const std::uint8_t*>(urb.buffer);
        device_.take_out({data, static_cast<std::size_t>(urb.buffer_length)});
        urb.actual_length = urb.buffer_length;
        finish(urb, 0);
    }
    return {0, 0};
}

void UsbfsModel::control(usbdevfs_urb& urb) {
    constexpr std::size_t setup_bytes = 8;
    auto* bytes = static_cast<std::uint8_t*>(urb.buffer);
    const bool is_vendor = (bytes[0] & 0x60) == 0x40;
    if (hung || (is_vendor && hold_controls)) {
        held_.push_back(&urb);
        return;
    }
    const auto room = static_cast<std::size_t>(urb.buffer_length) - setup_bytes;
    const unsigned value = bytes[2] | bytes[3] << 8;
    std::optional<std::vector<std::uint8_t>> answer;
    if (is_vendor && (bytes[0] & 0x80) != 0) {
        if (auto given = device_.control_in(bytes[1])) answer = *given;
    } else if (is_vendor) {
        if (device_.control_out(bytes[1], {bytes + setup_bytes, room})) {
            urb.actual_length = static_cast<int>(room);
            return finish(urb, 0);
        }
    } else if (bytes[1] == 0) {
        ++status_asked;
        answer = {1, 0};
    } else if (bytes[1] == 6 && value == 0x0100) {
        answer = {18, 1, 0, 2, 0xFF, 0, 0, 64, 0x09, 0x12, 1, 0, 0, 1, 1, 2, 3, 1};
        if (!has_serial) (*answer)[16] = 0;
    } else if (bytes[1] == 6 && value == 0x0300) {
        answer = {4, 3, 9, 4};
    } else if (bytes[1] == 6 && value == 0x0303) {
        answer = {10, 3, 'T', 0, 'M', 0, '-', 0, '7', 0};
    }
    if (!answer) return finish(urb, -EPIPE);
    const std::size_t count = std::min(room, answer->size());
    std::copy_n(answer->begin(), count, bytes + setup_bytes);
    urb.actual_length = static_cast<int>(count);
    finish(urb, 0);
}

bool UsbfsModel::fill(usbdevfs_urb& urb) {
    if (unread_.empty()) {
        if (device_.has_unsent()) {
            owes_watermark_ = true;
        } else if (!std::exchange(owes_watermark_, false)) {
            return false;
        }
        unread_ = device_.next_packet();
    }
    const std::size_t count =
        std::min({unread_.size(), packet_piece, static_cast<std::size_t>(urb.buffer_length)});
    std::copy_n(unread_.begin(), count, static_cast<std::uint8_t*>(urb.buffer));
    unread_.erase(unread_.begin(), unread_.begin() + static_cast<std::ptrdiff_t>(count));
    urb.actual_length = static_cast<int>(count);
    return true;
}

void UsbfsModel::feed_reads() {
    while (!reads_.empty() && !hold_reads && !hung && !halted_) {
        usbdevfs_urb& urb = *reads_.front();
        if (stall_reads > 0) {
            --stall_reads;
            halted_ = true;
            finish(urb, -EPIPE);
        } else if (read_error != 0) {
            finish(urb, read_error);
        } else if (fill(urb)) {
            finish(urb, 0);
        } else {
            return;
        }
        reads_.pop_front();
    }
}

UsbfsModel::Answer UsbfsModel::reap(void* arg) {
    if (done_.empty() && !gone_) feed_reads();
    if (done_.empty()) return {-1, gone_ ? ENODEV : EAGAIN};
    usbdevfs_urb* urb = done_.front();
    done_.pop_front();
    std::memcpy(arg, &urb, sizeof urb);
    return {0, 0};
}

UsbfsModel::Answer UsbfsModel::discard(const void* wanted) {
    if (hung) return {0, 0};  // it will be taken back, some day
    for (auto* queue : {&reads_, &held_}) {
        const auto found = std::find(queue->begin(), queue->end(), wanted);
        if (found == queue->end()) continue;
        usbdevfs_urb& urb = **found;
        queue->erase(found);
        ++discarded;
        if (queue == &reads_ && data_with_cancel) (void)fill(urb);
        finish(urb, -ENOENT);
        return {0, 0};
    }
    return {-1, EINVAL};
}

}  // namespace touchmove::link::test
