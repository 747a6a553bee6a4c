// board_control_test.cpp - what may be said to a simulator, and what it answers
// SPDX-License-Identifier: Apache-2.0
#include "sim/app/board_control.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/streambuf.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <thread>

using namespace touchmove;
using app::run_control_line;
using Catch::Contains;
using Catch::StartsWith;

namespace {

struct Bench {
    Bench() : player({}, [](const std::string&) {}), board(options(), player) {}
    usbip::LiveBoard::Options options() {
        usbip::LiveBoard::Options o;
        o.device.flash = &flash;
        o.device.self_powered = false;
        return o;
    }
    std::string say(const std::string& line) {
        return run_control_line(line, {{"1-1", &board, &player}});
    }
    device::NorFlash flash;
    app::GamePlayer player;
    usbip::LiveBoard board;
};

}  // namespace

TEST_CASE("status tells power, cable, host, time and game", "[sim][app]") {
    Bench b;
    const std::string text = b.say("status");
    CHECK_THAT(text, StartsWith("1-1 powered plugged free time "));
    CHECK_THAT(text, Contains(" game 0 plies 0\nok\n"));
    CHECK(b.say("status 1-2") == "error: there is no board 1-2\n");
}

TEST_CASE("cable and power obey", "[sim][app]") {
    Bench b;
    const auto await = [&](const std::string& state) {
        while (b.say("status").find(state) == std::string::npos) std::this_thread::yield();
    };
    CHECK(b.say("pull 1-1") == "ok\n");
    await("1-1 unpowered unplugged");
    CHECK(b.say("plug 1-1\r") == "ok\n");
    await("1-1 powered plugged");
    CHECK(b.say("power-cut 1-1") == "ok\n");
    await("1-1 unpowered unplugged");
    CHECK(b.say("power-on 1-1") == "ok\n");
    await("1-1 powered plugged");
}

TEST_CASE("what cannot be understood is answered by one sentence", "[sim][app]") {
    Bench b;
    CHECK(b.say("") == "error: say help for what can be said\n");
    CHECK(b.say("explode 1-1") == "error: 'explode' is unknown; say help for what can be said\n");
    CHECK(b.say("pull") == "error: pull which board? Say pull 1-1\n");
    CHECK(b.say("pull 1-9") == "error: there is no board 1-9\n");
    CHECK(b.say("pull 1-1 now") == "error: 'now' is too much\n");
    CHECK_THAT(b.say("help"), Contains("power-cut ID"));
    CHECK(b.board.status().plugged);
}

TEST_CASE("the control port answers line by line, and drops who sends no line", "[sim][app]") {
    namespace asio = boost::asio;
    Bench b;
    asio::io_context io;
    app::ControlPort port(io, {{"1-1", &b.board, &b.player}});
    REQUIRE(port.listen(0));
    std::thread server([&] { io.run(); });
    {
        asio::io_context own;
        asio::ip::tcp::socket client(own);
        client.connect({asio::ip::address_v4::loopback(), port.port()});
        asio::write(client, asio::buffer(std::string("status\nnonsense\n")));
        asio::streambuf got;
        asio::read_until(client, got, "unknown; say help for what can be said\n");
        asio::ip::tcp::socket flood(own);
        flood.connect({asio::ip::address_v4::loopback(), port.port()});
        boost::system::error_code error;
        asio::write(flood, asio::buffer(std::string(5000, 'x')), error);
        char byte = 0;
        (void)flood.read_some(asio::buffer(&byte, 1), error);
        CHECK(error);
    }
    asio::post(io, [&] { port.stop(); });
    server.join();
}
