// doctor.cpp - what is missing on this machine, and what to do about it
// SPDX-License-Identifier: Apache-2.0
#include "host/app/doctor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cctype>
#include <charconv>
#include <chrono>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <variant>

#include "host/link/device_uri.hpp"
#include "host/link/usbip_wire.hpp"

namespace touchmove::app {
namespace {

namespace fs = std::filesystem;
using tcp = boost::asio::ip::tcp;

constexpr std::chrono::seconds usbip_patience{3};  // for a server's whole answer

std::string first_line(const fs::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

std::string whole(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
    std::error_code ignored;
    std::vector<fs::path> entries;
    for (fs::directory_iterator each(folder, ignored), end; !ignored && each != end;
         each.increment(ignored)) {
        entries.push_back(each->path());
    }
    std::sort(entries.begin(), entries.end());
    return entries;
}

std::optional<unsigned> whole_number(const std::string& text) {
    unsigned value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// A USB device that answers to the address, as its folder in sysfs.
std::optional<fs::path> find_usb(const fs::path& root, const link::UsbAddress& address) {
    for (const fs::path& device : entries_of(root / "sys/bus/usb/devices")) {
        if (first_line(device / "idVendor") != fmt::format("{:04x}", address.vendor)) continue;
        if (first_line(device / "idProduct") != fmt::format("{:04x}", address.product)) continue;
        if (!address.serial.empty() && first_line(device / "serial") != address.serial) continue;
        return device;
    }
    return std::nullopt;
}

bool has_udev_rule(const fs::path& root, const link::UsbAddress& address) {
    const std::string vendor = fmt::format("{:04x}", address.vendor);
    const std::string product = fmt::format("{:04x}", address.product);
    for (const char* folder : {"etc/udev/rules.d", "run/udev/rules.d", "usr/lib/udev/rules.d",
                               "lib/udev/rules.d"}) {
        for (const fs::path& file : entries_of(root / folder)) {
            if (file.extension() != ".rules") continue;
            const std::string text = lower(whole(file));
            if (text.find('"' + vendor + '"') != std::string::npos &&
                text.find('"' + product + '"') != std::string::npos) {
                return true;
            }
        }
    }
    return false;
}

std::vector<Finding> examine_usb(const fs::path& root, const link::UsbAddress& address) {
    std::vector<Finding> findings;
    const std::string uri = link::to_string(address);
    const auto device = find_usb(root, address);
    if (!device) {
        const bool any_usb = fs::exists(root / "sys/bus/usb");
        findings.push_back({Verdict::bad, "board " + uri,
                            any_usb ? "not found on USB" : "this machine has no USB",
                            any_usb ? "Plug it in, or see with lsusb whether it is there."
                                    : "Use a simulated board: --device usbip://HOST/BUSID."});
    } else {
        findings.push_back({Verdict::good, "board " + uri,
                            fmt::format("found, serial number {}", first_line(*device / "serial")),
                            ""});
        const auto bus = whole_number(first_line(*device / "busnum"));
        const auto number = whole_number(first_line(*device / "devnum"));
        if (bus && number) {
            const fs::path node =
                root / fmt::format("dev/bus/usb/{:03}/{:03}", *bus, *number);
            const bool open = ::access(node.c_str(), R_OK | W_OK) == 0;
            findings.push_back(
                {open ? Verdict::good : Verdict::bad, "permission on " + node.string(),
                 open ? "may be opened" : "may not be opened by this user",
                 open ? ""
                      : "Copy packaging/udev/60-touchmove.rules to /etc/udev/rules.d, run "
                        "'udevadm control --reload', and plug the board in again."});
        }
    }
    const bool rule = has_udev_rule(root, address);
    findings.push_back({rule ? Verdict::good : Verdict::note, "udev rule",
                        rule ? "installed" : "none names this board",
                        rule ? "" : "Needed unless touchmove runs as root: copy "
                                    "packaging/udev/60-touchmove.rules to /etc/udev/rules.d."});
    return findings;
}

/// The bus ids that a server offers.
Result<std::vector<std::string>> usbip_list(const link::UsbipAddress& address) {
    tcp::iostream server;
    server.expires_after(usbip_patience);
    server.connect(address.host, std::to_string(address.port));
    if (!server) return Error(server.error(), "no answer: " + server.error().message());
    const auto read = [&server](std::size_t size) {
        std::vector<std::uint8_t> bytes(size);
        server.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
        return bytes;
    };
    const Error silent(std::errc::protocol_error, "what listens there does not speak USB/IP");
    std::vector<std::uint8_t> request;
    link::put_list(request);
    server.write(reinterpret_cast<const char*>(request.data()),
                 static_cast<std::streamsize>(request.size()));
    server.flush();
    const auto header = read(link::usbip_list_bytes);
    if (!server) return silent;
    const auto count = link::usbip_list_count(header);
    if (!count) return count.error();
    std::vector<std::string> ids;
    for (std::uint32_t i = 0; i < *count; ++i) {
        const auto device = read(link::usbip_device_bytes);
        if (!server) return silent;
        auto listed = link::usbip_listed(device);
        (void)read(listed.interface_bytes);
        ids.push_back(std::move(listed.busid));
    }
    return ids;
}

Finding examine_usbip(const link::UsbipAddress& address) {
    Finding finding{Verdict::bad, fmt::format("board {}", link::to_string(address)), "", ""};
    const auto ids = usbip_list(address);
    if (!ids) {
        finding.found = ids.error().message();
        finding.remedy = "Start a simulated board: touchmove-sim serve.";
    } else if (std::find(ids->begin(), ids->end(), address.busid) == ids->end()) {
        finding.found = fmt::format("the server has no {}", address.busid);
        finding.remedy = ids->empty() ? "It offers no device at all."
                                      : fmt::format("It offers {}.", fmt::join(*ids, ", "));
    } else {
        finding.verdict = Verdict::good;
        finding.found = "the server offers it";
    }
    return finding;
}

Finding examine_port(const std::string& address, std::uint16_t port) {
    Finding finding{Verdict::good, fmt::format("page, {} port {}", address, port), "free", ""};
    boost::asio::io_context io;
    boost::system::error_code failed;
    const auto ip = boost::asio::ip::make_address(address, failed);
    if (!failed) {
        tcp::acceptor acceptor(io);
        const tcp::endpoint endpoint(ip, port);
        acceptor.open(endpoint.protocol(), failed);
        if (!failed) acceptor.set_option(tcp::acceptor::reuse_address(true), failed);
        if (!failed) acceptor.bind(endpoint, failed);
        if (!failed) acceptor.listen(1, failed);
    }
    if (failed) {
        finding.verdict = Verdict::bad;
        finding.found = failed.message();
        finding.remedy = "Stop what uses it (another touchmove?) or choose another with --port.";
    }
    return finding;
}

/// Only `usbip attach`, which makes a simulated board a device of this kernel, needs the module.
Finding examine_vhci(const fs::path& root) {
    if (fs::exists(root / "sys/module/vhci_hcd")) {
        return {Verdict::good, "kernel module vhci-hcd", "loaded", ""};
    }
    const std::string release = first_line(root / "proc/sys/kernel/osrelease");
    const std::string modules = whole(root / "lib/modules" / release / "modules.dep");
    const bool there = modules.find("vhci-hcd.ko") != std::string::npos;
    return {Verdict::note, "kernel module vhci-hcd",
            there ? "not loaded" : "not there for this kernel",
            there ? "Only for 'usbip attach' of simulated boards: modprobe vhci-hcd."
                  : "Only 'usbip attach' needs it; usbip:// devices work without."};
}

Finding examine_journal(const std::string& path) {
    Finding finding{Verdict::good, "journal " + path, "may be written", ""};
    fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) folder = ".";
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
        finding = {Verdict::bad, finding.what, "its folder does not exist",
                   fmt::format("Make the folder {}.", folder.string())};
    } else if (::access(folder.c_str(), W_OK) != 0 ||
               (fs::exists(path, ignored) && ::access(path.c_str(), W_OK) != 0)) {
        finding = {Verdict::bad, finding.what, "may not be written by this user",
                   "Choose another with --journal, or change its permissions."};
    }
    return finding;
}

}  // namespace

std::vector<Finding> examine_board(const std::string& uri, const fs::path& root) {
    const auto address = link::parse_device_uri(uri);
    if (!address) {
        return {{Verdict::bad, "board " + uri, address.error().message(),
                 "Correct the device URI."}};
    }
    if (const auto* usb = std::get_if<link::UsbAddress>(&*address)) return examine_usb(root, *usb);
    return {examine_usbip(std::get<link::UsbipAddress>(*address))};
}

std::vector<Finding> examine_host(const Configuration& configuration, const fs::path& root) {
    return {examine_port(configuration.web_address, configuration.web_port),
            examine_journal(configuration.journal), examine_vhci(root)};
}

std::string line_of(const Finding& finding) {
    const char* verdict = finding.verdict == Verdict::good   ? "ok  "
                          : finding.verdict == Verdict::note ? "note"
                                                             : "BAD ";
    std::string line = fmt::format("{} {}: {}", verdict, finding.what, finding.found);
    if (!finding.remedy.empty()) line += ". " + finding.remedy;
    return line;
}

}  // namespace touchmove::app
