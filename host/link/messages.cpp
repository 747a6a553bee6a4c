// messages.cpp - the payloads of control requests and acknowledgements
// SPDX-License-Identifier: Apache-2.0
#include "host/link/messages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "host/link/event_builder.hpp"
#include "host/link/little_endian.hpp"

namespace touchmove::link {

Result<tm_info> decode_info(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < TM_INFO_BYTES) {
        return Error(std::errc::protocol_error,
                     fmt::format("the device describes itself in {} bytes, {} are needed: it is "
                                 "not a Touchmove board",
                                 bytes.size(), TM_INFO_BYTES));
    }
    const auto b = bytes.first<TM_INFO_BYTES>();
    tm_info info{};
    info.proto_version = read_u16(b.subspan<0, 2>());
    info.gateware_version = read_u16(b.subspan<2, 2>());
    info.session = read_u32(b.subspan<4, 4>());
    info.oldest_seq = read_u16(b.subspan<8, 2>());
    info.next_seq = read_u16(b.subspan<10, 2>());
    info.queue_records = read_u16(b.subspan<12, 2>());
    info.frame_us = read_u16(b.subspan<14, 2>());
    info.sensor_style = b[16];
    info.flags = b[17];
    info.lamps = b[18];
    if (info.proto_version != TM_PROTO_VERSION) {
        return Error(std::errc::protocol_not_supported,
                     fmt::format("the device speaks version {} of the protocol, this program "
                                 "version {}",
                                 info.proto_version, TM_PROTO_VERSION));
    }
    const unsigned kept = static_cast<std::uint16_t>(info.next_seq - info.oldest_seq);
    if (kept > TM_QUEUE_MAX) {
        return Error(std::errc::protocol_error,
                     fmt::format("the device says that it holds {} records, more than any queue "
                                 "can",
                                 kept));
    }
    return info;
}

Result<std::uint64_t> decode_time(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < 8) {
        return Error(
            std::errc::protocol_error,
            fmt::format("the device told its time in {} bytes instead of 8", bytes.size()));
    }
    const std::uint64_t us = read_u64(bytes.first<8>());
    if (us >> 32 > max_epoch) {
        return Error(std::errc::protocol_error,
                     fmt::format("the device says that it has run for {} microseconds", us));
    }
    return us;
}

Result<tm_settings> decode_settings(std::span<const std::uint8_t> bytes) {
    if (bytes.size() != TM_SETTINGS_BYTES) {
        return Error(std::errc::protocol_error,
                     fmt::format("the device sent {} bytes as its settings", bytes.size()));
    }
    const auto b = bytes.first<TM_SETTINGS_BYTES>();
    tm_settings settings{};
    settings.settle_us = b[0];
    settings.flags = b[1];
    settings.aux_invert = b[2];
    settings.lift_us = read_u32(b.subspan<4, 4>());
    settings.place_us = read_u32(b.subspan<8, 4>());
    return settings;
}

Result<std::string> decode_name(std::span<const std::uint8_t> bytes) {
    const auto printable = [](std::uint8_t c) { return c >= 0x20 && c < 0x7F; };
    if (bytes.empty() || !std::all_of(bytes.begin(), bytes.end(), printable)) {
        return Error(std::errc::protocol_error, "the device sent no name that can be printed");
    }
    return std::string(bytes.begin(), bytes.end());
}

Result<tm_sensor_report> decode_sensors(std::span<const std::uint8_t> bytes) {
    if (bytes.size() != TM_SENSOR_REPORT_BYTES) {
        return Error(std::errc::protocol_error,
                     fmt::format("the device sent {} bytes about its sensors", bytes.size()));
    }
    tm_sensor_report report{};
    report.samples = read_u16(bytes.subspan<0, 2>());
    std::copy_n(bytes.begin() + 2, TM_SENSOR_GROUPS, std::begin(report.raw));
    std::copy_n(bytes.begin() + 3 + TM_SENSOR_GROUPS, std::size(report.changes),
                std::begin(report.changes));
    return report;
}

std::array<std::uint8_t, 4> encode_name(std::uint32_t session) {
    std::array<std::uint8_t, 4> bytes{};
    write_u32(bytes, session);
    return bytes;
}

std::array<std::uint8_t, TM_RESUME_BYTES> encode_resume(RecordId first_wanted) {
    std::array<std::uint8_t, TM_RESUME_BYTES> bytes{};
    write_u32(std::span(bytes).first<4>(), first_wanted.session);
    write_u16(std::span(bytes).last<2>(), first_wanted.seq);
    return bytes;
}

std::array<std::uint8_t, TM_SETTINGS_BYTES> encode_settings(const tm_settings& s) {
    std::array<std::uint8_t, TM_SETTINGS_BYTES> bytes{s.settle_us, s.flags, s.aux_invert, 0};
    write_u32(std::span(bytes).subspan<4, 4>(), s.lift_us);
    write_u32(std::span(bytes).subspan<8, 4>(), s.place_us);
    return bytes;
}

std::array<std::uint8_t, TM_LAMPS_BYTES> encode_lamps(std::uint64_t lamps) {
    std::array<std::uint8_t, TM_LAMPS_BYTES> bytes{};
    write_u32(std::span(bytes).first<4>(), static_cast<std::uint32_t>(lamps));
    write_u32(std::span(bytes).last<4>(), static_cast<std::uint32_t>(lamps >> 32));
    return bytes;
}

std::array<std::uint8_t, TM_OUT_BYTES> encode_ack(RecordId up_to) {
    std::array<std::uint8_t, TM_OUT_BYTES> bytes{TM_OUT_ACK, 0};
    write_u16(std::span(bytes).subspan<2, 2>(), up_to.seq);
    write_u32(std::span(bytes).subspan<4, 4>(), up_to.session);
    return bytes;
}

}  // namespace touchmove::link
