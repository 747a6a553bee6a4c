// usbip_wire.cpp - the USB/IP protocol as its client writes and reads it
// SPDX-License-Identifier: Apache-2.0
#include "host/link/usbip_wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <utility>

namespace touchmove::link {
namespace {

constexpr std::uint16_t version = 0x0111;
constexpr std::uint16_t op_req_list = 0x8005;
constexpr std::uint16_t op_rep_list = 0x0005;
constexpr std::uint16_t op_req_import = 0x8003;
constexpr std::uint16_t op_rep_import = 0x0003;
constexpr std::uint32_t cmd_submit = 1;
constexpr std::uint32_t cmd_unlink = 2;
constexpr std::uint32_t ret_submit = 3;
constexpr std::uint32_t ret_unlink = 4;
constexpr std::uint32_t direction_in = 1;
constexpr std::uint32_t flag_dir_in = 0x200;

// Offsets within the record of a device.
constexpr std::size_t busid_at = 256;
constexpr std::size_t busnum_at = 288;
constexpr std::size_t devnum_at = 292;
constexpr std::size_t speed_at = 296;
constexpr std::size_t vendor_at = 300;
constexpr std::size_t product_at = 302;
constexpr std::size_t interface_count_at = 311;

// USB/IP is big endian, apart from the setup stage, which is USB's own.
std::uint16_t get_u16(std::span<const std::uint8_t> b, std::size_t at) {
    return static_cast<std::uint16_t>((b[at] << 8) | b[at + 1]);
}

std::uint32_t get_u32(std::span<const std::uint8_t> b, std::size_t at) {
    return (std::uint32_t{get_u16(b, at)} << 16) | get_u16(b, at + 2);
}

void put_u8(std::vector<std::uint8_t>& out, unsigned v) {
    out.push_back(static_cast<std::uint8_t>(v & 0xFF));
}

void put_u16(std::vector<std::uint8_t>& out, unsigned v) {
    put_u8(out, v >> 8);
    put_u8(out, v);
}

void put_u16_le(std::vector<std::uint8_t>& out, unsigned v) {
    put_u8(out, v);
    put_u8(out, v >> 8);
}

void put_u32(std::vector<std::uint8_t>& out, std::uint32_t v) {
    put_u16(out, v >> 16);
    put_u16(out, v & 0xFFFF);
}

Error malformed(std::string what) {
    return Error(std::errc::protocol_error, "the USB/IP server " + std::move(what));
}

Error no_usbip(std::uint16_t its_version, std::uint16_t code) {
    return malformed(fmt::format("does not speak USB/IP 1.1.1 (version {:#06x}, code {:#06x})",
                                 its_version, code));
}

std::string_view import_refusal(std::uint32_t status) {
    switch (status) {
        case 1:
        case 4:
            return "has no device with that bus id";
        case 2:
            return "says that the device is in use by another client";
        case 3:
            return "says that the device is in an error state";
        default:
            return "refused to hand the device over";
    }
}

}  // namespace

void put_import(std::vector<std::uint8_t>& out, std::string_view busid) {
    assert(busid.size() < usbip_busid_bytes);
    put_u16(out, version);
    put_u16(out, op_req_import);
    put_u32(out, 0);
    out.insert(out.end(), busid.begin(), busid.end());
    out.insert(out.end(), usbip_busid_bytes - busid.size(), 0);
}

void put_list(std::vector<std::uint8_t>& out) {
    put_u16(out, version);
    put_u16(out, op_req_list);
    put_u32(out, 0);
}

Result<std::uint32_t> usbip_list_count(std::span<const std::uint8_t> header) {
    assert(header.size() == usbip_list_bytes);
    const std::uint16_t its_version = get_u16(header, 0);
    const std::uint16_t code = get_u16(header, 2);
    if (its_version != version || code != op_rep_list) return no_usbip(its_version, code);
    if (get_u32(header, 4) != 0) return malformed("does not tell what it has");
    return get_u32(header, usbip_operation_bytes);
}

UsbipListed usbip_listed(std::span<const std::uint8_t> device) {
    assert(device.size() == usbip_device_bytes);
    const auto busid = device.subspan(busid_at, usbip_busid_bytes);
    return {std::string(busid.begin(), std::find(busid.begin(), busid.end(), 0)),
            device[interface_count_at] * usbip_interface_bytes};
}

void put_submit(std::vector<std::uint8_t>& out, const UsbipSubmit& submit,
                std::span<const std::uint8_t> data) {
    assert(submit.is_in ? data.empty() : data.size() == submit.length);
    put_u32(out, cmd_submit);
    put_u32(out, submit.seqnum);
    put_u32(out, submit.devid);
    put_u32(out, submit.is_in ? direction_in : 0);
    put_u32(out, submit.endpoint);
    put_u32(out, submit.is_in ? flag_dir_in : 0);
    put_u32(out, submit.length);
    put_u32(out, 0);  // start frame
    put_u32(out, 0);  // number of packets: not isochronous
    put_u32(out, 0);  // interval
    put_u8(out, submit.setup.type);
    put_u8(out, submit.setup.request);
    put_u16_le(out, submit.setup.value);
    put_u16_le(out, submit.setup.index);
    put_u16_le(out, submit.setup.length);
    out.insert(out.end(), data.begin(), data.end());
}

void put_unlink(std::vector<std::uint8_t>& out, std::uint32_t seqnum, std::uint32_t devid,
                std::uint32_t target) {
    constexpr std::size_t padding = 24;
    put_u32(out, cmd_unlink);
    put_u32(out, seqnum);
    put_u32(out, devid);
    put_u32(out, 0);
    put_u32(out, 0);
    put_u32(out, target);
    out.insert(out.end(), padding, 0);
}

Result<void> usbip_outcome(std::int32_t status, std::string_view what) {
    if (status == 0) return {};
    const auto because = [&](std::errc code, std::string_view why) {
        return Error(code, fmt::format("{} {}", what, why));
    };
    switch (-std::int64_t{status}) {
        case EPIPE:
            return because(std::errc::broken_pipe, "was refused by the device");
        case ENODEV:
        case ESHUTDOWN:
            return Error(std::errc::no_such_device, "the board was unplugged from the server");
        case ECONNRESET:
        case ENOENT:
            return because(std::errc::operation_canceled, "was cancelled");
        case ETIMEDOUT:
            return because(std::errc::timed_out, "was not answered");
        default:
            return because(std::errc::io_error, fmt::format("failed with status {}", status));
    }
}

Result<void> UsbipParser::feed(std::span<const std::uint8_t> bytes) {
    while (!handler_.done()) {
        const std::size_t take = std::min(bytes.size(), wanted_ - have_.size());
        have_.insert(have_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(take));
        bytes = bytes.subspan(take);
        if (have_.size() < wanted_) return {};
        if (auto taken = take_part(); !taken) return taken;
    }
    return {};
}

void UsbipParser::expect(Part part, std::size_t bytes) {
    part_ = part;
    wanted_ = bytes;
    have_.clear();
}

Result<void> UsbipParser::take_part() {
    switch (part_) {
        case Part::import_header:
            return take_import_header();
        case Part::import_device:
            take_import_device();
            return {};
        case Part::header:
            return take_header();
        case Part::data:
            handler_.on_submit_reply(seqnum_, status_, static_cast<std::uint32_t>(have_.size()),
                                     have_);
            expect(Part::header, usbip_header_bytes);
            return {};
    }
    return {};
}

Result<void> UsbipParser::take_import_header() {
    const std::uint16_t its_version = get_u16(have_, 0);
    const std::uint16_t code = get_u16(have_, 2);
    const std::uint32_t status = get_u32(have_, 4);
    if (its_version != version || code != op_rep_import) {
        return no_usbip(its_version, code);
    }
    if (status != 0) {
        handler_.on_import(Error(std::errc::no_such_device,
                                 fmt::format("the USB/IP server {}", import_refusal(status))));
    }
    expect(Part::import_device, usbip_device_bytes);
    return {};
}

void UsbipParser::take_import_device() {
    const std::span<const std::uint8_t> b(have_);
    const UsbipDevice device{.devid = (get_u32(b, busnum_at) << 16) | get_u32(b, devnum_at),
                             .speed = get_u32(b, speed_at),
                             .vendor = get_u16(b, vendor_at),
                             .product = get_u16(b, product_at)};
    expect(Part::header, usbip_header_bytes);
    handler_.on_import(device);
}

Result<void> UsbipParser::take_header() {
    const std::uint32_t command = get_u32(have_, 0);
    const std::uint32_t seqnum = get_u32(have_, 4);
    const auto status = static_cast<std::int32_t>(get_u32(have_, 20));
    const std::uint32_t length = get_u32(have_, 24);
    if (command == ret_unlink) {
        expect(Part::header, usbip_header_bytes);
        handler_.on_unlink_reply(seqnum, status);
        return {};
    }
    if (command != ret_submit) return malformed(fmt::format("sent command {}", command));
    const auto room = handler_.room(seqnum);
    if (!room) return malformed(fmt::format("answers request {}, which is not pending", seqnum));
    if (*room == 0) {  // OUT: nothing follows
        expect(Part::header, usbip_header_bytes);
        handler_.on_submit_reply(seqnum, status, length, {});
        return {};
    }
    if (length > *room) {
        return malformed(
            fmt::format("answers request {} with {} bytes where {} fit", seqnum, length, *room));
    }
    seqnum_ = seqnum;
    status_ = status;
    expect(Part::data, length);
    return {};
}

}  // namespace touchmove::link
