// usb_trace.cpp - the wires of an enumeration and some transfers, and what was meant by them
// SPDX-License-Identifier: Apache-2.0
// usage: usb_trace FILE.vcd [spoilt] ; prints the data of the control transfers and bulk packets, a
// line each, in hexadecimal. `spoilt`: one data packet of the host has a wrong CRC16.
#include <cstdio>
#include <cstring>

#include "tests/rtl/transfer_line.hpp"
#include "tests/rtl/usb_bench.hpp"

using namespace touchmove::rtl_test;
using namespace touchmove::wire;

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: usb_trace FILE.vcd [spoilt]\n");
        return 2;
    }
    UsbFirmwareBench b;
    b.bus.trace(argv[1]);
    b.host.idle(100);  // a decoder wants J before the first packet
    const auto ask = [&](std::array<std::uint8_t, 8> setup) {
        const auto result = b.host.control(setup);
        if (result.answer == Answer::ack) print_transfer("control", result.data);
    };
    ask({0x80, 6, 0, 1, 0, 0, 64, 0});
    ask({0x00, 5, 9, 0, 0, 0, 0, 0});
    b.host.idle(200);
    b.host.address = 9;
    ask({0x80, 6, 0, 1, 0, 0, 18, 0});
    ask({0x80, 6, 0, 2, 0, 0, 0xFF, 0});
    ask({0x80, 6, 0, 15, 0, 0, 0xFF, 0});
    ask({0x80, 6, 2, 3, 9, 4, 0xFF, 0});
    ask({0x00, 9, 1, 0, 0, 0, 0, 0});
    b.host.idle(200);
    for (std::uint64_t i = 0; i < 27; ++i)
        b.device.records.push_back(record(i));
    for (int i = 0; i < 6; ++i) {
        b.host.start_of_frame();
        const Reply reply = b.host.in(1);
        if (reply.answer == Answer::data) print_transfer("bulk", reply.data);
        b.host.idle(300);
    }
    const Bytes out = {0xFF, 0xFF, 0xFF, 0x00, 0x7E, 0xFE, 0x3F};
    if (argc > 2 && std::strcmp(argv[2], "spoilt") == 0) {
        b.host.send(token_packet(Pid::out, 9, 1));
        Bytes packet = data_packet(false, out);
        packet.back() ^= 1U;
        b.host.send(packet);
        b.host.idle(50);
    }
    if (b.host.out(1, out).answer == Answer::ack) print_transfer("out", out);
    b.host.idle(100);
    return 0;
}
