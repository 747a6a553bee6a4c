// usb_random_test.cpp - random transactions with bit errors lose and double no record
// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/rtl/usb_bench.hpp"

using namespace touchmove::rtl_test;
using namespace touchmove::wire;

namespace {

/// A host that reads, writes and asks at random over a bus that spoils every so many packets, in
/// every way there is. The firmware runs behind the device.
class Storm {
  public:
    explicit Storm(std::uint64_t seed) : random_(seed), b_(seed) {
        b_.enumerate();
        Signal& signal = b_.host.signal;
        signal.rate_error = 0.0025 * (2 * share() - 1);
        signal.jitter_ns = 9 * share();
        signal.skew_ns = 10 * share();
        signal.gap_bits = 2 + 4 * share();
    }

    void run(unsigned transactions) {
        for (unsigned i = 0; i < transactions; ++i) {
            CAPTURE(i);
            switch (random_() % 16) {
                case 0:
                    control();
                    break;
                case 1:
                    b_.host.start_of_frame();
                    break;
                case 2:
                    other_device();
                    break;
                case 3:
                case 4:
                case 5:
                case 6:
                    write();
                    break;
                default:
                    read(random_() % 4 == 0 ? random_() % 20 : 0);
            }
        }
        // Then the bus is quiet: what is still on its way comes.
        spoil_ = 0;
        for (int i = 0; i < 40; ++i)
            read(0);
        while (writing_)
            write();
        b_.host.idle(5000);
        CHECK(got_ == pushed_);
        CHECK(b_.bulk_got.size() == written_.size());
        for (std::size_t i = 0; i < std::min(b_.bulk_got.size(), written_.size()); ++i) {
            CAPTURE(i);
            REQUIRE(b_.bulk_got[i] == written_[i]);
        }
        CHECK(b_.bus.collisions() == spoilt_collisions_);
        INFO(got_ << " records, " << written_.size() << " packets out, " << spoilt_ << " spoilt");
        CHECK(spoilt_ > transactions / 20);
        CHECK(got_ > transactions / 8);
        CHECK(written_.size() > transactions / 30);
    }

  private:
    double share() { return std::uniform_real_distribution<double>(0, 1)(random_); }

    Fault fault() {
        if (share() >= spoil_) return {};
        ++spoilt_;
        const auto bit = static_cast<int>(random_() % 48);
        switch (random_() % 8) {
            case 0:
                return {.cut_at_bit = bit};
            case 1:
                return {.no_end = true};
            case 2:
                return {.cut_at_bit = bit, .no_end = true};
            case 3:
                return {.invert_bit = static_cast<int>(random_() % 200)};
            default:
                return {.invert_bit = bit};
        }
    }

    void read(std::uint64_t more) {
        for (std::uint64_t i = 0; i < more && b_.device.records.size() < 40; ++i) {
            b_.device.records.push_back(record(pushed_++));
        }
        Host::InOptions options{.token_fault = fault(), .ack_fault = fault()};
        options.deaf = share() < spoil_;
        const Reply reply = b_.host.in(1, options);
        INFO(reply.problem);
        REQUIRE(reply.answer != Answer::broken);
        REQUIRE(reply.answer != Answer::stall);
        if (reply.answer != Answer::data || options.deaf || reply.repeated) return;
        const std::size_t count = reply.data.size() / 8;
        REQUIRE(reply.data == record_bytes(got_, count));
        got_ += count;
    }

    void write() {
        if (!writing_) {
            packet_.resize(random_() % 65);
            for (std::uint8_t& byte : packet_) {
                byte = random_() % 3 == 0 ? 0xFF : static_cast<std::uint8_t>(random_());
            }
            writing_ = true;
        }
        Host::OutOptions options{.token_fault = fault(), .data_fault = fault()};
        options.deaf = share() < spoil_;
        const Reply reply = b_.host.out(1, packet_, options);
        INFO(reply.problem);
        REQUIRE(reply.answer != Answer::broken);
        REQUIRE(reply.answer != Answer::stall);
        if (reply.answer != Answer::ack) return;
        written_.push_back(packet_);
        writing_ = false;
    }

    void control() {
        b_.vendor_reply.resize(random_() % 90);
        for (std::uint8_t& byte : b_.vendor_reply)
            byte = static_cast<std::uint8_t>(random_());
        // The handshake of the status stage may be lost, never the data
        const auto result = b_.host.control({{0xC0, 0x55, 0, 0, 0, 0, 90, 0}});
        REQUIRE(result.answer == Answer::ack);
        REQUIRE(result.data == b_.vendor_reply);
    }

    void other_device() {
        const unsigned address = 6 + static_cast<unsigned>(random_() % 100);
        switch (random_() % 3) {
            case 0:
                b_.host.send(token_packet(Pid::in, address, 1), fault());
                b_.host.idle(100);
                b_.host.send(handshake_packet(Pid::ack));
                break;
            case 1:
                b_.host.send(token_packet(Pid::setup, address, 0), fault());
                b_.host.send(data_packet(false, get_device), fault());
                break;
            default:
                b_.host.send(token_packet(Pid::out, address, 1), fault());
                b_.host.send(data_packet((random_() & 1U) != 0, Bytes(20, 0xA5)), fault());
        }
        b_.host.idle(20);
    }

    std::mt19937_64 random_;
    UsbFirmwareBench b_;
    double spoil_ = 0.1;
    std::uint64_t pushed_ = 0, got_ = 0;
    std::vector<Bytes> written_;
    Bytes packet_;
    bool writing_ = false;
    unsigned spoilt_ = 0, spoilt_collisions_ = 0;
};

}  // namespace

TEST_CASE("6,000 random transactions with bit errors lose and double no record", "[usb]") {
    const auto seed = GENERATE(range(1, 7));
    CAPTURE(seed);
    Storm(static_cast<std::uint64_t>(seed)).run(1000);
}

TEST_CASE("a hundred storms lose and double no record", "[.long]") {
    for (std::uint64_t seed = 100; seed < 200; ++seed) {
        CAPTURE(seed);
        Storm(seed).run(1000);
    }
}
