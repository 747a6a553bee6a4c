// host.hpp - a USB host at the level of bits: packets, transactions, control transfers
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>

#include "sim/wire/bus.hpp"
#include "sim/wire/packet.hpp"

namespace touchmove::wire {

/// How the host's signal looks.
struct Signal {
    double rate_error = 0;      ///< of the bit rate; 0.0025 is the limit (USB 2.0, 7.1.11)
    double jitter_ns = 0;       ///< each edge lies up to so much off its place
    double end_ns = 166.67;     ///< length of SE0 (7.1.13.2: 160 to 175; 82 must be understood)
    double skew_ns = 0;         ///< SE0 between J and K (table 7-9, TFST: up to 14)
    double gap_bits = 3;        ///< idle before a packet of one's own, or before an answer
    double time_out_bits = 17;  ///< how long a device is waited for (7.1.19.1: 16 to 18)
};

/// What came back.
enum class Answer { none, ack, nak, stall, data, broken };

struct Reply {
    Answer answer = Answer::none;
    Bytes data;  ///< of a data packet, without PID and CRC
    bool data1 = false;
    bool repeated = false;       ///< a data packet with the toggle of the one before
    double turnaround_bits = 0;  ///< from the end of SE0 to the first K
    std::string problem;         ///< of a broken packet
};

struct ControlResult {
    Answer answer = Answer::none;  ///< ack: done; stall; none: given up
    Bytes data;
};

/// One device's host. Toggles are kept per endpoint, as a host controller does.
class Host {
  public:
    Host(Bus& bus, std::uint64_t seed) : bus_(&bus), random_(seed) {}

    Signal signal;
    unsigned address = 0;

    // Packets.
    /// Sends and steps until the bus is let go; returns when SE0 ended (or the last bit).
    Fs send(std::span<const std::uint8_t> packet, const Fault& fault = {});
    /// Whatever the device sends up to the time-out after `end`.
    [[nodiscard]] Reply await(Fs end);
    void bus_reset(Fs length);
    void start_of_frame() { send(sof_packet(frame_++)); }
    /// From now on a frame begins every millisecond (8.4.3), and no transaction runs into the next
    /// one; or none does: the bus is suspended.
    void frames(bool on);
    /// Idle until then, but for the frames that begin.
    void run_until(Fs until);
    /// Idle for so many bit times.
    void idle(double bits) { run_until(bus_->now() + bits_fs(bits)); }

    // Transactions.
    struct InOptions {
        Fault token_fault = {};
        bool acknowledge = true;
        Fault ack_fault = {};
        bool deaf = false;  ///< the host takes the data for broken: neither kept nor acknowledged
    };
    Reply in(unsigned endpoint, const InOptions& options);
    Reply in(unsigned endpoint) { return in(endpoint, InOptions{}); }
    struct OutOptions {
        Fault token_fault = {}, data_fault = {};
        bool deaf = false;  ///< the handshake gets lost
    };
    Reply out(unsigned endpoint, std::span<const std::uint8_t> data, const OutOptions& options);
    Reply out(unsigned endpoint, std::span<const std::uint8_t> data) {
        return out(endpoint, data, OutOptions{});
    }
    Reply setup(std::span<const std::uint8_t, 8> packet, const OutOptions& options);

    /// Setup, data and status stage. A transaction without an answer is tried three times, one
    /// with NAK `patience` times.
    ControlResult control(std::span<const std::uint8_t, 8> setup_packet,
                          std::span<const std::uint8_t> data = {}, int patience = 2000);

    [[nodiscard]] Bus& bus() { return *bus_; }
    /// The next data packet of an endpoint.
    std::array<bool, 16> toggle_in{}, toggle_out{};

  private:
    [[nodiscard]] Fs bits_fs(double bits) const {
        return static_cast<Fs>(bits * static_cast<double>(bit_fs) / (1 + signal.rate_error));
    }
    [[nodiscard]] Fs jitter();
    Reply retry(int patience, const std::function<Reply()>& transaction);
    void keep_frames();

    Bus* bus_;
    std::mt19937_64 random_;
    unsigned frame_ = 0;
    std::optional<Fs> next_frame_;
};

}  // namespace touchmove::wire
