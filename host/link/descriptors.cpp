// descriptors.cpp - the few standard descriptors that a host of boards reads
// SPDX-License-Identifier: Apache-2.0
#include "host/link/descriptors.hpp"

#include "host/link/little_endian.hpp"

namespace touchmove::link {
namespace {

constexpr std::uint8_t device_type = 1;
constexpr std::uint8_t string_type = 3;
constexpr std::size_t header_bytes = 2;
constexpr std::size_t device_descriptor_bytes = 18;
constexpr std::size_t serial_number_offset = 16;

Error malformed(const char* what) {
    return Error(std::errc::protocol_error, what);
}

/// The body of a string descriptor, within both its own length and what was received.
Result<std::span<const std::uint8_t>> string_body(std::span<const std::uint8_t> descriptor) {
    if (descriptor.size() < header_bytes || descriptor[1] != string_type ||
        descriptor[0] < header_bytes || descriptor[0] > descriptor.size()) {
        return malformed("the device's string descriptor is malformed");
    }
    return descriptor.subspan(header_bytes, descriptor[0] - header_bytes);
}

}  // namespace

Result<std::uint8_t> serial_number_index(std::span<const std::uint8_t> descriptor) {
    if (descriptor.size() < device_descriptor_bytes || descriptor[0] < device_descriptor_bytes ||
        descriptor[1] != device_type) {
        return malformed("the device's descriptor is malformed");
    }
    const std::uint8_t index = descriptor[serial_number_offset];
    if (index == 0) return malformed("the device has no serial number");
    return index;
}

Result<std::uint16_t> first_language(std::span<const std::uint8_t> descriptor) {
    const auto body = string_body(descriptor);
    if (!body) return body.error();
    if (body->size() < 2) return malformed("the device has strings in no language");
    return read_u16(body->first<2>());
}

Result<std::string> string_of(std::span<const std::uint8_t> descriptor) {
    const auto body = string_body(descriptor);
    if (!body) return body.error();
    std::string text;
    for (auto rest = *body; rest.size() >= 2; rest = rest.subspan(2)) {
        const std::uint16_t unit = read_u16(rest.first<2>());
        text += unit >= 0x20 && unit < 0x7F ? static_cast<char>(unit) : '?';
    }
    if (text.empty()) return malformed("the device's serial number is empty");
    return text;
}

}  // namespace touchmove::link
