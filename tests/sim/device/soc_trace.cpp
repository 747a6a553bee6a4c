// soc_trace.cpp - the wires of the whole chip: its firmware enumerated, events of a board fetched
// SPDX-License-Identifier: Apache-2.0
// usage: soc_trace FILE.vcd [spoilt] ; prints what tests/rtl/usb_trace.cpp prints, for the same
// judge (tests/rtl/usb_sigrok.sh)
#include <cstdio>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

#include "fw/regs.h"
#include "sim/device/soc_device.hpp"
#include "tests/rtl/transfer_line.hpp"

using namespace touchmove::device;
using touchmove::rtl_test::print_transfer;
using Bytes = std::vector<std::uint8_t>;

namespace {

constexpr std::uint64_t initial_array = 0xFFFF'0000'0000'FFFF;

/// Contacts that change when they are told to.
class Hand final : public Stimulus {
  public:
    void add(BenchUs at, unsigned contact, bool level) { changes_.push_back({at, contact, level}); }
    [[nodiscard]] BenchUs next_change_us() override {
        if (!set_up_) return 0;
        return changes_.empty() ? never_us : changes_.front().at;
    }
    void apply(ContactState& contacts) override {
        if (!std::exchange(set_up_, true)) {
            contacts.squares = initial_array;
            return;
        }
        contacts.set(changes_.front().contact, changes_.front().level);
        changes_.pop_front();
    }

  private:
    struct Change {
        BenchUs at;
        unsigned contact;
        bool level;
    };
    std::deque<Change> changes_;
    bool set_up_ = false;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: soc_trace FILE.vcd [spoilt]\n");
        return 2;
    }
    Hand hand;
    NorFlash flash;
    flash.prepare_session(7);
    DeviceOptions options;
    options.flash = &flash;
    SocDevice device(options, hand);
    device.power_on();
    device.bus_reset();
    device.host().bus().trace(argv[1]);
    device.run_until(device.now() + 20);  // a decoder wants J before the first packet

    const auto ask = [&](const Setup& setup) {
        const ControlReply reply = device.control(setup);
        if (reply.status == TransferStatus::ok) print_transfer("control", reply.data);
    };
    ask({0x80, 6, 0x0100, 0, 64});
    ask({0x00, 5, 9, 0, 0});
    ask({0x80, 6, 0x0100, 0, 18});
    ask({0x80, 6, 0x0200, 0, 255});
    ask({0x80, 6, 0x0F00, 0, 255});
    ask({0x80, 6, 0x0303, 0x0409, 255});
    ask({0x00, 9, 1, 0, 0});
    ask({0xC0, TM_REQ_INFO, 0, 0, 64});

    // e2e4, every contact bouncing once, and White's lever
    const BenchUs now = device.now();
    const auto change = [&](BenchUs at, unsigned contact, bool level) {
        hand.add(now + at, contact, level);
        hand.add(now + at + 150, contact, !level);
        hand.add(now + at + 400, contact, level);
    };
    change(1'000, 12, false);
    change(9'000, 28, true);
    change(10'000, 64, true);
    Packet packet;
    unsigned packets = 0;
    while (device.now() < now + 24'000) {
        device.run_until(device.now() + 1'000);
        while (device.bulk_in(packet) == Handshake::ack) {
            print_transfer("bulk", std::span(packet.bytes).first(packet.size));
            ++packets;
        }
    }
    if (packets == 0) return 1;
    const Bytes out = {0xFF, 0xFF, 0xFF, 0x00, 0x7E, 0xFE, 0x3F};
    if (argc > 2 && std::strcmp(argv[2], "spoilt") == 0) {
        auto& host = device.host();
        host.send(touchmove::wire::token_packet(touchmove::wire::Pid::out, 9, 1));
        Bytes spoilt = touchmove::wire::data_packet(false, out);
        spoilt.back() ^= 1U;
        host.send(spoilt);
        host.idle(50);
    }
    if (device.bulk_out(out) == Handshake::ack) print_transfer("out", out);
    device.run_until(device.now() + 50);
    return 0;
}
