// make_device.cpp - a simulated board of the fidelity asked for
// SPDX-License-Identifier: Apache-2.0
#include "sim/device/frontend_device.hpp"
#ifdef TOUCHMOVE_SOC
#include "sim/device/soc_device.hpp"
#endif

namespace touchmove::device {

std::unique_ptr<UsbDevice> make_device(const DeviceOptions& options, Stimulus& stimulus) {
    if (options.fidelity == Fidelity::frontend)
        return std::make_unique<FrontendDevice>(options, stimulus);
#ifdef TOUCHMOVE_SOC
    return std::make_unique<SocDevice>(options, stimulus);
#else
    return nullptr;
#endif
}

bool has_soc() {
#ifdef TOUCHMOVE_SOC
    return true;
#else
    return false;
#endif
}

}  // namespace touchmove::device
