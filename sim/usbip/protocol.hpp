// protocol.hpp - the frames of USB/IP 1.1.1, parsed and built without a socket
// SPDX-License-Identifier: Apache-2.0
// Layout: Documentation/usb/usbip_protocol.rst of Linux. All fields big endian, except the SETUP
// packet, which is raw USB.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "host/base/result.hpp"

namespace touchmove::usbip {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint16_t default_port = 3240;
constexpr std::uint16_t protocol_version = 0x0111;
/// The longest transfer taken; Linux splits at 16 KiB and libusb above that.
constexpr std::uint32_t max_transfer_bytes = 1U << 20;

/// Status of an operation (usbip_common.h).
enum class OpStatus : std::uint32_t {
    ok = 0,
    not_available = 1,
    busy = 2,
    error = 3,
    no_device = 4
};

// What a client sends.
struct DeviceListRequest {};
struct ImportRequest {
    std::string bus_id;
};
struct Submit {
    std::uint32_t seqnum = 0;
    std::uint8_t endpoint = 0;  ///< without the direction bit
    bool in = false;
    std::uint32_t length = 0;   ///< of the buffer: bytes to send, or room for an answer
    std::array<std::uint8_t, 8> setup{};
    Bytes data;                 ///< OUT only, `length` bytes
};
struct Unlink {
    std::uint32_t seqnum = 0;
    std::uint32_t victim = 0;  ///< seqnum of the Submit to take back
};
using Frame = std::variant<DeviceListRequest, ImportRequest, Submit, Unlink>;

/// Cuts a byte stream into frames. Knows nothing of sockets; any split of the stream gives the
/// same frames. After an error the stream cannot be understood any more.
class Parser {
  public:
    void feed(std::span<const std::uint8_t> bytes);
    /// The next whole frame; none: feed more. Errors say in one sentence what is wrong.
    [[nodiscard]] Result<std::optional<Frame>> next();
    /// An import succeeded: what follows are URBs for device `devid`.
    void expect_urbs(std::uint32_t devid);

  private:
    [[nodiscard]] Result<std::optional<Frame>> next_operation();
    [[nodiscard]] Result<std::optional<Frame>> next_urb();
    [[nodiscard]] std::uint16_t get16(std::size_t at) const;
    [[nodiscard]] std::uint32_t get32(std::size_t at) const;
    [[nodiscard]] std::size_t available() const noexcept { return buffer_.size() - start_; }
    void consume(std::size_t bytes);

    Bytes buffer_;
    std::size_t start_ = 0;
    std::optional<std::uint32_t> devid_;
};

/// A device as the operations describe it.
struct DeviceRecord {
    std::string path;
    std::string bus_id;
    std::uint32_t bus = 1;
    std::uint32_t device = 2;
    std::uint32_t speed = 2;  ///< full
    std::uint16_t vendor = 0, product = 0, version = 0;
    std::uint8_t device_class = 0, device_subclass = 0, device_protocol = 0;
    std::uint8_t configuration = 1, configurations = 1;
    struct Interface {
        std::uint8_t interface_class = 0, interface_subclass = 0, interface_protocol = 0;
    };
    std::vector<Interface> interfaces;

    [[nodiscard]] std::uint32_t devid() const noexcept { return bus << 16 | device; }
};

// What the server sends.
[[nodiscard]] Bytes device_list_reply(std::span<const DeviceRecord> devices);
[[nodiscard]] Bytes import_reply(const DeviceRecord& device);
[[nodiscard]] Bytes import_refusal(OpStatus status);
/// `data`: what an IN transfer returned. `actual_length`: bytes moved in either direction.
[[nodiscard]] Bytes submit_reply(std::uint32_t seqnum, std::int32_t status,
                                 std::uint32_t actual_length, std::span<const std::uint8_t> data);
[[nodiscard]] Bytes unlink_reply(std::uint32_t seqnum, std::int32_t status);

/// Negative errno values that Linux expects in replies.
constexpr std::int32_t status_stall = -32;         ///< EPIPE
constexpr std::int32_t status_protocol = -71;      ///< EPROTO: the endpoint does not answer
constexpr std::int32_t status_unlinked = -104;     ///< ECONNRESET
constexpr std::int32_t status_timed_out = -110;    ///< ETIMEDOUT

}  // namespace touchmove::usbip
