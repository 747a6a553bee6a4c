// soc_fixture.hpp - the whole chip on the bench
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/device/soc_device.hpp"
#include "tests/sim/device/device_fixture.hpp"

namespace touchmove::device_test {

inline constexpr BenchUs session_limit_us = 500'000;

/// Powered, its session running; device time is known, nothing is attached.
inline void start(SocDevice& device) {
    device.power_on();
    while (!device.soc().session_zero() && device.now() < session_limit_us)
        device.run_until(device.now() + 100);
    REQUIRE(device.soc().session_zero());
}

inline DeviceOptions options_for(SensorStyle style, NorFlash& flash) {
    DeviceOptions options;
    options.style = style;
    options.flash = &flash;
    return options;
}

/// They are made when the host reads, and are not kept.
inline Bytes without_watermarks(const Bytes& bytes) {
    Bytes kept;
    for (std::size_t at = 0; at < bytes.size(); at += TM_RECORD_BYTES) {
        const auto record = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        if (Record::from(&*record).kind != TM_KIND_WATERMARK)
            kept.insert(kept.end(), record, record + TM_RECORD_BYTES);
    }
    return kept;
}

}  // namespace touchmove::device_test
