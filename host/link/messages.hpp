// messages.hpp - the payloads of control requests and acknowledgements
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "fw/tm_proto.h"
#include "host/base/result.hpp"
#include "host/link/device_event.hpp"

namespace touchmove::link {

/// Answer to TM_REQ_INFO; its layout is checked, and that the records kept fit a queue.
[[nodiscard]] Result<tm_info> decode_info(std::span<const std::uint8_t> bytes);

/// Answer to TM_REQ_TIME: microseconds since the session began.
[[nodiscard]] Result<std::uint64_t> decode_time(std::span<const std::uint8_t> bytes);

/// Answer to TM_REQ_GET_SETTINGS.
[[nodiscard]] Result<tm_settings> decode_settings(std::span<const std::uint8_t> bytes);

/// Answer to TM_REQ_BOARD_NAME; refused unless it is printable ASCII.
[[nodiscard]] Result<std::string> decode_name(std::span<const std::uint8_t> bytes);

/// Answer to TM_REQ_SENSORS.
[[nodiscard]] Result<tm_sensor_report> decode_sensors(std::span<const std::uint8_t> bytes);

/// Data of TM_REQ_NAME_SESSION.
[[nodiscard]] std::array<std::uint8_t, 4> encode_name(std::uint32_t session);

/// Data of TM_REQ_RESUME: send again from `first_wanted` on.
[[nodiscard]] std::array<std::uint8_t, TM_RESUME_BYTES> encode_resume(RecordId first_wanted);

/// Data of TM_REQ_SET_SETTINGS.
[[nodiscard]] std::array<std::uint8_t, TM_SETTINGS_BYTES> encode_settings(const tm_settings& s);

/// Data of TM_REQ_LAMPS: bit n lights lamp n.
[[nodiscard]] std::array<std::uint8_t, TM_LAMPS_BYTES> encode_lamps(std::uint64_t lamps);

/// Bulk OUT message: everything up to and including `up_to` is stored.
[[nodiscard]] std::array<std::uint8_t, TM_OUT_BYTES> encode_ack(RecordId up_to);

}  // namespace touchmove::link
