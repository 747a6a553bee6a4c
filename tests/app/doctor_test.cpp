// doctor_test.cpp - the doctor finds what is missing on machines made up for it
// SPDX-License-Identifier: Apache-2.0
#include "host/app/doctor.hpp"

#include <fmt/format.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "tests/sim/usbip/puppet_board.hpp"
#include "tests/sim/usbip/raw_client.hpp"

using namespace touchmove::app;
namespace usbip_test = touchmove::usbip_test;
namespace fs = std::filesystem;
using tcp = boost::asio::ip::tcp;

namespace {

/// A folder that stands for another machine's root.
class Machine {
  public:
    Machine() {
        std::string name = (fs::temp_directory_path() / "touchmove-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        root_ = name;
    }
    ~Machine() { fs::remove_all(root_); }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    [[nodiscard]] const fs::path& root() const { return root_; }

    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << text << '\n';
    }
    void plug_in_board(const std::string& serial) const {
        const std::string device = "sys/bus/usb/devices/1-4/";
        write(device + "idVendor", "1209");
        write(device + "idProduct", "0001");
        write(device + "serial", serial);
        write(device + "busnum", "1");
        write(device + "devnum", "7");
        write("dev/bus/usb/001/007", "");
    }

  private:
    fs::path root_;
};

/// A listener on a port that the kernel chose.
struct Listener {
    boost::asio::io_context io;
    tcp::acceptor acceptor{io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
    [[nodiscard]] std::uint16_t port() const { return acceptor.local_endpoint().port(); }
};

std::uint16_t free_port() {
    return Listener{}.port();
}

Configuration desk(const Machine& machine) {
    Configuration configuration;
    configuration.journal = (machine.root() / "touchmove.db").string();
    configuration.web_port = free_port();
    return configuration;
}

/// The finding whose subject begins so.
Finding finding(const Configuration& configuration, const Machine& machine,
                const std::string& what) {
    std::vector<Finding> findings = examine_host(configuration, machine.root());
    for (const std::string& uri : configuration.devices) {
        for (Finding& each : examine_board(uri, machine.root())) findings.push_back(each);
    }
    for (const Finding& each : findings) {
        if (each.what.rfind(what, 0) == 0) return each;
    }
    FAIL("nothing is said of " << what);
    return {};
}

}  // namespace

TEST_CASE("a board that is plugged in and may be opened is found", "[app]") {
    const Machine machine;
    machine.plug_in_board("TM-12");
    Configuration configuration = desk(machine);
    const Finding board = finding(configuration, machine, "board usb://1209:0001");
    CHECK(board.verdict == Verdict::good);
    CHECK(board.found == "found, serial number TM-12");
    CHECK(finding(configuration, machine, "permission on").verdict == Verdict::good);

    configuration.devices = {"usb://1209:0001/TM-13"};
    CHECK(finding(configuration, machine, "board usb").verdict == Verdict::bad);
}

TEST_CASE("a machine without USB is told to simulate, one with it to plug in", "[app]") {
    const Machine machine;
    const Finding without = finding(desk(machine), machine, "board usb");
    CHECK(without.verdict == Verdict::bad);
    CHECK(without.found == "this machine has no USB");
    machine.write("sys/bus/usb/devices/usb1/idVendor", "1d6b");
    const Finding with = finding(desk(machine), machine, "board usb");
    CHECK(with.verdict == Verdict::bad);
    CHECK(with.found == "not found on USB");
    CHECK_FALSE(with.remedy.empty());
}

TEST_CASE("a device node that is not there may not be opened", "[app]") {
    const Machine machine;
    machine.plug_in_board("TM-12");
    fs::remove(machine.root() / "dev/bus/usb/001/007");
    const Finding permission = finding(desk(machine), machine, "permission on");
    CHECK(permission.verdict == Verdict::bad);
    CHECK(permission.remedy.find("60-touchmove.rules") != std::string::npos);
}

TEST_CASE("a udev rule counts if it names the board", "[app]") {
    const Machine machine;
    CHECK(finding(desk(machine), machine, "udev rule").verdict == Verdict::note);
    machine.write("etc/udev/rules.d/10-other.rules", R"(ATTR{idVendor}=="1d6b", MODE="0660")");
    CHECK(finding(desk(machine), machine, "udev rule").verdict == Verdict::note);
    machine.write("etc/udev/rules.d/60-touchmove.rules",
                  R"(ATTR{idVendor}=="1209", ATTR{idProduct}=="0001", MODE="0660")");
    CHECK(finding(desk(machine), machine, "udev rule").verdict == Verdict::good);
}

TEST_CASE("a port in use is told from a free one", "[app]") {
    const Machine machine;
    const Listener other;
    Configuration configuration = desk(machine);
    CHECK(finding(configuration, machine, "page").verdict == Verdict::good);
    configuration.web_port = other.port();
    const Finding page = finding(configuration, machine, "page");
    CHECK(page.verdict == Verdict::bad);
    CHECK(page.remedy.find("--port") != std::string::npos);
}

TEST_CASE("a simulated board is one that its server offers", "[app]") {
    const Machine machine;
    Configuration configuration = desk(machine);
    const auto verdict = [&](std::uint16_t port, const std::string& busid) {
        configuration.devices = {fmt::format("usbip://127.0.0.1:{}/{}", port, busid)};
        return finding(configuration, machine, "board usbip");
    };
    usbip_test::PuppetBoard board(1);
    usbip_test::ServerFixture simulator({&board});
    CHECK(verdict(simulator.port(), "1-1").verdict == Verdict::good);
    const Finding other = verdict(simulator.port(), "2-7");
    CHECK(other.verdict == Verdict::bad);
    CHECK(other.remedy == "It offers 1-1.");
    CHECK(verdict(free_port(), "1-1").verdict == Verdict::bad);
    configuration.devices = {"serial:/dev/ttyUSB0"};
    CHECK(finding(configuration, machine, "board serial").verdict == Verdict::bad);
}

TEST_CASE("what listens but is no USB/IP server is told from one", "[app]") {
    const Machine machine;
    Listener server;
    std::thread web([&server] {
        tcp::socket client = server.acceptor.accept();
        boost::system::error_code ignored;
        boost::asio::write(client, boost::asio::buffer("HTTP/1.1 400 Bad Request\r\n\r\n", 28),
                           ignored);
    });
    Configuration configuration = desk(machine);
    configuration.devices = {fmt::format("usbip://127.0.0.1:{}/1-1", server.port())};
    const Finding board = finding(configuration, machine, "board usbip");
    web.join();
    CHECK(board.verdict == Verdict::bad);
    CHECK_THAT(board.found, Catch::Contains("USB/IP"));
}

TEST_CASE("a journal needs a folder", "[app]") {
    const Machine machine;
    Configuration configuration = desk(machine);
    CHECK(finding(configuration, machine, "journal").verdict == Verdict::good);
    configuration.journal = (machine.root() / "none/touchmove.db").string();
    const Finding journal = finding(configuration, machine, "journal");
    CHECK(journal.verdict == Verdict::bad);
    CHECK(journal.found == "its folder does not exist");
}

TEST_CASE("usbip's kernel module is only a note", "[app]") {
    const Machine machine;
    CHECK(finding(desk(machine), machine, "kernel module").verdict == Verdict::note);
    machine.write("sys/module/vhci_hcd/version", "1");
    CHECK(finding(desk(machine), machine, "kernel module").verdict == Verdict::good);
}

TEST_CASE("a finding is one line, with what to do at its end", "[app]") {
    CHECK(line_of({Verdict::good, "page, 127.0.0.1 port 8088", "free", ""}) ==
          "ok   page, 127.0.0.1 port 8088: free");
    CHECK(line_of({Verdict::bad, "board", "not found on USB", "Plug it in."}) ==
          "BAD  board: not found on USB. Plug it in.");
}
