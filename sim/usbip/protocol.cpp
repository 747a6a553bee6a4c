// protocol.cpp - the frames of USB/IP 1.1.1, parsed and built without a socket
// SPDX-License-Identifier: Apache-2.0
#include "sim/usbip/protocol.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace touchmove::usbip {
namespace {

constexpr std::uint16_t op_req_devlist = 0x8005, op_rep_devlist = 0x0005;
constexpr std::uint16_t op_req_import = 0x8003, op_rep_import = 0x0003;
constexpr std::uint32_t cmd_submit = 1, cmd_unlink = 2, ret_submit = 3, ret_unlink = 4;

constexpr std::size_t op_header_bytes = 8;
constexpr std::size_t urb_header_bytes = 48;
constexpr std::size_t path_bytes = 256;
constexpr std::size_t bus_id_bytes = 32;
constexpr std::uint32_t not_isochronous = 0xFFFFFFFF;  // 6.1 sends 0, the documentation says this

Error malformed(std::string what) { return {std::errc::protocol_error, std::move(what)}; }

class Writer {
  public:
    Writer& u8(std::uint8_t v) {
        bytes_.push_back(v);
        return *this;
    }
    Writer& u16(std::uint16_t v) {
        return u8(static_cast<std::uint8_t>(v >> 8)).u8(static_cast<std::uint8_t>(v));
    }
    Writer& u32(std::uint32_t v) {
        return u16(static_cast<std::uint16_t>(v >> 16)).u16(static_cast<std::uint16_t>(v));
    }
    Writer& zeros(std::size_t n) {
        bytes_.resize(bytes_.size() + n);
        return *this;
    }
    /// Zero padded, always with a zero at the end.
    Writer& text(const std::string& s, std::size_t field) {
        const std::size_t used = std::min(s.size(), field - 1);
        bytes_.insert(bytes_.end(), s.begin(), s.begin() + static_cast<std::ptrdiff_t>(used));
        return zeros(field - used);
    }
    Writer& raw(std::span<const std::uint8_t> data) {
        bytes_.insert(bytes_.end(), data.begin(), data.end());
        return *this;
    }
    [[nodiscard]] Bytes take() { return std::move(bytes_); }

  private:
    Bytes bytes_;
};

Writer operation(std::uint16_t code, OpStatus status) {
    Writer w;
    w.u16(protocol_version).u16(code).u32(static_cast<std::uint32_t>(status));
    return w;
}

Writer urb_reply(std::uint32_t command, std::uint32_t seqnum, std::int32_t status) {
    Writer w;
    w.u32(command).u32(seqnum).zeros(12).u32(static_cast<std::uint32_t>(status));
    return w;
}

void put_device(Writer& w, const DeviceRecord& d) {
    w.text(d.path, path_bytes).text(d.bus_id, bus_id_bytes);
    w.u32(d.bus).u32(d.device).u32(d.speed);
    w.u16(d.vendor).u16(d.product).u16(d.version);
    w.u8(d.device_class).u8(d.device_subclass).u8(d.device_protocol);
    w.u8(d.configuration).u8(d.configurations);
    w.u8(static_cast<std::uint8_t>(d.interfaces.size()));
}

}  // namespace

// --- parsing -----------------------------------------------------------------------------------

void Parser::feed(std::span<const std::uint8_t> bytes) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void Parser::consume(std::size_t bytes) {
    start_ += bytes;
    if (start_ == buffer_.size()) {
        buffer_.clear();
        start_ = 0;
    } else if (start_ >= 4096 && start_ >= buffer_.size() / 2) {
        buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(start_));
        start_ = 0;
    }
}

std::uint16_t Parser::get16(std::size_t at) const {
    const std::uint8_t* p = buffer_.data() + start_ + at;
    return static_cast<std::uint16_t>(p[0] << 8 | p[1]);
}

std::uint32_t Parser::get32(std::size_t at) const {
    return std::uint32_t{get16(at)} << 16 | get16(at + 2);
}

void Parser::expect_urbs(std::uint32_t devid) { devid_ = devid; }

Result<std::optional<Frame>> Parser::next() { return devid_ ? next_urb() : next_operation(); }

Result<std::optional<Frame>> Parser::next_operation() {
    if (available() < op_header_bytes) return std::optional<Frame>{};
    const std::uint16_t version = get16(0);
    const std::uint16_t code = get16(2);
    if (version != protocol_version) {
        return malformed(fmt::format("the client speaks USB/IP version {:04x}, not {:04x}", version,
                                     protocol_version));
    }
    if (code == op_req_devlist) {
        consume(op_header_bytes);
        return std::optional<Frame>{DeviceListRequest{}};
    }
    if (code != op_req_import) return malformed(fmt::format("unknown operation {:04x}", code));
    if (available() < op_header_bytes + bus_id_bytes) return std::optional<Frame>{};
    const auto* const from = buffer_.data() + start_ + op_header_bytes;
    const auto* const end = std::find(from, from + bus_id_bytes, 0);
    if (end == from + bus_id_bytes) return malformed("a bus id without its end");
    ImportRequest request{std::string(from, end)};
    consume(op_header_bytes + bus_id_bytes);
    return std::optional<Frame>{std::move(request)};
}

Result<std::optional<Frame>> Parser::next_urb() {
    // The header is judged before its data is waited for: a wild length never fills the memory.
    if (available() < urb_header_bytes) return std::optional<Frame>{};
    const std::uint32_t command = get32(0);
    const std::uint32_t seqnum = get32(4);
    if (command != cmd_submit && command != cmd_unlink) {
        return malformed(fmt::format("unknown command {:08x}", command));
    }
    if (const std::uint32_t devid = get32(8); devid != *devid_) {
        return malformed(fmt::format("a URB for device {:08x} on the connection of {:08x}", devid,
                                     *devid_));
    }
    if (command == cmd_unlink) {
        const Unlink unlink{seqnum, get32(20)};
        consume(urb_header_bytes);
        return std::optional<Frame>{unlink};
    }
    const std::uint32_t direction = get32(12);
    const std::uint32_t endpoint = get32(16);
    const std::uint32_t length = get32(24);
    const std::uint32_t packets = get32(32);
    if (direction > 1) return malformed(fmt::format("direction {} of a URB", direction));
    if (endpoint > 15) return malformed(fmt::format("endpoint {} of a URB", endpoint));
    if (length > max_transfer_bytes) return malformed(fmt::format("a URB of {} bytes", length));
    if (packets != 0 && packets != not_isochronous) {
        return malformed("an isochronous URB: the board has no such endpoint");
    }
    const std::size_t data_bytes = direction == 0 ? length : 0;
    if (available() < urb_header_bytes + data_bytes) return std::optional<Frame>{};
    Submit submit;
    submit.seqnum = seqnum;
    submit.endpoint = static_cast<std::uint8_t>(endpoint);
    submit.in = direction == 1;
    submit.length = length;
    const std::uint8_t* const frame = buffer_.data() + start_;
    std::copy_n(frame + 40, submit.setup.size(), submit.setup.begin());
    submit.data.assign(frame + urb_header_bytes, frame + urb_header_bytes + data_bytes);
    consume(urb_header_bytes + data_bytes);
    return std::optional<Frame>{std::move(submit)};
}

// --- building ----------------------------------------------------------------------------------

Bytes device_list_reply(std::span<const DeviceRecord> devices) {
    Writer w = operation(op_rep_devlist, OpStatus::ok);
    w.u32(static_cast<std::uint32_t>(devices.size()));
    for (const DeviceRecord& device : devices) {
        put_device(w, device);
        for (const auto& i : device.interfaces) {
            w.u8(i.interface_class).u8(i.interface_subclass).u8(i.interface_protocol).u8(0);
        }
    }
    return w.take();
}

Bytes import_reply(const DeviceRecord& device) {
    Writer w = operation(op_rep_import, OpStatus::ok);
    put_device(w, device);
    return w.take();
}

Bytes import_refusal(OpStatus status) { return operation(op_rep_import, status).take(); }

Bytes submit_reply(std::uint32_t seqnum, std::int32_t status, std::uint32_t actual_length,
                   std::span<const std::uint8_t> data) {
    Writer w = urb_reply(ret_submit, seqnum, status);
    // start_frame, number_of_packets (0: what the kernel sends, and wireshark decodes), error_count
    w.u32(actual_length).zeros(12 + 8).raw(data);
    return w.take();
}

Bytes unlink_reply(std::uint32_t seqnum, std::int32_t status) {
    return urb_reply(ret_unlink, seqnum, status).zeros(24).take();
}

}  // namespace touchmove::usbip
