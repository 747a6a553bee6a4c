// usbip_wire.hpp - the USB/IP protocol as its client writes and reads it (docs of Linux, usbip)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/base/result.hpp"

namespace touchmove::link {

inline constexpr std::size_t usbip_operation_bytes = 8;  ///< header of import and its answer
inline constexpr std::size_t usbip_header_bytes = 48;    ///< header of each URB message
inline constexpr std::size_t usbip_busid_bytes = 32;
inline constexpr std::size_t usbip_device_bytes = 312;
inline constexpr std::size_t usbip_interface_bytes = 4;  ///< each, after a device in a list
inline constexpr std::size_t usbip_list_bytes = usbip_operation_bytes + 4;  ///< header and count

/// Setup stage of a control transfer (USB 2.0, 9.3).
struct UsbSetup {
    std::uint8_t type = 0;
    std::uint8_t request = 0;
    std::uint16_t value = 0;
    std::uint16_t index = 0;
    std::uint16_t length = 0;
};

/// What a server tells of a device that it handed over.
struct UsbipDevice {
    std::uint32_t devid;  ///< as each request names it
    std::uint32_t speed;
    std::uint16_t vendor;
    std::uint16_t product;
};

struct UsbipSubmit {
    std::uint32_t seqnum;
    std::uint32_t devid;
    bool is_in;
    std::uint8_t endpoint;  ///< without the direction bit
    std::uint32_t length;   ///< buffer for IN, data that follows for OUT
    UsbSetup setup = {};    ///< endpoint 0 only
};

// Each appends one message to `out`.
void put_import(std::vector<std::uint8_t>& out, std::string_view busid);
void put_list(std::vector<std::uint8_t>& out);
void put_submit(std::vector<std::uint8_t>& out, const UsbipSubmit& submit,
                std::span<const std::uint8_t> data);
void put_unlink(std::vector<std::uint8_t>& out, std::uint32_t seqnum, std::uint32_t devid,
                std::uint32_t target);

/// How many devices follow the first `usbip_list_bytes` of an answer to put_list().
[[nodiscard]] Result<std::uint32_t> usbip_list_count(std::span<const std::uint8_t> header);
/// One of them: `usbip_device_bytes` long.
struct UsbipListed {
    std::string busid;
    std::size_t interface_bytes;  ///< that follow
};
[[nodiscard]] UsbipListed usbip_listed(std::span<const std::uint8_t> device);

/// Status of a URB (a negative errno on the wire) as an error; zero is success.
[[nodiscard]] Result<void> usbip_outcome(std::int32_t status, std::string_view what);

/// Reads what a server sends, however it is cut: first the answer to an import, then the answers
/// to URBs. Knows no sockets.
class UsbipParser {
  public:
    class Handler {
      public:
        virtual ~Handler() = default;
        virtual void on_import(Result<UsbipDevice> device) = 0;
        /// How many bytes of IN data the request of that number has room for (0 for OUT); none if
        /// no such request is pending.
        [[nodiscard]] virtual std::optional<std::uint32_t> room(std::uint32_t seqnum) const = 0;
        /// `length`: bytes that the device gave or took. `data`: those that it gave.
        virtual void on_submit_reply(std::uint32_t seqnum, std::int32_t status,
                                     std::uint32_t length, std::span<const std::uint8_t> data) = 0;
        virtual void on_unlink_reply(std::uint32_t seqnum, std::int32_t status) = 0;
        /// True once nothing more is to be read.
        [[nodiscard]] virtual bool done() const = 0;
    };

    explicit UsbipParser(Handler& handler) : handler_(handler) {}

    /// Fails on the first byte that cannot be; nothing may be fed after that.
    [[nodiscard]] Result<void> feed(std::span<const std::uint8_t> bytes);

  private:
    enum class Part : std::uint8_t { import_header, import_device, header, data };

    [[nodiscard]] Result<void> take_part();
    [[nodiscard]] Result<void> take_import_header();
    void take_import_device();
    [[nodiscard]] Result<void> take_header();
    void expect(Part part, std::size_t bytes);

    Handler& handler_;
    Part part_ = Part::import_header;
    std::size_t wanted_ = usbip_operation_bytes;
    std::vector<std::uint8_t> have_;
    std::uint32_t seqnum_ = 0;
    std::int32_t status_ = 0;
};

}  // namespace touchmove::link
