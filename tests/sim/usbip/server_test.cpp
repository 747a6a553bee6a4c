// server_test.cpp - the USB/IP server against good, bad, slow and dying clients
// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "tests/sim/usbip/puppet_board.hpp"
#include "tests/sim/usbip/raw_client.hpp"

using namespace touchmove;
using namespace touchmove::usbip_test;

namespace {

struct Bench {
    PuppetBoard first{1}, second{2};
    ServerFixture server{{&first, &second}};
};

constexpr std::uint32_t ok = 0, busy = 2, no_device = 4;
constexpr std::uint32_t devid_1_2 = 0x00010003;

std::string text_at(const Bytes& bytes, std::size_t at) {
    return reinterpret_cast<const char*>(bytes.data()) + at;
}

}  // namespace

TEST_CASE("the list names every board that is plugged in, and the server hangs up", "[usbip]") {
    Bench b;
    {
        RawClient client(b.server.port());
        client.send(devlist_request());
        const Bytes reply = client.read(12 + 2 * 316);
        CHECK(get32(reply, 0) == 0x01110005);
        CHECK(get32(reply, 8) == 2);
        CHECK(text_at(reply, 12 + 256) == "1-1");
        CHECK(text_at(reply, 12 + 316 + 256) == "1-2");
        CHECK(client.hung_up());
    }
    b.first.unplug();
    RawClient client(b.server.port());
    client.send(devlist_request());
    const Bytes reply = client.read(12 + 316);
    CHECK(get32(reply, 8) == 1);
    CHECK(text_at(reply, 12 + 256) == "1-2");
}

TEST_CASE("a board is imported by one client at a time, and freed by its end", "[usbip]") {
    Bench b;
    const bool killed = GENERATE(false, true);
    RawClient one(b.server.port());
    REQUIRE(one.import("1-1") == ok);
    CHECK(get32(one.device(), 288) == 1);  // bus, device, full speed
    CHECK(get32(one.device(), 292) == 2);
    CHECK(get32(one.device(), 296) == 2);
    RawClient two(b.server.port());
    CHECK(two.import("1-1") == busy);
    CHECK(two.hung_up());
    RawClient other(b.server.port());
    CHECK(other.import("1-2") == ok);

    one.send(submit(1, true, 1, 64));
    b.first.await_submits(1);
    if (killed) {
        one.abort();
    } else {
        one.shutdown();
    }
    b.first.await_detaches(1);
    b.server.settle();
    CHECK(b.first.waiting() == 0);
    RawClient three(b.server.port());
    CHECK(three.import("1-1") == ok);
}

TEST_CASE("a bus id that does not exist is refused", "[usbip]") {
    Bench b;
    for (const char* const id : {"1-3", "", "1-1x", "2-1"}) {
        RawClient client(b.server.port());
        CHECK(client.import(id) == no_device);
        CHECK(client.hung_up());
    }
}

TEST_CASE("replies carry status, length and data", "[usbip]") {
    Bench b;
    RawClient client(b.server.port());
    REQUIRE(client.import("1-1") == ok);
    const SetupBytes setup{0x80, 6, 0, 1, 0, 0, 18, 0};
    client.send(control_in(1, setup));
    client.send(submit(2, false, 1, 3, {}, {7, 8, 9}));
    client.send(submit(3, true, 1, 512));
    const auto first = b.first.take();
    CHECK(first.setup == setup);
    const auto second = b.first.take();
    CHECK(second.data == Bytes{7, 8, 9});
    const auto third = b.first.take();
    // Across endpoints the order is free.
    b.first.complete(third, 0, Bytes(64, 5));
    Reply r = client.reply();
    CHECK(r.command == 3);
    CHECK(r.seqnum == 3);
    CHECK(r.status == 0);
    CHECK(r.data == Bytes(64, 5));
    b.first.complete(first, -32, {});
    r = client.reply();
    CHECK(r.seqnum == 1);
    CHECK(r.status == -32);
    CHECK(r.actual_length == 0);
    b.first.complete(second, 0, {});
    CHECK(client.reply(false).seqnum == 2);
}

TEST_CASE("unlink of a waiting URB is answered at once, and nothing follows", "[usbip]") {
    // The board serves nothing meanwhile: a frozen model cannot hold up the answer.
    Bench b;
    RawClient client(b.server.port());
    REQUIRE(client.import("1-1") == ok);
    for (std::uint32_t seq = 1; seq <= 4; ++seq) client.send(submit(seq, true, 1, 64));
    b.first.await_submits(4);
    client.send(unlink(5, 3));
    const Reply r = client.reply();
    CHECK(r.command == 4);
    CHECK(r.seqnum == 5);
    CHECK(r.status == -104);
    // FIFO goes on without it.
    for (const std::uint32_t expected : {1U, 2U, 4U}) {
        const auto s = b.first.take();
        CHECK(s.seqnum == expected);
        b.first.complete(s, 0, {});
        CHECK(client.reply().seqnum == expected);
    }
}

TEST_CASE("unlink of what has been answered says so", "[usbip]") {
    Bench b;
    RawClient client(b.server.port());
    REQUIRE(client.import("1-1") == ok);
    client.send(submit(1, true, 1, 64));
    b.first.complete(b.first.take(), 0, Bytes(8, 1));
    CHECK(client.reply().seqnum == 1);
    client.send(unlink(2, 1));
    const Reply r = client.reply();
    CHECK(r.command == 4);
    CHECK(r.seqnum == 2);
    CHECK(r.status == 0);
    client.send(unlink(3, 77));
    CHECK(client.reply().status == 0);
}

TEST_CASE("unlink of what the board has just taken is answered after its reply", "[usbip]") {
    Bench b;
    RawClient client(b.server.port());
    REQUIRE(client.import("1-1") == ok);
    client.send(submit(1, true, 1, 64));
    const auto taken = b.first.take();
    client.send(unlink(2, 1));
    b.first.await_cancels(1);
    b.first.complete(taken, 0, Bytes(64, 9));
    const Reply data = client.reply();
    CHECK(data.command == 3);
    CHECK(data.seqnum == 1);
    CHECK(data.data == Bytes(64, 9));
    const Reply answer = client.reply();
    CHECK(answer.command == 4);
    CHECK(answer.seqnum == 2);
    CHECK(answer.status == 0);
}

TEST_CASE("whatever the race, a reply comes before its unlink's or not at all", "[usbip]") {
    const unsigned seed = std::random_device{}();
    INFO("seed " << seed);
    std::mt19937 random(seed);
    Bench b;
    RawClient client(b.server.port());
    REQUIRE(client.import("1-1") == ok);
    constexpr std::uint32_t rounds = 3000;
    constexpr std::uint32_t last_word = 0xFFFF0000;
    std::thread board([&] {
        for (auto s = b.first.take(); s.seqnum != last_word; s = b.first.take()) {
            b.first.complete(s, 0, Bytes(8, static_cast<std::uint8_t>(s.seqnum)));
        }
    });
    std::uint32_t returned = 0, unlinked = 0;
    for (std::uint32_t round = 0; round < rounds; ++round) {
        const std::uint32_t seq = 2 * round + 1;
        Bytes frames = submit(seq, true, 1, 64);
        const Bytes second = unlink(seq + 1, seq);
        // In one write or two: the board gets no time or some.
        if (random() % 2 == 0) {
            frames.insert(frames.end(), second.begin(), second.end());
            client.send(frames);
        } else {
            client.send(frames);
            client.send(second);
        }
        Reply r = client.reply();
        if (r.command == 3) {
            REQUIRE(r.seqnum == seq);
            ++returned;
            r = client.reply();
            REQUIRE(r.status == 0);
        } else {
            REQUIRE(r.status == -104);
            ++unlinked;
        }
        REQUIRE(r.command == 4);
        REQUIRE(r.seqnum == seq + 1);
    }
    client.send(submit(last_word, true, 1, 64));
    board.join();
    CHECK(returned + unlinked == rounds);
}

TEST_CASE("a frame broken at any offset never harms the server", "[usbip]") {
    Bench b;
    RawClient bystander(b.server.port());
    REQUIRE(bystander.import("1-2") == ok);
    const Bytes header = submit(1, true, 1, 64);
    for (std::size_t at = 0; at < 48; ++at) {
        Bytes broken = header;
        broken[at] ^= 0xFF;
        RawClient client(b.server.port());
        REQUIRE(client.import("1-1") == ok);
        client.send(broken);
        client.send(unlink(9, 9));
        // Refused, or taken as the other thing that it now is; then the board is free again.
        client.shutdown();
        b.first.await_detaches(static_cast<int>(at) + 1);
        b.server.settle();
    }
    // Command, device, direction, endpoint, length and packets: most of 24 bytes matter.
    CHECK(b.server.refusals().size() >= 20);
    bystander.send(submit(1, true, 1, 64, {}, {}, devid_1_2));
    b.second.complete(b.second.take(), 0, Bytes(8, 1));
    CHECK(bystander.reply().data == Bytes(8, 1));
}

TEST_CASE("a frame cut at any offset never harms the server", "[usbip]") {
    Bench b;
    const Bytes whole = submit(1, false, 1, 8, {}, Bytes(8, 1));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        RawClient client(b.server.port());
        REQUIRE(client.import("1-1") == ok);
        client.send(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
        client.shutdown();
        b.first.await_detaches(static_cast<int>(length) + 1);
        b.server.settle();
    }
    CHECK(b.server.refusals().empty());
    RawClient client(b.server.port());
    CHECK(client.import("1-1") == ok);
}

TEST_CASE("each breach of the protocol costs its client the connection and one log line",
          "[usbip]") {
    Bench b;
    const auto expect_refusal = [&](RawClient& client, const std::string& text) {
        CHECK(client.hung_up());
        b.server.settle();
        const auto lines = b.server.refusals();
        REQUIRE(lines.size() == 1);
        CHECK_THAT(lines[0], Catch::Contains(text));
    };
    RawClient client(b.server.port());
    SECTION("nonsense instead of an operation") {
        client.send(Bytes{'G', 'E', 'T', ' ', '/', ' ', 'H', 'T'});
        expect_refusal(client, "version 4745");
    }
    SECTION("the same sequence number twice") {
        REQUIRE(client.import("1-1") == ok);
        client.send(submit(1, true, 1, 64));
        client.send(submit(1, true, 1, 64));
        expect_refusal(client, "1-1: refused: sequence number 1 is pending already");
    }
    SECTION("too many pending") {
        REQUIRE(client.import("1-1") == ok);
        for (std::uint32_t seq = 0; seq <= 4096; ++seq) client.send(submit(seq, true, 1, 64));
        expect_refusal(client, "more than 4096 URBs pending");
    }
    SECTION("another device's id") {
        REQUIRE(client.import("1-1") == ok);
        client.send(submit(1, true, 1, 64, {}, {}, devid_1_2));
        expect_refusal(client, "00010003");
    }
}

TEST_CASE("a client that does not read is not read from either, and loses nothing", "[usbip]") {
    Bench b;
    RawClient client(b.server.port());
    REQUIRE(client.import("1-1") == ok);
    constexpr std::uint32_t transfers = 2000;
    constexpr std::uint32_t bytes = 16384;  // 32 MB in all: more than sockets and queue hold
    std::thread board([&] {
        for (std::uint32_t i = 0; i < transfers; ++i) {
            const auto s = b.first.take();
            b.first.complete(s, 0, Bytes(bytes, static_cast<std::uint8_t>(s.seqnum)));
        }
    });
    std::thread writer([&] {
        for (std::uint32_t seq = 1; seq <= transfers; ++seq) {
            client.send(submit(seq, true, 1, bytes));
        }
    });
    // Somebody else is served meanwhile.
    RawClient other(b.server.port());
    REQUIRE(other.import("1-2") == ok);
    other.send(submit(1, true, 1, 64, {}, {}, devid_1_2));
    b.second.complete(b.second.take(), 0, {});
    CHECK(other.reply().seqnum == 1);
    for (std::uint32_t seq = 1; seq <= transfers; ++seq) {
        const Reply r = client.reply();
        REQUIRE(r.seqnum == seq);
        REQUIRE(r.data == Bytes(bytes, static_cast<std::uint8_t>(seq)));
    }
    board.join();
    writer.join();
}

TEST_CASE("a pulled cable ends the connection, and the board can be imported again", "[usbip]") {
    Bench b;
    RawClient client(b.server.port());
    REQUIRE(client.import("1-1") == ok);
    client.send(submit(1, true, 1, 64));
    b.first.await_submits(1);
    b.first.unplug();
    CHECK(client.hung_up());
    RawClient early(b.server.port());
    CHECK(early.import("1-1") == no_device);
    b.first.plug();
    RawClient again(b.server.port());
    CHECK(again.import("1-1") == ok);
}

TEST_CASE("a port in use is said in one sentence", "[usbip]") {
    Bench b;
    boost::asio::io_context io;
    usbip::Server second(io, {}, [](const std::string&) {});
    const auto result = second.listen(b.server.port());
    REQUIRE_FALSE(result);
    CHECK_THAT(result.error().message(), Catch::Contains("cannot listen on 127.0.0.1:"));
}
