// live_board_test.cpp - the simulated board over a real socket, as a kernel would drive it
// SPDX-License-Identifier: Apache-2.0
#include "sim/usbip/live_board.hpp"

#include <optional>

#include "fw/tm_bytes.h"
#include "fw/tm_proto.h"
#include "tests/sim/usbip/raw_client.hpp"

using namespace touchmove;
using namespace touchmove::usbip_test;

namespace {

constexpr std::uint64_t start_squares = 0xFFFF'0000'0000'FFFFULL;
constexpr unsigned e2 = 12;

/// Men at rest; the e2 pawn goes up and down `toggles` times, every 20 ms, from 100 ms on.
class Toggler final : public device::Stimulus {
  public:
    explicit Toggler(int toggles) : left_(toggles) {}
    device::BenchUs next_change_us() override {
        if (!set_up_) return 0;
        return left_ > 0 ? next_ : device::never_us;
    }
    void apply(device::ContactState& contacts) override {
        if (!set_up_) {
            contacts.squares = start_squares;
            set_up_ = true;
            return;
        }
        contacts.squares ^= std::uint64_t{1} << e2;
        next_ += 20'000;
        --left_;
    }

  private:
    bool set_up_ = false;
    int left_;
    device::BenchUs next_ = 100'000;
};

struct Bench {
    explicit Bench(int toggles = 0, bool self_powered = true)
        : stimulus(toggles), board(options(self_powered), stimulus), server({&board}) {}
    usbip::LiveBoard::Options options(bool self_powered) {
        usbip::LiveBoard::Options o;
        o.device.flash = &flash;
        o.device.self_powered = self_powered;
        o.device.serial = "LIVE-1";
        o.speed = 2;
        return o;
    }
    device::NorFlash flash;
    Toggler stimulus;
    usbip::LiveBoard board;
    ServerFixture server;
};

SetupBytes setup(std::uint8_t type, std::uint8_t request, unsigned value, unsigned index,
                 unsigned length) {
    return {type,
            request,
            static_cast<std::uint8_t>(value),
            static_cast<std::uint8_t>(value >> 8),
            static_cast<std::uint8_t>(index),
            static_cast<std::uint8_t>(index >> 8),
            static_cast<std::uint8_t>(length),
            static_cast<std::uint8_t>(length >> 8)};
}

/// A client that numbers its URBs, and asks for one thing at a time.
class Host {
  public:
    /// Busy is what the server says until it has noticed the end of the client before.
    explicit Host(std::uint16_t port) {
        constexpr std::uint32_t busy = 2;
        std::uint32_t status = busy;
        while (status == busy) {
            connection_.emplace(port);
            status = connection_->import("1-1");
        }
        REQUIRE(status == 0);
    }

    Reply control(const SetupBytes& s, const Bytes& out = {}) {
        const bool in = (s[0] & 0x80U) != 0;
        const std::uint32_t length = s[6] | std::uint32_t{s[7]} << 8;
        client().send(submit(++seq_, in, 0, length, s, out));
        return client().reply(in);
    }
    void configure() { REQUIRE(control(setup(0, 9, 1, 0, 0)).status == 0); }
    Bytes info() { return control(setup(0xC0, TM_REQ_INFO, 0, 0, 64)).data; }
    std::uint32_t session() { return tm_get32(info().data() + 4); }
    bool resume(std::uint32_t session, std::uint16_t seq) {
        Bytes data(6);
        tm_put32(data.data(), session);
        tm_put16(data.data() + 4, seq);
        return control(setup(0x40, TM_REQ_RESUME, 0, 0, 6), data).status == 0;
    }
    Reply bulk_in(std::uint32_t length) {
        client().send(submit(++seq_, true, 1, length));
        return client().reply();
    }
    void acknowledge(std::uint32_t session, std::uint16_t seq) {
        Bytes data{TM_OUT_ACK, 0, 0, 0, 0, 0, 0, 0};
        tm_put16(data.data() + 2, seq);
        tm_put32(data.data() + 4, session);
        client().send(submit(++seq_, false, 1, 8, {}, data));
        const Reply r = client().reply(false);
        REQUIRE(r.status == 0);
        REQUIRE(r.actual_length == 8);
    }
    /// Appends what is kept until record number `last` came. Numbers must follow each other.
    void read_to(std::uint16_t last, std::vector<std::uint16_t>& journal) {
        while (journal.empty() || journal.back() != last) {
            const Reply r = bulk_in(512);
            REQUIRE(r.status == 0);
            REQUIRE(r.data.size() % TM_RECORD_BYTES == 0);
            for (std::size_t at = 0; at < r.data.size(); at += TM_RECORD_BYTES) {
                if (r.data[at] >> 4 == TM_KIND_WATERMARK) continue;
                const std::uint16_t seq = tm_get16(r.data.data() + at + 2);
                REQUIRE(seq == journal.size());
                journal.push_back(seq);
            }
        }
    }

    RawClient& client() { return *connection_; }

  private:
    std::optional<RawClient> connection_;
    std::uint32_t seq_ = 0;
};

}  // namespace

TEST_CASE("enumeration as Linux 6.1 does it", "[usbip][live]") {
    Bench b;
    Host host(b.server.port());
    const SetupBytes device64 = setup(0x80, 6, 0x0100, 0, 64);
    CHECK(host.control(device64).data.size() == 18);
    const Bytes device = host.control(setup(0x80, 6, 0x0100, 0, 18)).data;
    REQUIRE(device.size() == 18);
    CHECK(tm_get16(device.data() + 8) == TM_USB_VID);
    for (int i = 0; i < 3; ++i) {
        const Reply qualifier = host.control(setup(0x80, 6, 0x0600, 0, 10));
        CHECK(qualifier.status == -32);
        CHECK(qualifier.actual_length == 0);
    }
    CHECK(host.control(setup(0x80, 6, 0x0F00, 0, 5)).data.size() == 5);
    CHECK(host.control(setup(0x80, 6, 0x0200, 0, 9)).data.size() == 9);
    CHECK(host.control(setup(0x80, 6, 0x0200, 0, 32)).data.size() == 32);
    CHECK(host.control(setup(0x80, 6, 0x0300, 0, 255)).data.size() == 4);
    const Bytes serial = host.control(setup(0x80, 6, 0x0303, 0x0409, 255)).data;
    REQUIRE(serial.size() == 2 + 2 * 6);
    CHECK(serial[2] == 'L');
    host.configure();
    CHECK(host.control(setup(0x80, 8, 0, 0, 1)).data == Bytes{1});
    CHECK(host.info().size() == TM_INFO_BYTES);
    CHECK(host.control(setup(0xC0, TM_REQ_MS_OS_20, 0, 7, 162)).data.size() == 162);
}

TEST_CASE("GET_DESCRIPTOR of 64 after configuration is taken for a port reset", "[usbip][live]") {
    Bench b;
    Host host(b.server.port());
    host.configure();
    CHECK(host.control(setup(0x80, 6, 0x0100, 0, 64)).data.size() == 18);
    CHECK(host.control(setup(0x80, 8, 0, 0, 1)).data == Bytes{0});
    CHECK(host.session() == 1);
    host.configure();
}

TEST_CASE("a game's records come over bulk IN, and go on where a killed client stored them",
          "[usbip][live]") {
    constexpr int toggles = 40;
    Bench b(toggles);
    std::vector<std::uint16_t> journal;
    {
        Host host(b.server.port());
        host.configure();
        REQUIRE(host.resume(1, 0));
        host.read_to(20, journal);
        host.acknowledge(1, 10);
        // Killed with reads pending.
        for (std::uint32_t i = 0; i < 4; ++i) host.client().send(submit(9000 + i, true, 1, 512));
        host.client().abort();
    }
    Host host(b.server.port());
    host.configure();
    CHECK_FALSE(host.resume(1, 10));
    REQUIRE(host.resume(1, static_cast<std::uint16_t>(journal.size())));
    host.read_to(toggles + 4, journal);
    CHECK(journal.size() == toggles + 5);
}

TEST_CASE("bulk IN data never exceed the buffer, whatever its length", "[usbip][live]") {
    Bench b(60);
    Host host(b.server.port());
    host.configure();
    REQUIRE(host.resume(1, 0));
    CHECK(host.bulk_in(63).status == -75);
    for (const std::uint32_t length : {64U, 100U, 128U, 4096U}) {
        const Reply r = host.bulk_in(length);
        CHECK(r.status == 0);
        CHECK(r.data.size() <= length);
        CHECK(r.data.size() % TM_RECORD_BYTES == 0);
    }
}

TEST_CASE("a halted endpoint stalls over USB/IP until it is cleared", "[usbip][live]") {
    Bench b;
    Host host(b.server.port());
    host.configure();
    REQUIRE(host.control(setup(0x02, 3, 0, 0x81, 0)).status == 0);
    CHECK(host.bulk_in(64).status == -32);
    REQUIRE(host.control(setup(0x02, 1, 0, 0x81, 0)).status == 0);
    CHECK(host.bulk_in(64).status == 0);
}

TEST_CASE("an endpoint that does not exist, or not yet, gives an error and no silence",
          "[usbip][live]") {
    Bench b;
    Host host(b.server.port());
    CHECK(host.bulk_in(64).status == -71);
    host.client().send(submit(700, true, 5, 64));
    CHECK(host.client().reply().status == -71);
    host.client().send(submit(701, false, 1, 8, {}, Bytes(8)));
    CHECK(host.client().reply(false).status == -71);
    // Fewer data than the request announces.
    host.client().send(
        submit(702, false, 0, 2, setup(0x40, TM_REQ_NAME_SESSION, 0, 0, 4), Bytes(2)));
    CHECK(host.client().reply(false).status == -71);
}

TEST_CASE("each of many pending reads is either answered or taken back", "[usbip][live]") {
    Bench b;
    Host host(b.server.port());
    host.configure();
    constexpr std::uint32_t reads = 64;
    for (std::uint32_t i = 0; i < reads; ++i) host.client().send(submit(500 + i, true, 1, 512));
    for (std::uint32_t i = 0; i < reads; ++i)
        host.client().send(unlink(600 + i, 500 + reads - 1 - i));
    std::uint32_t returned = 0, taken_back = 0;
    for (std::uint32_t unlinks = 0; unlinks < reads;) {
        const Reply r = host.client().reply();
        if (r.command == 3) {
            ++returned;
        } else {
            ++unlinks;
            if (r.status == -104) ++taken_back;
        }
    }
    CHECK(returned + taken_back == reads);
}

TEST_CASE("a powered board goes on when its cable is pulled", "[usbip][live]") {
    Bench b(40);
    std::vector<std::uint16_t> journal;
    {
        Host host(b.server.port());
        host.configure();
        REQUIRE(host.resume(1, 0));
        host.read_to(8, journal);
        b.board.pull();
        CHECK(host.client().hung_up());
    }
    RawClient early(b.server.port());
    CHECK(early.import("1-1") == 4);
    b.board.plug();
    while (!b.board.plugged()) std::this_thread::yield();
    Host host(b.server.port());
    host.configure();
    CHECK(host.session() == 1);
    REQUIRE(host.resume(1, static_cast<std::uint16_t>(journal.size())));
    host.read_to(44, journal);
}

TEST_CASE("a bus-powered board starts a new session when it is plugged in again",
          "[usbip][live]") {
    const bool cut = GENERATE(false, true);
    Bench b(0, cut);  // pulled without a supply of its own, or cut off with one
    {
        Host host(b.server.port());
        host.configure();
        CHECK(host.session() == 1);
        if (cut) {
            b.board.power_cut();
        } else {
            b.board.pull();
        }
        CHECK(host.client().hung_up());
    }
    while (b.board.status().powered) std::this_thread::yield();
    CHECK_FALSE(b.board.status().plugged);
    b.board.power_on();
    while (!b.board.plugged()) std::this_thread::yield();
    Host host(b.server.port());
    host.configure();
    CHECK(host.session() == 2);
}

TEST_CASE("a board that nobody has attached keeps time and scans", "[usbip][live]") {
    Bench b(20);
    while (b.board.status().device_seconds < 0.7) std::this_thread::yield();
    CHECK_FALSE(b.board.status().attached);
    Host host(b.server.port());
    host.configure();
    CHECK(b.board.status().attached);
    REQUIRE(host.resume(1, 0));
    std::vector<std::uint16_t> journal;
    host.read_to(24, journal);
    CHECK(tm_get16(host.info().data() + 10) == 25);
}
